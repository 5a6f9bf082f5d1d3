//! The session store in files, below the user's own state folder: one state per session, replaced in
//! one step under a short lock; one log of notes per session, only ever added to; one record of what
//! belongs to the store as a whole; and the two logs. All of it goes through `Disk`.

mod legacy;
mod log;
pub mod staging;

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::failure::{At, StoreError};
use crate::port::session::{Log, NotesChange, SessionId, SessionStore, StoreRecord, task_key};
use crate::port::session_state::{Said, SessionState};
use oldhand_sessions::notes::{Line, Notes};
use oldhand_text::hash::ContentHash;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::disk::{Disk, Held};
use crate::files;
use log::LogFile;

/// Tools run at the same time; each change takes less than a millisecond.
const LOCK_WAIT: Duration = Duration::from_millis(400);
/// A note is a write and a sync; many agents may note at once.
const NOTES_LOCK_WAIT: Duration = Duration::from_secs(10);
const BYTES_MAX: u64 = 8 * 1024 * 1024;
const NOTES_BYTES_MAX: u64 = 4 * 1024 * 1024;
/// Sessions that a new one looks back at.
const RECENT_MAX: usize = 60;
const KEPT: Duration = Duration::from_secs(45 * 24 * 60 * 60);

#[derive(Clone)]
pub struct FileSessions<'d> {
    disk: &'d dyn Disk,
    folder: PathBuf,
}

impl<'d> FileSessions<'d> {
    /// The folder is made when something is first written.
    pub fn new(disk: &'d dyn Disk, folder: PathBuf) -> Self {
        Self { disk, folder }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file of a session with this ending.
    pub fn path(&self, id: SessionId<'_>, ending: &str) -> PathBuf {
        // Names of subagents begin with the one of their session.
        let agent = match id.agent {
            "" => String::new(),
            agent => format!("-{}", ContentHash::of(agent.as_bytes()).short()),
        };
        self.sessions().join(format!("{}{agent}.{ending}", task_key(id.session)))
    }

    fn sessions(&self) -> PathBuf {
        self.folder.join("sessions")
    }

    fn record_path(&self) -> PathBuf {
        self.folder.join("store.json")
    }

    fn lock(&self, path: &Path, wait: Duration) -> Result<Box<dyn Held>, StoreError> {
        if let Some(folder) = path.parent() {
            files::make_folder(self.disk, folder).at("write", folder)?;
        }
        self.disk.lock(path, wait).map_err(|error| match error.kind() {
            io::ErrorKind::WouldBlock => StoreError::at_work(path),
            _ => StoreError::io("write", path, error),
        })
    }

    /// `None` when there is none. What is damaged is put aside: the next command starts with nothing,
    /// and nothing is overwritten.
    fn read_or_put_aside<T: DeserializeOwned>(&self, path: &Path) -> Result<Option<T>, StoreError> {
        let why = match self.disk.file(path, BYTES_MAX) {
            Ok(None) => return Ok(None),
            Ok(Some(bytes)) => match serde_json::from_slice(&bytes) {
                Ok(value) => return Ok(Some(value)),
                Err(error) => error.to_string(),
            },
            Err(error) if error.source.kind() == io::ErrorKind::FileTooLarge => {
                error.source.to_string()
            }
            Err(error) => return Err(error),
        };
        Err(StoreError::corrupt(
            "read",
            path,
            match files::put_aside(self.disk, path) {
                Ok(aside) => format!("{why}; it is kept as `{}`", aside.display()),
                Err(error) => format!("{why}, and it could not be put aside: {error}"),
            },
        ))
    }

    /// `None` when there is none. One that can't be read stays where it is, and is an error until
    /// somebody has looked at it: the tasks under way are in it.
    fn read_record(&self) -> Result<Option<StoreRecord>, StoreError> {
        let path = self.record_path();
        let Some(bytes) = self.disk.file(&path, BYTES_MAX)? else { return Ok(None) };
        // An array would be read as a record without anything in it.
        let object: serde_json::Result<serde_json::Map<_, _>> = serde_json::from_slice(&bytes);
        let record = object.and_then(|object| serde_json::from_value(object.into()));
        record.map(Some).map_err(|error| StoreError::corrupt("read", &path, error.to_string()))
    }

    fn read_state(&self, path: &Path) -> Option<SessionState> {
        serde_json::from_slice(&self.disk.read(path, BYTES_MAX).ok()?).ok()
    }

    fn states(&self, is_meant: impl Fn(&str) -> bool, at_most: usize) -> Vec<SessionState> {
        let is_meant = |name: &str| name.strip_suffix(".json").is_some_and(&is_meant);
        let entries = self.disk.list_by_age(&self.sessions(), &is_meant).unwrap_or_default();
        let newest = entries.iter().rev().take(at_most);
        newest.filter_map(|entry| self.read_state(&entry.path)).collect()
    }

    /// Prompts that wait, in the order of time, each with its file. What can't be read stays.
    fn waiting(&self, id: SessionId<'_>) -> Vec<(PathBuf, Said)> {
        let entries = self.disk.list(&self.path(id, "spool")).unwrap_or_default();
        let said =
            |path: &Path| serde_json::from_slice(&self.disk.read(path, BYTES_MAX).ok()?).ok();
        entries.into_iter().filter_map(|it| Some((it.path.clone(), said(&it.path)?))).collect()
    }

    fn write(
        &self,
        path: &Path,
        value: &impl Serialize,
        replace: fn(&dyn Disk, &Path, &[u8]) -> io::Result<()>,
    ) -> Result<(), StoreError> {
        let bytes = serde_json::to_vec(value).map_err(io::Error::from);
        bytes.and_then(|bytes| replace(self.disk, path, &bytes)).at("write", path)
    }
}

impl SessionStore for FileSessions<'_> {
    fn load(&self, id: SessionId<'_>) -> Option<SessionState> {
        self.read_state(&self.path(id, "json"))
    }

