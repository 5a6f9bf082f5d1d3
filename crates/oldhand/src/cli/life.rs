//! What can be typed to commands about the life of memories: conflicts, lessons, reviews, uses,
//! time.

use clap::{Args, Subcommand};

use super::SignalArgs;

#[derive(Args)]
pub(crate) struct CheckArgs {
    /// What you are about to decide, in your own words; `-` reads standard input
    pub proposal: Vec<String>,
    /// The proposal as a whole record in Markdown, JSON or YAML; `-` reads standard input
    #[arg(long, value_name = "FILE", conflicts_with = "proposal")]
    pub from: Option<String>,
    /// A file or folder that it affects; repeatable
    #[arg(long)]
    pub path: Vec<String>,
    /// The domain it belongs to
    #[arg(long)]
    pub domain: Option<String>,
}

#[derive(Args, Default)]
pub(crate) struct UndoArgs {
    /// Take back so many of the last writes that still stand, instead of the last one whatever it was
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u8).range(1..=50))]
    pub steps: Option<u8>,
}

#[derive(Args)]
#[command(group(clap::ArgGroup::new("resolution").required(true)))]
pub(crate) struct ResolveArgs {
    /// The name that `oldhand pending` shows
    pub name: String,
    /// Keep the earlier decision and drop the proposal
    #[arg(long, group = "resolution")]
    pub follow: bool,
    /// Replace the earlier decision with the proposal
    #[arg(long, group = "resolution")]
    pub supersede: bool,
    /// Keep both: they don't exclude each other
    #[arg(long, group = "resolution")]
    pub keep_both: bool,
    /// Why; required unless you use `--follow`
    #[arg(long, default_value = "")]
    pub reason: String,
}

#[derive(Args)]
pub(crate) struct LearnArgs {
    /// A retrospective: JSON or YAML with `memory_candidates`, Markdown, or free text; `-` reads
    /// standard input
    #[arg(default_value = "-")]
    pub source: String,
    /// The task that the retrospective is about
    #[arg(long, value_name = "ID")]
    pub task: Option<String>,
    /// Evidence, such as `commit:3f2a`; repeatable
    #[arg(long, value_name = "REFERENCE")]
    pub evidence: Vec<String>,
}

#[derive(Args)]
pub(crate) struct ReviewArgs {
    /// The id or an alias [default: everything that waits]
    pub name: Option<String>,
    /// promote, keep, reinstate, reject, supersede or archive
    #[arg(long)]
    pub decision: Option<String>,
    /// Why; every decision needs a reason
    #[arg(long, default_value = "")]
    pub reason: String,
    /// Your role: orchestrator, architect, security …
    #[arg(long)]
    pub role: Option<String>,
    /// The new guidance, for `reinstate`
    #[arg(long)]
    pub guidance: Option<String>,
    /// The memory that replaces it, for `supersede`
    #[arg(long, value_name = "ID")]
    pub by_memory: Option<String>,
    /// Decide on every candidate at once
    #[arg(long, conflicts_with = "name", requires = "decision")]
    pub all: bool,
    /// With `--all`: only candidates of this kind
    #[arg(long, requires = "all")]
    pub kind: Option<String>,
    /// Only what an import brought from here, such as `adr:docs/adr`; with `--all` also candidates
    /// whose evidence or sources contain this, such as a session
    #[arg(long, conflicts_with = "name", value_name = "FROM")]
    pub source: Option<String>,
    /// With `--all`: don't ask
    #[arg(long, requires = "all")]
    pub yes: bool,
    /// Request a review: until someone decides, the memory is not served, or as a caution
    #[arg(long, conflicts_with = "decision")]
    pub request: bool,
    /// Print all decisions, active and archived, in full
    #[arg(long, conflicts_with_all = ["name", "decision", "request"])]
    pub archive: bool,
    /// Maximum number of memories to list; 0 for all
    #[arg(long, default_value_t = 50, value_name = "N")]
    pub limit: usize,
    /// Ask line by line instead of filling the screen
    #[arg(long)]
    pub plain: bool,
}

