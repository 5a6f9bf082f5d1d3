//! What can be typed to commands about a session: coming back, notes, the anchor, windows,
//! compaction.

use clap::{Args, Subcommand};

#[derive(Args)]
pub(crate) struct ResumeArgs {
    /// What you are about to do: what it needs is looked for, within 1,000 tokens
    #[arg(long, value_name = "TEXT")]
    pub task: Option<String>,
    /// A file or folder of the task; may be given again
    #[arg(long)]
    pub path: Vec<String>,
    /// The session that is resumed; the one of this shell when unsaid
    #[arg(long)]
    pub session: Option<String>,
    /// As if you were here for the first time
    #[arg(long)]
    pub onboard: bool,
}

#[derive(Args)]
pub(crate) struct NoteArgs {
    #[command(subcommand)]
    pub action: NoteAction,
    /// The session it belongs to; the one of this shell when unsaid
    #[arg(long, global = true)]
    pub session: Option<String>,
}

#[derive(Subcommand)]
pub(crate) enum NoteAction {
    /// Something is done: in words, or the number of an open note
    Done {
        #[arg(required = true)]
        text: Vec<String>,
    },
    /// Something is left to do
    #[command(visible_alias = "todo")]
    Remaining {
        #[arg(required = true)]
        text: Vec<String>,
    },
    /// Something broke; with how it was resolved, if it is
    Error {
        #[arg(required = true)]
        text: Vec<String>,
        /// How it was resolved
        #[arg(long)]
        fix: Option<String>,
    },
    /// Something that nobody has answered yet
    Question {
        #[arg(required = true)]
        text: Vec<String>,
        /// The answer, if there is one
        #[arg(long)]
        answer: Option<String>,
    },
    /// How the error of that number was resolved
    Fix {
        item: usize,
        #[arg(required = true)]
        text: Vec<String>,
    },
    /// The answer to the question of that number
    Answer {
        item: usize,
        #[arg(required = true)]
        text: Vec<String>,
    },
    /// The note of that number was a mistake
    Drop { item: usize },
}

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct NotesArgs {
    #[command(subcommand)]
    pub action: Option<NotesAction>,
    /// The session; the one of this shell when unsaid
    #[arg(long)]
    pub session: Option<String>,
    /// All sessions that this machine knows here, newest first
    #[arg(long, conflicts_with = "session")]
    pub all: bool,
}

#[derive(Subcommand)]
pub(crate) enum NotesAction {
    /// Make a memory of a note that is worth more than this session
    Keep {
        /// The number that `oldhand notes` shows
        item: usize,
        /// The kind: lesson, runbook, decision, constraint, tech_debt …; guessed from the note when
        /// unsaid
        #[arg(long = "as", value_name = "KIND")]
        kind: Option<String>,
        #[arg(long)]
        session: Option<String>,
    },
    /// The notes were looked through: what was not kept is not needed any more
    Discard {
        #[arg(long)]
        session: Option<String>,
    },
}

#[derive(Args, Default)]
pub(crate) struct AnchorArgs {
    /// What the work is for; another one begins another plan
    #[arg(long)]
    pub objective: Option<String>,
    /// A step of the plan, in order; may be given again
    #[arg(long, value_name = "STEP")]
    pub plan: Vec<String>,
    /// The current step is done
    #[arg(long)]
    pub next: bool,
    /// Where you are, if the plan is not written down: 2/5
    #[arg(long, value_name = "N/M", conflicts_with = "next")]
    pub step: Option<String>,
    /// Something is done; may be given again
    #[arg(long)]
    pub done: Vec<String>,
    /// Something is left to do; may be given again
    #[arg(long)]
    pub remaining: Vec<String>,
    /// The session; the one of this shell when unsaid
    #[arg(long)]
    pub session: Option<String>,
}

#[derive(Args)]
pub(crate) struct WindowArgs {
    /// The conversation: an agent's transcript, or a line `{"role": …, "content": …}` a message; `-`
    /// is standard input; the transcript of the session when unsaid
    pub conversation: Option<String>,
    /// Tokens of all tiers together, 400 to 8,500
    #[arg(long, default_value_t = oldhand_core::policy::CONVERSATION_TOKENS, value_name = "TOKENS")]
    pub budget: usize,
    /// What is looked for in memory; the last prompt and the changed files when unsaid
    #[arg(long, value_name = "TEXT")]
    pub task: Option<String>,
    /// A file or folder of the task; may be given again
    #[arg(long)]
    pub path: Vec<String>,
    /// An earlier summary, which is continued; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub earlier: Option<String>,
    /// The session; the one of this shell when unsaid
    #[arg(long)]
    pub session: Option<String>,
}

#[derive(Args)]
pub(crate) struct CompactArgs {
    /// The conversation: an agent's transcript, or a line `{"role": …, "content": …}` a message; `-`
    /// is standard input; the transcript of the session when unsaid
    pub conversation: Option<String>,
    /// Tokens of the summary, at least 400
    #[arg(long, default_value_t = oldhand_core::policy::COMPACT_TOKENS, value_name = "TOKENS")]
    pub budget: usize,
    /// A topic that is kept in more detail
    #[arg(long, value_name = "TOPIC")]
    pub focus: Option<String>,
    /// An earlier summary, which is continued; that of the session when unsaid
    #[arg(long, value_name = "FILE")]
    pub earlier: Option<String>,
    /// Print the prompt for an agent that completes what needs judgement
    #[arg(long, conflicts_with = "check")]
    pub prompt: bool,
    /// Hold a summary against the conversation: every path, command, error text and number must be
    /// kept, or named as left out
    #[arg(long, value_name = "SUMMARY", conflicts_with_all = ["focus", "earlier"])]
    pub check: Option<String>,
    /// Show the conversation in groups of turns, tool output pruned
    #[arg(long, conflicts_with_all = ["prompt", "check"])]
    pub groups: bool,
    /// The session for which the summary is kept; the one of this shell when unsaid
    #[arg(long)]
    pub session: Option<String>,
    /// Keep nothing
    #[arg(long)]
    pub dry_run: bool,
}
