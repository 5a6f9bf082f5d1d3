//! What became of a draft or a lesson that was written.

use oldhand_core::reviewer::Role;
use oldhand_text::word::words;

use crate::prelude::*;

#[derive(Debug, Clone)]
pub struct Written {
    pub action: Action,
    pub memory: Memory,
    pub path: String,
    /// What `--if-match` compares with; none for a file that is gone.
    pub hash: Option<ContentHash>,
    pub warnings: Vec<String>,
    /// Others that speak of the same matter: worth reading beside it.
    pub related: Vec<Binding>,
}

impl Written {
    pub(crate) fn new(action: Action, memory: Memory, file: &FileWrite) -> Self {
        let (path, hash) = (file.path.clone(), file.hash());
        Self { action, memory, path, hash, warnings: Vec::new(), related: Vec::new() }
    }

    /// Nothing had to change.
    pub(crate) fn unchanged(Stored { memory, path, hash, .. }: Stored) -> Self {
        let (action, warnings, related) = (Action::Unchanged, Vec::new(), Vec::new());
        Self { action, memory, path, hash: Some(hash), warnings, related }
    }
}

words! {
    Action, "action" {
        Created = "created",
        Updated = "updated",
        Unchanged = "unchanged",
        /// A decision under the policy `example_only`.
        Noted = "noted",
        Moved = "moved",
        /// It was said before: that memory has one more piece of evidence now.
        Strengthened = "strengthened",
    }
}

/// Nothing is written.
pub(crate) fn unchanged(stored: &Stored) -> (Written, Plan) {
    (Written::unchanged(stored.clone()), Plan::default())
}

#[derive(Debug, Clone)]
pub struct Learned {
    pub action: Action,
    pub memory: Memory,
    /// Who reviews it (R197).
    pub reviewer: Role,
    /// What it has earned (R184).
    pub signals: Signals,
}
