//! What can be typed to the dashboard, and to the team server.

use std::ffi::OsString;

use clap::Args;

#[derive(Args)]
pub(crate) struct UiArgs {
    /// Print the address without opening a browser
    #[arg(long)]
    pub no_open: bool,
    /// The port [default: a free one]
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    pub port: u16,
    /// Use 127.0.0.1 instead of a name of its own, for browsers that can't resolve `*.localhost`.
    /// Pages that other servers on this machine serve then share the dashboard's cookie
    #[arg(long)]
    pub plain_host: bool,
    /// Show a made-up store; nothing of yours is read or changed
    #[arg(long)]
    pub demo: bool,
}

#[derive(Args)]
#[command(disable_help_flag = true)]
pub(crate) struct TeamArgs {
    /// What `oldhand-team` takes behind that word
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub words: Vec<OsString>,
}
