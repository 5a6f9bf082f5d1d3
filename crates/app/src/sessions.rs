//! Questions to the session store that hooks, commands and the MCP server share: what a session or a
//! task was given, which task is under way, and the receipts of both. This is the one place that
//! knows what was served.

use oldhand_core::recall::chain::Step;
use oldhand_sessions::notes::{Line, NOTES_MAX, Notes, What};
use oldhand_store::failure::StoreError;
use oldhand_store::port::session::{
    Log, NotesChange, SessionId, SessionStore, StoreRecord, task_key,
};
use oldhand_store::port::session_state::SessionState;
use oldhand_text::secrets;
use serde_json::{Value, json};

use crate::health::Health;
use crate::prelude::*;
use crate::wire::agent::LeftOut;
use crate::wire::recall::{RecallReceipt, ReceiptEntry};

/// A prompt is kept as far as it is needed to recognise it.
const QUERY_CHARS_MAX: usize = 300;

/// Every session store has these.
pub trait Sessions: SessionStore {
    /// The state as it is now, changed and written back. Nothing slow belongs into `change`.
    fn update<'s, T>(
        &self,
        id: impl Into<SessionId<'s>>,
        change: impl FnOnce(&mut SessionState) -> T,
    ) -> Result<T, StoreError> {
        let (mut change, mut done) = (Some(change), None);
        SessionStore::change(self, id.into(), &mut |state| {
            done = change.take().map(|change| change(state));
        })?;
        Ok(done.expect("a store calls the change before it returns"))
    }

    fn update_record<T>(
        &self,
        change: impl FnOnce(&mut StoreRecord) -> T,
    ) -> Result<T, StoreError> {
        let (mut change, mut done) = (Some(change), None);
        self.change_record(&mut |record| done = change.take().map(|change| change(record)))?;
        Ok(done.expect("a store calls the change before it returns"))
    }

    /// Adds what is decided by the notes as they are at this moment.
    fn update_notes<E: From<StoreError>>(
        &self,
        session: &str,
        now: Timestamp,
        decide: impl FnOnce(&Notes) -> Result<Vec<What>, E>,
    ) -> Result<(), NotesError<E>> {
        let (mut decide, mut refused) = (Some(decide), None);
        let at = format_instant(now);
        self.change_notes(session, &mut |notes| {
            let news = match decide.take().map(|decide| decide(notes)) {
                Some(Ok(news)) => news,
                Some(Err(error)) => {
                    refused = Some(NotesError::Other(error));
                    return None;
                }
                None => return None,
            };
            let is_item = |it: &What| matches!(it, What::Note { .. } | What::Step { .. });
            if news.iter().any(is_item) && notes.items.len() + news.len() > NOTES_MAX {
                refused = Some(NotesError::Full);
                return None;
            }
            notes_change(notes, news, &at)
        })
        .map_err(|error| NotesError::Other(error.into()))?;
        refused.map_or(Ok(()), Err)
    }

    fn current_task(&self, session: Option<&str>) -> Option<String> {
        self.record().ok()?.current_task(session).map(str::to_owned)
    }

    /// Ids that a session was given in full and still has in its conversation.
    fn given_to(&self, session: &str) -> BTreeSet<String> {
        self.load(session.into()).unwrap_or_default().served.in_context_set()
    }

    fn give(&self, session: &str, ids: &[String]) -> Result<(), StoreError> {
        if ids.is_empty() {
            return Ok(());
        }
        self.update(session, |state| state.served.add(ids))
    }

    /// Ids that a session and its subagents were given in full, ever.
    fn ever_given_to(&self, session: &str) -> BTreeSet<String> {
        let all = self.load(session.into()).into_iter().chain(self.subagents(session));
        all.flat_map(|state| state.served.ever).collect()
    }

    /// Ids that were given in full for a task, or to a session of it.
    fn served_for(&self, task: &str, session: Option<&str>) -> BTreeSet<String> {
        let record = self.record().unwrap_or_default();
        let mut served =
            record.served.get(&task_key(task)).map(|it| it.ids.clone()).unwrap_or_default();
        served.extend(session.into_iter().flat_map(|session| self.ever_given_to(session)));
        served
    }

    /// Ids that were given in full since then, to whomever.
    fn served_since(&self, since: Timestamp) -> BTreeSet<String> {
        let since = format_instant(since);
        let receipts = self.receipts(None, usize::MAX);
        let is_meant = |it: &&Value| {
            it["disclosure"] != "index" && it["at"].as_str().is_some_and(|at| *at >= *since)
        };
        let served = receipts.iter().filter(is_meant).filter_map(|it| it["served"].as_array());
        served.flatten().filter_map(|one| one["id"].as_str()).map(str::to_owned).collect()
    }

    /// The newest first.
    fn receipts(&self, session: Option<&str>, limit: usize) -> Vec<Value> {
        let is_meant = |receipt: &Value| {
            session.is_none_or(|session| receipt["session"].as_str() == Some(session))
        };
        let lines = self.lines(Log::Receipts);
        let receipts = lines.iter().rev().filter_map(|line| serde_json::from_str(line).ok());
        receipts.filter(is_meant).take(limit).collect()
    }

    /// What hooks did, oldest first.
    fn hook_lines(&self) -> Vec<Value> {
        let lines = self.lines(Log::Hooks);
        lines.iter().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    /// One line per day, so that a trend can be shown. Best effort: nobody waits for it.
    fn note_health(&self, health: &Health, now: Timestamp) -> Result<(), StoreError> {
        let day = format_day(now);
        let is_noted = self.lines(Log::Health).last().is_some_and(|line| {
            let line: Value = serde_json::from_str(line).unwrap_or_default();
            line["at"].as_str().is_some_and(|at| at.starts_with(&day))
        });
        if is_noted {
            return Ok(());
        }
        let line = json!({ "at": format_instant(now), "indicators": health.indicators });
        self.append(Log::Health, &line.to_string())
    }

    /// Oldest first.
    fn health_lines(&self) -> Vec<Value> {
        let lines = self.lines(Log::Health);
        lines.iter().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    /// Best effort for most callers: an answer is worth as much without its receipt.
    fn leave_receipt(&self, receipt: &Receipt<'_>) -> Result<(), StoreError> {
        if let Some(task) = receipt.task {
            let ids = told_whole(receipt.bundle);
            let known = self.record()?.served.remove(&task_key(task)).unwrap_or_default().ids;
            if !ids.iter().all(|id| known.contains(id)) {
                self.update_record(|record| record.serve(task, &ids, receipt.at))?;
            }
        }
        self.append(Log::Receipts, &receipt.line())
    }
}

impl<S: SessionStore + ?Sized> Sessions for S {}

#[derive(Debug)]
pub enum NotesError<E> {
    /// The session has as many notes as one may have.
    Full,
    Other(E),
}

/// Everything that was reviewed goes: the log starts again.
fn notes_change(notes: &Notes, news: Vec<What>, at: &str) -> Option<NotesChange> {
    let line = |what: What| Line { at: at.to_owned(), what };
    match news.as_slice() {
        [] => None,
        [What::Reviewed { through, kept }] if through.is_none_or(|it| it >= notes.last) => {
            let what = What::Reviewed { kept: kept.clone(), through: Some(notes.last) };
            Some(NotesChange::Restart(line(what)))
        }
        _ => Some(NotesChange::Append(news.into_iter().map(line).collect())),
    }
}

/// What was given to whom and why. It explains answers later.
pub struct Receipt<'a> {
    pub at: Timestamp,
    pub session: Option<&'a str>,
    /// The task that it was for, see `oldhand task`.
    pub task: Option<&'a str>,
    pub by: &'a str,
    pub query: &'a str,
    pub paths: &'a [String],
    pub bundle: &'a Bundle,
}

