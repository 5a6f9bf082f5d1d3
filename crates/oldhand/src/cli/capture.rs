//! What can be typed to commands about hooks and capture.

use clap::{Args, Subcommand};

#[derive(Subcommand)]
pub(crate) enum CaptureAction {
    /// Show what is worth remembering in a transcript; writes nothing
    #[command(after_help = "Example: oldhand capture triage ~/.claude/projects/x/session.jsonl")]
    Triage {
        /// The transcript of a session; `-` reads standard input
        transcript: String,
    },
    /// Write candidates from a transcript, as the stop hook does
    From {
        /// The transcript of a session
        transcript: String,
        /// The session name used as evidence [default: the file name]
        #[arg(long)]
        session: Option<String>,
        /// Show what would be written
        #[arg(long)]
        dry_run: bool,
    },
    /// Check, verify and save the drafts in a staging folder
    Save {
        /// The folder that the stop hook named
        #[arg(long, value_name = "DIR")]
        staging: std::path::PathBuf,
    },
    /// Show which memory a draft is about, and which actions are allowed
    Check {
        /// The kind of the draft
        #[arg(long, value_name = "KIND")]
        category: String,
        /// What is new, in one sentence; `-` reads standard input
        #[arg(long, value_name = "TEXT")]
        new_info: String,
        /// What happened to it: resolved, removed, reversed, superseded or deprecated
        #[arg(long, value_name = "EVENT")]
        lifecycle_event: Option<String>,
    },
    /// Compare a draft with the excerpt it is based on
    Verify {
        /// The draft as a record; `-` reads standard input
        #[arg(long, value_name = "FILE")]
        draft: String,
        /// The excerpt
        #[arg(long, value_name = "FILE")]
        context: String,
    },
}

#[derive(Args)]
pub(crate) struct LogArgs {
    /// Only this session
    #[arg(long)]
    pub session: Option<String>,
    /// Only this event: session_start, prompt, before_tool, tool_failed, stop and so on
    #[arg(long)]
    pub event: Option<String>,
    /// Only this host
    #[arg(long)]
    pub host: Option<String>,
    /// Only failures
    #[arg(long)]
    pub trouble: bool,
    /// Maximum number of lines, newest last
    #[arg(long, default_value_t = 20)]
    pub limit: usize,
}
