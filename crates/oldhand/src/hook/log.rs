//! One line for each hook: what it did, how long it took, and why it said nothing.

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use oldhand_hosts::answer::Answer;
use oldhand_hosts::dialect::Dialect;
use oldhand_hosts::payload::{Event, Payload};
use oldhand_text::strings::shorten;
use oldhand_text::time::format_instant;
use serde_json::{Value, json};

use super::Told;

/// The file is put aside when it has grown to this; one earlier file is kept.
const BYTES_MAX: u64 = 4 * 1024 * 1024;
const NOTE_CHARS_MAX: usize = 300;

/// What is known of a call while it is under way.
pub(super) struct Line {
    at: Timestamp,
    dialect: Dialect,
    pub event: Option<Event>,
    pub event_name: String,
    session: String,
    tool: String,
    pub folder: Option<PathBuf>,
    pub is_trouble: bool,
}

impl Line {
    pub(super) fn new(dialect: Dialect, at: Timestamp) -> Self {
        Self {
            at,
            dialect,
            event: None,
            event_name: String::new(),
            session: String::new(),
            tool: String::new(),
            folder: None,
            is_trouble: false,
        }
    }

    pub(super) fn about(&mut self, payload: &Payload) {
        self.event = Some(payload.event);
        self.event_name.clone_from(&payload.event_name);
        self.session.clone_from(&payload.session);
        self.tool = payload.tool.as_ref().map(|tool| tool.name.clone()).unwrap_or_default();
    }

    /// What is written down when time runs out.
    pub(super) fn unfinished(&self) -> Value {
        let told = Told::nothing("gave up at its deadline");
        self.to_json(&told, Duration::ZERO, true)
    }

    /// Best effort: without a store there is no folder for it, and nothing to tell.
    pub(super) fn finish(&self, told: &Told, took: Duration) {
        if let Some(folder) = &self.folder {
            append(&path(folder), &self.to_json(told, took, self.is_trouble));
        }
    }

    fn to_json(&self, told: &Told, took: Duration, is_trouble: bool) -> Value {
        let said = match &told.answer {
            None | Some(Answer::Silence) => "nothing",
            Some(Answer::Context(_)) => "context",
            Some(Answer::Deny(_)) => "deny",
            Some(Answer::Allow(_)) => "allow",
            Some(Answer::GoOn(_)) => "go_on",
        };
        json!({
            "at": format_instant(self.at),
            "host": self.dialect.as_str(),
            "event": self.event.map(Event::as_str),
            "session": shorten(&self.session, 80),
            "tool": shorten(&self.tool, 80),
            "said": said,
            "served": told.served,
            "captured": told.captured,
            "tokens": told.tokens,
            "ms": (took.as_secs_f64() * 100_000.0).round() / 100.0,
            "trouble": is_trouble,
            "note": shorten(&told.note, NOTE_CHARS_MAX),
        })
    }
}

pub(crate) fn path(folder: &Path) -> PathBuf {
    folder.join("hooks.jsonl")
}

pub(super) fn append(path: &Path, line: &Value) {
    if let Some(folder) = path.parent() {
        let _ = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder);
    }
    if path.metadata().is_ok_and(|meta| meta.len() > BYTES_MAX) {
        let _ = std::fs::rename(path, path.with_extension("old.jsonl"));
    }
    // One write of one line: two hooks at once don't tear each other's.
    let file = OpenOptions::new().create(true).append(true).mode(0o600).open(path);
    let _ = file.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
}

/// Lines of both files, oldest first; a torn one is left out.
pub(crate) fn lines(folder: &Path) -> Vec<Value> {
    let path = path(folder);
    let mut lines = Vec::new();
    for path in [path.with_extension("old.jsonl"), path] {
        let is_usual = path.metadata().is_ok_and(|meta| meta.len() <= 2 * BYTES_MAX);
        if let Some(text) = is_usual.then(|| std::fs::read(&path).ok()).flatten() {
            let text = String::from_utf8_lossy(&text);
            lines.extend(text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()));
        }
    }
    lines
}

/// What is older than the settings keep is taken out, when there is any.
pub(super) fn prune(folder: &Path, before: &str) {
    let path = path(folder);
    let old = path.with_extension("old.jsonl");
    let Ok(text) = std::fs::read_to_string(&path) else { return };
    let is_old = |line: &str| {
        serde_json::from_str::<Value>(line)
            .is_ok_and(|it| it["at"].as_str().is_some_and(|at| at < before))
    };
    if !text.lines().next().is_some_and(is_old) {
        return;
    }
    let kept: String =
        text.lines().filter(|line| !is_old(line)).map(|line| format!("{line}\n")).collect();
    let part = path.with_extension("part");
    let _ = std::fs::remove_file(&part);
    let mut options = OpenOptions::new();
    let written = options.write(true).create_new(true).mode(0o600).open(&part);
    let written = written.and_then(|mut file| file.write_all(kept.as_bytes()));
    if written.and_then(|()| std::fs::rename(&part, &path)).is_ok() {
        let _ = std::fs::remove_file(old);
    }
}
