//! What can be done, in plain values.

use std::collections::BTreeMap;

use super::Answer;

/// One change, as a person asks for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deed {
    /// A judgement of the inbox: promote, keep, reinstate, reject, supersede or archive.
    Review {
        id: String,
        decision: String,
        reason: String,
        more: String,
    },
    /// Of a conflict: follow, supersede or keep both.
    Resolve {
        pending: String,
        resolution: String,
        reason: String,
    },
    Promote {
        id: String,
        /// The request that it approves; empty without one.
        pending: String,
        reason: String,
    },
    /// The fields that shall say something else.
    Update {
        id: String,
        fields: BTreeMap<String, String>,
        lists: BTreeMap<String, Vec<String>>,
        note: String,
    },
    Supersede {
        id: String,
        by: String,
        reason: String,
    },
    Retire {
        id: String,
        reason: String,
    },
    Restore {
        id: String,
        version: String,
    },
    Archive {
        id: String,
        reason: String,
    },
    Verify {
        id: String,
    },
    /// A use, and what came of it.
    Apply {
        id: String,
        effect: String,
        task: String,
        notes: String,
    },
    /// Something new, in a person's own words.
    Add {
        text: String,
        kind: String,
    },
    Undo,
}

/// What came of it.
#[derive(Debug, Clone, Default)]
pub struct Done {
    /// What the command answers, such as `oldhand.review/1`.
    pub json: String,
    /// One line for people.
    pub said: String,
}

pub trait Verbs {
    /// `seen` is the hash of the memory, or of what waits, as it was shown: if it has changed since,
    /// nothing is done.
    fn act(&self, deed: &Deed, seen: Option<&str>) -> Answer<Done>;
    /// What undo would take back, one line per memory.
    fn undo_preview(&self) -> Answer<Vec<String>>;
}
