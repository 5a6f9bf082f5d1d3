//! What can be typed to `import`.

use clap::{Args, ValueEnum};

#[derive(Args)]
pub(crate) struct ImportArgs {
    /// Files, folders or databases; `-` reads standard input [default: look around, write nothing]
    pub sources: Vec<String>,
    /// Read the sources as this format, where it is not recognised; `list` names all formats
    #[arg(long, value_name = "FORMAT")]
    pub from: Option<String>,
    /// Import everything that is found in this repository
    #[arg(long, conflicts_with = "sources")]
    pub all: bool,
    /// Take in what somebody changed in the block of these pages
    #[arg(long, requires = "sources")]
    pub block: bool,
    /// Look in your home too; what is about you goes to your own store
    #[arg(long)]
    pub user: bool,
    /// Show what would happen, and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Vouch for the whole source, in the name that `--by` gives: its memories are served
    #[arg(long)]
    pub accept: bool,
    /// Keep the state that a memory had in its source, at most stable
    #[arg(long, requires = "accept")]
    pub keep_state: bool,
    /// Replace a secret with the name of its rule instead of refusing the record
    #[arg(long)]
    pub redact: bool,
    /// Settle what was changed both here and in its source
    #[arg(long, value_enum, value_name = "WHOSE")]
    pub take: Option<TakeChoice>,
    /// Retire memories that are no longer in their source
    #[arg(long)]
    pub retire_gone: bool,
    /// The project, for stores of many [default: the name of the repository's folder]
    #[arg(long, value_name = "NAME")]
    pub project: Option<String>,
    /// Include what is left out by default, separated by commas or repeated
    #[arg(long, value_enum, value_delimiter = ',', value_name = "WHAT")]
    pub with: Vec<WithChoice>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TakeChoice {
    /// The words of the source
    Theirs,
    /// The words that are here
    Ours,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum WithChoice {
    Issues,
    Prompts,
    Sensitive,
    Drawers,
}
