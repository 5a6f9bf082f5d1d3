//! Is the index what the files are? A small store is compared file by file. In a large one the
//! folders' times show new and removed files, the log shows our own writes, and each look
//! compares a window of the files, so that an edit in place is noticed soon; what is served is
//! always read from its file.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::failure::{Failure, StoreError};
use crate::port::Vault;
use oldhand_core::event::Event;
use oldhand_core::recall::card::Card;
use oldhand_core::recall::row::LogFacts;
use oldhand_core::standing::Logged;
use oldhand_index::{Damage, Stamp};

use super::build::is_use;
use super::head::LogMark;
use super::heal::card_at;
use super::{CheckPolicy, Shelf};
use crate::marks;
use crate::vault::is_memory_name;
use crate::vault::may_be_memory;

/// Files compared at each look: about half a millisecond.
const WINDOW: u32 = CheckPolicy::WINDOW;
/// How slowly the times of files may advance, with room to spare.
const TICK_NS: i64 = 20_000_000;
/// The end of a log that is kept to recognise it.
const LOG_END_BYTES: usize = 64;

/// What is not as the index knows it.
#[derive(Default)]
pub(super) struct Changes {
    /// New, or other than it was.
    pub changed: BTreeSet<String>,
    pub gone: BTreeSet<String>,
    pub folders: BTreeMap<String, i64>,
    pub logs: BTreeMap<String, LogMark>,
    /// The log's new lines; `None` when it is not the one that was read: then all of it counts.
    pub news: Option<Vec<Event>>,
    /// The whole log, when it had to be read.
    pub all: Option<Vec<Event>>,
    /// What the log says as a whole.
    pub log: LogFacts,
}

impl Changes {
    pub(super) fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.gone.is_empty()
    }
}

