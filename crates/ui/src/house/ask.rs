//! What the page `ask` asks for.

use super::Answer;
use super::Named;
use oldhand_charts::budget::Budget;
use serde::Deserialize;

pub trait AskPage {
    fn ask(&self, ask: &Question) -> Answer<Asked>;
    /// As `recall --explain --json`, or as `why --json` with an id.
    fn ask_json(&self, ask: &Question) -> Answer<String>;
    /// Adds a question and the ids that answer it to a file for `eval`; returns what to say.
    fn keep_question(&self, text: &str, right: &[String]) -> Answer<String>;
}

/// What the address asks for.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Question {
    pub q: String,
    /// Paths at hand, with spaces or commas between them.
    pub path: String,
    pub budget: String,
    /// `index` for titles alone.
    pub level: String,
    /// The id of a memory that was expected.
    pub why: String,
    pub said: Option<String>,
}

#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// None while nothing was asked.
    pub told: Option<ServedAnswer>,
    /// Questions in the file for `eval`, and where it is.
    pub kept: (usize, String),
    /// While some are missing: how many memories are searched by meaning so far, of how many.
    pub meaning: Option<(usize, usize)>,
    /// How many memories could be served at all.
    pub memories: usize,
}

#[derive(Debug, Clone, Default)]
pub struct ServedAnswer {
    /// Exactly what an agent reads; empty if it would read nothing.
    pub text: String,
    pub tokens: usize,
    pub budget: usize,
    pub served: usize,
    pub steps: Vec<String>,
    pub picture: Budget,
    /// The best first.
    pub weighed: Vec<Weighed>,
    pub left_out: Vec<(Named, String)>,
    pub why: Option<Why>,
}

#[derive(Debug, Clone, Default)]
pub struct Weighed {
    pub memory: Named,
    pub is_relevant: bool,
    pub is_served: bool,
    pub score: f64,
    /// Words, names, meaning, recency, trust, nearness.
    pub parts: [f64; 6],
    pub confidence: f64,
}

#[derive(Debug, Clone, Default)]
pub struct Why {
    pub memory: Named,
    pub is_served: bool,
    pub why: String,
    pub rank: Option<usize>,
}
