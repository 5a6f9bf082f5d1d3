//! What a writer leaves for the next reader of the index: when a folder changed by its own hand, so
//! that the folder need not be listed to know that nobody else was there.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::disk::{Disk, RealDisk};

/// A longer journal is not read: listing the folders is as cheap.
const JOURNAL_BYTES_MAX: u64 = 64 * 1024;

/// The folders of one write, before and after it.
pub(crate) struct FolderMarks {
    root: PathBuf,
    journal: PathBuf,
    before: BTreeMap<String, i64>,
}

impl FolderMarks {
    /// Inside the store's lock, before anything changes.
    pub(crate) fn take(root: &Path, cache: &Path, folders: impl Iterator<Item = String>) -> Self {
        let before = folders
            .filter_map(|it| Some((modified_ns(&root.join(&it))?, it)))
            .map(|(at, it)| (it, at));
        Self { root: root.to_owned(), journal: cache.join("journal"), before: before.collect() }
    }

    /// Still inside the lock. A journal that can't be written costs the next reader a listing.
    pub(crate) fn leave(self) {
        let mut lines = String::new();
        for (folder, before) in &self.before {
            if let Some(after) = modified_ns(&self.root.join(folder)) {
                lines.push_str(&format!("{folder}\t{before}\t{after}\n"));
            }
        }
        let is_full = self.journal.metadata().is_ok_and(|it| it.len() > JOURNAL_BYTES_MAX);
        if lines.is_empty() || is_full {
            return;
        }
        // Without an index there is nothing to speed up: the folder is not made for this.
        let opened = std::fs::OpenOptions::new().append(true).create(true).open(&self.journal);
        let _ = opened.and_then(|mut file| file.write_all(lines.as_bytes()));
    }
}

/// Where each folder's own changes lead to, from what the index knows.
pub(crate) fn follow(cache: &Path, known: &BTreeMap<String, i64>) -> BTreeMap<String, i64> {
    let mut reached = known.clone();
    let bytes = RealDisk.read(&cache.join("journal"), 2 * JOURNAL_BYTES_MAX).unwrap_or_default();
    for line in String::from_utf8_lossy(&bytes).lines() {
        let parts: Vec<&str> = line.split('\t').collect();
        let [folder, before, after] = parts[..] else { continue };
        let (Ok(before), Ok(after)) = (before.parse::<i64>(), after.parse()) else { continue };
        if let Some(at) = reached.get_mut(folder).filter(|at| **at == before) {
            *at = after;
        }
    }
    reached
}

/// After the index has taken everything in.
pub(crate) fn clear(cache: &Path) {
    // A journal that stays only repeats what is known.
    let _ = std::fs::remove_file(cache.join("journal"));
}

pub(crate) fn modified_ns(path: &Path) -> Option<i64> {
    std::fs::symlink_metadata(path).ok().map(|meta| modified_of(&meta))
}

pub(crate) fn modified_of(meta: &Metadata) -> i64 {
    meta.mtime().saturating_mul(1_000_000_000).saturating_add(meta.mtime_nsec())
}
