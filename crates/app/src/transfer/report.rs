//! What became of the records of an import.

use crate::prelude::*;

/// What became of one record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    Created,
    Updated,
    Unchanged,
    /// The same text was there, or came before it.
    Joined,
    /// It has another name in its source now.
    Moved,
    /// It was changed there, and somebody edited or approved other words here.
    Diverged,
    /// A candidate that can't be accepted with its source.
    Held,
    Refused,
    Skipped,
    /// It is here, and no longer in its source.
    Gone,
}

#[derive(Debug, Clone)]
pub struct Item {
    pub fate: Fate,
    /// The record's key, or its file.
    pub source: String,
    pub id: Option<String>,
    pub reason: String,
    pub kind: Option<Kind>,
    pub state: Option<State>,
}

impl Item {
    pub fn new(fate: Fate, source: &str, reason: impl Into<String>) -> Self {
        let (source, reason) = (source.to_owned(), reason.into());
        Self { fate, source, id: None, reason, kind: None, state: None }
    }

    pub(super) fn of(fate: Fate, source: &str, memory: &Memory) -> Self {
        Self {
            id: Some(memory.id.to_string()),
            kind: Some(memory.kind.clone()),
            state: Some(memory.state),
            ..Self::new(fate, source, "")
        }
    }

    pub(super) fn because(self, reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), ..self }
    }
}

#[derive(Debug, Clone, Default)]
pub struct SourceReport {
    /// `<format>:<root>`
    pub from: String,
    /// How many records the source has; what was skipped is none.
    pub records: usize,
    pub items: Vec<Item>,
    pub notes: Vec<String>,
    /// Commands that set here what was set there.
    pub settings: Vec<String>,
}

impl SourceReport {
    pub fn of(&self, fate: Fate) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(move |item| item.fate == fate)
    }
}
