//! The head of an index: which segments it has, and what of the store they speak for. One small
//! file with its own checksum, replaced as a whole.

use std::collections::BTreeMap;
use std::path::Path;

use oldhand_core::recall::row::LogFacts;
use serde::{Deserialize, Serialize};

use crate::disk::{Disk, RealDisk};
use crate::files;

/// Changes when a reader of the old form would misread the new one.
pub(super) const HEAD_VERSION: u32 = 3;
/// A larger one is not ours.
const HEAD_BYTES_MAX: u64 = 16 * 1024 * 1024;

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct Head {
    pub version: u32,
    /// The store's path: a cache folder that was copied or swapped does not fit.
    pub store: String,
    /// Whose vectors these are.
    pub model: String,
    pub terms: u32,
    pub segments: Vec<SegmentEntry>,
    /// When each folder last changed, in nanoseconds.
    pub folders: BTreeMap<String, i64>,
    /// How far each file of the event log was read.
    pub logs: BTreeMap<String, LogMark>,
    /// What it said so far.
    pub log: LogFacts,
    /// Files that could not be read, which every answer tells until they can be.
    #[serde(default)]
    pub unread: BTreeMap<String, Unread>,
    /// Another word whenever a memory is other than it was; vectors and merges change nothing.
    #[serde(default)]
    pub edition: String,
    /// The last look at every file, in seconds.
    pub checked_at: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Unread {
    /// The stamp of the file as it was looked at.
    pub stamp: [i64; 4],
    pub why: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SegmentEntry {
    pub file: String,
    pub documents: u32,
    pub bytes: u64,
    /// Those that a newer segment replaces or that are gone, in order.
    pub dead: Vec<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct LogMark {
    pub len: u64,
    /// Another branch may have a log of the same length.
    #[serde(default)]
    pub modified_ns: i64,
    /// The end of what was read: a merged or rewritten log is noticed by it.
    pub end: String,
}

impl Head {
    pub(super) fn read(folder: &Path) -> Option<Self> {
        let bytes = RealDisk.read(&folder.join("head"), HEAD_BYTES_MAX).ok()?;
        let text = String::from_utf8(bytes).ok()?;
        let (sum, body) = text.split_once('\n')?;
        if blake3::hash(body.as_bytes()).to_hex().as_str() != sum {
            return None;
        }
        serde_json::from_str(body).ok()
    }

    pub(super) fn write(&self, folder: &Path) -> std::io::Result<()> {
        let body = serde_json::to_string(self)?;
        let text = format!("{}\n{body}", blake3::hash(body.as_bytes()).to_hex());
        // A cache is not synced: its checksums tell what a crash left of it.
        files::replace(&RealDisk, &folder.join("head"), text.as_bytes())
    }

    pub(super) fn live(&self) -> usize {
        self.segments.iter().map(SegmentEntry::live).sum()
    }
}

impl SegmentEntry {
    pub(super) fn live(&self) -> usize {
        self.documents as usize - self.dead.len()
    }

    pub(super) fn is_live(&self, at: u32) -> bool {
        self.dead.binary_search(&at).is_err()
    }
}