#[derive(Args)]
pub(crate) struct PromoteArgs {
    /// Ids or aliases
    pub names: Vec<String>,
    /// All candidates that an import brought from here, such as `adr:docs/adr`
    #[arg(long, value_name = "FROM", conflicts_with = "names")]
    pub source: Option<String>,
    /// The state you expect; oldhand refuses to skip a state
    #[arg(long, value_name = "STATE")]
    pub to: Option<String>,
    /// Your role: orchestrator, architect, security …
    #[arg(long)]
    pub role: Option<String>,
    /// Why it deserves the promotion
    #[arg(long, default_value = "")]
    pub reason: String,
    /// Number of similar incidents known from elsewhere
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub incidents: u32,
    /// Don't ask for confirmation
    #[arg(long)]
    pub yes: bool,
}

#[derive(Args)]
pub(crate) struct ApplyArgs {
    /// The id or an alias
    pub name: String,
    /// positive, negative, neutral or contradiction
    #[arg(long)]
    pub effect: String,
    /// The task in which it was used [default: the current one]
    #[arg(long, value_name = "ID")]
    pub task: Option<String>,
    /// session_start, prompt, planning, implementation, review, testing or recovery
    #[arg(long)]
    pub surface: Option<String>,
    /// Who used it: an agent type or a role
    #[arg(long = "as", value_name = "TYPE", default_value = "")]
    pub applied_by: String,
    /// none, strengthen, weaken, review or promote
    #[arg(long)]
    pub followup: Option<String>,
    /// What happened
    #[arg(long, default_value = "")]
    pub notes: String,
    /// The memory it contradicts
    #[arg(long, value_name = "ID")]
    pub with: Option<String>,
}

#[derive(Subcommand)]
pub(crate) enum TaskAction {
    /// Start a task: what recall serves from now on belongs to it
    #[command(after_help = "Examples:\n  oldhand task start PAY-12\n  \
        oldhand task start PAY-12 --objective \"VAT on invoices\" --plan totals --plan print")]
    Start {
        /// A name that you choose, such as an issue number
        task: String,
        /// The goal; it starts the context anchor
        #[arg(long)]
        objective: Option<String>,
        /// A step of the plan, in order; repeatable
        #[arg(long, value_name = "STEP")]
        plan: Vec<String>,
        /// The session [default: the session of this shell]
        #[arg(long)]
        session: Option<String>,
    },
    /// End a task: every memory served in it records the outcome
    #[command(after_help = "Examples:\n  oldhand task end --outcome passed\n  \
        oldhand task end PAY-12 --outcome failed --failure-class flaky-test --path src/pay.rs")]
    End(Box<TaskEndArgs>),
    /// Show the current task and what was served in it
    #[command(after_help = "Example: oldhand task show")]
    Show,
}

#[derive(Args)]
pub(crate) struct TaskEndArgs {
    /// The task [default: the current one]
    pub task: Option<String>,
    /// The task, as a flag
    #[arg(long = "task", value_name = "ID", conflicts_with = "task")]
    pub task_flag: Option<String>,
    /// passed or failed
    #[arg(long)]
    pub outcome: String,
    /// Also count what was served in this session
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
    /// A path that the work touched, instead of those that git reports; repeatable
    #[arg(long)]
    pub path: Vec<String>,
    /// A memory that influenced the outcome; repeatable
    #[arg(long, value_name = "ID")]
    pub used: Vec<String>,
    /// session_start, prompt, planning, implementation, review, testing or recovery
    #[arg(long)]
    pub surface: Option<String>,
    #[command(flatten)]
    pub signals: SignalArgs,
    /// A demo or test that shows the result works; repeatable
    #[arg(long, value_name = "WORD")]
    pub recipe: Vec<String>,
    /// A path or domain where the result conflicted with other work; repeatable
    #[arg(long, value_name = "PATH")]
    pub integration_conflict: Vec<String>,
    /// The memory that helped most; repeatable
    #[arg(long, value_name = "ID")]
    pub most_useful: Vec<String>,
    /// What happened, in one sentence
    #[arg(long, default_value = "")]
    pub notes: String,
    /// Write no summary of the task
    #[arg(long)]
    pub no_summary: bool,
}

#[derive(Args)]
pub(crate) struct SweepArgs {
    /// Show what would be done without doing it
    #[arg(long)]
    pub dry_run: bool,
    /// Only if the last sweep on this machine is at least a day old
    #[arg(long, conflicts_with = "dry_run")]
    pub if_due: bool,
}

#[derive(Args)]
pub(crate) struct TrustArgs {
    /// Accept the store: use its settings, and trust its memories as its log says
    #[arg(long)]
    pub accept: bool,
    /// Revoke the acceptance
    #[arg(long, conflicts_with = "accept")]
    pub revoke: bool,
}
