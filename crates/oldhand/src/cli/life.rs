//! What can be typed to commands about the life of memories: conflicts, lessons, reviews, uses,
//! time.

use clap::{Args, Subcommand};

use super::SignalArgs;

#[derive(Args)]
pub(crate) struct CheckArgs {
    /// What you are about to decide, in your own words; `-` reads standard input
    pub proposal: Vec<String>,
    /// The same as a whole record in Markdown, JSON or YAML; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "proposal")]
    pub from: Option<String>,
    /// A file or folder it is about; repeatable
    #[arg(long)]
    pub path: Vec<String>,
    /// The domain it belongs to
    #[arg(long)]
    pub domain: Option<String>,
}

#[derive(Args)]
pub(crate) struct PendingArgs {
    /// Show this one in full
    pub name: Option<String>,
}

#[derive(Args)]
#[command(group(clap::ArgGroup::new("resolution").required(true)))]
pub(crate) struct ResolveArgs {
    /// The name that `oldhand pending` shows
    pub name: String,
    /// What was decided before holds; the proposal is dropped
    #[arg(long, group = "resolution")]
    pub follow: bool,
    /// The proposal replaces what was decided before
    #[arg(long, group = "resolution")]
    pub supersede: bool,
    /// The two don't exclude each other: both hold
    #[arg(long, group = "resolution")]
    pub keep_both: bool,
    /// Why; needed unless you follow
    #[arg(long, default_value = "")]
    pub reason: String,
}

#[derive(Args)]
pub(crate) struct LearnArgs {
    /// A retrospective: JSON or YAML with `memory_candidates`, Markdown, or free text; `-` is
    /// standard input
    #[arg(default_value = "-")]
    pub source: String,
    /// The task it looks back on
    #[arg(long, value_name = "ID")]
    pub task: Option<String>,
    /// Where it was seen, such as `commit:3f2a`; repeatable
    #[arg(long, value_name = "REFERENCE")]
    pub evidence: Vec<String>,
}

#[derive(Args)]
pub(crate) struct ReviewArgs {
    /// The id or an alias; without it, everything that waits
    pub name: Option<String>,
    /// promote, keep, reinstate, reject, supersede or archive
    #[arg(long)]
    pub decision: Option<String>,
    /// Why; every review has a reason
    #[arg(long, default_value = "")]
    pub reason: String,
    /// As what you decide: orchestrator, architect, security …
    #[arg(long)]
    pub role: Option<String>,
    /// What it shall say from now on, to be reinstated
    #[arg(long)]
    pub guidance: Option<String>,
    /// What replaces it
    #[arg(long, value_name = "ID")]
    pub by_memory: Option<String>,
    /// Ask for a review: it is not served until somebody has decided
    #[arg(long, conflicts_with = "decision")]
    pub request: bool,
    /// Read all decisions, active and archived, in full
    #[arg(long, conflicts_with_all = ["name", "decision", "request"])]
    pub archive: bool,
    /// How many of what waits to list; 0 is all
    #[arg(long, default_value_t = 50, value_name = "N")]
    pub limit: usize,
}

#[derive(Args)]
pub(crate) struct PromoteArgs {
    /// The id or an alias
    pub name: String,
    /// The state you expect; one that would skip a state is refused
    #[arg(long, value_name = "STATE")]
    pub to: Option<String>,
    /// As what you approve: orchestrator, architect, security …
    #[arg(long)]
    pub role: Option<String>,
    /// Why it has earned it
    #[arg(long, default_value = "")]
    pub reason: String,
    /// Similar incidents that are known from elsewhere
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub incidents: u32,
}

#[derive(Args)]
pub(crate) struct ApplyArgs {
    /// The id or an alias
    pub name: String,
    /// positive, negative, neutral or contradiction
    #[arg(long)]
    pub effect: String,
    /// The task in which it was used; default: the current one
    #[arg(long, value_name = "ID")]
    pub task: Option<String>,
    /// session_start, prompt, planning, implementation, review, testing or recovery
    #[arg(long)]
    pub surface: Option<String>,
    /// What used it: an agent's type, a role
    #[arg(long = "as", value_name = "TYPE", default_value = "")]
    pub applied_by: String,
    /// none, strengthen, weaken, review or promote
    #[arg(long)]
    pub followup: Option<String>,
    /// What happened
    #[arg(long, default_value = "")]
    pub notes: String,
    /// The memory that it contradicts
    #[arg(long, value_name = "ID")]
    pub with: Option<String>,
}

#[derive(Args)]
pub(crate) struct TaskArgs {
    #[command(subcommand)]
    pub action: TaskAction,
}

#[derive(Subcommand)]
pub(crate) enum TaskAction {
    /// Begin a task: what recall serves from now on counts as used in it
    #[command(after_help = "Examples:\n  oldhand task start PAY-12\n  \
        oldhand task start PAY-12 --objective \"VAT on invoices\" --plan totals --plan print")]
    Start {
        /// A name of your own, such as an issue's number
        task: String,
        /// What it is for: the context anchor begins with it
        #[arg(long)]
        objective: Option<String>,
        /// A step of the plan, in order; repeatable
        #[arg(long, value_name = "STEP")]
        plan: Vec<String>,
        /// The session; default: the one of this shell
        #[arg(long)]
        session: Option<String>,
    },
    /// End a task: everything that was served in it learns how it went
    #[command(after_help = "Examples:\n  oldhand task end --outcome passed\n  \
        oldhand task end PAY-12 --outcome failed --failure-class flaky-test --path src/pay.rs")]
    End(Box<TaskEndArgs>),
    /// The current task, and what was served in it
    #[command(after_help = "Example: oldhand task show")]
    Show,
}

#[derive(Args)]
pub(crate) struct TaskEndArgs {
    /// The task; default: the current one
    pub task: Option<String>,
    /// The same as a flag
    #[arg(long = "task", value_name = "ID", conflicts_with = "task")]
    pub task_flag: Option<String>,
    /// passed or failed
    #[arg(long)]
    pub outcome: String,
    /// What was served in this session counts too
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
    /// Where the work was, instead of what git says was changed; repeatable
    #[arg(long)]
    pub path: Vec<String>,
    /// A memory that had a part in the outcome; repeatable
    #[arg(long, value_name = "ID")]
    pub used: Vec<String>,
    /// session_start, prompt, planning, implementation, review, testing or recovery
    #[arg(long)]
    pub surface: Option<String>,
    #[command(flatten)]
    pub signals: SignalArgs,
    /// A demo or test that showed the result works; repeatable
    #[arg(long, value_name = "WORD")]
    pub recipe: Vec<String>,
    /// A path or domain where the result did not fit together with other work; repeatable
    #[arg(long, value_name = "PATH")]
    pub integration_conflict: Vec<String>,
    /// The memory that helped most; repeatable
    #[arg(long, value_name = "ID")]
    pub most_useful: Vec<String>,
    /// What happened, in a sentence
    #[arg(long, default_value = "")]
    pub notes: String,
    /// Write no summary of the task
    #[arg(long)]
    pub no_summary: bool,
}

#[derive(Args)]
pub(crate) struct SweepArgs {
    /// Tell what would be done
    #[arg(long)]
    pub dry_run: bool,
    /// Only when the last sweep on this machine is a day ago
    #[arg(long, conflicts_with = "dry_run")]
    pub if_due: bool,
}

#[derive(Args)]
pub(crate) struct TrustArgs {
    /// Accept the store: its memories count as their log says, and its settings are used
    #[arg(long)]
    pub accept: bool,
    /// Take the acceptance back
    #[arg(long, conflicts_with = "accept")]
    pub revoke: bool,
}
