//! Receipts: what was given to whom and why, on this machine alone. They explain answers later. What a
//! task was given is kept apart from them, and what a session was given in its state.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::{Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use oldhand_core::recall::bundle::{Bundle, Entry};
use oldhand_core::recall::chain::Step;
use oldhand_text::hash::ContentHash;
use oldhand_text::secrets;
use oldhand_text::strings::shorten;
use oldhand_text::time::format_instant;
use serde_json::{Value, json};

mod task;

pub(crate) use task::TaskBase;

use crate::hook::state;

/// The file is put aside when it has grown to this; one earlier file is kept.
const BYTES_MAX: u64 = 4 * 1024 * 1024;
const TASKS: &str = "tasks";
const TASKS_KEPT: Duration = Duration::from_secs(365 * 24 * 60 * 60);
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

    fn old_path(&self) -> PathBuf {
        self.folder.join("receipts.old.jsonl")
    }

    /// Best effort: an answer is not worth less because its receipt could not be written.
    pub(crate) fn leave(&self, receipt: &Receipt<'_>) -> std::io::Result<()> {
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&self.folder)?;
        if let Some(task) = receipt.task {
            self.note_served(task, &told_whole(receipt.bundle))?;
        }
        self.make_room()?;
        let mut line = serde_json::to_vec(&receipt.to_json())?;
        line.push(b'\n');
        // One write of one line: two commands at once don't tear each other's.
        append(&self.path(), &line)
    }

    /// The file is put aside when it is full, by one command at a time: a second one would put the
    /// new file in the place of the old one.
    fn make_room(&self) -> std::io::Result<()> {
        let is_full = || self.path().metadata().is_ok_and(|meta| meta.len() > BYTES_MAX);
        if !is_full() {
            return Ok(());
        }
        let mut options = OpenOptions::new();
        let lock = options.create(true).truncate(false).write(true).mode(0o600);
        let lock = lock.open(self.folder.join("receipts.lock"))?;
        if lock.try_lock().is_ok() && is_full() {
            std::fs::rename(self.path(), self.old_path())?;
        }
        Ok(())
    }

    /// Newest first.
    pub(crate) fn newest(&self, session: Option<&str>, limit: usize) -> Vec<Value> {
        let is_meant = |receipt: &Value| {
            session.is_none_or(|session| receipt["session"].as_str() == Some(session))
        };
        let mut found = Vec::new();
        for path in [self.path(), self.old_path()] {
            let text = read(&path);
            let receipts = text.lines().rev().filter_map(|line| serde_json::from_str(line).ok());
            found.extend(receipts.filter(is_meant).take(limit - found.len()));
            if found.len() >= limit {
                break;
            }
        }
        found
    }

    /// The ids that a session was given in full and still knows: hooks and commands ask the same file.
    pub(crate) fn given_to(&self, session: &str) -> BTreeSet<String> {
        state::look(&self.folder, session, "").unwrap_or_default().served_set()
    }

    pub(crate) fn note_given(&self, session: Option<&str>, bundle: &Bundle) -> std::io::Result<()> {
        match session {
            Some(session) => state::update(&self.folder, session, "", |state| {
                state.serve(&told_whole(bundle));
            }),
            None => Ok(()),
        }
    }

    /// The ids that were given in full for a task, or to a session of it and its subagents.
    pub(crate) fn served_for(&self, task: &str, session: Option<&str>) -> BTreeSet<String> {
        let mut served = served_in(&read(&self.served_path(task)));
        if let Some(session) = session {
            let own = state::look(&self.folder, session, "").into_iter();
            let all = own.chain(state::inside(&self.folder, session));
            served.extend(all.flat_map(|it| it.ever_served));
        }
        served
    }

    /// The ids that were given in full since then, to whomever.
    pub(crate) fn served_since(&self, since: Timestamp) -> BTreeSet<String> {
        let since = format_instant(since);
        let is_recent = |receipt: &&Value| receipt["at"].as_str().is_some_and(|at| *at >= *since);
        served(self.newest(None, usize::MAX).iter().filter(is_recent))
    }

    /// Apart from the receipts, which are put aside when there are many: what a task used must be known
    /// when it ends.
    fn note_served(&self, task: &str, ids: &[String]) -> std::io::Result<()> {
        let path = self.served_path(task);
        let known = served_in(&read(&path));
        let mut lines = String::new();
        for id in ids.iter().filter(|id| !known.contains(*id)) {
            // On a line of its own, even after one that a killed command left unfinished.
            lines.push('\n');
            lines.push_str(id);
        }
        if lines.is_empty() {
            return Ok(());
        }
        if let Some(folder) = path.parent() {
            std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        }
        append(&path, lines.as_bytes())
    }

    fn served_path(&self, task: &str) -> PathBuf {
        let name = &ContentHash::of(task.as_bytes()).to_string()[..24];
        self.folder.join(TASKS).join(format!("{name}.served"))
    }

    /// What was served for tasks that nobody has worked at for so long.
    pub(crate) fn forget_old(&self) {
        for path in state::older_in(&self.folder.join(TASKS), TASKS_KEPT) {
            let _ = std::fs::remove_file(path);
        }
    }

    fn swept_path(&self) -> PathBuf {
        self.folder.join("swept")
    }

    /// When this machine last looked at what time does.
    pub(crate) fn last_sweep(&self) -> Option<Timestamp> {
        let text = std::fs::read_to_string(self.swept_path()).ok()?;
        oldhand_text::time::parse_instant(text.trim())
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
}

fn append(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    OpenOptions::new().create(true).append(true).mode(0o600).open(path)?.write_all(bytes)
}

/// What there is of a file of ours: it explains, and nothing is written over by what it says.
fn read(path: &Path) -> String {
    let mut bytes = Vec::new();
    if let Ok(file) = std::fs::File::open(path) {
        let _ = file.take(2 * BYTES_MAX).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// One id a line.
fn served_in(text: &str) -> BTreeSet<String> {
    text.lines().filter(|id| !id.is_empty()).map(str::to_owned).collect()
}

/// An id alone tells nothing that could be used, or that should not be told later.
pub(crate) fn told_whole(bundle: &Bundle) -> Vec<String> {
    let entries = bundle.memories.iter().chain(&bundle.cautions);
    entries.filter(|it| !it.text.is_empty()).map(|it| it.card.id.clone()).collect()
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
