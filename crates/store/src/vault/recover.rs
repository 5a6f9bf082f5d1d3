//! Completing what an interrupted command began. Always inside the lock.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use crate::failure::{At, StoreError};
use crate::port::{FileWrite, Plan, Vault, id_of_path};
use oldhand_core::event::Event;
use oldhand_core::policy::{IMPORT_BYTES_MAX, MEMORY_BYTES_MAX};
use oldhand_text::hash::ContentHash;

use super::LocalVault;
use super::apply::Applied;
use super::journal::{Journal, JournalFile};
use crate::disk::{NodeKind, if_there};

/// How far a write got with one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Placement {
    Done,
    NotYet,
    /// Somebody else changed it meanwhile: theirs stays.
    Foreign,
}

/// A file of a note.
struct Piece<'j> {
    file: &'j JournalFile,
    part: PathBuf,
    target: PathBuf,
    placement: Placement,
}

impl LocalVault<'_> {
    pub(super) fn recover(&self) -> Result<(), StoreError> {
        let tmp = self.layout.tmp();
        let Ok(entries) = self.disk.list(&tmp) else { return Ok(()) };
        if entries.is_empty() {
            return Ok(());
        }
        for entry in entries.iter().filter(|entry| entry.name.ends_with(".plan")) {
            if !self.is_file(&entry.path)? {
                continue;
            }
            let bytes = self.disk.file(&entry.path, IMPORT_BYTES_MAX)?.unwrap_or_default();
            // Any other note is put aside with the leftovers, never followed.
            if let Some(journal) = Journal::parse(&bytes, &entry.name) {
                self.complete(&journal)?;
            }
        }
        // What lies in the folder without a note is put aside, not deleted: it may be somebody's.
        for entry in self.disk.entries(&tmp)? {
            if self.is_file(&entry.path)? {
                self.put_aside(&entry.path)?;
            }
        }
        Ok(())
    }

    fn is_file(&self, path: &Path) -> Result<bool, StoreError> {
        Ok(self.stat(path)?.is_some_and(|stat| stat.kind == NodeKind::File))
    }

    /// Every file of a note, compared with the disk.
    fn pieces<'j>(&self, journal: &'j Journal) -> Result<Vec<Piece<'j>>, StoreError> {
        let piece = |(number, file): (usize, &'j JournalFile)| {
            let part = self.part(&journal.write, number);
            let target = self.layout.file(&file.path);
            let placement = self.placement(file, &part, &target)?;
            Ok(Piece { file, part, target, placement })
        };
        journal.files.iter().enumerate().map(piece).collect()
    }

    fn placement(
        &self,
        file: &JournalFile,
        part: &Path,
        target: &Path,
    ) -> Result<Placement, StoreError> {
        let now = self.hash_text(target)?;
        if now == file.after {
            // The exchange may have taken out an editor's bytes instead of what was expected.
            let out = self.hash_text(part)?;
            let is_theirs = file.before.is_some() && out.is_some() && out != file.before;
            return Ok(if is_theirs { Placement::Foreign } else { Placement::Done });
        }
        Ok(if now == file.before { Placement::NotYet } else { Placement::Foreign })
    }

    fn hash_text(&self, path: &Path) -> Result<Option<String>, StoreError> {
        Ok(self.hash_of(path)?.map(|hash| hash.to_string()))
    }

    fn complete(&self, journal: &Journal) -> Result<(), StoreError> {
        let (missing, logs) = self.missing_events(journal)?;
        if missing.is_empty() && !journal.events.is_empty() {
            // Events are appended when everything else is durable: the write was complete. What
            // has happened to its files since is no business of this note. The events may be in
            // the file and not yet on the disk.
            logs.iter().try_for_each(|log| self.sync_file(log))?;
            self.sync_dir(&self.layout.events())?;
            self.settle_recovered(journal, |_| true);
            return Ok(());
        }
        let mut pieces = self.pieces(journal)?;
        if !self.is_promised(&pieces)? {
            return self.drop_plan(journal, &pieces);
        }
        for piece in pieces.iter_mut().filter(|it| it.placement == Placement::NotYet) {
            piece.placement = self.finish_file(piece)?;
        }
        for folder in pieces.iter().filter_map(|piece| piece.target.parent()) {
            self.sync_dir(folder)?;
        }
        let has_happened = |event: &Event| {
            let piece = pieces.iter().find(|piece| piece.file.path == event.path);
            piece.is_none_or(|piece| piece.placement == Placement::Done)
        };
        let happened: Vec<Event> = missing.into_iter().filter(has_happened).collect();
        if let Some(last) = happened.last() {
            let log = self.open_log(last.at)?;
            let added = self.append_events(&log, &happened)?;
            self.keep_writer(log, added, &last.id);
        }
        self.settle_recovered(journal, |number| pieces[number].placement == Placement::Done);
        Ok(())
    }

    /// Whether the commit point was reached. One file is its own commit point. Of several, none is
    /// placed before all parts and the note are durable: a missing part, or a file of somebody
    /// else's while none of ours is placed, means that nothing was promised.
    fn is_promised(&self, pieces: &[Piece<'_>]) -> Result<bool, StoreError> {
        let any = |wanted: Placement| pieces.iter().any(|piece| piece.placement == wanted);
        if pieces.len() == 1 || (any(Placement::Foreign) && !any(Placement::Done)) {
            return Ok(pieces.iter().all(|piece| piece.placement == Placement::Done));
        }
        for piece in pieces.iter().filter(|it| it.placement == Placement::NotYet) {
            let is_removal = piece.file.after.is_none();
            if !is_removal && self.hash_text(&piece.part)? != piece.file.after {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Nothing was promised. Where ours went over an editor's version at the last moment, theirs
    /// comes back.
    fn drop_plan(&self, journal: &Journal, pieces: &[Piece<'_>]) -> Result<(), StoreError> {
        for piece in pieces.iter().filter(|it| it.placement == Placement::Foreign) {
            self.give_back(piece)?;
        }
        self.remove(&self.note(&journal.write))
    }

    fn give_back(&self, piece: &Piece<'_>) -> Result<(), StoreError> {
        let Piece { file, part, target, .. } = piece;
        if self.hash_text(target)? != file.after || self.stat(part)?.is_none() {
            return Ok(());
        }
        self.swap(part, target, (file.after.is_some(), true)).at("restore", target)?;
        target.parent().map_or(Ok(()), |folder| self.sync_dir(folder))
    }

    fn finish_file(&self, piece: &Piece<'_>) -> Result<Placement, StoreError> {
        let Piece { file, part, target, .. } = piece;
        if let Some(folder) = target.parent() {
            self.make_folder(folder)?;
        }
        match self.swap(part, target, (file.before.is_some(), file.after.is_some())) {
            Ok(()) => Ok(Placement::Done),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(Placement::Foreign),
            Err(error) => Err(StoreError::io("write", target, error)),
        }
    }

    /// The events of a note that the log does not have, or has only half of; and the files that
    /// have the others.
    fn missing_events(&self, journal: &Journal) -> Result<(Vec<Event>, Vec<PathBuf>), StoreError> {
        let (mut known, mut logs) = (HashSet::new(), Vec::new());
        let of_write = format!("\"write\":\"{}\"", journal.write);
        for file in self.event_files()? {
            let text = self.read_event_file(&file)?;
            let lines = text.lines().filter(|line| line.contains(&of_write));
            let before = known.len();
            known.extend(lines.filter_map(Event::of_line).map(|event| event.id));
            if known.len() > before {
                logs.push(file);
            }
        }
        let missing = journal.events.iter().filter(|event| !known.contains(&event.id));
        Ok((missing.cloned().collect(), logs))
    }

    fn settle_recovered(&self, journal: &Journal, is_placed: impl Fn(usize) -> bool) {
        let files = journal
            .files
            .iter()
            .enumerate()
            .filter_map(|(number, file)| {
                let stored = self.find_at(&file.path).ok().flatten();
                let before = file.before.as_deref().and_then(ContentHash::parse);
                Some(FileWrite {
                    path: file.path.clone(),
                    id: id_of_path(&file.path)?,
                    // The part of a file that was not ours to place is put aside as what it is.
                    before: before.filter(|_| is_placed(number)),
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
        let hash = match self.disk.read(path, MEMORY_BYTES_MAX) {
            Ok(bytes) => ContentHash::of(&bytes).to_string(),
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
                path.file_name().unwrap_or_default().to_string_lossy().into_owned()
            }
            Err(error) => return Err(StoreError::io("put aside", path, error)),
        };
        self.keep_as(path, &hash)
    }

    /// The same version may be kept already: the newer file takes its place, because an editor may
    /// still have it open. One that an editor wrote into gets a name of its own.
    pub(super) fn keep_as(&self, path: &Path, hash: &str) -> Result<(), StoreError> {
        let failed = |error| StoreError::io("put aside", path, error);
        let kept = self.layout.kept();
        self.make_dir(&kept)?;
        for name in kept_names(hash) {
            let there = kept.join(name);
            match self.disk.rename_new(path, &there) {
                Ok(()) => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    if self.hash_of(&there)? == self.hash_of(path)? {
                        return self.disk.rename(path, &there).map_err(failed);
                    }
                }
                Err(error) => return Err(failed(error)),
            }
        }
        Err(failed(io::ErrorKind::AlreadyExists.into()))
    }

    pub(super) fn remove(&self, path: &Path) -> Result<(), StoreError> {
        let removed = if_there(self.disk.remove(path));
        removed.map(drop).at("remove", path)
    }
}

/// Where a version may be kept: its hash, then numbered beside it.
pub(super) fn kept_names(hash: &str) -> impl Iterator<Item = String> + '_ {
    (0..100).map(move |number| match number {
        0 => format!("{hash}.md"),
        number => format!("{hash}.{number}.md"),
    })
}
