//! Completing what an interrupted command began. Always inside the lock.

use std::path::Path;

use oldhand_core::hash::ContentHash;
use oldhand_core::policy::{IMPORT_BYTES_MAX, MEMORY_BYTES_MAX};
use oldhand_engine::failure::StoreError;
use oldhand_engine::port::{FileWrite, Plan};

use super::apply::Applied;
use super::journal::{Journal, JournalFile};
use super::{LocalVault, name_of};

/// How a file stands compared with a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    Done,
    NotYet,
    /// Somebody else changed it meanwhile: theirs stays.
    Foreign,
}

impl LocalVault<'_> {
    pub(super) fn recover(&self) -> Result<(), StoreError> {
        let tmp = self.layout.tmp();
        let Ok(entries) = self.disk.list(&tmp) else { return Ok(()) };
        if entries.is_empty() {
            return Ok(());
        }
        for entry in entries.iter().filter(|entry| entry.name.ends_with(".plan")) {
            let bytes = self
                .disk
                .read(&entry.path, IMPORT_BYTES_MAX)
                .map_err(|error| StoreError::io("read", &entry.path, error))?;
            match Journal::parse(&bytes) {
                Some(journal) => self.complete(journal)?,
                None => self.remove(&entry.path)?,
            }
        }
        self.put_aside_leftovers()
    }

    /// What lies in the folder without a note is put aside, not deleted: it may be somebody's.
    fn put_aside_leftovers(&self) -> Result<(), StoreError> {
        let tmp = self.layout.tmp();
        let entries = self.disk.list(&tmp).map_err(|error| StoreError::io("list", &tmp, error))?;
        entries.iter().try_for_each(|entry| self.put_aside(&entry.path))
    }

    fn complete(&self, journal: Journal) -> Result<(), StoreError> {
        let standings: Vec<Standing> = journal
            .files
            .iter()
            .enumerate()
            .map(|(number, file)| self.standing(&journal.write, number, file))
            .collect::<Result<_, StoreError>>()?;
        let is_single = journal.files.len() == 1;
        if is_single && standings != [Standing::Done] {
            return self.drop_single(&journal, standings[0]);
        }
        let waiting: Vec<usize> =
            (0..standings.len()).filter(|number| standings[*number] == Standing::NotYet).collect();
        for number in &waiting {
            if !self.is_prepared(&journal, *number)? {
                // The note survived and a part did not: the commit point was never reached, or it
                // is an old note of a write that was completed and taken back since.
                return self.remove(&self.layout.tmp().join(Journal::file_name(&journal.write)));
            }
        }
        for number in waiting {
            self.finish_file(&journal.write, number, &journal.files[number])?;
        }
        for file in &journal.files {
            if let Some(folder) = self.layout.file(&file.path).parent() {
                self.sync_dir(folder)?;
            }
        }
        self.append_missing(&journal)?;
        self.settle_recovered(&journal);
        Ok(())
    }

    fn standing(
        &self,
        write: &str,
        number: usize,
        file: &JournalFile,
    ) -> Result<Standing, StoreError> {
        let target = self.layout.file(&file.path);
        let now = self.hash_of(&target)?.map(|hash| hash.to_string());
        if now == file.after {
            // The exchange may have taken out an editor's bytes instead of what was expected.
            let part = self.layout.tmp().join(Journal::part_name(write, number));
            let out = self.hash_of(&part)?.map(|hash| hash.to_string());
            let is_theirs = file.before.is_some() && out.is_some() && out != file.before;
            return Ok(if is_theirs { Standing::Foreign } else { Standing::Done });
        }
        Ok(if now == file.before { Standing::NotYet } else { Standing::Foreign })
    }

    fn is_prepared(&self, journal: &Journal, number: usize) -> Result<bool, StoreError> {
        let Some(after) = &journal.files[number].after else { return Ok(true) };
        let part = self.layout.tmp().join(Journal::part_name(&journal.write, number));
        Ok(self.hash_of(&part)?.map(|hash| hash.to_string()).as_ref() == Some(after))
    }

    /// A single file that was not placed was never promised.
    fn drop_single(&self, journal: &Journal, standing: Standing) -> Result<(), StoreError> {
        let part = self.layout.tmp().join(Journal::part_name(&journal.write, 0));
        let target = self.layout.file(&journal.files[0].path);
        let placed = self.hash_of(&target)?.map(|hash| hash.to_string()) == journal.files[0].after;
        if standing == Standing::Foreign && placed && journal.files[0].after.is_some() {
            // Ours went over an editor's version at the last moment: theirs comes back.
            self.disk
                .exchange(&part, &target)
                .map_err(|error| StoreError::io("restore", &target, error))?;
            if let Some(folder) = target.parent() {
                self.sync_dir(folder)?;
            }
        }
        self.remove(&self.layout.tmp().join(Journal::file_name(&journal.write)))
    }

    fn finish_file(
        &self,
        write: &str,
        number: usize,
        file: &JournalFile,
    ) -> Result<(), StoreError> {
        let part = self.layout.tmp().join(Journal::part_name(write, number));
        let target = self.layout.file(&file.path);
        let failed = |error| StoreError::io("write", &target, error);
        if let Some(folder) = target.parent() {
            self.make_folder(folder)?;
        }
        match (&file.before, &file.after) {
            (None, _) => self.disk.rename_new(&part, &target).map_err(failed),
            (Some(_), Some(_)) => self.disk.exchange(&part, &target).map_err(failed),
            (Some(_), None) => self.disk.rename_new(&target, &part).map_err(failed),
        }
    }

    /// The log may have some of the events already, or half of one.
    fn append_missing(&self, journal: &Journal) -> Result<(), StoreError> {
        let mut known = String::new();
        for file in self.event_files()? {
            known.push_str(&self.read_event_file(&file)?);
        }
        let missing: Vec<_> = journal
            .events
            .iter()
            .filter(|event| {
                let needle = format!("\"id\":\"{}\"", event.id);
                !known.lines().any(|line| line.contains(&needle) && line.ends_with('}'))
            })
            .cloned()
            .collect();
        if missing.is_empty() {
            // They may be in the file and not yet on the disk.
            return match journal.events.first() {
                Some(first) => {
                    self.sync_file(&self.event_file(first))?;
                    self.sync_dir(&self.layout.events())
                }
                None => Ok(()),
            };
        }
        self.append_events(&missing)
    }

    fn settle_recovered(&self, journal: &Journal) {
        let files = journal
            .files
            .iter()
            .filter_map(|file| {
                let stored = self.read_stored(&file.path).ok().flatten();
                let (_, stem) = name_of(&file.path);
                Some(FileWrite {
                    path: file.path.clone(),
                    id: oldhand_core::memory::MemoryId::parse(stem).ok()?,
                    before: file.before.as_deref().and_then(ContentHash::parse),
                    after: stored.as_ref().map(|stored| stored.text.clone()),
                    memory: stored.map(|stored| stored.memory),
                })
            })
            .collect();
        let plan = Plan { files, events: Vec::new() };
        self.settle(&Applied { write: journal.write.clone(), plan });
    }

    /// Into `kept/`, under the hash of what it holds.
    pub(super) fn put_aside(&self, path: &Path) -> Result<(), StoreError> {
        let failed = |error| StoreError::io("put aside", path, error);
        let hash = match self.disk.read(path, MEMORY_BYTES_MAX) {
            Ok(bytes) => ContentHash::of(&bytes).to_string(),
            Err(error) if error.kind() == std::io::ErrorKind::FileTooLarge => {
                path.file_name().unwrap_or_default().to_string_lossy().into_owned()
            }
            Err(error) => return Err(failed(error)),
        };
        self.keep_as(path, &hash)
    }

    /// The same version may be kept already; one that an editor wrote into gets a name of its own.
    pub(super) fn keep_as(&self, path: &Path, hash: &str) -> Result<(), StoreError> {
        let failed = |error| StoreError::io("put aside", path, error);
        let kept = self.layout.kept();
        self.make_dir(&kept)?;
        for number in 0..100 {
            let name =
                if number == 0 { format!("{hash}.md") } else { format!("{hash}.{number}.md") };
            let there = kept.join(name);
            match self.disk.rename_new(path, &there) {
                Ok(()) => return Ok(()),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                    let same = self.hash_of(&there)? == self.hash_of(path)?;
                    if same {
                        return self.remove(path);
                    }
                }
                Err(error) => return Err(failed(error)),
            }
        }
        Err(failed(std::io::ErrorKind::AlreadyExists.into()))
    }

    pub(super) fn remove(&self, path: &Path) -> Result<(), StoreError> {
        match self.disk.remove(path) {
            Err(error) if super::is_missing(&error) => Ok(()),
            other => other.map_err(|error| StoreError::io("remove", path, error)),
        }
    }
}
