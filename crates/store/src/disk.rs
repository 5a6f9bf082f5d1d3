//! The only door to the disk. The real disk, the crash simulator and the fault injector all stand
//! behind this trait, so that what is tested is what runs. It knows bytes and paths, not memories.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::failure::{At, StoreError};

mod real;

pub use real::RealDisk;

/// What a path is, without following a symbolic link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeKind {
    File,
    Directory,
    Symlink,
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stat {
    pub kind: NodeKind,
    pub len: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct DirEntry {
    pub name: String,
    pub path: PathBuf,
    pub is_directory: bool,
}

/// Held until dropped; the kernel drops it with the process.
pub trait Held: Send {}

/// Every operation is one step that may fail or be the last one before a crash.
///
/// Durability is explicit: nothing survives a power cut before `sync_file` (contents),
/// `sync_dir` (names) or `sync_filesystem` (both) has returned.
pub trait Disk: Send + Sync {
    /// What this machine is called, to tell a copy of a folder from the folder itself.
    fn machine(&self) -> String {
        String::new()
    }
    /// The whole file, at most `limit_bytes`; a longer file is `FileTooLarge`. Does not follow a
    /// symbolic link in the last component.
    fn read(&self, path: &Path, limit_bytes: u64) -> io::Result<Vec<u8>>;
    /// The last `bytes` bytes of a file, fewer when it is shorter.
    fn read_tail(&self, path: &Path, bytes: u64) -> io::Result<Vec<u8>>;
    /// The entries of a directory, sorted by name; names that are not Unicode are left out.
    fn list(&self, directory: &Path) -> io::Result<Vec<DirEntry>>;
    /// The names that `list` leaves out, escaped as a shell would take them in `$'…'`.
    fn odd_names(&self, _directory: &Path) -> io::Result<Vec<String>> {
        Ok(Vec::new())
    }
    /// The entries whose names are meant, the oldest change first. Only these are asked for their age.
    fn list_by_age(
        &self,
        directory: &Path,
        is_meant: &dyn Fn(&str) -> bool,
    ) -> io::Result<Vec<DirEntry>> {
        Ok(self.list(directory)?.into_iter().filter(|entry| is_meant(&entry.name)).collect())
    }
    /// The entries that were not changed for so long.
    fn list_older(&self, _directory: &Path, _age: Duration) -> io::Result<Vec<DirEntry>> {
        Ok(Vec::new())
    }
    /// How many entries a directory has, counted no further than `limit`; none when it is missing.
    fn count(&self, directory: &Path, limit: usize) -> io::Result<usize> {
        Ok(if_there(self.list(directory))?.map_or(0, |entries| entries.len().min(limit)))
    }
    /// `None` when nothing is there. Does not follow symbolic links.
    fn stat(&self, path: &Path) -> io::Result<Option<Stat>>;
    /// Makes one directory; fine when it is there already.
    fn make_dir(&self, path: &Path) -> io::Result<()>;
    /// A new file with these bytes, not yet durable; `AlreadyExists` when the name is taken.
    fn create(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;
    /// The same as `make_dir`, `create` and `append`, for the user's eyes alone.
    fn make_private_dir(&self, path: &Path) -> io::Result<()> {
        self.make_dir(path)
    }
    fn create_private(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.create(path, bytes)
    }
    fn append_private(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.append(path, bytes)
    }
    /// Adds bytes to the end of a file, making it when it is missing. Not yet durable.
    fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;
    /// Cuts a file back to a length that it had: an append that failed half-way is taken back.
    fn truncate(&self, path: &Path, len: u64) -> io::Result<()>;
    fn sync_file(&self, path: &Path) -> io::Result<()>;
    fn sync_dir(&self, path: &Path) -> io::Result<()>;
    /// Makes everything below `root` durable at once: the group commit of bulk writes.
    fn sync_filesystem(&self, root: &Path) -> io::Result<()>;
    /// Replaces `to`.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// `AlreadyExists` when `to` is taken.
    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Swaps two names in one step, so that what was replaced is still there to be looked at.
    fn exchange(&self, one: &Path, other: &Path) -> io::Result<()>;
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// Removes an empty directory.
    fn remove_dir(&self, path: &Path) -> io::Result<()>;
    /// A kernel lock on a long-lived file; `WouldBlock` when it is not had within `wait`.
    fn lock(&self, path: &Path, wait: Duration) -> io::Result<Box<dyn Held>>;
}

/// The same with errors that name the file, and nothing where nothing is there.
impl dyn Disk + '_ {
    pub(crate) fn file(&self, path: &Path, limit: u64) -> Result<Option<Vec<u8>>, StoreError> {
        if_there(self.read(path, limit)).at("read", path)
    }

    pub(crate) fn tail(&self, path: &Path, bytes: u64) -> Result<Option<Vec<u8>>, StoreError> {
        if_there(self.read_tail(path, bytes)).at("read", path)
    }

    pub(crate) fn entries(&self, folder: &Path) -> Result<Vec<DirEntry>, StoreError> {
        let entries = if_there(self.list(folder));
        Ok(entries.at("list", folder)?.unwrap_or_default())
    }
}

/// Nothing where nothing is there.
pub fn if_there<T>(found: io::Result<T>) -> io::Result<Option<T>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error) if is_missing(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

pub(crate) fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}
