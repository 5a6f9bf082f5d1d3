//! A disk in memory that can be cut off from power after any operation. It owns what the process
//! sees, what of it is durable, and what may be found after a crash; it knows nothing of memories.
//!
//! The durability model, no kinder than POSIX on a journaling file system:
//!
//! - Bytes are durable up to the last `sync_file` of their file. After a crash, what was added
//!   since is there, cut off anywhere, or of the right length with an end of zeros or of 0xFF.
//! - A change of names (create, rename, exchange, remove, make a directory) is durable once
//!   `sync_dir` of a directory in which it changed a name has returned. `sync_file` never makes a
//!   name durable, and `sync_dir` says nothing of the bytes, nor of the directory's own name.
//! - `sync_filesystem` does both for everything below its root, as the trait promises, although
//!   Linux would do it for the whole disk. The name of the root itself is not included.
//! - A crash leaves the durable tree plus any set of the pending changes, replayed in order. Each
//!   is there as a whole or not at all, and none without those it needs:
//!   - every earlier pending change of the same names, and so of the same file, which has one name;
//!   - when a directory, or a file with a durable name, moves to another directory, the latest
//!     change of every name on the way there: it moves into the tree that the process saw, so that
//!     no order of moves loses a durable file or puts directories inside each other;
//!   - when an empty directory is replaced, the changes of its entries.
//!
//!   What a sync makes durable is closed in the same way.
//! - A new file is lost with its new directory, when only the directory's own name was not synced.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use oldhand_store::disk::{DirEntry, Disk, Held, NodeKind, Stat};

use moment::{Moment, Node};
use names::{Inode, ROOT};
use operation::Operation;

mod crash;
mod moment;
mod names;
mod operation;

#[cfg(test)]
mod tests;

/// A handle; its clones share one disk.
///
/// Symbolic links are never followed, and there is no `..`. A lock that is held is not waited for.
#[derive(Clone)]
pub struct SimDisk(Arc<Mutex<State>>);

struct State {
    now: Arc<Moment>,
    log: Vec<Operation>,
    /// The moment before every `CHECKPOINT_EVERY`-th operation, the first one included.
    checkpoints: Vec<Arc<Moment>>,
    /// The moment that was asked for last: crashes come in rows at one moment.
    recalled: Option<(usize, Arc<Moment>)>,
    locked: BTreeSet<Inode>,
}

/// So few that a moment in between is rebuilt quickly, so many that a long log stays small.
const CHECKPOINT_EVERY: usize = 64;

impl SimDisk {
    /// An empty disk with its root directory.
    pub fn new() -> Self {
        Self::starting_with(Moment::empty())
    }

    fn starting_with(moment: Moment) -> Self {
        let now = Arc::new(moment);
        Self(Arc::new(Mutex::new(State {
            checkpoints: vec![Arc::clone(&now)],
            now,
            log: Vec::new(),
            recalled: None,
            locked: BTreeSet::new(),
        })))
    }

    /// How many operations changed or synced something so far. One that failed, or found nothing
    /// to do (`make_dir` of a directory that is there), is not counted.
    pub fn operations(&self) -> usize {
        self.state().log.len()
    }

    /// What may be found after a power cut right after the first `operation` operations, chosen by
    /// `seed`: a fresh disk whose content is durable and whose operations count from zero.
    pub fn after_crash(&self, operation: usize, seed: u64) -> Self {
        Self::starting_with(self.moment(operation).crashed(seed))
    }

    /// The extreme state in which nothing unsynced survived.
    pub fn after_crash_dropping_all(&self, operation: usize) -> Self {
        Self::starting_with(self.moment(operation).dropping_all())
    }

    /// The extreme state in which everything survived, as after a killed process.
    pub fn after_crash_keeping_all(&self, operation: usize) -> Self {
        Self::starting_with(self.moment(operation).keeping_all())
    }

