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
    /// Also name oldhand as an MCP server
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
    /// With oldhand as an MCP server
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

#[derive(Args)]
pub(crate) struct McpArgs {
    /// Serve over HTTP at this address, for example 127.0.0.1:8631; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS")]
    pub http: Option<String>,
    /// The file with the token that HTTP requests must bring, readable by you alone; made when it is
    /// not there
    #[arg(long, value_name = "FILE", requires = "http")]
    pub token_file: Option<std::path::PathBuf>,
    /// Listen also where other machines can reach it
    #[arg(long, requires = "http")]
    pub allow_remote: bool,
    /// Another name by which the server may be addressed; may be given again
    #[arg(long, value_name = "NAME", requires = "http")]
    pub allow_host: Vec<String>,
    /// A web page's origin that may ask; may be given again
    #[arg(long, value_name = "ORIGIN", requires = "http")]
    pub allow_origin: Vec<String>,
    /// What the agent is, for the log
    #[arg(long, value_name = "TYPE")]
    pub agent: Option<String>,
}
