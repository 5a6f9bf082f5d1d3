//! What was answered before, in one small file. It may be missing, old or damaged at any time: then
//! git is asked again. Nothing else depends on it.

use std::path::Path;

use oldhand_core::fresh::PathAnswer;
use serde::{Deserialize, Serialize};

use crate::disk::{Disk, RealDisk};
use crate::files;

const NAME: &str = "freshness.json";
const VERSION: u32 = 1;
/// Paths of some dozens of memories; the oldest answers go first.
const ENTRIES_MAX: usize = 500;
const BYTES_MAX: u64 = 1024 * 1024;

/// What was known about one path at one commit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Entry {
    pub head: String,
    pub path: String,
    pub since: i64,
    /// Of what was on disk; none when it could not be relied on.
    pub mark: Option<u64>,
    pub answer: PathAnswer,
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Cache {
    version: u32,
    entries: Vec<Entry>,
}

impl Cache {
    pub(super) fn read(folder: Option<&Path>) -> Self {
        let bytes = folder.and_then(|folder| RealDisk.read(&folder.join(NAME), BYTES_MAX).ok());
        let cache = bytes.and_then(|bytes| serde_json::from_slice::<Self>(&bytes).ok());
        cache.filter(|cache| cache.version == VERSION).unwrap_or_default()
    }

    pub(super) fn get(&self, head: &str, path: &str, since: i64) -> Option<&Entry> {
        self.entries
            .iter()
            .find(|entry| entry.path == path && entry.since == since && entry.head == head)
    }

    /// The new ones first, then what was there; nothing is written when nothing is new.
    pub(super) fn write(self, folder: Option<&Path>, new: Vec<Entry>) {
        let Some(folder) = folder else { return };
        if new.iter().all(|entry| self.entries.contains(entry)) {
            return;
        }
        let is_same =
            |a: &Entry, b: &Entry| a.head == b.head && a.path == b.path && a.since == b.since;
        let mut entries = new;
        for old in self.entries {
            if !entries.iter().any(|entry| is_same(entry, &old)) {
                entries.push(old);
            }
        }
        entries.truncate(ENTRIES_MAX);
        let bytes = serde_json::to_vec(&Self { version: VERSION, entries }).unwrap_or_default();
        // Best effort: the next check asks git again.
        let _ = files::make_folder(&RealDisk, folder)
            .and_then(|()| files::replace(&RealDisk, &folder.join(NAME), &bytes));
    }
}
