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
    /// Only with all of these tags, a story's or an epic's for example
    #[arg(long, value_delimiter = ',')]
    pub tag: Vec<String>,
    /// Only this scope
    #[arg(long)]
    pub scope: Option<String>,
    /// Only these states, separated by commas or repeated
    #[arg(long, value_delimiter = ',')]
    pub state: Vec<String>,
    /// Work on an old module: what speaks of it, the archive included
    #[arg(long, value_name = "MODULE")]
    pub legacy: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Disclosure {
    /// Ids alone, which tell what there is for a few tokens each
    Index,
    /// The whole text of the few that matter
    Full,
}

#[derive(Args)]
pub(crate) struct RecallArgs {
    /// The task or question, in your own words; `-` reads standard input
    pub task: Vec<String>,
    /// A file or folder at hand; repeatable
    #[arg(long)]
    pub path: Vec<String>,
    #[command(flatten)]
    pub filter: FilterFlags,
    /// How much to show of each
    #[arg(long, value_enum, default_value = "full")]
    pub level: Disclosure,
    /// Only decisions of this level, as they name it
    #[arg(long, value_name = "LEVEL")]
    pub decision_level: Option<String>,
    /// Tokens that the answer may cost
    #[arg(long, value_name = "TOKENS")]
    pub budget: Option<usize>,
    /// Memories that the answer may have
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// What was in force on that day
    #[arg(long, value_name = "DATE")]
    pub as_of: Option<String>,
    /// The task that the answer is for, see `oldhand task`; default: the current one
    #[arg(long = "task", value_name = "ID")]
    pub for_task: Option<String>,
    /// What this session was given is not given again
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
    /// By words alone
    #[arg(long)]
    pub keywords: bool,
    /// Everything, newest first, as far as it fits
    #[arg(long)]
    pub full_read: bool,
    /// Also what the found ones name as related
    #[arg(long)]
    pub related: bool,
    /// Tell how each candidate was weighed
    #[arg(long)]
    pub explain: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SearchMode {
    /// A. Fields: `domain: storage`, or a word in any field
    Frontmatter,
    /// B. The text, word for word
    Content,
    /// C. What a memory names and what names it
    Links,
}

#[derive(Args)]
pub(crate) struct SearchArgs {
    #[arg(value_enum)]
    pub mode: SearchMode,
    /// What to look for; an id for `links`
    #[arg(required = true)]
    pub what: Vec<String>,
    #[command(flatten)]
    pub filter: FilterFlags,
    /// How many to show; 0 is all
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
    /// Only about this file or folder
    #[arg(long)]
    pub path: Option<String>,
    /// With titles, domains and levels
    #[arg(long)]
    pub long: bool,
    /// Tokens that the answer may cost; 0 is no limit
    #[arg(long, value_name = "TOKENS")]
    pub budget: Option<usize>,
}

#[derive(Args)]
pub(crate) struct WhyArgs {
    /// The id or alias of a memory
    pub name: String,
    /// A question, to see what recall makes of it now
    pub question: Vec<String>,
    /// A file or folder at hand; repeatable
    #[arg(long)]
    pub path: Vec<String>,
}

#[derive(Args)]
pub(crate) struct ReceiptsArgs {
    /// How many, newest first
    #[arg(long, default_value_t = 10)]
    pub limit: usize,
    /// Only of this session
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
    /// Write what recall ranked, one JSON object per question
    #[arg(long, value_name = "FILE")]
    pub run: Option<std::path::PathBuf>,
    /// Ask as hooks do, which can't wait: the most telling words only, and a single look
    #[arg(long)]
    pub quick: bool,
    /// How many memories to rank per question; the measures look at ten
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub k: u32,
}
