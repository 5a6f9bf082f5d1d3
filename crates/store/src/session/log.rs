//! A log that is put aside when it is full; one earlier file is kept. A torn line is the reader's to
//! skip.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::port::session::Log;

use crate::disk::{Disk, if_there};
use crate::files;

const BYTES_MAX: u64 = 4 * 1024 * 1024;

pub(super) struct LogFile<'d> {
    disk: &'d dyn Disk,
    pub path: PathBuf,
}

impl<'d> LogFile<'d> {
    pub(super) fn new(disk: &'d dyn Disk, folder: &Path, log: Log) -> Self {
        Self { disk, path: folder.join(format!("{}.jsonl", log.name())) }
    }

    fn old(&self) -> PathBuf {
        self.path.with_extension("old.jsonl")
    }

    fn is_full(&self) -> io::Result<bool> {
        Ok(self.disk.stat(&self.path)?.is_some_and(|stat| stat.len > BYTES_MAX))
    }

    /// By one command at a time; whoever finds another one at it leaves it to that one.
    fn alone(&self, job: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        match self.disk.lock(&self.path.with_extension("lock"), Duration::ZERO) {
            Ok(_held) => job(),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(()),
            Err(error) => Err(error),
        }
    }

    pub(super) fn append(&self, line: &str) -> io::Result<()> {
        if self.is_full()? {
            // A second command would put the new file in the place of the old one.
            self.alone(|| match self.is_full()? {
                true => self.disk.rename(&self.path, &self.old()),
                false => Ok(()),
            })?;
        }
        // One write of one line: two commands at once don't tear each other's.
        self.disk.append_private(&self.path, format!("{line}\n").as_bytes())
    }

    /// Oldest first.
    pub(super) fn lines(&self) -> Vec<String> {
        let tail = |path: &Path| self.disk.read_tail(path, 2 * BYTES_MAX).unwrap_or_default();
        let whole = [tail(&self.old()), tail(&self.path)];
        whole
            .iter()
            .flat_map(|bytes| bytes.split(|byte| *byte == b'\n'))
            .filter(|line| !line.is_empty())
            .map(|line| String::from_utf8_lossy(line).into_owned())
            .collect()
    }

    /// Drops lines that are old; nothing is written where the first one is not.
    pub(super) fn prune(&self, is_old: impl Fn(&str) -> bool) -> io::Result<()> {
        let Some(bytes) = if_there(self.disk.read(&self.path, 2 * BYTES_MAX))? else {
            return Ok(());
        };
        let text = String::from_utf8_lossy(&bytes);
        if !text.lines().next().is_some_and(&is_old) {
            return Ok(());
        }
        let kept = text.lines().filter(|line| !is_old(line));
        let kept: String = kept.flat_map(|line| [line, "\n"]).collect();
        self.alone(|| {
            files::replace(self.disk, &self.path, kept.as_bytes())?;
            if_there(self.disk.remove(&self.old())).map(drop)
        })
    }
}
