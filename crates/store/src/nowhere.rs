//! Stores that are in no folder: no disk, and no code around them.

use std::io;
use std::path::Path;
use std::time::Duration;

use crate::disk::{DirEntry, Disk, Held, Stat};
use crate::port::CodeTree;

/// Nothing is there, and nothing can be put there.
pub struct NoDisk;

/// The code is elsewhere: nothing can be told about it.
pub struct NoCode;

impl CodeTree for NoCode {
    fn exists(&self, _: &str) -> bool {
        false
    }

    fn mentions(&self, _: &[String]) -> Vec<String> {
        Vec::new()
    }

    fn files(&self) -> Vec<String> {
        Vec::new()
    }

    fn read(&self, _: &str) -> Option<String> {
        None
    }
}

fn nothing<T>() -> io::Result<T> {
    Err(io::ErrorKind::NotFound.into())
}

fn refused<T>() -> io::Result<T> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "this store is in no folder"))
}

impl Disk for NoDisk {
    fn read(&self, _: &Path, _: u64) -> io::Result<Vec<u8>> {
        nothing()
    }

    fn read_tail(&self, _: &Path, _: u64) -> io::Result<Vec<u8>> {
        nothing()
    }

    fn list(&self, _: &Path) -> io::Result<Vec<DirEntry>> {
        nothing()
    }

    fn stat(&self, _: &Path) -> io::Result<Option<Stat>> {
        Ok(None)
    }

    fn make_dir(&self, _: &Path) -> io::Result<()> {
        refused()
    }

    fn create(&self, _: &Path, _: &[u8]) -> io::Result<()> {
        refused()
    }

    fn append(&self, _: &Path, _: &[u8]) -> io::Result<()> {
        refused()
    }

    fn truncate(&self, _: &Path, _: u64) -> io::Result<()> {
        refused()
    }

    fn sync_file(&self, _: &Path) -> io::Result<()> {
        refused()
    }

    fn sync_dir(&self, _: &Path) -> io::Result<()> {
        refused()
    }

    fn sync_filesystem(&self, _: &Path) -> io::Result<()> {
        refused()
    }

    fn rename(&self, _: &Path, _: &Path) -> io::Result<()> {
        refused()
    }

    fn rename_new(&self, _: &Path, _: &Path) -> io::Result<()> {
        refused()
    }

    fn exchange(&self, _: &Path, _: &Path) -> io::Result<()> {
        refused()
    }

    fn remove(&self, _: &Path) -> io::Result<()> {
        refused()
    }

    fn remove_dir(&self, _: &Path) -> io::Result<()> {
        refused()
    }

    fn lock(&self, _: &Path, _: Duration) -> io::Result<Box<dyn Held>> {
        refused()
    }
}