    /// Copies a real tree to `at`, whose parents are made as needed. History begins anew: all that
    /// is on the disk is durable, and no operation is counted yet.
    ///
    /// # Panics
    ///
    /// When the tree cannot be read, holds something that is neither a file, a directory nor a
    /// symbolic link, or would replace something.
    pub fn load_real(&self, real_directory: &Path, at: &Path) {
        let mut moment = Moment::clone(&self.state().now);
        let ancestors: Vec<_> = at.ancestors().collect();
        for directory in ancestors.into_iter().rev() {
            let made = moment.apply(&Operation::MakeDir(directory.to_owned()));
            made.expect("nothing else stands where the tree is to be loaded");
        }
        load(&mut moment, real_directory, at).expect("a real tree of plain files can be loaded");
        let mut state = self.state();
        state.now = Arc::new(moment.keeping_all());
        state.log.clear();
        state.checkpoints = vec![Arc::clone(&state.now)];
        state.recalled = None;
    }

    /// Every regular file as the process sees it.
    pub fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let now = Arc::clone(&self.state().now);
        let mut files = BTreeMap::new();
        let mut open = vec![(PathBuf::from("/"), ROOT)];
        while let Some((path, inode)) = open.pop() {
            if let Node::File(bytes) = now.node(inode) {
                files.insert(path, bytes.to_vec());
                continue;
            }
            open.extend(now.names.entries(inode).map(|(name, inode)| (path.join(name), inode)));
        }
        files
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("no operation panics while it holds the disk")
    }

    fn moment(&self, operation: usize) -> Arc<Moment> {
        let count = self.operations();
        assert!(operation <= count, "operation {operation} of {count} has not happened");
        self.state().moment(operation)
    }

    fn run(&self, operation: Operation) -> io::Result<()> {
        self.state().run(operation)
    }
}

impl Default for SimDisk {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for SimDisk {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operations = self.operations();
        formatter.debug_struct("SimDisk").field("operations", &operations).finish_non_exhaustive()
    }
}

impl State {
    fn run(&mut self, operation: Operation) -> io::Result<()> {
        if Arc::make_mut(&mut self.now).apply(&operation)? {
            self.log.push(operation);
            if self.log.len().is_multiple_of(CHECKPOINT_EVERY) {
                self.checkpoints.push(Arc::clone(&self.now));
            }
        }
        Ok(())
    }

    fn moment(&mut self, operation: usize) -> Arc<Moment> {
        if operation == self.log.len() {
            return Arc::clone(&self.now);
        }
        let checkpoint = operation / CHECKPOINT_EVERY;
        let (from, start) = match &self.recalled {
            Some((from, start)) if (checkpoint * CHECKPOINT_EVERY..=operation).contains(from) => {
                (*from, start)
            }
            _ => (checkpoint * CHECKPOINT_EVERY, &self.checkpoints[checkpoint]),
        };
        if from == operation {
            return Arc::clone(start);
        }
        let mut moment = Moment::clone(start);
        for operation in &self.log[from..operation] {
            moment.apply(operation).expect("it went well the first time");
        }
        let moment = Arc::new(moment);
        self.recalled = Some((operation, Arc::clone(&moment)));
        moment
    }
}

fn load(moment: &mut Moment, real_directory: &Path, at: &Path) -> io::Result<()> {
    for entry in fs::read_dir(real_directory)? {
        let entry = entry?;
        let (from, to) = (entry.path(), at.join(entry.file_name()));
        let kind = entry.file_type()?;
        if kind.is_dir() {
            moment.apply(&Operation::MakeDir(to.clone()))?;
            load(moment, &from, &to)?;
        } else if kind.is_symlink() {
            moment.add(&to, Node::Symlink { len: entry.metadata()?.len() })?;
        } else if kind.is_file() {
            moment.add(&to, Node::File(Arc::new(fs::read(&from)?)))?;
        } else {
            return Err(ErrorKind::Unsupported.into());
        }
    }
    Ok(())
}

struct HeldLock {
    disk: Arc<Mutex<State>>,
    inode: Inode,
}

impl Held for HeldLock {}

