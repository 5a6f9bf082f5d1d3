//! The note of a write on its way: enough for the next command to complete it or to drop it.

use crate::port::{Plan, id_of_path};
use oldhand_core::event::Event;
use oldhand_text::hash::ContentHash;
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

    /// `None` for a note that was torn, is of another version, or is not one that this program
    /// could have written: the folder comes with a clone when somebody committed it, so a note may
    /// be anybody's, and it can name nothing outside of the store.
    pub(super) fn parse(bytes: &[u8], name: &str) -> Option<Self> {
        let journal: Self = serde_json::from_slice(bytes).ok()?;
        let is_ulid = journal.write.len() == 26
            && journal.write.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        let is_sound = is_ulid
            && name == Self::file_name(&journal.write)
            && (!journal.files.is_empty() || journal.events.len() > 1)
            && journal.files.iter().all(|file| id_of_path(&file.path).is_some());
        is_sound.then_some(journal)
    }
}
