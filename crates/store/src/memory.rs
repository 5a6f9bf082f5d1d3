//! A session store in memory: for connections of the MCP server, which end with the process, and for
//! tests. The oldest sessions make room.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oldhand_sessions::notes::{Line, Notes};

use crate::disk::Held;
use crate::failure::StoreError;
use crate::port::session::{Log, NotesChange, SessionId, SessionStore, StoreRecord};
use crate::port::session_state::{Said, SessionState};

/// Sessions that are remembered. Names of connections begin with the time: the first is the oldest.
const SESSIONS_MAX: usize = 256;

/// A clone is the same store.
#[derive(Default, Clone)]
pub struct MemorySessions(Arc<Mutex<Kept>>);

#[derive(Default)]
struct Kept {
    states: BTreeMap<(String, String), SessionState>,
    prompts: BTreeMap<String, Vec<Said>>,
    at_work: BTreeSet<(String, String)>,
    notes: BTreeMap<String, Vec<Line>>,
    summaries: BTreeMap<String, String>,
    record: StoreRecord,
    logs: BTreeMap<Log, Vec<String>>,
}

struct AtWork(Arc<Mutex<Kept>>, (String, String));

impl Held for AtWork {}

impl Drop for AtWork {
    fn drop(&mut self) {
        lock(&self.0).at_work.remove(&self.1);
    }
}

/// What is kept is whole, also where somebody panicked beside it.
fn lock(kept: &Mutex<Kept>) -> MutexGuard<'_, Kept> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

fn key(id: SessionId<'_>) -> (String, String) {
    (id.session.to_owned(), id.agent.to_owned())
}

impl MemorySessions {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        lock(&self.0)
    }
}

impl SessionStore for MemorySessions {
    fn load(&self, id: SessionId<'_>) -> Option<SessionState> {
        self.kept().states.get(&key(id)).cloned()
    }

    fn change(
        &self,
        id: SessionId<'_>,
        change: &mut dyn FnMut(&mut SessionState),
    ) -> Result<(), StoreError> {
        let mut kept = self.kept();
        if !kept.states.contains_key(&key(id)) && kept.states.len() >= SESSIONS_MAX {
            kept.states.pop_first();
        }
        let mut state = kept.states.get(&key(id)).cloned().unwrap_or_default();
        (state.session, state.agent) = key(id);
        let waiting = match id.agent {
            "" => kept.prompts.remove(id.session).unwrap_or_default(),
            _ => Vec::new(),
        };
        waiting.into_iter().for_each(|said| state.hear(Some(said)));
        change(&mut state);
        kept.states.insert(key(id), state);
        Ok(())
    }

    fn recent(&self) -> Vec<SessionState> {
        let is_meant = |it: &&SessionState| it.agent.is_empty() && it.has_begun();
        let mut found: Vec<SessionState> =
            self.kept().states.values().filter(is_meant).cloned().collect();
        found.sort_by(SessionState::latest_first);
        found
    }

    fn subagents(&self, session: &str) -> Vec<SessionState> {
        let is_meant = |it: &&SessionState| it.session == session && !it.agent.is_empty();
        self.kept().states.values().filter(is_meant).cloned().collect()
    }

    fn hold_work(&self, id: SessionId<'_>) -> Result<Box<dyn Held>, StoreError> {
        if !self.kept().at_work.insert(key(id)) {
            return Err(StoreError::at_work(id.session.as_ref()));
        }
        Ok(Box::new(AtWork(Arc::clone(&self.0), key(id))))
    }

    fn keep_prompt(&self, session: &str, said: &Said) -> Result<(), StoreError> {
        self.kept().prompts.entry(session.to_owned()).or_default().push(said.clone());
        Ok(())
    }

    fn notes(&self, session: &str) -> Result<Notes, StoreError> {
        Ok(Notes::fold(self.kept().notes.get(session).into_iter().flatten()))
    }

    fn change_notes(
        &self,
        session: &str,
        decide: &mut dyn FnMut(&Notes) -> Option<NotesChange>,
    ) -> Result<(), StoreError> {
        let mut kept = self.kept();
        let lines = kept.notes.entry(session.to_owned()).or_default();
        match decide(&Notes::fold(&*lines)) {
            None => {}
            Some(NotesChange::Append(news)) => lines.extend(news),
            Some(NotesChange::Restart(line)) => *lines = vec![line],
        }
        Ok(())
    }

    fn summary(&self, session: &str) -> Option<String> {
        self.kept().summaries.get(session).cloned()
    }

    fn replace_summary(&self, session: &str, text: &str) -> Result<(), StoreError> {
        self.kept().summaries.insert(session.to_owned(), text.to_owned());
        Ok(())
    }

    fn record(&self) -> Result<StoreRecord, StoreError> {
        Ok(self.kept().record.clone())
    }

    fn change_record(&self, change: &mut dyn FnMut(&mut StoreRecord)) -> Result<(), StoreError> {
        change(&mut self.kept().record);
        Ok(())
    }

    fn append(&self, log: Log, line: &str) -> Result<(), StoreError> {
        self.kept().logs.entry(log).or_default().push(line.to_owned());
        Ok(())
    }

    fn lines(&self, log: Log) -> Vec<String> {
        self.kept().logs.get(&log).cloned().unwrap_or_default()
    }

    fn forget_old(&self, _: &str) {}
}
