//! Garbage collection: retired memories past their grace period, sessions past their retention.
//! Nothing durable goes without a person naming it.

use oldhand_core::event::EventType;
use oldhand_core::lifecycle::Request;
use oldhand_core::refusal::{Code, Refusal};
use oldhand_core::sessions::{Collection, collection};
use oldhand_core::state::State;
use serde::Serialize;

use crate::{Done, Engine, chain};
use oldhand_store::failure::Failure;
use oldhand_store::port::{FileWrite, Plan, Stored};

#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Collected {
    /// Nothing was done: this is what would be.
    pub dry_run: bool,
    pub archived: Vec<String>,
    pub deleted: Vec<String>,
    pub expired: Vec<String>,
    /// Durable, past the grace period, kept until a person names it.
    pub waiting: Vec<String>,
    pub review_due: Vec<String>,
    /// Retired without a date that can be read: never collected.
    pub undated: Vec<String>,
    /// There is more than one collection takes.
    pub more: bool,
}

/// Files that one collection changes at once, fewer than are kept for undo; the rest waits for the
/// next.
const BATCH_MAX: usize = 150;

impl<'a> Engine<'a> {
    pub fn gc(&self) -> Result<Done<'a, Collected>, Failure> {
        self.write(&mut || self.decide_gc())
    }

    /// What a collection would do.
    pub fn gc_preview(&self) -> Result<Collected, Failure> {
        self.decide_gc().map(|(collected, _)| Collected { dry_run: true, ..collected })
    }

    fn decide_gc(&self) -> Result<(Collected, Plan), Failure> {
        let scan = self.vault.scan()?;
        let mut collected = Collected::default();
        let mut plan = Plan::default();
        for stored in scan.stored.iter().filter(|stored| stored.problems.is_empty()) {
            if plan.files.len() >= BATCH_MAX {
                collected.more = true;
                break;
            }
            self.collect(stored, &mut collected, &mut plan)?;
        }
        Ok((collected, plan))
    }

    fn collect(
        &self,
        stored: &Stored,
        collected: &mut Collected,
        plan: &mut Plan,
    ) -> Result<(), Failure> {
        let memory = &stored.memory;
        let id = memory.id.to_string();
        let spec = self.settings.kinds.spec(&memory.kind);
        if memory.state == State::Retired && memory.retired_at.is_none() {
            collected.undated.push(id);
            return Ok(());
        }
        let Some(what) = collection(memory, &spec, &self.settings.gc, self.now) else {
            return Ok(());
        };
        let request = match what {
            Collection::Ask => {
                collected.waiting.push(id);
                return Ok(());
            }
            Collection::ReviewDue => {
                collected.review_due.push(id);
                return Ok(());
            }
            Collection::Delete => {
                collected.deleted.push(id);
                self.plan_removal(stored, "collected", plan);
                return Ok(());
            }
            Collection::Archive => {
                collected.archived.push(id);
                Request::Collect { grace_days: self.settings.gc.grace_period_days }
            }
            Collection::Expire => {
                collected.expired.push(id);
                let reason = format!("retention: older than {} days", spec.retention_days);
                Request::Retire { reason }
            }
        };
        let (file, event) = self.moved(stored, &request)?;
        plan.add(file, event);
        Ok(())
    }

    /// R270, and a person's explicit word: the file goes, the log stays.
    pub fn purge(&self, name: &str) -> Result<Done<'a, Collected>, Failure> {
        self.write_about(&[name], &mut || {
            let stored = self.get(name)?;
            if stored.memory.id.as_str() != name {
                let message =
                    format!("purging needs the id in full, which is `{}`", stored.memory.id);
                return Err(Refusal::new(Code::Validation, message)
                    .with_hint("nothing was deleted")
                    .into());
            }
            if !matches!(
                stored.memory.state,
                State::Retired | State::Archived | State::Rejected | State::Superseded
            ) {
                let message = format!(
                    "could not purge `{}`: it is {}",
                    stored.memory.id, stored.memory.state
                );
                return Err(Refusal::new(Code::State, message)
                    .with_hint(format!(
                        "retire it first with `oldhand retire {}`",
                        stored.memory.id
                    ))
                    .into());
            }
            let mut plan = Plan::default();
            self.plan_removal(&stored, "purged", &mut plan);
            let deleted = vec![stored.memory.id.to_string()];
            Ok((Collected { deleted, ..Collected::default() }, plan))
        })
    }

    fn plan_removal(&self, stored: &Stored, reason: &str, plan: &mut Plan) {
        let file = FileWrite::removal(&stored.path, &stored.memory.id, stored.hash);
        let mut event = self.event(EventType::Collected, &stored.memory, &stored.path);
        event.from = Some(stored.memory.state);
        event.reason = reason.to_owned();
        chain(&mut event, &file);
        plan.add(file, event);
    }
}
