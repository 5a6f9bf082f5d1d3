//! A fingerprint of what is on disk, from sizes and times alone: equal marks mean that nothing was
//! written since, and any doubt means no mark.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::disk::is_missing;

/// Files and folders looked at in one check; a larger tree is git's to compare.
const NODES_MAX: usize = 4_000;

/// A file written this recently may be written again without a trace in its times.
const SETTLED_AFTER: Duration = Duration::from_secs(2);

pub(super) struct Marker {
    left: usize,
    now: SystemTime,
}

impl Marker {
    pub(super) fn new() -> Self {
        Self { left: NODES_MAX, now: SystemTime::now() }
    }

    /// None when too much would have to be looked at, or too little time has passed.
    pub(super) fn mark(&mut self, path: &Path) -> Option<u64> {
        let mut hasher = DefaultHasher::new();
        self.add(path, &mut hasher).then(|| hasher.finish())
    }

    fn add(&mut self, path: &Path, hasher: &mut DefaultHasher) -> bool {
        let Some(left) = self.left.checked_sub(1) else { return false };
        self.left = left;
        let metadata = match path.symlink_metadata() {
            Ok(metadata) => metadata,
            Err(error) => {
                0u8.hash(hasher);
                return is_missing(&error);
            }
        };
        let Ok(modified) = metadata.modified() else { return false };
        let is_settled =
            |at: SystemTime| self.now.duration_since(at).is_ok_and(|age| age > SETTLED_AFTER);
        if metadata.is_dir() {
            return self.add_folder(path, hasher);
        }
        (metadata.len(), modified, metadata.file_type().is_symlink()).hash(hasher);
        let changed = (metadata.ctime(), metadata.ctime_nsec());
        (changed, metadata.ino(), metadata.mode()).hash(hasher);
        let changed = Duration::new(changed.0.max(0) as u64, changed.1.max(0) as u32);
        is_settled(SystemTime::UNIX_EPOCH + changed) && is_settled(modified)
    }

    /// Names and what they hold; the times of a folder tell nothing that those don't.
    fn add_folder(&mut self, path: &Path, hasher: &mut DefaultHasher) -> bool {
        let Ok(entries) = std::fs::read_dir(path) else { return false };
        let mut names = Vec::new();
        for entry in entries {
            let Ok(entry) = entry else { return false };
            names.push(entry.file_name());
            if names.len() > self.left {
                return false;
            }
        }
        names.sort();
        for name in names.iter().filter(|name| *name != ".git") {
            name.hash(hasher);
            if !self.add(&path.join(name), hasher) {
                return false;
            }
        }
        true
    }
}