impl Shelf<'_> {
    /// `whole` compares every file of a store of any size.
    pub(super) fn check(&self, whole: bool) -> Result<Changes, CheckError> {
        let mut changes = Changes::default();
        self.check_logs(&mut changes)?;
        self.check_unread(&mut changes);
        let folders = self.vault.all_folders()?;
        for folder in &folders {
            if let Some(at) = marks::modified_ns(&self.vault.layout.file(folder)) {
                changes.folders.insert(folder.clone(), at);
            }
        }
        if whole {
            self.compare(&changes.folders.clone().into_keys().collect(), true, &mut changes)?;
            return Ok(changes);
        }
        let reached = match &self.opened.cache {
            Some(cache) => marks::follow(cache, &self.head.folders),
            None => self.head.folders.clone(),
        };
        let is_unexplained = |folder: &String| {
            let at = changes.folders.get(folder);
            at != reached.get(folder) || at.is_some_and(|at| self.is_racy(*at))
        };
        let unexplained: BTreeSet<String> = folders.into_iter().filter(is_unexplained).collect();
        if !unexplained.is_empty() {
            self.compare(&unexplained, false, &mut changes)?;
        }
        self.compare_window(&mut changes)?;
        Ok(changes)
    }

    /// A folder that changed in the moment in which the index was written may have changed once
    /// more without another time: clocks of file systems tick slowly.
    fn is_racy(&self, folder_ns: i64) -> bool {
        let head = self.folder.as_ref().and_then(|it| marks::modified_ns(&it.join("head")));
        self.head.live() <= WINDOW as usize && head.is_none_or(|head| head - folder_ns < TICK_NS)
    }

    /// Our own writes are in the log: the memories named behind the mark are looked at.
    fn check_logs(&self, changes: &mut Changes) -> Result<(), CheckError> {
        let mut news: Option<Vec<Event>> = Some(Vec::new());
        for path in self.vault.event_files()? {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let meta = path.symlink_metadata().ok();
            let len = meta.as_ref().map_or(0, std::fs::Metadata::len);
            let modified_ns = meta.as_ref().map_or(0, marks::modified_of);
            let known = self.head.logs.get(&name).cloned().unwrap_or_default();
            if known.len == len && known.modified_ns == modified_ns && len > 0 {
                changes.logs.insert(name, known);
                continue;
            }
            let mark = match self.added(&path, &known, len)? {
                Some((text, end)) => {
                    let events = text.lines().filter_map(|line| serde_json::from_str(line).ok());
                    if let Some(news) = &mut news {
                        news.extend(events);
                    }
                    LogMark { len, modified_ns, end }
                }
                None => {
                    news = None;
                    let text = self.vault.read_event_file(&path)?;
                    let bytes = text.as_bytes();
                    LogMark { len: bytes.len() as u64, modified_ns, end: end_of(bytes) }
                }
            };
            changes.logs.insert(name, mark);
        }
        if self.head.logs.keys().any(|name| !changes.logs.contains_key(name)) {
            news = None;
        }
        if news.is_none() {
            let all = self.vault.events()?;
            all.iter().for_each(|event| changes.log.take(event));
            if !self.head.logs.is_empty() {
                // Another log: what memories have earned by use may be other than it was, by the
                // uses that are in it and by those that no longer are.
                for event in all.iter().filter(|event| is_use(event)) {
                    self.look_at(&event.path, changes);
                }
                for path in self.moved_by(&all)? {
                    self.look_at(&path, changes);
                }
            }
            changes.all = Some(all);
        } else {
            changes.log = self.head.log;
        }
        for event in news.iter().flatten() {
            changes.log.take(event);
            self.look_at(&event.path, changes);
            self.look_at(&event.moved_from, changes);
        }
        changes.news = news;
        Ok(())
    }

    /// What a file of the log has behind the mark, and its new end, without a look at what is before;
    /// `None` when it is not the file that was read.
    fn added(
        &self,
        path: &Path,
        known: &LogMark,
        len: u64,
    ) -> Result<Option<(String, String)>, CheckError> {
        // A file that is new, such as one that came with a merge, is news as a whole.
        let is_followed = known.len > 0 || !self.head.logs.is_empty();
        let Some(behind) = len.checked_sub(known.len).filter(|_| is_followed) else {
            return Ok(None);
        };
        let wanted = behind + LOG_END_BYTES as u64;
        let tail = self.vault.read_event_tail(path, wanted)?;
        let at = usize::try_from(behind).ok().and_then(|behind| tail.len().checked_sub(behind));
        let Some((before, news)) = at.map(|at| tail.split_at(at)) else { return Ok(None) };
        let is_known = known.len == 0 || end_of(before) == known.end;
        Ok(is_known.then(|| (String::from_utf8_lossy(news).into_owned(), end_of(&tail))))
    }

    /// The live files whose cards have uses, or another standing than this log supports.
    fn moved_by(&self, events: &[Event]) -> Result<Vec<String>, Damage> {
        let mut logged: HashMap<&str, Logged> = HashMap::new();
        for event in events {
            logged.entry(event.memory.as_str()).or_default().take(event);
        }
        let is_moved = |card: &Card| {
            let known = logged.get(card.id.as_str()).copied().unwrap_or_default();
            card.uses > 0 || card.unrecorded == known.carries_claim(card.state, card.origin)
        };
        let mut paths = Vec::new();
        for (segment, entry) in self.parts() {
            for at in (0..segment.len()).filter(|at| entry.is_live(*at)) {
                if card_at(segment, at)?.is_none_or(|card| is_moved(&card)) {
                    paths.push(segment.path(at)?);
                }
            }
        }
        Ok(paths)
    }

    /// Files that could not be read and are other than they were.
    fn check_unread(&self, changes: &mut Changes) {
        for (path, unread) in &self.head.unread {
            if self.stamp(path) != Some(Stamp(unread.stamp)) {
                self.look_at(path, changes);
            }
        }
    }

    fn is_unread(&self, path: &str, stamp: Stamp) -> bool {
        self.head.unread.get(path).is_some_and(|unread| unread.stamp == stamp.0)
    }

    /// Changed or gone, as the disk says.
    fn look_at(&self, path: &str, changes: &mut Changes) {
        if !may_be_memory(path) {
            return;
        }
        let is_there = self.stamp(path).is_some();
        if is_there { &mut changes.changed } else { &mut changes.gone }.insert(path.to_owned());
    }

    /// New and removed files of some folders, and files that are other than they were; `whole`
    /// means all folders, also those that are gone.
    fn compare(
        &self,
        folders: &BTreeSet<String>,
        whole: bool,
        changes: &mut Changes,
    ) -> Result<(), CheckError> {
        let is_in = |path: &str| path.split_once('/').is_some_and(|(it, _)| folders.contains(it));
        let mut known = self.known(&|path| whole || is_in(path))?;
        for path in folders.iter().flat_map(|folder| self.names_in(folder)) {
            // A file that was replaced as a whole has another inode; its folder tells so.
            let Some(stamp) = self.stamp(&path) else { continue };
            if known.remove(&path) != Some(stamp) && !self.is_unread(&path, stamp) {
                changes.changed.insert(path);
            }
        }
        changes.gone.extend(known.into_keys());
        if whole {
            changes.changed.retain(|path| !changes.gone.contains(path));
        }
        Ok(())
    }

    /// A part of the files, another one each second: the clock is given, so this repeats.
    fn compare_window(&self, changes: &mut Changes) -> Result<(), CheckError> {
        let total: u32 = self.segments.iter().map(oldhand_index::Segment::len).sum();
        // A process that lasts knows which part comes next; others go by the clock.
        let (turn, window) = match self.opening.warm {
            Some(_) if total <= WINDOW => (0, WINDOW),
            Some(warm) => (warm.next_turn(), self.opening.check.window),
            None => (self.vault.now.as_second().unsigned_abs(), self.opening.check.window),
        };
        let start = u32::try_from(turn.wrapping_mul(u64::from(window)) % u64::from(total.max(1)))
            .unwrap_or(0);
        let mut first = 0;
        for (segment, entry) in self.parts() {
            let len = segment.len();
            for (from, to) in
                [(start, start.saturating_add(window)), (0, (start + window).saturating_sub(total))]
            {
                let from = from.max(first).saturating_sub(first).min(len);
                let to = to.saturating_sub(first).min(len);
                if from >= to {
                    continue;
                }
                for (at, (path, stamp)) in (from..).zip(segment.stamps(from..to)?) {
                    if entry.is_live(at) && self.stamp(&path) != Some(stamp) {
                        self.look_at(&path, changes);
                    }
                }
            }
            first += len;
        }
        Ok(())
    }

    /// The live files of the index.
    fn known(&self, wanted: &dyn Fn(&str) -> bool) -> Result<BTreeMap<String, Stamp>, CheckError> {
        let mut known = BTreeMap::new();
        for (segment, entry) in self.parts() {
            for (at, (path, stamp)) in (0..).zip(segment.stamps(0..segment.len())?) {
                if entry.is_live(at) && wanted(&path) {
                    known.insert(path, stamp);
                }
            }
        }
        Ok(known)
    }

    /// What a plain file is known by; links and folders are no memories.
    pub(super) fn stamp(&self, path: &str) -> Option<Stamp> {
        let meta = std::fs::symlink_metadata(self.vault.layout.file(path)).ok()?;
        let nanos = |seconds: i64, nanos: i64| seconds.saturating_mul(1_000_000_000) + nanos;
        let modified = nanos(meta.mtime(), meta.mtime_nsec());
        let changed = nanos(meta.ctime(), meta.ctime_nsec());
        let is_file = meta.is_file();
        is_file.then(|| Stamp([meta.size() as i64, modified, changed, meta.ino() as i64]))
    }

    fn names_in(&self, folder: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.vault.layout.file(folder));
        entries
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|name| is_memory_name(name))
            .map(|name| format!("{folder}/{name}"))
            .collect()
    }
}

/// The index can't be read, or the store can't.
#[derive(Debug, thiserror::Error)]
pub(super) enum CheckError {
    #[error(transparent)]
    Damage(#[from] Damage),
    #[error(transparent)]
    Store(#[from] Failure),
}

impl From<StoreError> for CheckError {
    fn from(error: StoreError) -> Self {
        Self::Store(error.into())
    }
}

fn end_of(bytes: &[u8]) -> String {
    let tail = &bytes[bytes.len().saturating_sub(LOG_END_BYTES)..];
    blake3::hash(tail).to_hex()[..16].to_owned()
}
