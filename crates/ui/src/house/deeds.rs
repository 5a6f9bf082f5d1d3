//! What can be done, in plain values.

use std::collections::BTreeMap;

use super::Answer;
use super::store::Undo;

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

impl Deed {
    /// The memory that it is about, where it is about one.
    pub fn id(&self) -> Option<&str> {
        match self {
            Self::Review { id, .. }
            | Self::Promote { id, .. }
            | Self::Update { id, .. }
            | Self::Supersede { id, .. }
            | Self::Retire { id, .. }
            | Self::Restore { id, .. }
            | Self::Archive { id, .. }
            | Self::Verify { id }
            | Self::Apply { id, .. } => Some(id),
            Self::Resolve { .. } | Self::Add { .. } | Self::Undo => None,
        }
    }
}

/// What came of it.
#[derive(Debug, Clone, Default)]
pub struct Done {
    /// What the command answers, such as `oldhand.review/1`.
    pub json: String,
    /// One line for people.
    pub said: String,
}

/// What came of deeds that were asked for together.
pub struct Several {
    pub answers: Vec<Answer<Done>>,
    /// Under which undo knows them.
    pub write: String,
}

pub trait Verbs {
    /// `seen` is the hash of the memory, or of what waits, as it was shown: if it has changed since,
    /// nothing is done.
    fn act(&self, deed: &Deed, seen: Option<&str>) -> Answer<Done>;
    /// Each by itself; undo takes back together what was done of them.
    fn act_on_several(&self, deeds: &[(Deed, String)]) -> Answer<Several>;
    fn undo_preview(&self) -> Answer<Undo>;
}
