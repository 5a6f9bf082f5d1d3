//! What was decided elsewhere about this store, such as in the dashboard of a team server: it is written here as far
//! as it still fits, inside the lock and past the gate, as every write is.

use oldhand_core::actor::Via;
use oldhand_core::pending::{Action, PENDING_FOLDER};

use crate::context::Exchange;
use crate::gate::is_gated;
use crate::prelude::*;

/// One file as it was when the decision was made, and as it shall be.
pub struct Incoming<'c> {
    pub path: &'c str,
    pub id: &'c str,
    pub before: Option<&'c str>,
    pub after: Option<&'c str>,
}

/// What became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TakenIn {
    Written,
    /// It is here already.
    There,
    /// The file has changed since: nothing was written.
    Stale(String),
}

impl<'a> Exchange<'a> {
    /// The engine's `batch` names the decision: what the log has of that name is not written again.
    pub fn take_in(&self, files: &[Incoming<'_>], events: &[Event]) -> WriteResult<'a, TakenIn> {
        self.write(&mut || {
            if self.is_recorded(events)? {
                return Ok((TakenIn::There, Plan::default()));
            }
            let mut plan = Plan { files: Vec::new(), events: events.to_vec() };
            for file in files {
                let there = self.vault.read_raw(file.path)?;
                let hash = there.as_ref().map(|raw| raw.hash);
                if hash == file.after.map(|text| ContentHash::of(text.as_bytes())) {
                    continue;
                }
                let is_same = hash.map(|hash| hash.to_string()).as_deref() == file.before;
                if !is_same || self.is_taken(file, files)? {
                    return Ok((TakenIn::Stale(file.path.to_owned()), Plan::default()));
                }
                plan.files.push(self.new_file(file, there)?);
            }
            match plan.files.is_empty() && !files.is_empty() {
                true => Ok((TakenIn::There, Plan::default())),
                false => Ok((TakenIn::Written, plan)),
            }
        })
    }

    fn is_recorded(&self, events: &[Event]) -> Result<bool> {
        let Some(batch) = self.batch else { return Ok(false) };
        let of_one = events.first().map(|event| event.memory.as_str()).filter(|id| !id.is_empty());
        let known = match of_one {
            Some(id) => self.vault.events_of(id)?,
            None => self.vault.events()?,
        };
        Ok(known.iter().any(|event| event.batch == batch))
    }

    /// Another file has the id by now.
    fn is_taken(&self, file: &Incoming<'_>, files: &[Incoming<'_>]) -> Result<bool> {
        if file.before.is_some() || in_pending(file.path) {
            return Ok(false);
        }
        let there = self.vault.find_raw(&MemoryId::parse(file.id)?)?;
        let leaves = |path: &str| files.iter().any(|it| it.path == path && it.after.is_none());
        Ok(there.is_some_and(|raw| !leaves(&raw.path)))
    }

    fn new_file(&self, file: &Incoming<'_>, there: Option<RawFile>) -> Result<FileWrite> {
        let (path, id) = (file.path.to_owned(), MemoryId::parse(file.id)?);
        let before = there.as_ref().map(|raw| raw.hash);
        let Some(text) = file.after else {
            return Ok(FileWrite { path, id, before, after: None, memory: None });
        };
        refuse_large(text)?;
        let memory = match in_pending(file.path) {
            true => None,
            false => {
                let kinds = &self.settings.kinds;
                let parse = |text: &str| Stored::parse(file.path, text.as_bytes().to_vec(), kinds);
                let new = parse(text).map_err(|it| it.refusal())?.memory;
                let old = there.and_then(|raw| parse(&raw.text).ok()).map(|it| it.memory);
                self.pass(&new, old.as_ref(), text)?;
                Some(new)
            }
        };
        Ok(FileWrite { path, id, before, after: Some(text.to_owned()), memory })
    }

    /// What was decided here meanwhile may be against it. Nobody is there to be asked, so what is
    /// doubtful waits for a person too.
    fn pass(&self, new: &Memory, old: Option<&Memory>, text: &str) -> Result<()> {
        let says_the_same = |old: &Memory| {
            self.gate().binds(old) && old.title == new.title && old.content == new.content
        };
        let is_new = is_gated(&new.kind) && self.gate().binds(new);
        if !is_new || old.is_some_and(says_the_same) {
            return Ok(());
        }
        let action = if old.is_some() { Action::Update } else { Action::Create };
        let alone = Engine { via: &Via::Ci, ..**self };
        let passed = alone.gate().pass_gate(new, action, text);
        let passed = passed.and_then(|passed| passed.settled());
        match passed {
            Err(Failure::Stopped(mut stop)) => {
                stop.pending.via = self.via.clone();
                Err(Failure::Stopped(stop))
            }
            Err(error) => Err(error),
            Ok(_) => Ok(()),
        }
    }
}

fn in_pending(path: &str) -> bool {
    path.split('/').next() == Some(PENDING_FOLDER)
}