    fn change(
        &self,
        id: SessionId<'_>,
        change: &mut dyn FnMut(&mut SessionState),
    ) -> Result<(), StoreError> {
        let _lock = self.lock(&self.path(id, "lock"), LOCK_WAIT)?;
        let path = self.path(id, "json");
        let before: Option<SessionState> = self.read_or_put_aside(&path)?;
        let mut state = before.clone().unwrap_or_default();
        (state.session, state.agent) = (id.session.to_owned(), id.agent.to_owned());
        let waiting = self.waiting(id);
        waiting.iter().for_each(|(_, said)| state.hear(Some(said.clone())));
        change(&mut state);
        if before.as_ref() != Some(&state) {
            self.write(&path, &state, files::replace)?;
        }
        for (path, _) in &waiting {
            // Heard twice is less than not at all.
            let _ = self.disk.remove(path);
        }
        Ok(())
    }

    fn recent(&self) -> Vec<SessionState> {
        let mut states = self.states(|name| !name.contains('-'), RECENT_MAX);
        states.retain(SessionState::has_begun);
        states.sort_by(SessionState::latest_first);
        states
    }

    fn subagents(&self, session: &str) -> Vec<SessionState> {
        let begin = format!("{}-", task_key(session));
        self.states(|name| name.starts_with(&begin), usize::MAX)
    }

    fn knows(&self, session: &str) -> bool {
        let is_there = |ending: &str| {
            let path = self.path(session.into(), ending);
            self.disk.stat(&path).is_ok_and(|stat| stat.is_some())
        };
        is_there("notes.jsonl") || is_there("json")
    }

    fn hold_work(&self, id: SessionId<'_>) -> Result<Box<dyn Held>, StoreError> {
        self.lock(&self.path(id, "work.lock"), LOCK_WAIT)
    }

    fn keep_prompt(&self, session: &str, said: &Said) -> Result<(), StoreError> {
        let spool = self.path(session.into(), "spool");
        let now = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default().as_nanos();
        // Of fixed length, so that names are in the order of time.
        let path = spool.join(format!("{now:020}-{}.json", std::process::id()));
        files::make_folder(self.disk, &spool).at("write", &spool)?;
        self.write(&path, said, |disk, path, bytes| disk.create_private(path, bytes))
    }

