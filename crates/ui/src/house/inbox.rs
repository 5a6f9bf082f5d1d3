//! What the page `inbox` asks for.

use super::Answer;
use super::Moment;
use super::Named;
use super::memory::Field;
use super::memory::MemoryView;
use super::memory::Verb;
use serde::Deserialize;
use std::collections::BTreeMap;

pub trait InboxPage {
    fn inbox(&self, ask: &InboxAsk) -> Answer<Inbox>;
    /// As `review --json`.
    fn inbox_json(&self) -> Answer<String>;
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct InboxAsk {
    /// The key of the item to show; the first one, if nothing is said.
    pub at: Option<String>,
    pub cause: Option<String>,
    pub kind: Option<String>,
    pub role: Option<String>,
    pub origin: Option<String>,
    pub session: Option<String>,
    pub said: Option<String>,
    /// The write that was said to be done, for undo.
    pub of: Option<String>,
}

#[derive(Debug, Clone, Default)]
pub struct Inbox {
    /// Each cause in the order of the inbox, with how many wait for it.
    pub causes: Vec<(String, usize)>,
    pub rows: Vec<QueueRow>,
    /// Items behind the last row.
    pub more: usize,
    /// Roles, kinds and origins that can be chosen.
    pub roles: Vec<String>,
    pub kinds: Vec<String>,
    pub origins: Vec<String>,
    pub item: Option<Item>,
    /// Files that can't be read.
    pub unread: Vec<String>,
    /// For each verb the last reasons, the newest first.
    pub reasons: BTreeMap<String, Vec<String>>,
}

#[derive(Debug, Clone, Default)]
pub struct QueueRow {
    /// In the address: a memory's id, or `pending:` and a name.
    pub key: String,
    pub cause: String,
    pub title: String,
    pub kind: String,
    pub state: String,
    pub since: Option<Moment>,
    pub role: String,
    pub trust: Option<f64>,
    /// Of a memory that can be marked.
    pub hash: Option<String>,
}

#[derive(Debug, Clone, Default)]
pub struct Item {
    pub key: String,
    pub cause: String,
    pub since: Option<Moment>,
    pub role: String,
    /// Of a conflict or an approval.
    pub pending: Option<PendingItem>,
    /// Of everything else.
    pub memory: Option<MemoryView>,
    /// Uses in which it did not help, with their notes.
    pub failed: Vec<(Moment, String)>,
    pub near: Vec<NearMemory>,
    /// The last ones that touched the code that it names.
    pub commits: Vec<Commit>,
    pub verbs: Vec<Verb>,
}

#[derive(Debug, Clone, Default)]
pub struct PendingItem {
    pub name: String,
    /// Of its file, as it is shown.
    pub hash: String,
    pub is_conflict: bool,
    pub title: String,
    pub by: String,
    pub at: Moment,
    /// The memory that is proposed, or shall rise.
    pub memory: Named,
    pub sides: Vec<Sides>,
    /// What would be written.
    pub proposal: Vec<Field>,
    /// Of an approval: to which state, and who has agreed.
    pub to: String,
    pub reason: String,
    pub votes: Vec<(String, String, Moment)>,
}

#[derive(Debug, Clone, Default)]
pub struct Commit {
    pub id: String,
    pub at: Option<Moment>,
    pub by: String,
    pub subject: String,
}

/// Two statements that exclude each other.
#[derive(Debug, Clone, Default)]
pub struct Sides {
    pub decided: Named,
    pub date: String,
    pub why: String,
    /// Pieces of a sentence, and whether each is one of the words that clash.
    pub theirs: Vec<(String, bool)>,
    pub ours: Vec<(String, bool)>,
}

#[derive(Debug, Clone, Default)]
pub struct NearMemory {
    pub memory: Named,
    pub state: String,
    /// From 0 to 1, where it can be measured.
    pub likeness: Option<f64>,
}
