//! What a process keeps that answers many times: segments of the index, and settings as long as
//! their files are as they were.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use oldhand_store::index::Warm;

use crate::config::Resolved;
use crate::failure::Fail;

#[derive(Default)]
pub struct Lasting {
    pub warm: Warm,
    pub(crate) embeds_aside: bool,
    settings: Mutex<Vec<(Files, Arc<Resolved>)>>,
}

type Files = [(PathBuf, Option<Stamp>); 3];

/// Size, times and number: an editor changes at least one of them.
type Stamp = (u64, [i64; 4], u64);

/// One project, and the user's own store beside it, with room to spare.
const KEPT_MAX: usize = 4;

impl Lasting {
    /// Of a process that embeds between its answers, so that none of them waits for it.
    pub fn embedding_aside() -> Self {
        Self { embeds_aside: true, ..Self::default() }
    }

    pub fn settings(
        &self,
        files: [&Path; 3],
        read: impl FnOnce() -> Result<Resolved, Fail>,
    ) -> Result<Arc<Resolved>, Fail> {
        // What is kept is whole, also after a panic: it is put in last.
        let mut known = self.settings.lock().unwrap_or_else(PoisonError::into_inner);
        // Before they are read: what changes meanwhile is read again next time.
        let files = files.map(stamped);
        if let Some((_, resolved)) = known.iter().find(|(kept, _)| *kept == files) {
            return Ok(Arc::clone(resolved));
        }
        let resolved = Arc::new(read()?);
        known.retain(|(kept, _)| kept[1].0 != files[1].0);
        if known.len() < KEPT_MAX {
            known.push((files, Arc::clone(&resolved)));
        }
        Ok(resolved)
    }
}

fn stamped(path: &Path) -> (PathBuf, Option<Stamp>) {
    use std::os::unix::fs::MetadataExt;
    let meta = std::fs::metadata(path).ok();
    let stamp = meta
        .map(|it| (it.len(), [it.mtime(), it.mtime_nsec(), it.ctime(), it.ctime_nsec()], it.ino()));
    (path.to_owned(), stamp)
}