    fn notes(&self, session: &str) -> Result<Notes, StoreError> {
        let path = self.path(session.into(), "notes.jsonl");
        let bytes = match self.disk.read(&path, NOTES_BYTES_MAX) {
            // No file is no note; a folder that is none is trouble.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            read => read.at("read", &path)?,
        };
        Ok(Notes::read(&String::from_utf8_lossy(&bytes)))
    }

    fn change_notes(
        &self,
        session: &str,
        decide: &mut dyn FnMut(&Notes) -> Option<NotesChange>,
    ) -> Result<(), StoreError> {
        let path = self.path(session.into(), "notes.jsonl");
        let _lock = self.lock(&self.path(session.into(), "notes.lock"), NOTES_LOCK_WAIT)?;
        let text = |lines: &[Line]| -> io::Result<String> {
            let lines = lines.iter().map(|line| Ok(serde_json::to_string(line)? + "\n"));
            lines.collect()
        };
        let written = match decide(&self.notes(session)?) {
            None => Ok(()),
            Some(NotesChange::Append(lines)) => text(&lines)
                .and_then(|text| files::append_durably(self.disk, &path, &text, NOTES_BYTES_MAX)),
            Some(NotesChange::Restart(line)) => text(&[line])
                .and_then(|text| files::replace_durably(self.disk, &path, text.as_bytes())),
        };
        written.map_err(|error| match error.kind() {
            io::ErrorKind::FileTooLarge => {
                let full = "it is full; `oldhand notes discard` makes room";
                StoreError::io("write", &path, io::Error::other(full))
            }
            _ => StoreError::io("write", &path, error),
        })
    }

    fn summary(&self, session: &str) -> Option<String> {
        let path = self.path(session.into(), "summary.md");
        String::from_utf8(self.disk.read(&path, NOTES_BYTES_MAX).ok()?).ok()
    }

    fn replace_summary(&self, session: &str, text: &str) -> Result<(), StoreError> {
        let path = self.path(session.into(), "summary.md");
        files::make_folder(self.disk, &self.sessions())
            .and_then(|()| files::replace_durably(self.disk, &path, text.as_bytes()))
            .at("write", &path)
    }

    fn record(&self) -> Result<StoreRecord, StoreError> {
        Ok(self.read_record()?.unwrap_or_else(|| legacy::read(self.disk, &self.folder).record))
    }

    fn change_record(&self, change: &mut dyn FnMut(&mut StoreRecord)) -> Result<(), StoreError> {
        let path = self.record_path();
        let _lock = self.lock(&path.with_extension("lock"), LOCK_WAIT)?;
        let (before, taken_over) = match self.read_record()? {
            Some(record) => (record, None),
            None => {
                let legacy = legacy::read(self.disk, &self.folder);
                (legacy.record.clone(), Some(legacy))
            }
        };
        let mut record = before.clone();
        change(&mut record);
        if record == before {
            return Ok(());
        }
        self.write(&path, &record, files::replace_durably)?;
        if let Some(legacy) = taken_over {
            legacy.remove(self.disk, &self.folder);
        }
        Ok(())
    }

    fn append(&self, log: Log, line: &str) -> Result<(), StoreError> {
        let file = LogFile::new(self.disk, &self.folder, log);
        files::make_folder(self.disk, &self.folder)
            .and_then(|()| file.append(line))
            .at("write", &file.path)
    }

    fn lines(&self, log: Log) -> Vec<String> {
        LogFile::new(self.disk, &self.folder, log).lines()
    }

    fn forget_old(&self, hooks_before: &str) {
        let is_old = |line: &str| {
            serde_json::from_str::<serde_json::Value>(line)
                .is_ok_and(|it| it["at"].as_str().is_some_and(|at| at < hooks_before))
        };
        // Best effort, all of it: the next session start tries again.
        let _ = LogFile::new(self.disk, &self.folder, Log::Hooks).prune(is_old);
        for folder in [self.sessions(), self.staging_home()] {
            for old in self.disk.list_older(&folder, KEPT).unwrap_or_default() {
                files::remove_tree(self.disk, &old.path);
            }
        }
    }
}
