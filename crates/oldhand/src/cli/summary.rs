//! What can be typed to commands that end or hand over a piece of work.

use clap::Args;

#[derive(Args)]
pub(crate) struct SummaryArgs {
    /// The task [default: the current one]
    pub task: Option<String>,
    #[command(flatten)]
    pub said: SaidArgs,
    #[command(flatten)]
    pub signals: SignalArgs,
}

#[derive(Args)]
pub(crate) struct HandoffArgs {
    /// The task [default: the current one]
    pub task: Option<String>,
    /// The role that takes over, such as `reviewer`
    #[arg(long, value_name = "ROLE")]
    pub to: String,
    /// The role that hands over [default: your name]
    #[arg(long, value_name = "ROLE")]
    pub from: Option<String>,
    #[command(flatten)]
    pub said: SaidArgs,
}

#[derive(Args)]
pub(crate) struct CheckTaskArgs {
    /// The task [default: the one that was started last]
    pub task: Option<String>,
    /// The commit or branch where the work began
    #[arg(long, value_name = "REV")]
    pub since: Option<String>,
    /// The session whose notes count [default: the session of this shell]
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
}

/// What somebody says of the work; what notes, the session and git know is added.
#[derive(Args)]
pub(crate) struct SaidArgs {
    /// What the work is for
    #[arg(long, value_name = "TEXT")]
    pub goal: Option<String>,
    /// success, partial, blocked or abandoned [default: partial, which ends nothing]
    #[arg(long)]
    pub outcome: Option<String>,
    /// What is done; repeatable
    #[arg(long, value_name = "TEXT")]
    pub completed: Vec<String>,
    /// What changed, in a sentence, before the subjects of commits; repeatable
    #[arg(long, value_name = "TEXT")]
    pub change: Vec<String>,
    /// What was decided, before the decisions that were written; repeatable
    #[arg(long, value_name = "TEXT")]
    pub decision: Vec<String>,
    /// What will help next time; in a small task it becomes a candidate
    #[arg(long, value_name = "TEXT")]
    pub pattern: Option<String>,
    /// What was tested and how it went; repeatable
    #[arg(long, value_name = "TEXT")]
    pub test: Vec<String>,
    /// An open question; repeatable
    #[arg(long, value_name = "TEXT")]
    pub open: Vec<String>,
    /// What to do next; repeatable
    #[arg(long, value_name = "TEXT")]
    pub next: Vec<String>,
    /// Where the work stands, such as `step 2 of 3`; repeatable
    #[arg(long, value_name = "TEXT")]
    pub standing: Vec<String>,
    /// The commit or branch from which changes count [default: where the task began]
    #[arg(long, value_name = "REV")]
    pub since: Option<String>,
    /// The session whose notes count [default: the session of this shell]
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
    /// Show the result without writing anything
    #[arg(long)]
    pub dry_run: bool,
}

/// The words by which repeated trouble is recognised, as in `oldhand task end`.
#[derive(Args)]
pub(crate) struct SignalArgs {
    /// What kind of failure it was, such as `flaky-test`
    #[arg(long, value_name = "WORD")]
    pub failure_class: Option<String>,
    /// What a reviewer objected to, such as `error-handling`; repeatable
    #[arg(long, value_name = "WORD")]
    pub concern: Vec<String>,
    /// How it was recovered, such as `rollback`
    #[arg(long, value_name = "WORD")]
    pub recovery_class: Option<String>,
    /// What kind of work it was, such as `migration`
    #[arg(long, value_name = "WORD")]
    pub task_kind: Option<String>,
    /// How confident you are in the result, 1 (not at all) to 5
    #[arg(long, value_name = "1-5")]
    pub self_check: Option<u8>,
}
