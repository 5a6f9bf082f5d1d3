//! What can be typed to commands that find, explain and measure.

use clap::{Args, ValueEnum};

/// Which memories count; a flag that is not given limits nothing.
#[derive(Args, Clone, Default)]
pub(crate) struct FilterFlags {
    /// Only these kinds, separated by commas or repeated
    #[arg(long, value_delimiter = ',')]
    pub kind: Vec<String>,
    /// Only this domain
    #[arg(long)]
    pub domain: Option<String>,
    /// Only memories with all of these tags
    #[arg(long, value_delimiter = ',')]
    pub tag: Vec<String>,
    /// Only this scope
    #[arg(long)]
    pub scope: Option<String>,
    /// Only these states, separated by commas or repeated
    #[arg(long, value_delimiter = ',')]
    pub state: Vec<String>,
    /// Only memories about this old module, including archived ones
    #[arg(long, value_name = "MODULE")]
    pub legacy: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Disclosure {
    /// Only ids, a few tokens each
    Index,
    /// The full text of the few that matter
    Full,
}

#[derive(Args)]
pub(crate) struct RecallArgs {
    /// The task or question, in your own words; `-` reads standard input
    pub task: Vec<String>,
    /// A file or folder you are working on; repeatable
    #[arg(long)]
    pub path: Vec<String>,
    #[command(flatten)]
    pub filter: FilterFlags,
    /// How much of each memory to show
    #[arg(long, value_enum, default_value = "full")]
    pub level: Disclosure,
    /// Only decisions of this level
    #[arg(long, value_name = "LEVEL")]
    pub decision_level: Option<String>,
    /// Maximum number of tokens in the answer
    #[arg(long, value_name = "TOKENS")]
    pub budget: Option<usize>,
    /// Maximum number of memories in the answer
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// Recall what was in force on this date
    #[arg(long, value_name = "DATE")]
    pub as_of: Option<String>,
    /// The task that the answer is for, see `oldhand task` [default: the current one]
    #[arg(long = "task", value_name = "ID")]
    pub for_task: Option<String>,
    /// Skip what this session has already received
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
    /// Search by words only, not by meaning
    #[arg(long)]
    pub keywords: bool,
    /// Print everything that fits, newest first
    #[arg(long)]
    pub full_read: bool,
    /// Include memories that the results list as related
    #[arg(long)]
    pub related: bool,
    /// Show how each candidate was scored
    #[arg(long)]
    pub explain: bool,
}

#[derive(Args)]
pub(crate) struct SearchArgs {
    /// Words that the memory has anywhere
    #[arg(required = true)]
    pub what: Vec<String>,
    /// Search in the fields only: `domain: storage`, or a word in any of them
    #[arg(long, group = "mode")]
    pub fields: bool,
    /// Search for this exact text
    #[arg(long, group = "mode")]
    pub text: bool,
    /// Follow the links to and from this memory
    #[arg(long, group = "mode")]
    pub links: bool,
    #[command(flatten)]
    pub filter: FilterFlags,
    /// Maximum number of results; 0 for all
    #[arg(long, default_value_t = 20)]
    pub limit: usize,
}

#[derive(Args)]
pub(crate) struct IndexArgs {
    #[command(flatten)]
    pub filter: FilterFlags,
    /// Only this level
    #[arg(long)]
    pub level: Option<String>,
    /// Only memories about this file or folder
    #[arg(long)]
    pub path: Option<String>,
    /// Include titles, domains and levels
    #[arg(long)]
    pub long: bool,
    /// Maximum number of tokens in the answer; 0 for no limit
    #[arg(long, value_name = "TOKENS")]
    pub budget: Option<usize>,
}

#[derive(Args)]
pub(crate) struct WhyArgs {
    /// The id or alias of a memory
    pub name: String,
    /// A question, to see how recall ranks the memory for it now
    pub question: Vec<String>,
    /// A file or folder you are working on; repeatable
    #[arg(long)]
    pub path: Vec<String>,
}

#[derive(Args)]
pub(crate) struct ReceiptsArgs {
    /// Maximum number of receipts, newest first
    #[arg(long, default_value_t = 10)]
    pub limit: usize,
    /// Only this session
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
}

#[derive(Args)]
pub(crate) struct EvalArgs {
    /// The questions, one JSON object per line; `gold` lists the ids of the memories that answer it
    #[arg(long, value_name = "FILE")]
    pub questions: String,
    /// Ask at most this many questions, spread evenly over the file
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub limit: Option<u32>,
    /// Write the rankings to this file, one JSON object per question
    #[arg(long, value_name = "FILE")]
    pub run: Option<std::path::PathBuf>,
    /// Ask as hooks do: only the most significant words, in a single search
    #[arg(long)]
    pub quick: bool,
    /// How many memories to rank per question; the measures look at ten
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub k: u32,
}

#[derive(Args)]
pub(crate) struct ShowArgs {
    /// The id or an alias
    pub name: String,
    /// Print the file's exact bytes
    #[arg(long)]
    pub raw: bool,
}

#[derive(Args)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    pub filter: FilterFlags,
    /// active, retired or archived
    #[arg(long)]
    pub status: Option<String>,
    /// Only this level
    #[arg(long)]
    pub level: Option<String>,
    /// Only memories about this path
    #[arg(long)]
    pub path: Option<String>,
    /// Only what an import brought from here, such as `adr:docs/adr`
    #[arg(long, value_name = "FROM")]
    pub source: Option<String>,
    /// Maximum number of memories; 0 for all
    #[arg(long, default_value_t = 50)]
    pub limit: usize,
}

#[derive(Args)]
pub(crate) struct FreshArgs {
    /// Ids or aliases [default: memories with `refresh_tier` 2]
    pub names: Vec<String>,
    /// All active memories, even those with nothing to check
    #[arg(long, conflicts_with = "names")]
    pub all: bool,
}
