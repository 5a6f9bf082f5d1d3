//! What can be typed to commands about hooks and capture.

use clap::{Args, Subcommand};

#[derive(Args)]
pub(crate) struct HookArgs {
    /// Whose hook it is: claude-code, codex, gemini, cursor, copilot or opencode
    pub host: String,
    /// The event, where the payload does not name it
    #[arg(long, value_name = "NAME")]
    pub event: Option<String>,
}

#[derive(Args)]
pub(crate) struct CaptureArgs {
    #[command(subcommand)]
    pub action: CaptureAction,
}

#[derive(Subcommand)]
pub(crate) enum CaptureAction {
    /// Show what a transcript holds that is worth remembering; writes nothing
    #[command(after_help = "Example: oldhand capture triage ~/.claude/projects/x/session.jsonl")]
    Triage {
        /// The transcript of a session; `-` is standard input
        transcript: String,
    },
    /// Write candidates from a transcript, as the stop hook does
    From {
        /// The transcript of a session
        transcript: String,
        /// The name of the session in the evidence [default: the file's name]
        #[arg(long)]
        session: Option<String>,
        /// Show what would be written
        #[arg(long)]
        dry_run: bool,
    },
    /// Take in the drafts of a staging folder: check, verify, write
    Save {
        /// The folder that the stop hook named
        #[arg(long, value_name = "DIR")]
        staging: std::path::PathBuf,
    },
    /// Show which memory a draft is about, and what may be done with it
    Check {
        /// The kind of the draft
        #[arg(long, value_name = "KIND")]
        category: String,
        /// What is new, in a sentence; `-` is standard input
        #[arg(long, value_name = "TEXT")]
        new_info: String,
        /// What happened to it: resolved, removed, reversed, superseded or deprecated
        #[arg(long, value_name = "EVENT")]
        lifecycle_event: Option<String>,
    },
    /// Compare a draft with the excerpt that it was made from
    Verify {
        /// The draft as a record; `-` is standard input
        #[arg(long, value_name = "FILE")]
        draft: String,
        /// The excerpt
        #[arg(long, value_name = "FILE")]
        context: String,
    },
}

#[derive(Args)]
pub(crate) struct LogArgs {
    /// Only of this session
    #[arg(long)]
    pub session: Option<String>,
    /// Only of this event: session_start, prompt, before_tool, tool_failed, stop and so on
    #[arg(long)]
    pub event: Option<String>,
    /// Only of this host
    #[arg(long)]
    pub host: Option<String>,
    /// Only what went wrong
    #[arg(long)]
    pub trouble: bool,
    /// How many, newest last
    #[arg(long, default_value_t = 20)]
    pub limit: usize,
}
