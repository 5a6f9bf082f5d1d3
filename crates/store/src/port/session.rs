//! The session store: everything that one machine keeps about the sessions of a store. Plain data in
//! and out. `session.rs` keeps it in files, `memory.rs` in memory; both pass the same contract.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use oldhand_sessions::notes::{Line, Notes};
use oldhand_text::hash::ContentHash;
use oldhand_text::time::{days_between, format_instant, parse_instant};
use serde::{Deserialize, Serialize};

use crate::disk::Held;
use crate::failure::StoreError;
use crate::port::session_state::{Said, SessionState};

/// A session, or one of its subagents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionId<'s> {
    pub session: &'s str,
    /// Empty for the session itself.
    pub agent: &'s str,
}

impl<'s> From<&'s str> for SessionId<'s> {
    fn from(session: &'s str) -> Self {
        Self { session, agent: "" }
    }
}

/// The logs of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Log {
    /// What was served to whom and why.
    Receipts,
    /// What hooks did.
    Hooks,
    /// How the memory was doing, once a day on which somebody looked.
    Health,
}

impl Log {
    pub const ALL: [Self; 3] = [Self::Receipts, Self::Hooks, Self::Health];

    pub fn name(self) -> &'static str {
        match self {
            Self::Receipts => "receipts",
            Self::Hooks => "hooks",
            Self::Health => "health",
        }
    }
}

/// What a decision does to the notes of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotesChange {
    /// All lines or none.
    Append(Vec<Line>),
    /// Everything was reviewed: the log starts again with this line, so that it never fills up.
    Restart(Line),
}

/// Writes are atomic: whoever reads sees the state before a change or the one after it. What can't be
/// read is never replaced.
pub trait SessionStore: Send + Sync {
    /// What is known of a session, without waiting; `None` also where it can't be read.
    fn load(&self, id: SessionId<'_>) -> Option<SessionState>;
    /// Reads, changes and writes in one step; nobody else changes it meanwhile. `change` is called at
    /// most once and must be fast.
    fn change(
        &self,
        id: SessionId<'_>,
        change: &mut dyn FnMut(&mut SessionState),
    ) -> Result<(), StoreError>;
    /// Sessions that have begun, the latest first, without their subagents.
    fn recent(&self) -> Vec<SessionState>;
    fn subagents(&self, session: &str) -> Vec<SessionState>;
    /// Whether anything was ever kept about it.
    fn knows(&self, session: &str) -> bool {
        self.load(session.into()).is_some()
            || self.notes(session).is_ok_and(|notes| !notes.is_empty())
    }
    /// For whoever reads a session's transcript or sums it up: two at once would do the same slow
    /// work twice. Nobody else waits for it.
    fn hold_work(&self, id: SessionId<'_>) -> Result<Box<dyn Held>, StoreError>;
    /// A prompt that could not be added in time: the next `change` of the session adds it.
    fn keep_prompt(&self, session: &str, said: &Said) -> Result<(), StoreError>;

    fn notes(&self, session: &str) -> Result<Notes, StoreError>;
    /// Durable when it returns. Nobody else writes notes between the decision and the write.
    fn change_notes(
        &self,
        session: &str,
        decide: &mut dyn FnMut(&Notes) -> Option<NotesChange>,
    ) -> Result<(), StoreError>;
    /// The Markdown to which the conversation was last compacted.
    fn summary(&self, session: &str) -> Option<String>;
    /// Durable when it returns.
    fn replace_summary(&self, session: &str, text: &str) -> Result<(), StoreError>;

    fn record(&self) -> Result<StoreRecord, StoreError>;
    /// Durable when it returns.
    fn change_record(&self, change: &mut dyn FnMut(&mut StoreRecord)) -> Result<(), StoreError>;

    /// One line, without its line break.
    fn append(&self, log: Log, line: &str) -> Result<(), StoreError>;
    /// The newest lines that are kept, oldest first.
    fn lines(&self, log: Log) -> Vec<String>;
    /// Drops sessions that nobody has touched for long, and lines of hooks that began before this.
    fn forget_old(&self, hooks_before: &str);
}

/// What belongs to the store as a whole, on this machine.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StoreRecord {
    /// The task that each session started last, by `session_key`.
    pub tasks: BTreeMap<String, TaskRecord>,
    /// Ids that were given in full for a task, by `task_key`.
    pub served: BTreeMap<String, ServedForTask>,
    /// The last sweep, and how many memories it found due for a review.
    pub swept_at: String,
    pub due: usize,
    /// How many candidates waited when that was last told.
    pub candidates_told: usize,
    /// Candidates of which a session was asked whether they hold, the newest last.
    pub candidates_asked: Vec<String>,
    /// When somebody was first told what holds here.
    pub entered_at: String,
    pub drift: Option<DriftNote>,
    /// What each terminal listed last, by worktree and terminal.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub lists: BTreeMap<String, LastList>,
    /// What a newer version keeps here.
    #[serde(flatten)]
    pub unknown: BTreeMap<String, serde_json::Value>,
}

/// A task, and where it began.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TaskRecord {
    pub task: String,
    /// The last commit, from which its changes are counted; none outside of a repository, or before
    /// its first commit.
    pub head: Option<String>,
    pub at: String,
    /// False after its end: it is kept for who looks back.
    pub is_under_way: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ServedForTask {
    pub at: String,
    pub ids: BTreeSet<String>,
}

/// Ids in the order in which somebody saw them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LastList {
    pub at: String,
    pub ids: Vec<String>,
}

