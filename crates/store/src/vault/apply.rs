//! Applying a plan: prepare, commit, record. Acknowledged means durable; an error means that
//! everything is as it was.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use crate::failure::{At, StoreError};
use crate::port::Plan;
use oldhand_core::policy::MEMORY_BYTES_MAX;
use oldhand_text::hash::ContentHash;

use super::LocalVault;
use super::journal::Journal;
use crate::ulid::successor;

/// From this many files on one sync of the file system is cheaper than one per file.
const GROUP_COMMIT_FILES: usize = 5;

/// A directory larger than this has held files: no file system makes a new one larger.
const NEW_FOLDER_BYTES_MAX: u64 = 4096;

/// The mark of a text that somebody saved while a write failed: `doctor` names these.
pub(super) const LATE: &str = "late-";

/// A plan that is durable, with the name under which its leftovers are.
pub(super) struct Applied {
    pub write: String,
    pub plan: Plan,
}

impl LocalVault<'_> {
    pub(super) fn apply(&self, mut plan: Plan) -> Result<Applied, StoreError> {
        let log = self.open_log(plan.events.first().map_or(self.now, |event| event.at))?;
        let write = log.next_id(self);
        let mut last = write.clone();
        for event in &mut plan.events {
            last = successor(&last).unwrap_or_else(|| self.next_id());
            event.id.clone_from(&last);
            event.write.clone_from(&write);
        }
        self.compare(&plan)?;
        let mut placed = 0;
        let result = self
            .prepare(&write, &plan)
            .and_then(|()| self.commit(&write, &plan, &mut placed))
            .and_then(|()| self.append_events(&log, &plan.events));
        match result {
            Ok(0) => {}
            Ok(added) => self.keep_writer(log, added, &last),
            Err(error) => {
                // A line of the log that stays means that the files must stay as well: the note is
                // left for the next command, which completes the write.
                if self.cut_log(&log).is_ok() {
                    self.take_back(&write, &plan, placed);
                }
                return Err(error);
            }
        }
        Ok(Applied { write, plan })
    }

    /// Inside the lock every file must be what the decision saw.
    fn compare(&self, plan: &Plan) -> Result<(), StoreError> {
        let mut seen = BTreeSet::new();
        for file in &plan.files {
            let path = self.layout.file(&file.path);
            if !seen.insert(&file.path) {
                return Err(StoreError::corrupt("write", &path, "it is twice in one write"));
            }
            if !file.is_inside() {
                return Err(StoreError::corrupt("write", &path, "it is no place for a memory"));
            }
            if self.hash_of(&path)? != file.before {
                return Err(StoreError::conflict(&path));
            }
        }
        Ok(())
    }

    /// New contents durable under temporary names, and the note that says what they are for. One
    /// file is atomic by itself; for several the note is the commit point and must be durable too.
    fn prepare(&self, write: &str, plan: &Plan) -> Result<(), StoreError> {
        // One line is whole or torn; of several the first could stay without the others.
        if plan.files.is_empty() && plan.events.len() < 2 {
            return Ok(());
        }
        let mut parts = Vec::new();
        for (number, file) in plan.files.iter().enumerate() {
            if let Some(text) = &file.after {
                let part = self.part(write, number);
                self.create(&part, text.as_bytes())?;
                parts.push(part);
            }
        }
        if plan.files.len() >= GROUP_COMMIT_FILES {
            self.sync_filesystem()?;
        } else {
            for part in &parts {
                self.sync_file(part)?;
            }
        }
        let note = self.note(write);
        let bytes = serde_json::to_vec(&Journal::of(write, plan))
            .map_err(|error| StoreError::io("write", &note, error.into()))?;
        self.create(&note, &bytes)?;
        if plan.files.len() != 1 {
            self.sync_file(&note)?;
            self.sync_dir(&self.layout.tmp())?;
        }
        Ok(())
    }

    /// `placed` counts the files that are to be taken back on an error.
    fn commit(&self, write: &str, plan: &Plan, placed: &mut usize) -> Result<(), StoreError> {
        let mut folders = BTreeSet::new();
        for (number, file) in plan.files.iter().enumerate() {
            let part = self.part(write, number);
            let target = self.layout.file(&file.path);
            if let Some(folder) = target.parent()
                && folders.insert(folder.to_owned())
            {
                self.make_folder(folder)?;
            }
            // What was there before stays reachable under the part's name.
            let there = (file.before.is_some(), file.after.is_some());
            self.swap(&part, &target, there).map_err(|error| {
                match (file.before, error.kind()) {
                    (None, io::ErrorKind::AlreadyExists) => StoreError::conflict(&target),
                    _ => StoreError::io("write", &target, error),
                }
            })?;
            // From here on there is something to take back, whatever the look at it says.
            *placed += 1;
            // What came out must be what was compared: an editor that was faster than the lock
            // loses nothing.
            if file.before.is_some_and(|before| !self.is_content(&part, before)) {
                return Err(StoreError::conflict(&target));
            }
        }
        if plan.files.len() >= GROUP_COMMIT_FILES {
            return self.sync_filesystem();
        }
        folders.iter().try_for_each(|folder| self.sync_dir(folder))
    }

    /// Exchanges a part with its target, by whether there is a file before and after: the one that
    /// is missing is a name that must be free.
    pub(super) fn swap(&self, part: &Path, target: &Path, there: (bool, bool)) -> io::Result<()> {
        match there {
            (false, _) => self.disk.rename_new(part, target),
            (true, true) => self.disk.exchange(part, target),
            (true, false) => self.disk.rename_new(target, part),
        }
    }

    fn is_content(&self, path: &Path, hash: ContentHash) -> bool {
        self.disk.read(path, MEMORY_BYTES_MAX).is_ok_and(|bytes| ContentHash::of(&bytes) == hash)
    }

    /// Undoes what was done, last first. Where even that fails the note stays, and the next
    /// command completes what this one began.
    fn take_back(&self, write: &str, plan: &Plan, placed: usize) {
        let mut folders = BTreeSet::new();
        for (number, file) in plan.files[..placed].iter().enumerate().rev() {
            let target = self.layout.file(&file.path);
            let back = (file.after.is_some(), file.before.is_some());
            if self.swap(&self.part(write, number), &target, back).is_err() {
                return;
            }
            folders.extend(target.parent().map(Path::to_owned));
        }
        if folders.iter().any(|folder| self.disk.sync_dir(folder).is_err()) {
            return;
        }
        // Leftovers that can't be removed now are put aside by the next command.
        let _ = self.disk.remove(&self.note(write));
        if plan.files.len() != 1 {
            // The refused plan must not come back after a power cut.
            let _ = self.disk.sync_dir(&self.layout.tmp());
        }
        for (number, file) in plan.files.iter().enumerate() {
            let part = self.part(write, number);
            let is_ours = file.hash().is_some_and(|ours| self.is_content(&part, ours));
            if number < placed && !is_ours {
                self.keep_late(&part);
            } else {
                let _ = self.disk.remove(&part);
            }
        }
    }

    /// A part that is not ours any more holds what somebody saved in the meantime.
    fn keep_late(&self, part: &Path) {
        if let Ok(Some(hash)) = self.hash_of(part) {
            // Where this fails it stays where it is, and the next command puts it aside.
            let _ = self.keep_as(part, &format!("{LATE}{hash}"));
        }
    }

    pub(super) fn create(&self, path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
        self.disk.create(path, bytes).at("write", path)
    }

    pub(super) fn sync_file(&self, path: &Path) -> Result<(), StoreError> {
        self.disk.sync_file(path).at("sync", path)
    }

    pub(super) fn sync_dir(&self, path: &Path) -> Result<(), StoreError> {
        self.disk.sync_dir(path).at("sync", path)
    }

    fn sync_filesystem(&self) -> Result<(), StoreError> {
        let root = &self.layout.root;
        self.disk.sync_filesystem(root).at("sync", root)
    }

    /// A folder's own name must be durable before what is in it can be.
    pub(super) fn make_folder(&self, folder: &Path) -> Result<(), StoreError> {
        // An empty folder may be new and its name not yet durable: the command that made it may have
        // been killed.
        let has_grown = self.stat(folder)?.is_some_and(|stat| stat.len > NEW_FOLDER_BYTES_MAX);
        if has_grown || self.disk.count(folder, 1).is_ok_and(|count| count > 0) {
            return Ok(());
        }
        self.make_dir(folder)?;
        match folder.parent() {
            Some(parent) => self.sync_dir(parent),
            None => Ok(()),
        }
    }
}
