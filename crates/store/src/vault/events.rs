//! The append-only log: one file per month, one line of JSON per event, each id read once.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::failure::{At, Failure, StoreError};
use oldhand_core::event::Event;
use oldhand_core::policy::EVENT_FILE_BYTES_MAX;
use oldhand_text::time::format_month;

use super::LocalVault;
use crate::disk::DirEntry;

/// A log file, and its length before a write.
type LogEnd = (PathBuf, u64);

impl LocalVault<'_> {
    pub(crate) fn event_files(&self) -> Result<Vec<PathBuf>, StoreError> {
        let is_log = |entry: &DirEntry| entry.name.ends_with(".jsonl") && !entry.is_directory;
        let entries = self.disk.entries(&self.layout.events())?.into_iter();
        Ok(entries.filter(is_log).map(|entry| entry.path).collect())
    }

    pub(crate) fn read_event_file(&self, path: &Path) -> Result<String, StoreError> {
        let bytes = self.disk.file(path, EVENT_FILE_BYTES_MAX)?.unwrap_or_default();
        // A torn line may hold any bytes; the others are still to be read.
        Ok(String::from_utf8(bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
    }

    /// The last bytes of a file of the log.
    pub(crate) fn read_event_tail(&self, path: &Path, bytes: u64) -> Result<Vec<u8>, StoreError> {
        Ok(self.disk.tail(path, bytes.min(EVENT_FILE_BYTES_MAX))?.unwrap_or_default())
    }

    /// In the order of the log, which is the order of the locks: a command's clock is read before it
    /// waits for its turn. With an id, only the lines that name it are parsed.
    pub(super) fn read_events(
        &self,
        of: Option<&str>,
        see: &mut dyn FnMut(Event),
    ) -> Result<(), Failure> {
        let mut seen = HashSet::new();
        for file in self.event_files()? {
            let text = self.read_event_file(&file)?;
            let lines: Vec<&str> = match of {
                None => text.lines().collect(),
                Some(id) => lines_with(&text, &format!("\"memory\":\"{id}\"")),
            };
            for event in lines.into_iter().filter_map(Event::of_line) {
                if of.is_none_or(|id| event.memory == id) && seen.insert(event.id.clone()) {
                    see(event);
                }
            }
        }
        Ok(())
    }

    /// Where the log ends now, in the file that these events belong to.
    pub(super) fn log_end(&self, events: &[Event]) -> Result<Option<LogEnd>, StoreError> {
        let Some(first) = events.first() else { return Ok(None) };
        let path = self.event_file(first)?;
        let len = self.stat(&path)?.map_or(0, |stat| stat.len);
        Ok(Some((path, len)))
    }

    /// Takes back an append that failed: nothing of it was acknowledged.
    pub(super) fn cut_log(&self, (path, len): &LogEnd) -> Result<(), StoreError> {
        if self.stat(path)?.is_none_or(|stat| stat.len <= *len) {
            return Ok(());
        }
        self.disk.truncate(path, *len).at("cut back", path)?;
        self.sync_file(path)
    }

    /// The file of the event's month, or a later one that is there: a command that waited over a
    /// month's end, or a clock that went back, must not write behind what has happened since.
    fn event_file(&self, event: &Event) -> Result<PathBuf, StoreError> {
        let own = self.layout.events().join(format!("{}.jsonl", format_month(event.at)));
        let newest = self.event_files()?.pop();
        Ok(newest.filter(|newest| *newest > own).unwrap_or(own))
    }

    /// Appends and makes durable. A torn end of an earlier crash is closed off first, so that it
    /// can't swallow the next line.
    pub(super) fn append_events(&self, events: &[Event]) -> Result<(), StoreError> {
        let Some(first) = events.first() else { return Ok(()) };
        let folder = self.layout.events();
        let path = self.event_file(first)?;
        let failed = |error| StoreError::io("append to", &path, error);
        let mut lines = String::new();
        // Empty is as good as new: its name may not be durable yet.
        let tail = self.disk.tail(&path, 1)?.filter(|tail| !tail.is_empty());
        if tail.as_deref().is_some_and(|tail| tail != b"\n") {
            lines.push('\n');
        }
        for event in events {
            lines.push_str(&event.to_line().map_err(|error| failed(error.into()))?);
        }
        if tail.is_none() {
            self.make_dir(&folder)?;
        }
        self.disk.append(&path, lines.as_bytes()).map_err(failed)?;
        self.disk.sync_file(&path).map_err(failed)?;
        if tail.is_none() {
            self.sync_dir(&folder)?;
            self.sync_dir(&self.layout.root)?;
        }
        Ok(())
    }
}

/// The lines that hold a text, found without looking at the others.
fn lines_with<'a>(text: &'a str, needle: &str) -> Vec<&'a str> {
    let mut lines = Vec::new();
    let mut from = 0;
    while let Some(found) = text[from..].find(needle) {
        let at = from + found;
        let start = text[..at].rfind('\n').map_or(0, |line| line + 1);
        let end = text[at..].find('\n').map_or(text.len(), |line| at + line);
        lines.push(&text[start..end]);
        from = end;
    }
    lines
}
