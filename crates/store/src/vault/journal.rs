//! The note of a write on its way: enough for the next command to complete it or to drop it.

use std::path::PathBuf;

use oldhand_core::event::Event;
use serde::{Deserialize, Serialize};

use super::LocalVault;
use crate::port::{Plan, id_of_path};
use crate::ulid::is_ulid;

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

impl LocalVault<'_> {
    pub(super) fn note(&self, write: &str) -> PathBuf {
        self.layout.tmp().join(format!("{write}.plan"))
    }

    /// The file on its way in, and after the exchange the one on its way out.
    pub(super) fn part(&self, write: &str, number: usize) -> PathBuf {
        self.layout.tmp().join(format!("{write}-{number}.part"))
    }
}

impl Journal {
    pub(super) fn of(write: &str, plan: &Plan) -> Self {
        Self {
            write: write.to_owned(),
            files: plan
                .files
                .iter()
                .map(|file| JournalFile {
                    path: file.path.clone(),
                    before: file.before.map(|hash| hash.to_string()),
                    after: file.hash().map(|hash| hash.to_string()),
                })
                .collect(),
            events: plan.events.clone(),
        }
    }

    /// `None` for a note that was torn, is of another version, or is not one that this program
    /// could have written: the folder comes with a clone when somebody committed it, so a note may
    /// be anybody's, and it can name nothing outside of the store.
    pub(super) fn parse(bytes: &[u8], name: &str) -> Option<Self> {
        let journal: Self = serde_json::from_slice(bytes).ok()?;
        let is_sound = is_ulid(&journal.write)
            && name == format!("{}.plan", journal.write)
            && (!journal.files.is_empty() || journal.events.len() > 1)
            && journal.files.iter().all(|file| id_of_path(&file.path).is_some());
        is_sound.then_some(journal)
    }
}
