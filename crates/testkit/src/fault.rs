//! A disk that fails at its n-th operation. It wraps any other disk and owns only the counting
//! and the failure: for n = 1, 2, 3... until nothing fires, every operation has failed once.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use oldhand_store::disk::{DirEntry, Disk, Held, Stat};

#[cfg(test)]
mod tests;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    Eio,
    /// A write leaves half of its bytes behind.
    Enospc,
    Emfile,
    /// A write leaves half of its bytes behind and fails with `WriteZero`; what does not write
    /// cannot fall short and fails with `Eio`.
    ShortWrite,
    /// The caller has a bug just there: it panics, and nothing is written.
    Panic,
}

/// What a panic of the disk says.
pub const PANIC: &str = "a bug beside the disk";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// The n-th operation fails, the next ones do not.
    Once,
    /// A dead disk: the n-th operation and every later one that is counted fail.
    FromThenOn,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    Every,
    /// Changes, syncs and locks; reads are neither counted nor failed.
    Mutating,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FaultPlan {
    /// 1-based; zero never comes.
    pub nth: u64,
    pub fault: Fault,
    pub mode: Mode,
    pub counted: Counted,
}

#[derive(Debug)]
pub struct FaultDisk<D> {
    inner: D,
    plan: FaultPlan,
    operations: AtomicU64,
    fired: AtomicBool,
    read: Mutex<Vec<PathBuf>>,
}

const EIO: i32 = 5;
const EMFILE: i32 = 24;
const ENOSPC: i32 = 28;

impl<D: Disk> FaultDisk<D> {
    pub fn new(inner: D, plan: FaultPlan) -> Self {
        Self {
            inner,
            plan,
            operations: AtomicU64::new(0),
            fired: AtomicBool::new(false),
            read: Mutex::default(),
        }
    }

    /// The files whose bytes were asked for, in that order.
    pub fn files_read(&self) -> Vec<PathBuf> {
        self.read.lock().map(|read| read.clone()).unwrap_or_default()
    }

    /// How many counted operations were asked for, the failed ones included.
    pub fn operations(&self) -> u64 {
        self.operations.load(Ordering::SeqCst)
    }

    /// Whether the n-th operation was reached.
    pub fn fired(&self) -> bool {
        self.fired.load(Ordering::SeqCst)
    }

    /// The disk below, where nothing is counted and nothing fails.
    pub fn inner(&self) -> &D {
        &self.inner
    }

    fn reading(&self) -> io::Result<()> {
        match self.plan.counted {
            Counted::Every => self.mutating(),
            Counted::Mutating => Ok(()),
        }
    }

    fn mutating(&self) -> io::Result<()> {
        match self.counted() {
            Some(fault) => Err(without_writing(fault)),
            None => Ok(()),
        }
    }

    /// Fails a write, or says how it goes on: `write` puts bytes on the disk below.
    fn writing(&self, bytes: &[u8], write: impl Fn(&[u8]) -> io::Result<()>) -> io::Result<()> {
        let half = &bytes[..bytes.len() / 2];
        match self.counted() {
            None => write(bytes),
            Some(fault @ (Fault::Eio | Fault::Emfile | Fault::Panic)) => {
                Err(without_writing(fault))
            }
            // A name that is taken is found out before the first byte: that error stands.
            Some(Fault::Enospc) => write(half).and(Err(io::Error::from_raw_os_error(ENOSPC))),
            Some(Fault::ShortWrite) => write(half).and(Err(io::ErrorKind::WriteZero.into())),
        }
    }

    /// Counts one operation; the fault that strikes it, if one does.
    fn counted(&self) -> Option<Fault> {
        let operation = self.operations.fetch_add(1, Ordering::SeqCst) + 1;
        let FaultPlan { nth, fault, mode, .. } = self.plan;
        let strikes = match mode {
            Mode::Once => operation == nth,
            Mode::FromThenOn => nth != 0 && operation >= nth,
        };
        if strikes {
            self.fired.store(true, Ordering::SeqCst);
        }
        strikes.then_some(fault)
    }
}

fn without_writing(fault: Fault) -> io::Error {
    io::Error::from_raw_os_error(match fault {
        Fault::Eio | Fault::ShortWrite => EIO,
        Fault::Enospc => ENOSPC,
        Fault::Emfile => EMFILE,
        Fault::Panic => panic!("{PANIC}"),
    })
}

impl<D: Disk> Disk for FaultDisk<D> {
    fn read(&self, path: &Path, limit_bytes: u64) -> io::Result<Vec<u8>> {
        if let Ok(mut read) = self.read.lock() {
            read.push(path.to_owned());
        }
        self.reading()?;
        self.inner.read(path, limit_bytes)
    }

    fn odd_names(&self, directory: &Path) -> io::Result<Vec<String>> {
        self.reading()?;
        self.inner.odd_names(directory)
    }

    fn read_tail(&self, path: &Path, bytes: u64) -> io::Result<Vec<u8>> {
        self.reading()?;
        self.inner.read_tail(path, bytes)
    }

    fn list(&self, directory: &Path) -> io::Result<Vec<DirEntry>> {
        self.reading()?;
        self.inner.list(directory)
    }

    fn list_by_age(
        &self,
        directory: &Path,
        is_meant: &dyn Fn(&str) -> bool,
    ) -> io::Result<Vec<DirEntry>> {
        self.reading()?;
        self.inner.list_by_age(directory, is_meant)
    }

    fn list_older(&self, directory: &Path, age: Duration) -> io::Result<Vec<DirEntry>> {
        self.reading()?;
        self.inner.list_older(directory, age)
    }

    fn stat(&self, path: &Path) -> io::Result<Option<Stat>> {
        self.reading()?;
        self.inner.stat(path)
    }

    fn make_dir(&self, path: &Path) -> io::Result<()> {
        self.mutating()?;
        self.inner.make_dir(path)
    }

    fn create(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.writing(bytes, |bytes| self.inner.create(path, bytes))
    }

    fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.writing(bytes, |bytes| self.inner.append(path, bytes))
    }

    fn make_private_dir(&self, path: &Path) -> io::Result<()> {
        self.mutating()?;
        self.inner.make_private_dir(path)
    }

    fn create_private(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.writing(bytes, |bytes| self.inner.create_private(path, bytes))
    }

    fn append_private(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.writing(bytes, |bytes| self.inner.append_private(path, bytes))
    }

    fn truncate(&self, path: &Path, len: u64) -> io::Result<()> {
        self.mutating()?;
        self.inner.truncate(path, len)
    }

    fn sync_file(&self, path: &Path) -> io::Result<()> {
        self.mutating()?;
        self.inner.sync_file(path)
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        self.mutating()?;
        self.inner.sync_dir(path)
    }

    fn sync_filesystem(&self, root: &Path) -> io::Result<()> {
        self.mutating()?;
        self.inner.sync_filesystem(root)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.mutating()?;
        self.inner.rename(from, to)
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.mutating()?;
        self.inner.rename_new(from, to)
    }

    fn exchange(&self, one: &Path, other: &Path) -> io::Result<()> {
        self.mutating()?;
        self.inner.exchange(one, other)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.mutating()?;
        self.inner.remove(path)
    }

    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        self.mutating()?;
        self.inner.remove_dir(path)
    }

    fn lock(&self, path: &Path, wait: Duration) -> io::Result<Box<dyn Held>> {
        self.mutating()?;
        self.inner.lock(path, wait)
    }
}
