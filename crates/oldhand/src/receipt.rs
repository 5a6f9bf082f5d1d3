//! Receipts: what was given to whom and why, on this machine alone. They explain answers later,
//! and keep a session from being given the same thing twice.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::PathBuf;

use jiff::Timestamp;
use oldhand_core::recall::bundle::{Bundle, Entry};
use oldhand_core::recall::chain::Step;
use oldhand_core::secrets;
use oldhand_core::text::shorten;
use oldhand_core::time::format_instant;
use serde_json::{Value, json};

mod task;

pub(crate) use task::TaskBase;

/// The file is put aside when it has grown to this; one earlier file is kept.
const BYTES_MAX: u64 = 4 * 1024 * 1024;
/// A prompt is kept as far as it is needed to recognise it.
const QUERY_CHARS_MAX: usize = 300;

pub(crate) struct Receipts {
    folder: PathBuf,
}

/// What is written down.
pub(crate) struct Receipt<'a> {
    pub at: Timestamp,
    pub session: Option<&'a str>,
    /// The task that it was for, see `oldhand task`.
    pub task: Option<&'a str>,
    pub by: &'a str,
    pub query: &'a str,
    pub paths: &'a [String],
    pub bundle: &'a Bundle,
}

impl Receipts {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    fn path(&self) -> PathBuf {
        self.folder.join("receipts.jsonl")
    }

    /// Best effort: an answer is not worth less because its receipt could not be written.
    pub(crate) fn leave(&self, receipt: &Receipt<'_>) -> std::io::Result<()> {
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&self.folder)?;
        let path = self.path();
        if path.metadata().is_ok_and(|meta| meta.len() > BYTES_MAX) {
            std::fs::rename(&path, self.folder.join("receipts.old.jsonl"))?;
        }
        let mut line = serde_json::to_vec(&receipt.to_json())?;
        line.push(b'\n');
        // One write of one line: two commands at once don't tear each other's.
        OpenOptions::new().create(true).append(true).mode(0o600).open(path)?.write_all(&line)
    }

    /// Newest first.
    pub(crate) fn newest(&self, session: Option<&str>, limit: usize) -> Vec<Value> {
        let text = self.read();
        text.lines()
            .rev()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
            .filter(|receipt| {
                session.is_none_or(|session| receipt["session"].as_str() == Some(session))
            })
            .take(limit)
            .collect()
    }

    /// The ids that a session was given in full.
    pub(crate) fn served_in(&self, session: &str) -> BTreeSet<String> {
        served(self.newest(Some(session), usize::MAX).iter())
    }

    /// The ids that were given in full for a task, or in a session of it.
    pub(crate) fn served_for(&self, task: &str, session: Option<&str>) -> BTreeSet<String> {
        let is_meant = |receipt: &&Value| {
            receipt["task"].as_str() == Some(task)
                || session.is_some_and(|session| receipt["session"].as_str() == Some(session))
        };
        served(self.newest(None, usize::MAX).iter().filter(is_meant))
    }

    /// The ids that were given in full since then, to whomever.
    pub(crate) fn served_since(&self, since: Timestamp) -> BTreeSet<String> {
        let since = format_instant(since);
        let is_recent = |receipt: &&Value| receipt["at"].as_str().is_some_and(|at| *at >= *since);
        served(self.newest(None, usize::MAX).iter().filter(is_recent))
    }

    fn swept_path(&self) -> PathBuf {
        self.folder.join("swept")
    }

    /// When this machine last looked at what time does.
    pub(crate) fn last_sweep(&self) -> Option<Timestamp> {
        let text = std::fs::read_to_string(self.swept_path()).ok()?;
        oldhand_core::time::parse_instant(text.trim())
    }

    pub(crate) fn note_sweep(&self, now: Timestamp) -> std::io::Result<()> {
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&self.folder)?;
        std::fs::write(self.swept_path(), format_instant(now))
    }

    fn due_path(&self) -> PathBuf {
        self.folder.join("due")
    }

    /// How many memories the last sweep found to be due for a review.
    pub(crate) fn due(&self) -> usize {
        let text = std::fs::read_to_string(self.due_path()).unwrap_or_default();
        text.trim().parse().unwrap_or(0)
    }

    pub(crate) fn note_due(&self, count: usize) -> std::io::Result<()> {
        std::fs::write(self.due_path(), format!("{count}\n"))
    }

    /// The end of the file: what is older than this explains nothing any more.
    fn read(&self) -> String {
        let mut bytes = Vec::new();
        if let Ok(mut file) = std::fs::File::open(self.path()) {
            let start = file.metadata().map_or(0, |meta| meta.len().saturating_sub(BYTES_MAX));
            let read = file
                .seek(SeekFrom::Start(start))
                .and_then(|_| file.take(2 * BYTES_MAX).read_to_end(&mut bytes));
            if read.is_err() {
                bytes.clear();
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

fn served<'r>(receipts: impl Iterator<Item = &'r Value>) -> BTreeSet<String> {
    receipts
        .filter(|receipt| receipt["disclosure"] != "index")
        .filter_map(|receipt| receipt["served"].as_array())
        .flatten()
        .filter_map(|one| one["id"].as_str())
        .map(str::to_owned)
        .collect()
}

impl Receipt<'_> {
    fn to_json(&self) -> Value {
        let bundle = self.bundle;
        // A prompt can hold a secret that the memory itself would refuse.
        let told = |text: &str| match secrets::scan(text).is_empty() {
            true => shorten(text, QUERY_CHARS_MAX),
            false => "[withheld: it holds a secret]".to_owned(),
        };
        let query = told(self.query);
        let paths: Vec<String> = self.paths.iter().map(|path| told(path)).collect();
        let served: Vec<Value> =
            bundle.memories.iter().chain(&bundle.cautions).map(one_served).collect();
        let dropped: Vec<Value> =
            bundle.dropped.iter().map(|one| json!({"id": one.id, "reason": one.reason})).collect();
        let steps: Vec<String> = bundle.steps.iter().map(Step::line).collect();
        json!({
            "at": format_instant(self.at),
            "session": self.session,
            "task": self.task,
            "by": told(self.by),
            "query": query,
            "paths": paths,
            "disclosure": if is_index(bundle) { "index" } else { "full" },
            "level": bundle.level.number(),
            "method": bundle.level.method(),
            "steps": steps,
            "served": served,
            "dropped": dropped,
            "tokens": bundle.used_tokens,
            "budget": bundle.budget_tokens,
        })
    }
}

/// Ids alone are no text that a session has read.
fn is_index(bundle: &Bundle) -> bool {
    bundle.memories.iter().chain(&bundle.cautions).all(|entry| entry.text.is_empty())
}

fn one_served(entry: &Entry) -> Value {
    json!({
        "id": entry.card.id,
        "score": (entry.score * 1000.0).round() / 1000.0,
        "reason": entry.reason,
        "tokens": entry.tokens,
        "freshness": entry.freshness,
    })
}