impl Receipt<'_> {
    fn line(&self) -> String {
        let bundle = self.bundle;
        // A prompt can hold a secret that the memory itself would refuse.
        let told = |text: &str| match secrets::scan(text).is_empty() {
            true => shorten(text, QUERY_CHARS_MAX),
            false => "[withheld: it holds a secret]".to_owned(),
        };
        // Ids alone are no text that a session has read.
        let is_index = entries(bundle).all(|entry| entry.text.is_empty());
        let receipt = RecallReceipt {
            at: format_instant(self.at),
            session: self.session,
            task: self.task,
            by: told(self.by),
            query: told(self.query),
            paths: self.paths.iter().map(|path| told(path)).collect(),
            disclosure: if is_index { "index" } else { "full" },
            level: bundle.level.number(),
            method: bundle.level.method(),
            steps: bundle.steps.iter().map(Step::line).collect(),
            served: entries(bundle).map(ReceiptEntry::of).collect(),
            dropped: bundle.dropped.iter().map(LeftOut::of).collect(),
            tokens: bundle.used_tokens,
            budget: bundle.budget_tokens,
        };
        serde_json::to_string(&receipt).expect("text and numbers")
    }
}

/// Ids whose text is in the bundle: an id alone tells nothing that could be used, or that should not
/// be told later.
pub fn told_whole(bundle: &Bundle) -> Vec<String> {
    entries(bundle).filter(|it| !it.text.is_empty()).map(|it| it.card.id.clone()).collect()
}

fn entries(bundle: &Bundle) -> impl Iterator<Item = &Entry> {
    bundle.memories.iter().chain(&bundle.cautions)
}
