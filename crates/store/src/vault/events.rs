//! The append-only log: one file per month and writer, one line of JSON per event, each id read
//! once. Neither the names of the files nor the order of their lines means anything.

use std::path::{Path, PathBuf};

use crate::failure::{At, Failure, StoreError};
use oldhand_core::event::{Event, in_order};
use oldhand_core::policy::EVENT_FILE_BYTES_MAX;

use super::LocalVault;
use super::writer::OpenLog;
use crate::disk::DirEntry;

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

    /// As they happened. With an id, only the lines that name it are parsed.
    pub(super) fn read_events(&self, of: Option<&str>) -> Result<Vec<Event>, Failure> {
        let mut events = Vec::new();
        for file in self.event_files()? {
            let text = self.read_event_file(&file)?;
            match of {
                None => events.extend(text.lines().filter_map(Event::of_line)),
                Some(id) => {
                    let lines = lines_with(&text, &format!("\"memory\":\"{id}\""));
                    let found = lines.into_iter().filter_map(Event::of_line);
                    events.extend(found.filter(|event| event.memory == id));
                }
            }
        }
        in_order(&mut events);
        Ok(events)
    }

    /// Takes back an append that failed: nothing of it was acknowledged.
    pub(super) fn cut_log(&self, log: &OpenLog) -> Result<(), StoreError> {
        let path = &log.path;
        let now = self.stat(path)?.map(|stat| stat.len);
        match log.len {
            None if now.is_some() => {
                self.remove(path)?;
                self.sync_dir(&self.layout.events())
            }
            Some(len) if now.is_some_and(|now| now > len) => {
                self.disk.truncate(path, len).at("cut back", path)?;
                self.sync_file(path)
            }
            _ => Ok(()),
        }
    }

    /// Appends and makes durable; how many bytes.
    pub(super) fn append_events(&self, log: &OpenLog, events: &[Event]) -> Result<u64, StoreError> {
        if events.is_empty() {
            return Ok(0);
        }
        let (folder, path) = (self.layout.events(), &log.path);
        let failed = |error| StoreError::io("append to", path, error);
        let mut lines = String::new();
        for event in events {
            lines.push_str(&event.to_line().map_err(|error| failed(error.into()))?);
        }
        if log.len.is_none() {
            self.make_dir(&folder)?;
        }
        self.disk.append(path, lines.as_bytes()).map_err(failed)?;
        self.disk.sync_file(path).map_err(failed)?;
        if log.len.is_none() {
            self.sync_dir(&folder)?;
            self.sync_dir(&self.layout.root)?;
        }
        Ok(lines.len() as u64)
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