impl Drop for HeldLock {
    fn drop(&mut self) {
        // A poisoned disk has failed its test already; a second panic here would hide the first.
        if let Ok(mut state) = self.disk.lock() {
            state.locked.remove(&self.inode);
        }
    }
}

impl Disk for SimDisk {
    fn read(&self, path: &Path, limit_bytes: u64) -> io::Result<Vec<u8>> {
        let state = self.state();
        let (_, bytes) = state.now.regular(path)?;
        if bytes.len() as u64 > limit_bytes {
            return Err(ErrorKind::FileTooLarge.into());
        }
        Ok(bytes.to_vec())
    }

    fn read_tail(&self, path: &Path, bytes: u64) -> io::Result<Vec<u8>> {
        let state = self.state();
        let (_, content) = state.now.regular(path)?;
        let wanted = usize::try_from(bytes).unwrap_or(usize::MAX);
        Ok(content[content.len().saturating_sub(wanted)..].to_vec())
    }

    fn list(&self, directory: &Path) -> io::Result<Vec<DirEntry>> {
        let state = self.state();
        let inode = state.now.inode(directory)?;
        if !matches!(state.now.node(inode), Node::Directory) {
            return Err(ErrorKind::NotADirectory.into());
        }
        let entries = state.now.names.entries(inode).filter_map(|(name, inode)| {
            Some(DirEntry {
                name: name.to_str()?.to_owned(),
                path: directory.join(name),
                is_directory: matches!(state.now.node(inode), Node::Directory),
            })
        });
        Ok(entries.collect())
    }

    fn stat(&self, path: &Path) -> io::Result<Option<Stat>> {
        let state = self.state();
        let inode = match state.now.inode(path) {
            Ok(inode) => inode,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) if error.kind() == ErrorKind::NotADirectory => return Ok(None),
            Err(error) => return Err(error),
        };
        let (kind, len) = match state.now.node(inode) {
            Node::Directory => (NodeKind::Directory, 0),
            Node::File(bytes) => (NodeKind::File, bytes.len() as u64),
            Node::Symlink { len } => (NodeKind::Symlink, *len),
        };
        Ok(Some(Stat { kind, len }))
    }

    fn make_dir(&self, path: &Path) -> io::Result<()> {
        self.run(Operation::MakeDir(path.to_owned()))
    }

    fn create(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.run(Operation::Create(path.to_owned(), bytes.to_vec()))
    }

    fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.run(Operation::Append(path.to_owned(), bytes.to_vec()))
    }

    /// Only an append that failed is cut back, and here nothing fails but the power.
    fn truncate(&self, _: &Path, _: u64) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn sync_file(&self, path: &Path) -> io::Result<()> {
        self.run(Operation::SyncFile(path.to_owned()))
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        self.run(Operation::SyncDir(path.to_owned()))
    }

    fn sync_filesystem(&self, root: &Path) -> io::Result<()> {
        self.run(Operation::SyncTree(root.to_owned()))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.run(Operation::Rename(from.to_owned(), to.to_owned()))
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.run(Operation::RenameNew(from.to_owned(), to.to_owned()))
    }

    fn exchange(&self, one: &Path, other: &Path) -> io::Result<()> {
        self.run(Operation::Exchange(one.to_owned(), other.to_owned()))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.run(Operation::Remove(path.to_owned()))
    }

    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        self.run(Operation::RemoveDir(path.to_owned()))
    }

    fn lock(&self, path: &Path, _wait: Duration) -> io::Result<Box<dyn Held>> {
        let mut state = self.state();
        if state.now.lookup(path)?.is_none() {
            state.run(Operation::Append(path.to_owned(), Vec::new()))?;
        }
        let inode = match state.now.inode(path)? {
            directory if matches!(state.now.node(directory), Node::Directory) => {
                return Err(ErrorKind::IsADirectory.into());
            }
            _ => state.now.regular(path)?.0,
        };
        if !state.locked.insert(inode) {
            return Err(ErrorKind::WouldBlock.into());
        }
        Ok(Box::new(HeldLock { disk: Arc::clone(&self.0), inode }))
    }
}