/// What the last comparison of the architecture map with the tree found, and what it compared.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DriftNote {
    pub at: String,
    /// The last commit then.
    pub head: Option<String>,
    /// The maps then.
    pub maps: String,
    pub line: Option<String>,
}

/// What is known of a task is forgotten a year later.
const TASKS_KEPT_DAYS: i64 = 365;

/// A plain name for whatever a host calls its session; `None` is a shell without a session.
pub fn session_key(session: Option<&str>) -> String {
    session.map(task_key).unwrap_or_default()
}

pub fn task_key(task: &str) -> String {
    ContentHash::of(task.as_bytes()).to_string()[..24].to_owned()
}

impl TaskRecord {
    pub fn begun_at(&self) -> Option<Timestamp> {
        parse_instant(&self.at)
    }
}

impl StoreRecord {
    /// The task that this session started and that has not ended.
    pub fn own_task(&self, session: Option<&str>) -> Option<&str> {
        let record = self.tasks.get(&session_key(session)).filter(|it| it.is_under_way)?;
        Some(&record.task)
    }

    /// The same, or else the task of shells without a session.
    pub fn current_task(&self, session: Option<&str>) -> Option<&str> {
        self.own_task(session).or_else(|| self.own_task(None))
    }

    /// The task that was started last, also after its end.
    pub fn last_task(&self, session: Option<&str>) -> Option<&TaskRecord> {
        self.tasks.get(&session_key(session)).or_else(|| self.tasks.get(&session_key(None)))
    }

    /// Where a task began, whoever started it: this session's record before those of others.
    pub fn task_record(&self, task: &str, session: Option<&str>) -> Option<&TaskRecord> {
        let near = [session_key(session), session_key(None)];
        let near = near.into_iter().filter_map(|key| self.tasks.get(&key));
        near.chain(self.tasks.values()).find(|record| record.task == task)
    }

    /// A task that is under way and is started again keeps its beginning.
    pub fn start_task(&mut self, session: Option<&str>, begun: TaskRecord) {
        let goes_on = self.current_task(session) == Some(&begun.task);
        let before = self.last_task(session).filter(|it| goes_on && it.task == begun.task);
        let record = before.cloned().unwrap_or(begun);
        self.tasks.retain(|_, it| it.is_under_way || !is_old(&it.at, record.begun_at()));
        self.tasks.insert(session_key(session), TaskRecord { is_under_way: true, ..record });
    }

    /// A task that has ended has ended for everybody.
    pub fn end_task(&mut self, task: &str) {
        for record in self.tasks.values_mut().filter(|record| record.task == task) {
            record.is_under_way = false;
        }
    }

    /// Kept apart from the receipts, of which old ones are dropped: what a task used must be known
    /// when it ends.
    pub fn serve(&mut self, task: &str, ids: &[String], now: Timestamp) {
        if ids.is_empty() {
            return;
        }
        self.served.retain(|_, it| !is_old(&it.at, Some(now)));
        let served = self.served.entry(task_key(task)).or_default();
        if !ids.iter().all(|id| served.ids.contains(id)) {
            served.at = format_instant(now);
            served.ids.extend(ids.iter().cloned());
        }
    }
}

fn is_old(at: &str, now: Option<Timestamp>) -> bool {
    let days = parse_instant(at).zip(now).map(|(at, now)| days_between(at, now));
    days.is_some_and(|days| days > TASKS_KEPT_DAYS)
}
