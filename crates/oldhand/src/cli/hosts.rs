//! What can be typed to commands about the agents that oldhand works with.

use clap::{Args, ValueEnum};

#[derive(Args)]
pub(crate) struct InstallArgs {
    /// claude-code, codex, gemini, cursor, copilot, opencode, windsurf, zed, cline, or `all` that
    /// are found here
    #[arg(required_unless_present = "list")]
    pub host: Option<String>,
    /// Show the hosts: which are found here, which are set up
    #[arg(long, conflicts_with = "host")]
    pub list: bool,
    /// Change files of this repository, for everybody who works in it, instead of your own
    #[arg(long)]
    pub project: bool,
    /// Claude Code only: make the plugin and say how it is taken in
    #[arg(long, conflicts_with = "project")]
    pub plugin: bool,
    /// Also name oldhand as an MCP server; `oldhand mcp` comes with a later release
    #[arg(long)]
    pub with_mcp: bool,
    /// Show what would change, and change nothing
    #[arg(long)]
    pub dry_run: bool,
}

#[derive(Args)]
pub(crate) struct UninstallArgs {
    /// A host's name, or `all`
    pub host: String,
    /// Clean the files of this repository instead of your own
    #[arg(long)]
    pub project: bool,
    /// Show what would change, and change nothing
    #[arg(long)]
    pub dry_run: bool,
}

#[derive(Args)]
pub(crate) struct PluginArgs {
    pub kind: PluginKind,
    /// The folder for its files, which must be empty or new
    #[arg(long, value_name = "DIR")]
    pub out: std::path::PathBuf,
    /// With oldhand as an MCP server; `oldhand mcp` comes with a later release
    #[arg(long)]
    pub with_mcp: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PluginKind {
    /// A plugin, and a marketplace with this plugin in it
    ClaudeCode,
    /// The portable form, Agent Plugins 1.0.0: skills only
    AgentPlugin,
    /// An extension
    Gemini,
    /// A plugin
    Codex,
}
