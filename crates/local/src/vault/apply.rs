//! Applying a plan: prepare, commit, record. Acknowledged means durable; an error means that
//! everything is as it was.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use oldhand_core::hash::ContentHash;
use oldhand_core::policy::MEMORY_BYTES_MAX;
use oldhand_engine::failure::StoreError;
use oldhand_engine::port::{FileWrite, Plan};

use super::journal::Journal;
use super::{LocalVault, inside};

/// From this many files on one sync of the file system is cheaper than one a file.
const GROUP_COMMIT_FILES: usize = 5;

/// A plan that is durable, with the name under which its leftovers are.
pub(super) struct Applied {
    pub write: String,
    pub plan: Plan,
}

/// What was done to one file, to be taken back on an error.
struct Step<'p> {
    file: &'p FileWrite,
    part: PathBuf,
}

impl LocalVault<'_> {
    pub(super) fn apply(&self, mut plan: Plan) -> Result<Applied, StoreError> {
        let write = self.next_id();
        for event in &mut plan.events {
            event.id = self.next_id();
            event.write.clone_from(&write);
        }
        let log_end = self.log_end(&plan.events)?;
        if !plan.files.is_empty() {
            self.compare(&plan)?;
        }
        let mut done: Vec<Step<'_>> = Vec::new();
        let result = self
            .prepare(&write, &plan)
            .and_then(|()| self.commit(&write, &plan, &mut done))
            .and_then(|()| self.append_events(&plan.events));
        if let Err(error) = result {
            let cut = log_end.map_or(Ok(()), |end| self.cut_log(&end));
            // A line of the log that stays means that the files must stay as well: the note is
            // left for the next command, which completes the write.
            if cut.is_ok() {
                self.take_back(&write, &plan, &done);
            }
            return Err(error);
        }
        drop(done);
        Ok(Applied { write, plan })
    }

    /// Inside the lock every file must be what the decision saw.
    fn compare(&self, plan: &Plan) -> Result<(), StoreError> {
        for file in &plan.files {
            let path = self.layout.file(&file.path);
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
        if plan.files.is_empty() {
            return Ok(());
        }
        let tmp = self.layout.tmp();
        let mut parts = Vec::new();
        for (number, file) in plan.files.iter().enumerate() {
            if let Some(text) = &file.after {
                let part = tmp.join(Journal::part_name(write, number));
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
        let note = tmp.join(Journal::file_name(write));
        let bytes = serde_json::to_vec(&Journal::of(write, plan))
            .map_err(|error| StoreError::io("write", &note, error.into()))?;
        self.create(&note, &bytes)?;
        if plan.files.len() > 1 {
            self.sync_file(&note)?;
            self.sync_dir(&tmp)?;
        }
        Ok(())
    }

    fn commit<'p>(
        &self,
        write: &str,
        plan: &'p Plan,
        done: &mut Vec<Step<'p>>,
    ) -> Result<(), StoreError> {
        let mut folders = BTreeSet::new();
        for (number, file) in plan.files.iter().enumerate() {
            let part = self.layout.tmp().join(Journal::part_name(write, number));
            let target = self.layout.file(&file.path);
            if let Some(folder) = target.parent() {
                self.make_folder(folder)?;
                folders.insert(folder.to_owned());
            }
            self.place(file, &part, &target)?;
            done.push(Step { file, part });
        }
        if plan.files.len() >= GROUP_COMMIT_FILES {
            return self.sync_filesystem();
        }
        folders.iter().try_for_each(|folder| self.sync_dir(folder))
    }

    /// One file in its place. What was there before stays reachable, so that an editor that was
    /// faster than the lock loses nothing.
    fn place(&self, file: &FileWrite, part: &Path, target: &Path) -> Result<(), StoreError> {
        let failed = |error| StoreError::io("write", target, error);
        match (file.before, &file.after) {
            (None, _) => match self.disk.rename_new(part, target) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    Err(StoreError::conflict(target))
                }
                other => other.map_err(failed),
            },
            (Some(before), Some(_)) => {
                self.disk.exchange(part, target).map_err(failed)?;
                if self.is_content(part, before) {
                    return Ok(());
                }
                self.disk.exchange(part, target).map_err(failed)?;
                Err(StoreError::conflict(target))
            }
            (Some(before), None) => {
                self.disk.rename_new(target, part).map_err(failed)?;
                if self.is_content(part, before) {
                    return Ok(());
                }
                self.disk.rename_new(part, target).map_err(failed)?;
                Err(StoreError::conflict(target))
            }
        }
    }

    fn is_content(&self, path: &Path, hash: ContentHash) -> bool {
        self.disk.read(path, MEMORY_BYTES_MAX).is_ok_and(|bytes| ContentHash::of(&bytes) == hash)
    }

    /// Undoes what was done, last first. Where even that fails the note stays, and the next
    /// command completes what this one began.
    fn take_back(&self, write: &str, plan: &Plan, done: &[Step<'_>]) {
        let mut folders = BTreeSet::new();
        for step in done.iter().rev() {
            let target = self.layout.file(&step.file.path);
            let undone = match (step.file.before, &step.file.after) {
                (None, _) => self.disk.rename_new(&target, &step.part),
                (Some(_), Some(_)) => self.disk.exchange(&step.part, &target),
                (Some(_), None) => self.disk.rename_new(&step.part, &target),
            };
            if undone.is_err() {
                return;
            }
            folders.extend(target.parent().map(Path::to_owned));
        }
        if folders.iter().any(|folder| self.disk.sync_dir(folder).is_err()) {
            return;
        }
        let tmp = self.layout.tmp();
        // Leftovers that can't be removed now are put aside by the next command.
        let _ = self.disk.remove(&tmp.join(Journal::file_name(write)));
        for (number, file) in plan.files.iter().enumerate() {
            if file.after.is_some() {
                let _ = self.disk.remove(&tmp.join(Journal::part_name(write, number)));
            }
        }
    }

    pub(super) fn create(&self, path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
        self.disk.create(path, bytes).map_err(|error| StoreError::io("write", path, error))
    }

    pub(super) fn sync_file(&self, path: &Path) -> Result<(), StoreError> {
        self.disk.sync_file(path).map_err(|error| StoreError::io("sync", path, error))
    }

    pub(super) fn sync_dir(&self, path: &Path) -> Result<(), StoreError> {
        self.disk.sync_dir(path).map_err(|error| StoreError::io("sync", path, error))
    }

    fn sync_filesystem(&self) -> Result<(), StoreError> {
        let root = inside(&self.layout.root, "");
        self.disk.sync_filesystem(&root).map_err(|error| StoreError::io("sync", &root, error))
    }

    /// A folder's own name must be durable before what is in it can be.
    pub(super) fn make_folder(&self, folder: &Path) -> Result<(), StoreError> {
        if self.stat(folder)?.is_some() {
            return Ok(());
        }
        self.make_dir(folder)?;
        match folder.parent() {
            Some(parent) => self.sync_dir(parent),
            None => Ok(()),
        }
    }
}
