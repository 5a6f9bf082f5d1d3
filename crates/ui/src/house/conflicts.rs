//! What the page `conflicts` asks for.

use super::Answer;
use super::Moment;
use super::Named;

pub trait ConflictsPage {
    fn conflicts(&self) -> Answer<Conflicts>;
    fn conflicts_json(&self) -> Answer<String>;
}

#[derive(Debug, Clone, Default)]
pub struct Conflicts {
    pub open: Vec<Conflict>,
    /// How many more wait; the inbox has them all.
    pub more: usize,
    /// The newest first.
    pub settled: Vec<Settled>,
    /// Files that can't be read as what they should be.
    pub odd: Vec<String>,
}

#[derive(Debug, Clone, Default)]
pub struct Conflict {
    pub id: String,
    pub at: Moment,
    pub by: String,
    pub title: String,
    pub sides: Vec<Side>,
    /// Of its file as it is shown; empty once it is settled.
    pub hash: String,
}

/// One memory that a proposal clashes with.
#[derive(Debug, Clone, Default)]
pub struct Side {
    pub against: Named,
    pub date: String,
    pub why: String,
    pub ours: String,
    pub theirs: String,
}

#[derive(Debug, Clone, Default)]
pub struct Settled {
    pub at: Moment,
    pub by: String,
    /// `follow`, `supersede` or `keep_both`.
    pub outcome: String,
    pub reason: String,
    /// None where the text of the proposal is no longer kept.
    pub conflict: Option<Conflict>,
    pub id: String,
}
