//! `oldhand serve`, `oldhand sync`: both are `oldhand-team`, a program of its own, so that this one opens no connection
//! and needs no driver.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command as Program;

use super::prelude::*;
use crate::cli::Command;

const NAME: &str = "oldhand-team";

/// Becomes that program; it returns only where there is none.
pub(super) fn run(command: &Command, desk: &Desk<'_>) -> Outcome {
    let (what, words): (&str, &[OsString]) = match command {
        Command::Serve(args) => ("serve", &args.words),
        Command::Sync(args) => ("sync", &args.words),
        _ => ("help", &[]),
    };
    let Some(program) = beside().or_else(|| on_path(desk)) else {
        return Err(Fail::usage(
            format!("`oldhand {what}` needs `{NAME}`, which is not installed"),
            "`cargo install --path crates/team` in a checkout of oldhand puts it beside this program",
        ));
    };
    let mut command = Program::new(&program);
    let error = command.arg(what).args(words).current_dir(desk.current_dir()).exec();
    let message = format!("could not start `{}`: {error}", program.display());
    Err(Fail::usage(message, "install it again"))
}

fn beside() -> Option<PathBuf> {
    let own = std::env::current_exe().ok()?;
    Some(own.with_file_name(NAME)).filter(|it| it.is_file())
}

fn on_path(desk: &Desk<'_>) -> Option<PathBuf> {
    let folders = desk.env.var("PATH")?;
    std::env::split_paths(folders).map(|folder| folder.join(NAME)).find(|it| it.is_file())
}
