//! What the page `memories` asks for.

use super::Answer;
use super::Moment;
use serde::Deserialize;

pub trait MemoriesPage {
    fn memories(&self, ask: &MemoriesAsk) -> Answer<Memories>;
    /// As `list --json`.
    fn memories_json(&self, ask: &MemoriesAsk) -> Answer<String>;
}

/// What the address asks for; what is not set limits nothing.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct MemoriesAsk {
    /// Words to look for.
    pub q: Option<String>,
    /// `recall` asks as an agent would, instead of looking for the words.
    pub by: Option<String>,
    pub kind: Option<String>,
    /// `all` also shows what is no longer active.
    pub state: Option<String>,
    pub scope: Option<String>,
    pub tag: Option<String>,
    pub origin: Option<String>,
    pub path: Option<String>,
    pub freshness: Option<String>,
    /// A column, with `-` before it for the other direction.
    pub sort: Option<String>,
    /// The id that the page before ended with.
    pub after: Option<String>,
    pub said: Option<String>,
}

#[derive(Debug, Clone, Default)]
pub struct Memories {
    pub rows: Vec<MemoryRow>,
    /// How many match.
    pub total: usize,
    /// Where the first of these rows is among them, from 0.
    pub first: usize,
    /// How many there are, whatever is asked for.
    pub all: usize,
    pub facets: Vec<Facet>,
    /// There are more behind the last row.
    pub has_more: bool,
    /// Why recall stayed silent, and other remarks.
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, Default)]
pub struct MemoryRow {
    pub id: String,
    pub title: String,
    pub kind: String,
    pub state: String,
    pub scope: String,
    pub trust: f64,
    pub uses: u32,
    /// `fresh`, `drifted` …; nothing where no code is named.
    pub freshness: Option<String>,
    pub updated: Option<Moment>,
    /// The line that matched.
    pub place: Option<String>,
}

/// One way to narrow the list, with how many each value leaves.
#[derive(Debug, Clone, Default)]
pub struct Facet {
    /// The name of the parameter, such as `kind`.
    pub name: &'static str,
    pub values: Vec<(String, usize)>,
    /// Values that are not shown, because there are too many.
    pub more: usize,
}
