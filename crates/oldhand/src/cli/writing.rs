//! What can be typed to commands that write one memory.

use clap::Args;

use crate::fields::{ContentFlags, FieldFlags, StandingFlags};

#[derive(Args)]
pub(crate) struct RememberArgs {
    /// What to remember; `-` reads standard input
    #[arg(required = true)]
    pub text: Vec<String>,
    /// The kind, if oldhand would guess wrong
    #[arg(long)]
    pub kind: Option<String>,
    #[command(flatten)]
    pub fields: FieldFlags,
    #[command(flatten)]
    pub standing: StandingFlags,
}

#[derive(Args)]
pub(crate) struct AddArgs {
    /// decision, constraint, preference, runbook, tech_debt, session_summary, lesson, architecture,
    /// reference, or a kind of your configuration
    pub kind: Option<String>,
    /// A whole record as Markdown, JSON or YAML; `-` reads standard input
    #[arg(long, value_name = "FILE")]
    pub from: Option<String>,
    /// The id [default: derived from the title]
    #[arg(long)]
    pub id: Option<String>,
    /// Write a decision to the log even if the policy is `example_only`
    #[arg(long)]
    pub into_log: bool,
    #[command(flatten)]
    pub fields: FieldFlags,
    #[command(flatten)]
    pub standing: StandingFlags,
    #[command(flatten)]
    pub content: ContentFlags,
}

#[derive(Args)]
pub(crate) struct UpdateArgs {
    /// The id or an alias
    pub name: String,
    /// Fields as a record in Markdown, JSON or YAML; `-` reads standard input
    #[arg(long, value_name = "FILE")]
    pub from: Option<String>,
    /// Only if the memory still has this hash (ours, or an MD5 of the file)
    #[arg(long, value_name = "HASH")]
    pub if_match: Option<String>,
    /// One line about the change, for its history
    #[arg(long)]
    pub note: Option<String>,
    /// Change the kind: the memory keeps its id and history, and its file moves
    #[arg(long, value_name = "KIND")]
    pub kind: Option<String>,
    #[command(flatten)]
    pub fields: FieldFlags,
    #[command(flatten)]
    pub standing: StandingFlags,
    #[command(flatten)]
    pub content: ContentFlags,
}

#[derive(Args, Default)]
pub(crate) struct SupersedeArgs {
    /// The id or an alias of the old one
    pub name: String,
    /// An existing successor; without it, flags or `--from` create a new one
    #[arg(long, value_name = "ID")]
    pub by_memory: Option<String>,
    /// Why the old one no longer holds
    #[arg(long = "because", default_value = "")]
    pub because: String,
    /// Another decision in force that the successor holds beside; repeatable
    #[arg(long, value_name = "ID", requires = "because", conflicts_with = "by_memory")]
    pub beside: Vec<String>,
    /// Another decision in force that the successor adds to; repeatable
    #[arg(long, value_name = "ID", requires = "because", conflicts_with = "by_memory")]
    pub refines: Vec<String>,
    /// The successor as a whole record; `-` reads standard input
    #[arg(long, value_name = "FILE")]
    pub from: Option<String>,
    #[command(flatten)]
    pub fields: FieldFlags,
    #[command(flatten)]
    pub content: ContentFlags,
}

impl SupersedeArgs {
    /// How the successor stands to others; the reason is the one for which the old one ends.
    pub(crate) fn standing(&self) -> StandingFlags {
        let (beside, refines) = (self.beside.clone(), self.refines.clone());
        let is_said = !beside.is_empty() || !refines.is_empty();
        StandingFlags { beside, refines, because: is_said.then(|| self.because.clone()) }
    }
}
