//! What a process keeps that answers many times: segments of the index, and settings as long as
//! their files are as they were.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use oldhand_store::index::Warm;
use oldhand_store::layout::Layout;

use crate::config::Resolved;
use crate::desk::Desk;
use crate::failure::Fail;

#[derive(Default)]
pub struct Lasting {
    pub warm: Warm,
    settings: Mutex<Vec<Kept>>,
}

struct Kept {
    files: Files,
    resolved: Arc<Resolved>,
}

/// The files that settings come from, and how each was.
#[derive(Clone, PartialEq, Eq)]
struct Files([(PathBuf, Option<Stamp>); 3]);

/// Size, times and number: an editor changes at least one of them.
type Stamp = (u64, [i64; 4], u64);

/// A server has one project, and the user's own store beside it.
const KEPT_MAX: usize = 4;

impl Desk<'_> {
    /// The settings of a store, read again only when their files have changed.
    pub fn settled(&self, layout: &Layout) -> Result<Arc<Resolved>, Fail> {
        let (Some(lasting), Ok(user)) = (self.lasting, self.user_config_path()) else {
            return Ok(Arc::new(self.resolve(Some(layout))?));
        };
        // What is kept is whole, also after a panic: it is put in last.
        let mut known = lasting.settings.lock().unwrap_or_else(PoisonError::into_inner);
        // Before they are read: what changes meanwhile is read again next time.
        let trust = self.trust_file(layout)?;
        let files = Files([stamped(&user), stamped(&layout.config()), stamped(&trust)]);
        if let Some(kept) = known.iter().find(|kept| kept.files == files) {
            return Ok(Arc::clone(&kept.resolved));
        }
        let resolved = Arc::new(self.resolve(Some(layout))?);
        known.retain(|kept| kept.files.0[1].0 != files.0[1].0);
        if known.len() < KEPT_MAX {
            known.push(Kept { files, resolved: Arc::clone(&resolved) });
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
