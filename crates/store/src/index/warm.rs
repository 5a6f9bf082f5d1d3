//! Segments that a process which answers many times keeps in memory. A segment's name is a hash of
//! what it holds, and it is verified whole when it is taken in: what is here is right as long as a
//! head names it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oldhand_index::{Segment, SegmentKey, Source};

/// What is kept in all; larger stores are read from their files.
const BYTES_MAX: u64 = 128 * 1024 * 1024;

#[derive(Default)]
pub struct Warm {
    known: Mutex<BTreeMap<PathBuf, Arc<Vec<u8>>>>,
    /// Looks at the files so far.
    turns: AtomicU64,
}

impl Warm {
    /// Right also where somebody panicked beside it.
    fn known(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Arc<Vec<u8>>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Which part of the files is compared this time.
    pub(super) fn next_turn(&self) -> u64 {
        self.turns.fetch_add(1, Ordering::Relaxed)
    }

    pub(super) fn get(&self, path: &Path) -> Option<Arc<Vec<u8>>> {
        self.known().get(path).cloned()
    }

    /// Reads and verifies all of it, while nobody waits. What can't be kept, or is not right, is left
    /// to whoever reads it from its file.
    pub(super) fn take_in(&self, path: &Path, key: &SegmentKey) {
        let Ok(meta) = path.metadata() else { return };
        let is_wanted = {
            let known = self.known();
            let kept: u64 = known.values().map(|bytes| bytes.len() as u64).sum();
            !known.contains_key(path) && kept + meta.len() <= BYTES_MAX
        };
        let Some(bytes) = is_wanted.then(|| std::fs::read(path).ok()).flatten() else { return };
        let bytes = Arc::new(bytes);
        let segment = Segment::open(Source::Memory(Arc::clone(&bytes)), key);
        if segment.and_then(|segment| segment.verify()).is_ok() {
            self.known().insert(path.to_owned(), bytes);
        }
    }

    /// Segments that no head names any more are gone.
    pub(super) fn keep_only<'n>(&self, folder: &Path, names: impl Iterator<Item = &'n str>) {
        let named: Vec<PathBuf> = names.map(|name| folder.join(name)).collect();
        self.known().retain(|path, _| path.parent() != Some(folder) || named.contains(path));
    }
}
