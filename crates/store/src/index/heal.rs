//! Bringing the index up to date: what changed becomes a new segment, what it replaces is marked,
//! and segments of like size are merged, so that a write costs the same in a store of any size.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::sync::Arc;

use crate::failure::Failure;
use crate::port::{Stored, Vault};
use oldhand_core::event::{Event, EventType};
use oldhand_core::recall::card::Card;
use oldhand_core::recall::row::Row;
use oldhand_core::signals::Signals;
use oldhand_index::{Builder, Damage, Live, Segment, Source, Vector, merge};

use super::Shelf;
use super::build::{by_memory, is_use};
use super::check::{Changes, CheckError};
use super::head::{Head, SegmentEntry, Unread};
use crate::disk::RealDisk;
use crate::document::Made;
use crate::{files, marks};

/// More changed files than this are left to `reindex` when there is an index to go on with.
const HEAL_MAX: usize = 5_000;
/// Files read before they are handed to the builder: bounds memory.
const CHUNK: usize = 1_000;
/// A large store is not looked through file by file for every prompt that nothing answers.
pub(super) const RECHECK_SECONDS: i64 = 60;
/// A segment is merged into the one before it when it has reached this share of its size.
const MERGE_SHARE: usize = 4;

impl Shelf<'_> {
    pub(super) fn bring_up_to_date(
        &mut self,
        whole: bool,
        notes: &mut Vec<String>,
    ) -> Result<bool, Failure> {
        let changed = self.heal(whole, notes)?;
        for (path, unread) in &self.head.unread {
            let note = format!("could not read `{path}`: {}", unread.why);
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        Ok(changed)
    }

    fn heal(&mut self, whole: bool, notes: &mut Vec<String>) -> Result<bool, Failure> {
        let mut why = String::new();
        for whole in [whole, true] {
            match self.try_to(whole, notes) {
                Ok(changed) => return Ok(changed),
                Err(CheckError::Store(failure)) => return Err(failure),
                Err(CheckError::Damage(damage)) => why = damage.to_string(),
            }
            self.start_over();
        }
        // A fresh index in memory can't be damaged; if it is, there is none.
        notes.push(format!("the index could not be built: {why}"));
        Ok(false)
    }

    fn try_to(&mut self, whole: bool, notes: &mut Vec<String>) -> Result<bool, CheckError> {
        let age_seconds = self.vault.now.as_second() - self.head.checked_at;
        let is_old = age_seconds / 3_600 >= self.opening.check.hours;
        let mut whole = whole || self.segments.is_empty() || is_old;
        if self.segments.is_empty() && self.is_too_much()? {
            self.is_behind = true;
            return Ok(false);
        }
        let mut changes = self.check(whole)?;
        let count = changes.changed.len() + changes.gone.len();
        if !whole && count >= self.opening.check.entries && count <= HEAL_MAX {
            whole = true;
            changes = self.check(true)?;
        }
        let is_partial = !self.segments.is_empty() && !whole;
        self.is_behind = count > self.opening.build_max || (count > HEAL_MAX && is_partial);
        if self.is_behind {
            notes.push(format!(
                "the index is behind by {count} files: `oldhand reindex` brings it up to date"
            ));
            return Ok(false);
        }
        let has_marks = self.head.folders == changes.folders && self.head.logs == changes.logs;
        if changes.is_empty() && has_marks && !(whole && age_seconds >= RECHECK_SECONDS) {
            return Ok(false);
        }
        let changed = self.take_in(&mut changes)?;
        self.head.folders = changes.folders;
        self.head.logs = changes.logs;
        self.head.log = changes.log;
        if whole {
            self.head.checked_at = self.vault.now.as_second();
        }
        self.keep();
        Ok(changed)
    }

    /// There are more files than this command takes in, by their names alone.
    fn is_too_much(&self) -> Result<bool, CheckError> {
        let mut left = self.opening.build_max;
        for folder in self.vault.all_folders()?.iter() {
            let count = self.vault.count_files(folder, left.saturating_add(1))?;
            let Some(fewer) = left.checked_sub(count) else { return Ok(true) };
            left = fewer;
        }
        Ok(false)
    }

    /// New documents for what changed; true when any is other than it was.
    fn take_in(&mut self, changes: &mut Changes) -> Result<bool, CheckError> {
        if changes.is_empty() {
            return Ok(false);
        }
        let mut gone = changes.gone.clone();
        let mut uses = Uses::of(self, changes)?;
        let mut builder = Builder::new(self.key());
        let (mut added, mut unread) = (BTreeSet::new(), BTreeMap::new());
        let paths: Vec<String> = changes.changed.iter().cloned().collect();
        for chunk in paths.chunks(CHUNK) {
            // Before the files are read: one that changes meanwhile does not fit its stamp later.
            let stamps: Vec<_> = chunk.iter().map(|path| self.stamp(path)).collect();
            let read = self.vault.read_all(chunk).into_iter().zip(stamps);
            for (path, read) in chunk.iter().cloned().zip(read) {
                match read {
                    (Some(Ok(stored)), Some(stamp)) => {
                        let signals = uses.signals(self, &stored)?;
                        let mut made = self.make(&stored, stamp, &signals);
                        made.document.vectors = self.known_vectors(&made)?;
                        builder.add(made.document);
                        added.insert(path);
                    }
                    (Some(Err(unreadable)), Some(stamp)) => {
                        let why = unreadable.why;
                        unread.insert(path.clone(), Unread { stamp: stamp.0, why });
                        gone.insert(path);
                    }
                    _ => drop(gone.insert(path)),
                }
            }
        }
        let replaced: Vec<&String> = added.iter().chain(&gone).collect();
        self.bury(&replaced)?;
        self.head.unread.retain(|path, _| !added.contains(path) && !gone.contains(path));
        self.head.unread.append(&mut unread);
        let mut edition = blake3::Hasher::new();
        edition.update(self.head.edition.as_bytes());
        for path in &replaced {
            edition.update(path.as_bytes());
        }
        if !added.is_empty() {
            self.append(builder.finish())?;
            let new = self.head.segments.last().map_or("", |it| it.file.as_str());
            edition.update(new.as_bytes());
        }
        self.head.edition = edition.finalize().to_hex()[..24].to_owned();
        self.merge_alike()?;
        Ok(true)
    }

    /// Documents of an earlier segment that are no longer what their file is.
    pub(super) fn bury(&mut self, paths: &[&String]) -> Result<(), Damage> {
        for (segment, entry) in self.segments.iter().zip(&mut self.head.segments) {
            for path in paths {
                if let Some(at) = segment.find_path(path)?
                    && let Err(place) = entry.dead.binary_search(&at)
                {
                    entry.dead.insert(place, at);
                }
            }
        }
        Ok(())
    }

    pub(super) fn append(&mut self, bytes: Vec<u8>) -> Result<(), Damage> {
        let file = format!("segment-{}", &blake3::hash(&bytes).to_hex()[..24]);
        let bytes = Arc::new(bytes);
        let segment = Segment::open(Source::Memory(Arc::clone(&bytes)), &self.key())?;
        self.head.segments.push(SegmentEntry {
            file: file.clone(),
            documents: segment.len(),
            bytes: bytes.len() as u64,
            dead: Vec::new(),
        });
        self.unsaved.insert(file, bytes);
        self.segments.push(segment);
        Ok(())
    }

    /// The vectors of the same text, when it was embedded before.
    fn known_vectors(&self, made: &Made) -> Result<Option<Vec<Vector>>, Damage> {
        self.known_of(&made.document.path, |segment, at| {
            let card = card_at(segment, at)?;
            let is_same = card.is_some_and(|card| card.passages_mark == made.passages_mark);
            if is_same { segment.vectors(at) } else { Ok(None) }
        })
    }

    /// What the index knows of a file.
    pub(super) fn known_of<T>(
        &self,
        path: &str,
        read: impl Fn(&Segment, u32) -> Result<Option<T>, Damage>,
    ) -> Result<Option<T>, Damage> {
        for (segment, entry) in self.parts().rev() {
            if let Some(at) = segment.find_path(path)?.filter(|at| entry.is_live(*at)) {
                return read(segment, at);
            }
        }
        Ok(None)
    }

    pub(super) fn merge_alike(&mut self) -> Result<(), Damage> {
        while let [.., before, last] = self.head.segments.as_slice() {
            if last.live() * MERGE_SHARE < before.live() {
                break;
            }
            let at = self.segments.len() - 2;
            let parts = self.parts().map(|(segment, entry)| Live { segment, dead: &entry.dead });
            let bytes = merge(&parts.skip(at).collect::<Vec<_>>(), self.key())?;
            self.segments.truncate(at);
            self.head.segments.truncate(at);
            self.append(bytes)?;
        }
        Ok(())
    }

    /// Writes what is new. Whatever fails here costs the next command the same work again.
    pub(super) fn keep(&mut self) {
        self.is_kept = self.try_to_keep().is_some();
    }

    fn try_to_keep(&mut self) -> Option<()> {
        let folder = self.folder.clone()?;
        // The cache holds what the memories say: it is nobody else's business.
        files::make_folder(&RealDisk, &folder).ok()?;
        let mut options = File::options();
        let lock =
            options.create(true).write(true).truncate(false).open(folder.join("lock")).ok()?;
        // Somebody else is keeping an index of the same files right now.
        lock.try_lock().ok()?;
        if Head::read(&folder) != self.seen {
            return None;
        }
        self.unsaved.retain(|file, _| self.head.segments.iter().any(|entry| entry.file == *file));
        for (file, bytes) in &self.unsaved {
            files::replace(&RealDisk, &folder.join(file), bytes).ok()?;
        }
        self.head.write(&folder).ok()?;
        self.seen = Some(self.head.clone());
        self.unsaved.clear();
        if let Some(cache) = &self.opened.cache {
            marks::clear(cache);
        }
        self.sweep(&folder);
        Some(())
    }

    /// Segments that no head names any more.
    fn sweep(&self, folder: &std::path::Path) {
        let Ok(entries) = std::fs::read_dir(folder) else { return };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_named = self.head.segments.iter().any(|it| it.file == name);
            if name.starts_with("segment-") && !is_named {
                // A file that stays is swept another time.
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
}

/// What lists go by; of another version as a card.
pub(super) fn row_at(segment: &Segment, at: u32) -> Result<Option<Row>, Damage> {
    Ok(Row::of_bytes(&segment.row(at)?))
}

/// A card that can't be read is of another version: its memory is read again.
pub(super) fn card_at(segment: &Segment, at: u32) -> Result<Option<Card>, Damage> {
    Ok(serde_json::from_slice(&segment.card(at)?).ok())
}

/// Where the use of memories is read from.
struct Uses {
    /// Events behind the mark, by memory.
    news: HashMap<String, Vec<Event>>,
    /// The whole log, once somebody needs it.
    all: Option<HashMap<String, Vec<Event>>>,
}

impl Uses {
    fn of(shelf: &Shelf<'_>, changes: &mut Changes) -> Result<Self, Failure> {
        if let Some(news) = changes.news.as_ref().filter(|_| !shelf.segments.is_empty()) {
            return Ok(Self { news: by_memory(news.clone()), all: None });
        }
        let all = changes.all.take().map_or_else(|| shelf.vault.events(), Ok)?;
        Ok(Self { news: HashMap::new(), all: Some(by_memory(all)) })
    }

    fn signals(&mut self, shelf: &Shelf<'_>, stored: &Stored) -> Result<Signals, CheckError> {
        let mut signals = self.folded(shelf, stored)?;
        signals.compare(stored.hash);
        Ok(signals)
    }

    /// A memory that nobody used yet needs no look at the whole log.
    fn folded(&mut self, shelf: &Shelf<'_>, stored: &Stored) -> Result<Signals, CheckError> {
        let (memory, path) = (&stored.memory, stored.path.as_str());
        let id = memory.id.as_str();
        let news = self.news.get(id).map_or(&[][..], Vec::as_slice);
        let policy = shelf.opening.trust;
        let is_new = news.iter().any(|event| event.event_type == EventType::Created);
        // Without news the file has changed all the same: only the log says what it was.
        if self.all.is_none() && !news.is_empty() && !news.iter().any(is_use) {
            if is_new {
                return Ok(Signals::fold(memory, news, policy));
            }
            // What the log carried of it, it still does.
            let is_as_before = |card: &Card| {
                let is_same = card.state == memory.state && card.origin == memory.origin;
                card.uses == 0 && !card.unrecorded && !card.hand_edited && is_same
            };
            // Evidence that the log has to vouch for is looked up there.
            let needs_log = !oldhand_core::evidence::vouched(&memory.evidence).is_empty();
            if !needs_log && shelf.known_of(path, card_at)?.as_ref().is_some_and(is_as_before) {
                return Ok(Signals::fold_recorded(memory, news, policy));
            }
        }
        if self.all.is_none() {
            self.all = Some(by_memory(shelf.vault.events()?));
        }
        let events = self.all.as_ref().and_then(|all| all.get(id));
        Ok(Signals::fold(memory, events.map_or(&[][..], Vec::as_slice), policy))
    }
}
