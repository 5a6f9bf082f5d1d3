//! What can be typed to commands about a session: coming back, notes, the anchor, windows,
//! compaction.

use clap::{Args, Subcommand};

#[derive(Args)]
pub(crate) struct ResumeArgs {
    /// What you are about to do; adds the memories it needs, within 1,000 tokens
    #[arg(long, value_name = "TEXT")]
    pub task: Option<String>,
    /// A file or folder of the task; repeatable
    #[arg(long)]
    pub path: Vec<String>,
    /// The session to resume [default: the session of this shell]
    #[arg(long)]
    pub session: Option<String>,
    /// Answer as if you were here for the first time
    #[arg(long)]
    pub onboard: bool,
}

#[derive(Args)]
pub(crate) struct NoteArgs {
    #[command(subcommand)]
    pub action: NoteAction,
    /// The session it belongs to [default: the session of this shell]
    #[arg(long, global = true)]
    pub session: Option<String>,
}

#[derive(Subcommand)]
pub(crate) enum NoteAction {
    /// Note that something is done: in words, or the number of an open note
    Done {
        #[arg(required = true)]
        text: Vec<String>,
    },
    /// Note that something is left to do
    #[command(visible_alias = "todo")]
    Remaining {
        #[arg(required = true)]
        text: Vec<String>,
    },
    /// Note an error, and how it was resolved if it is
    Error {
        #[arg(required = true)]
        text: Vec<String>,
        /// How it was resolved
        #[arg(long)]
        fix: Option<String>,
    },
    /// Note an open question
    Question {
        #[arg(required = true)]
        text: Vec<String>,
        /// The answer, if there is one
        #[arg(long)]
        answer: Option<String>,
    },
    /// Record how the error with this number was resolved
    Fix {
        item: usize,
        #[arg(required = true)]
        text: Vec<String>,
    },
    /// Answer the question with this number
    Answer {
        item: usize,
        #[arg(required = true)]
        text: Vec<String>,
    },
    /// Drop the note with this number, which was a mistake
    Drop { item: usize },
}

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct NotesArgs {
    #[command(subcommand)]
    pub action: Option<NotesAction>,
    /// The session [default: the session of this shell]
    #[arg(long)]
    pub session: Option<String>,
    /// List all known sessions in this folder, newest first
    #[arg(long, conflicts_with = "session")]
    pub all: bool,
}

#[derive(Subcommand)]
pub(crate) enum NotesAction {
    /// Turn a note that is worth more than this session into a memory
    Keep {
        /// The number that `oldhand notes` shows
        item: usize,
        /// The kind: lesson, runbook, decision, constraint, tech_debt … [default: guessed from the
        /// note]
        #[arg(long = "as", value_name = "KIND")]
        kind: Option<String>,
        #[arg(long)]
        session: Option<String>,
    },
    /// Discard all notes that were not kept
    Discard {
        #[arg(long)]
        session: Option<String>,
    },
}

#[derive(Args, Default)]
pub(crate) struct AnchorArgs {
    /// The goal; a new one starts a new plan
    #[arg(long)]
    pub objective: Option<String>,
    /// A step of the plan, in order; repeatable
    #[arg(long, value_name = "STEP")]
    pub plan: Vec<String>,
    /// Mark the current step as done
    #[arg(long)]
    pub next: bool,
    /// Your position, if the plan is not written down: 2/5
    #[arg(long, value_name = "N/M", conflicts_with = "next")]
    pub step: Option<String>,
    /// Something that is done; repeatable
    #[arg(long)]
    pub done: Vec<String>,
    /// Something left to do; repeatable
    #[arg(long)]
    pub remaining: Vec<String>,
    /// The session [default: the session of this shell]
    #[arg(long)]
    pub session: Option<String>,
}

#[derive(Args)]
pub(crate) struct WindowArgs {
    /// The conversation: an agent's transcript, or one line `{"role": …, "content": …}` per message;
    /// `-` reads standard input [default: the transcript of the session]
    pub conversation: Option<String>,
    /// Total tokens of all tiers, 400 to 8,500
    #[arg(long, default_value_t = oldhand_core::policy::CONVERSATION_TOKENS, value_name = "TOKENS")]
    pub budget: usize,
    /// What to look for in memory [default: the last prompt and the changed files]
    #[arg(long, value_name = "TEXT")]
    pub task: Option<String>,
    /// A file or folder of the task; repeatable
    #[arg(long)]
    pub path: Vec<String>,
    /// An earlier summary to continue; `-` reads standard input
    #[arg(long, value_name = "FILE")]
    pub earlier: Option<String>,
    /// The session [default: the session of this shell]
    #[arg(long)]
    pub session: Option<String>,
}

#[derive(Args)]
pub(crate) struct CompactArgs {
    /// The conversation: an agent's transcript, or one line `{"role": …, "content": …}` per message;
    /// `-` reads standard input [default: the transcript of the session]
    pub conversation: Option<String>,
    /// Tokens of the summary, at least 400
    #[arg(long, default_value_t = oldhand_core::policy::COMPACT_TOKENS, value_name = "TOKENS")]
    pub budget: usize,
    /// A topic to keep in more detail
    #[arg(long, value_name = "TOPIC")]
    pub focus: Option<String>,
    /// An earlier summary to continue [default: the one of the session]
    #[arg(long, value_name = "FILE")]
    pub earlier: Option<String>,
    /// Print a prompt for an agent that completes what needs judgement
    #[arg(long, conflicts_with = "check")]
    pub prompt: bool,
    /// Compare a summary with the conversation: every path, command, error text and number must be
    /// kept, or named as left out
    #[arg(long, value_name = "SUMMARY", conflicts_with_all = ["focus", "earlier"])]
    pub check: Option<String>,
    /// Show the conversation in groups of turns, tool output pruned
    #[arg(long, conflicts_with_all = ["prompt", "check"])]
    pub groups: bool,
    /// The session that the summary is kept for [default: the session of this shell]
    #[arg(long)]
    pub session: Option<String>,
    /// Don't save the summary
    #[arg(long)]
    pub dry_run: bool,
}
