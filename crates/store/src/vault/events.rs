//! The append-only log: one file per month and writer, one line of JSON per event, each id read
//! once. Neither the names of the files nor the order of their lines means anything.

use std::path::{Path, PathBuf};
use std::sync::PoisonError;

use crate::failure::{At, Failure, StoreError};
use memchr::{memchr, memmem, memrchr};
use oldhand_core::event::{Event, in_order};
use oldhand_core::policy::EVENT_FILE_BYTES_MAX;

use super::LocalVault;
use super::writer::OpenLog;
use crate::disk::DirEntry;

/// The events of the memory that was asked for last.
pub(super) struct LastEvents {
    /// Of the files of the log when they were read.
    lens: Vec<(u64, PathBuf)>,
    memory: String,
    events: Vec<Event>,
}

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

    /// As they happened.
    pub(super) fn read_events(&self) -> Result<Vec<Event>, Failure> {
        let mut events = Vec::new();
        for file in self.event_files()? {
            events.extend(self.read_event_file(&file)?.lines().filter_map(Event::of_line));
        }
        in_order(&mut events);
        Ok(events)
    }

    /// Those of one memory: only the lines that name it are parsed. One page asks for them several
    /// times, so the last answer is kept until the log grows.
    pub(super) fn read_events_of(&self, id: &str) -> Result<Vec<Event>, Failure> {
        let mut lens = Vec::new();
        for file in self.event_files()? {
            lens.push((self.stat(&file)?.map_or(0, |stat| stat.len), file));
        }
        // Whole also after a panic: it is put in last.
        let mut known = self.last_events.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(it) = known.as_ref().filter(|it| it.memory == id && it.lens == lens) {
            return Ok(it.events.clone());
        }
        let mut events = Vec::new();
        for (_, file) in &lens {
            let bytes = self.disk.file(file, EVENT_FILE_BYTES_MAX)?.unwrap_or_default();
            let lines = lines_with(&bytes, format!("\"memory\":\"{id}\"").as_bytes());
            let found = lines.into_iter().filter_map(|line| {
                Event::of_line(&String::from_utf8_lossy(line)).filter(|event| event.memory == id)
            });
            events.extend(found);
        }
        in_order(&mut events);
        *known = Some(LastEvents { lens, memory: id.to_owned(), events: events.clone() });
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
fn lines_with<'a>(text: &'a [u8], needle: &[u8]) -> Vec<&'a [u8]> {
    let mut lines: Vec<&[u8]> = Vec::new();
    let mut from = 0;
    while let Some(found) = memmem::find(&text[from..], needle) {
        let at = from + found;
        let start = memrchr(b'\n', &text[..at]).map_or(0, |line| line + 1);
        let end = memchr(b'\n', &text[at..]).map_or(text.len(), |line| at + line);
        lines.push(&text[start..end]);
        from = end;
    }
    lines
}
