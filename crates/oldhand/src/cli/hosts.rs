//! What can be typed to commands about the agents that oldhand works with.

use clap::{Args, ValueEnum};

#[derive(Args)]
pub(crate) struct InstallArgs {
    /// claude-code, codex, gemini, cursor, copilot, opencode, windsurf, zed, cline, or `all` for
    /// every host found on this machine; `git` for the merge driver, with `--global` for all clones
    #[arg(required_unless_present = "list")]
    pub host: Option<String>,
    /// List the hosts: which are found on this machine, which are set up
    #[arg(long, conflicts_with = "host")]
    pub list: bool,
    /// Change files in this repository, for everyone who works in it, instead of your own
    #[arg(long)]
    pub project: bool,
    /// Claude Code only: write the plugin and print how to install it
    #[arg(long, conflicts_with = "project")]
    pub plugin: bool,
    /// Also register oldhand as an MCP server
    #[arg(long)]
    pub with_mcp: bool,
    /// Show what would change without changing anything
    #[arg(long)]
    pub dry_run: bool,
}

#[derive(Args)]
pub(crate) struct UninstallArgs {
    /// A host's name, `all`, or `git` for the merge driver
    pub host: String,
    /// Clean the files of this repository instead of your own
    #[arg(long)]
    pub project: bool,
    /// Show what would change without changing anything
    #[arg(long)]
    pub dry_run: bool,
}

#[derive(Args)]
pub(crate) struct PluginArgs {
    pub kind: PluginKind,
    /// The folder to write to; must be empty or new
    #[arg(long, value_name = "DIR")]
    pub out: std::path::PathBuf,
    /// Include oldhand as an MCP server
    #[arg(long)]
    pub with_mcp: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PluginKind {
    /// A plugin, and a marketplace that contains it
    ClaudeCode,
    /// The portable form, Agent Plugins 1.0.0: skills only
    AgentPlugin,
    /// An extension
    Gemini,
    /// A plugin
    Codex,
}

#[derive(Args)]
pub(crate) struct McpArgs {
    /// Serve over HTTP at this address, for example 127.0.0.1:8631; port 0 picks a free port
    #[arg(long, value_name = "ADDRESS")]
    pub http: Option<String>,
    /// The file with the token that HTTP requests must send, readable only by you; created if it
    /// doesn't exist
    #[arg(long, value_name = "FILE", requires = "http")]
    pub token_file: Option<std::path::PathBuf>,
    /// Allow an address that other machines can reach
    #[arg(long, requires = "http")]
    pub allow_remote: bool,
    /// Another host name that requests may use; repeatable
    #[arg(long, value_name = "NAME", requires = "http")]
    pub allow_host: Vec<String>,
    /// A web origin that may send requests; repeatable
    #[arg(long, value_name = "ORIGIN", requires = "http")]
    pub allow_origin: Vec<String>,
    /// The type of agent, for the log; memories for agents of other types are left out
    #[arg(long, value_name = "TYPE")]
    pub agent: Option<String>,
}

#[derive(Args)]
pub(crate) struct MergeFileArgs {
    /// Where the result goes; it may be OURS [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub output: Option<std::path::PathBuf>,
    /// The length of conflict markers
    #[arg(long, value_name = "N", default_value_t = oldhand_merge::MARKER_SIZE)]
    pub marker_size: usize,
    /// The file's path in the repository
    #[arg(long, value_name = "P", default_value = "", hide_default_value = true)]
    pub path: String,
    pub base: std::path::PathBuf,
    pub ours: std::path::PathBuf,
    pub theirs: std::path::PathBuf,
}
