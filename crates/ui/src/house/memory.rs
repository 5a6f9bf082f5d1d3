//! What the page `memory` asks for.

use super::Answer;
use super::Moment;
use super::Named;
use oldhand_charts::life::Life;
use oldhand_charts::links::Links;
use oldhand_charts::trust::Trust;

pub trait MemoryPage {
    fn memory(&self, id: &str) -> Answer<MemoryView>;
    /// As `show --json`.
    fn memory_json(&self, id: &str) -> Answer<String>;
}

#[derive(Debug, Clone, Default)]
pub struct MemoryView {
    pub id: String,
    pub title: String,
    pub kind: String,
    pub state: String,
    /// Why it is in that state.
    pub state_reason: Option<String>,
    /// What `if_match` compares with.
    pub hash: String,
    pub trust: f64,
    pub fields: Vec<Field>,
    /// Name and value, in the order in which they are read.
    pub facts: Vec<(&'static str, String)>,
    pub tags: Vec<String>,
    pub created: Option<Moment>,
    pub updated: Option<Moment>,
    /// When somebody should look again.
    pub review: Option<Moment>,
    pub evidence: Vec<String>,
    /// Its life in sentences.
    pub story: Vec<String>,
    pub life: Life,
    pub trust_curve: Trust,
    pub links: Links,
    pub linked: Vec<Linked>,
    pub code: Vec<CodePath>,
    pub answers: Vec<ServedIn>,
    pub versions: Vec<Version>,
    pub verbs: Vec<Verb>,
}

/// One part of what a memory says.
#[derive(Debug, Clone, Default)]
pub struct Field {
    /// As `update` takes it; empty for what can't be changed in a form.
    pub name: String,
    pub label: String,
    /// Markdown.
    pub text: String,
    /// One item per line, when it is a list.
    pub is_list: bool,
    /// The text is only the beginning of it.
    pub is_cut: bool,
}

#[derive(Debug, Clone, Default)]
pub struct Linked {
    /// `supersedes`, `rests on` …
    pub relation: String,
    pub memory: Named,
    pub state: String,
}

#[derive(Debug, Clone, Default)]
pub struct CodePath {
    pub path: String,
    pub verdict: String,
    pub reason: String,
}

/// An answer of recall that had it, or left it out.
#[derive(Debug, Clone, Default)]
pub struct ServedIn {
    pub at: Moment,
    pub session: Option<String>,
    pub query: String,
    pub is_served: bool,
    pub reason: String,
}

#[derive(Debug, Clone, Default)]
pub struct Version {
    pub at: Moment,
    pub by: String,
    pub what: String,
    /// `None` where a text is no longer kept.
    pub diff: Option<Vec<DiffLine>>,
}

#[derive(Debug, Clone, Default)]
pub struct DiffLine {
    /// `+`, `-` or a space.
    pub sign: char,
    pub text: String,
}

/// Something that can be done, or why not now.
#[derive(Debug, Clone, Default)]
pub struct Verb {
    /// Of the route `/do/…`, or the decision of a review.
    pub name: &'static str,
    pub refused: Option<String>,
}
