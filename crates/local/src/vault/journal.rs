//! The note of a write on its way: enough for the next command to complete it or to drop it.

use oldhand_core::event::Event;
use oldhand_core::hash::ContentHash;
use oldhand_engine::port::Plan;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Journal {
    pub write: String,
    pub files: Vec<JournalFile>,
    pub events: Vec<Event>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct JournalFile {
    pub path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

impl Journal {
    pub(super) fn of(write: &str, plan: &Plan) -> Self {
        let hash = |text: &String| ContentHash::of(text.as_bytes()).to_string();
        Self {
            write: write.to_owned(),
            files: plan
                .files
                .iter()
                .map(|file| JournalFile {
                    path: file.path.clone(),
                    before: file.before.map(|hash| hash.to_string()),
                    after: file.after.as_ref().map(hash),
                })
                .collect(),
            events: plan.events.clone(),
        }
    }

    pub(super) fn file_name(write: &str) -> String {
        format!("{write}.plan")
    }

    /// The file on its way in, and after the exchange the one on its way out.
    pub(super) fn part_name(write: &str, number: usize) -> String {
        format!("{write}-{number}.part")
    }

    /// `None` when it was torn: then nothing had been promised.
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }
}
