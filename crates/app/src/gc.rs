//! Garbage collection: retired memories past their grace period, sessions past their retention.
//! Nothing durable goes without a person naming it.

use oldhand_core::sessions::{Collection, collection};

use crate::context::Upkeep;
use crate::prelude::*;

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

impl<'a> Upkeep<'a> {
    pub fn gc(&self) -> WriteResult<'a, Collected> {
        self.write(&mut || {
            let scan = self.vault.scan()?;
            let mut collected = Collected { dry_run: self.is_preview, ..Collected::default() };
            let mut plan = Plan::default();
            for stored in scan.stored.iter().filter(|stored| stored.problems.is_empty()) {
                if plan.files.len() >= BATCH_MAX {
                    collected.more = true;
                    break;
                }
                self.collect(stored, &mut collected, &mut plan)?;
            }
            Ok((collected, plan))
        })
    }

    fn collect(&self, stored: &Stored, collected: &mut Collected, plan: &mut Plan) -> Result<()> {
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
        let (list, request) = match what {
            Collection::Ask => (&mut collected.waiting, None),
            Collection::ReviewDue => (&mut collected.review_due, None),
            Collection::Delete => {
                self.plan_removal(stored, "collected", plan);
                (&mut collected.deleted, None)
            }
            Collection::Archive => {
                let grace_days = self.settings.gc.grace_period_days;
                (&mut collected.archived, Some(Request::Collect { grace_days }))
            }
            Collection::Expire => {
                let reason = format!("retention: older than {} days", spec.retention_days);
                (&mut collected.expired, Some(Request::Retire(reason)))
            }
        };
        list.push(id);
        if let Some(request) = request {
            self.life().plan_moved(stored, &request, plan)?;
        }
        Ok(())
    }

    /// R270, and a person's explicit word: the file goes, the log stays.
    pub fn purge(&self, name: &str) -> WriteResult<'a, Collected> {
        self.write_to(name, &mut |stored| {
            let (id, state) = (&stored.memory.id, stored.memory.state);
            if id.as_str() != name {
                let message = format!("purging needs the id in full, which is `{id}`");
                return refuse(Code::Validation, message, "nothing was deleted");
            }
            let is_over = [State::Retired, State::Archived, State::Rejected, State::Superseded];
            if !is_over.contains(&state) {
                let message = format!("could not purge `{id}`: it is {state}");
                let step = NextStep::Retire(id.to_string());
                let hint = Hint::with_steps("retire it first with {}", [step]);
                return refuse(Code::State, message, hint);
            }
            let mut plan = Plan::default();
            self.plan_removal(&stored, "purged", &mut plan);
            let deleted = vec![stored.memory.id.to_string()];
            Ok((Collected { deleted, ..Collected::default() }, plan))
        })
    }

    fn plan_removal(&self, stored: &Stored, reason: &str, plan: &mut Plan) {
        let file = FileWrite::removal(&stored.path, &stored.memory.id, stored.hash);
        let mut event = self.file_event(EventType::Collected, &stored.memory, &file);
        event.from = Some(stored.memory.state);
        event.reason = reason.to_owned();
        plan.add(file, event);
    }
}
