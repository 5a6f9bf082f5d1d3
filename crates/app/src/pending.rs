//! What waits for a person, and how a person settles it.

use oldhand_core::codec::markdown::Origin as At;
use oldhand_core::pending::{Action, PENDING_FOLDER};
use oldhand_core::policy::RELATED_TO_MAX;
use oldhand_store::failure::Stop;
use oldhand_text::strings::nearest;
use oldhand_text::word::words;

use crate::context::Gate;
use crate::gate::is_gated;
use crate::moves::refuse_bad_reason;
use crate::prelude::*;
use crate::twin::add_new;

words! {
    /// How a person settles a conflict.
    Resolution, "resolution" {
        /// What was decided before holds; the proposal is dropped.
        Follow = "follow",
        /// The proposal replaces what was decided before.
        Supersede = "supersede",
        /// They don't exclude each other after all.
        KeepBoth = "keep_both",
    }
}

#[derive(Debug, Clone)]
pub struct Resolved {
    pub pending: Pending,
    pub resolution: Resolution,
    pub memory: Option<Memory>,
    pub superseded: Vec<String>,
}

/// A name that no memory has, in the log and wherever both are named: the two must never be taken
/// for each other.
pub fn pending_name(id: &str) -> String {
    format!("{PENDING_FOLDER}:{id}")
}

/// What waits under such a name; none for the name of a memory.
pub fn waiting_name(name: &str) -> Option<&str> {
    name.strip_prefix(PENDING_FOLDER)?.strip_prefix(':')
}

/// What waits, and its file.
pub type PendingFile = (Pending, RawFile);

impl<'a> Gate<'a> {
    /// Everything that waits, oldest first; a file that can't be read is named.
    pub fn pending_list(&self) -> Result<(Vec<Pending>, Vec<String>)> {
        let (mut waiting, mut odd) = (Vec::new(), Vec::new());
        for raw in self.vault.pending()? {
            match raw {
                Ok(raw) => match Pending::parse(stem(&raw.path), &raw.text) {
                    Ok(pending) => waiting.push(pending),
                    Err(problem) => odd.push(format!("{}: {problem}", raw.path)),
                },
                Err(unreadable) => odd.push(format!("{}: {}", unreadable.path, unreadable.why)),
            }
        }
        waiting.sort_by(|a, b| (a.at, &a.id).cmp(&(b.at, &b.id)));
        Ok((waiting, odd))
    }

    pub(crate) fn find_pending(&self, id: &MemoryId) -> Result<Option<PendingFile>> {
        let raw = self.vault.read_raw(&format!("{PENDING_FOLDER}/{id}.md"))?;
        raw.map(|raw| Ok((Pending::parse(id.as_str(), &raw.text)?, raw))).transpose()
    }

    pub fn get_pending(&self, name: &str) -> Result<PendingFile> {
        write::refuse_path(name.trim())?;
        if let Ok(id) = MemoryId::parse(name.trim())
            && let Some(found) = self.find_pending(&id)?
        {
            return Ok(found);
        }
        let waiting = self.vault.pending()?;
        let names: Vec<&str> = waiting.iter().flatten().map(|raw| stem(&raw.path)).collect();
        let hint = match nearest(name, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?").into(),
            None => Hint::with_steps("{} shows what waits", [NextStep::Pending]),
        };
        let message = format!("nothing called `{}` waits", name.trim());
        refuse(Code::NotFound, message, hint)
    }

    /// R52, R96: a named person decides; nobody else, and no flag.
    pub fn resolve(
        &self,
        name: &str,
        resolution: Resolution,
        reason: &str,
    ) -> WriteResult<'a, Resolved> {
        self.write(&mut || {
            refuse_bad_reason(reason)?;
            let waiting = self.get_pending(name)?;
            let id = &waiting.0.id;
            if !self.is_person {
                let message = format!("only a person settles `{id}`");
                return refuse(Code::State, message, ASK_A_PERSON);
            }
            if resolution != Resolution::Follow && reason.trim().is_empty() {
                let message = format!("`{id}` can't be settled without a reason");
                return refuse(Code::Validation, message, "say why with `--reason \"…\"`");
            }
            self.decide_resolve(waiting, resolution, reason)
        })
    }

    fn decide_resolve(
        &self,
        waiting: PendingFile,
        resolution: Resolution,
        reason: &str,
    ) -> Decided<Resolved> {
        let pending = &waiting.0;
        let mut plan = Plan::default();
        let mut resolved =
            Resolved { pending: pending.clone(), resolution, memory: None, superseded: Vec::new() };
        let said = if reason.is_empty() { String::new() } else { format!(": {reason}") };
        let ids = match &pending.matter {
            Matter::Conflict { action, memory, against, proposal, base, .. } => {
                if resolution != Resolution::Follow {
                    let base = base.as_deref();
                    let case = Case { action: *action, memory, against, proposal, base, reason };
                    self.refuse_further(pending, &case)?;
                    self.let_pass(&case, &mut resolved, &mut plan)?;
                } else if *action == Action::Merge {
                    resolved.memory = self.give_way(memory, against, reason, &mut plan)?;
                }
                against.iter().map(|one| one.id.clone()).collect()
            }
            Matter::Approval { memory, .. } if resolution == Resolution::Follow => {
                vec![memory.clone()]
            }
            Matter::Approval { memory, .. } => {
                let message = format!("`{}` is a request for an approval", pending.id);
                let hint = Hint::with_steps(
                    "approve it with {}, or drop it with `--follow`",
                    [NextStep::Promote(memory.clone())],
                );
                return refuse(Code::State, message, hint);
            }
        };
        for id in ids {
            let reason = format!("{} settled, {resolution}{said}", pending.id);
            plan.events.push(Event { reason, ..Event::new(EventType::Conflict, &id, self.now) });
        }
        self.plan_settled(&waiting, format!("{resolution}{said}"), &mut plan);
        // The next import of the same words knows the answer.
        let declined = self.source_of(pending).filter(|_| resolution == Resolution::Follow);
        if let (Some(source), Some(event)) = (declined, plan.events.last_mut()) {
            event.fields.push(source.declined());
        }
        Ok((resolved, plan))
    }

    /// A file of what waits, new or in place of the one that is there.
    pub(crate) fn plan_pending(
        &self,
        pending: &Pending,
        there: Option<&PendingFile>,
        reason: String,
    ) -> Plan {
        let file = FileWrite {
            path: format!("{PENDING_FOLDER}/{}.md", pending.id),
            id: pending.id.clone(),
            before: there.map(|(_, raw)| raw.hash),
            after: Some(pending.render()),
            memory: None,
        };
        let event = self.pending_event(pending, &file, reason);
        Plan::one(file, event)
    }

    /// The file goes; what it said is in the log and in `kept`.
    pub(crate) fn plan_settled(&self, waiting: &PendingFile, reason: String, plan: &mut Plan) {
        let (pending, raw) = waiting;
        let file = FileWrite::removal(&raw.path, &pending.id, raw.hash);
        let event = self.pending_event(pending, &file, reason);
        plan.add(file, event);
    }

    fn pending_event(&self, pending: &Pending, file: &FileWrite, reason: String) -> Event {
        let event_type = match pending.matter {
            Matter::Conflict { .. } => EventType::Conflict,
            Matter::Approval { .. } => EventType::Reviewed,
        };
        let event = Event::new(event_type, &pending_name(pending.id.as_str()), self.now);
        let mut event = Event { path: file.path.clone(), reason, ..event };
        chain(&mut event, file);
        event
    }

    /// What was decided while the proposal waited is judged as well: the person is told of it, and
    /// decides again.
    fn refuse_further(&self, pending: &Pending, case: &Case<'_>) -> Result<()> {
        let memory = self.proposed(case)?;
        if !is_gated(&memory.kind) || marker(&memory, self.now).is_some() {
            return Ok(());
        }
        let further = self.further(&memory, case.against)?;
        if further.is_empty() {
            return Ok(());
        }
        let mut told = pending.clone();
        if let Matter::Conflict { against, .. } = &mut told.matter {
            against.extend(further);
        }
        Err(Failure::Stopped(Box::new(Stop { pending: told, notes: Vec::new() })))
    }

    fn let_pass(&self, case: &Case<'_>, resolved: &mut Resolved, plan: &mut Plan) -> Result<()> {
        let is_reversal = resolved.resolution == Resolution::Supersede;
        // An update may be told to clash with what it changes: that gives way by being changed.
        let others = case.against.iter().map(|one| one.id.as_str());
        let rivals = self.active_of(others.filter(|id| *id != case.memory))?;
        let mut proposed = self.proposed(case)?;
        // What it was meant to replace from the start goes in any case.
        let mut leaving = self.active_of(proposed.supersedes.iter().map(String::as_str))?;
        leaving.retain(|it| it.memory.id != proposed.id);
        if is_reversal {
            let is_new = |it: &Stored| leaving.iter().all(|one| one.memory.id != it.memory.id);
            leaving.extend(rivals.iter().filter(|it| is_new(it)).cloned().collect::<Vec<_>>());
        }
        let links = Links {
            supersedes: ids(&leaving),
            related: if is_reversal { Vec::new() } else { ids(&rivals) },
        };
        links.put_into(&mut proposed);
        let memory = match case.action {
            Action::Create | Action::Supersede => self.pass_new(proposed, plan)?,
            Action::Update | Action::Merge => self.pass_update(case, &proposed, plan)?,
            Action::Restore => self.pass_restored(case, &links, plan)?,
        };
        // The memory that passed tells of it as well as the one that gave way.
        if let Some(event) = plan.events.iter_mut().find(|it| it.memory == memory.id.as_str()) {
            event.reason = format!("{} by {}: {}", resolved.resolution, self.by, case.reason);
        }
        for stored in &leaving {
            let (by, reason) = (memory.id.to_string(), case.reason.to_owned());
            self.life().plan_moved(
                stored,
                &Request::Supersede { by, by_active: true, reason },
                plan,
            )?;
        }
        resolved.superseded = links.supersedes;
        resolved.memory = Some(memory);
        Ok(())
    }

    /// What a merge brought in was in force: it gives way to what was decided before.
    fn give_way(
        &self,
        id: &str,
        against: &[Against],
        reason: &str,
        plan: &mut Plan,
    ) -> Result<Option<Memory>> {
        let rivals = self.active_of(against.iter().map(|one| one.id.as_str()))?;
        let own = self.active_of(std::iter::once(id))?;
        let ([stored, ..], [rival, ..]) = (own.as_slice(), rivals.as_slice()) else {
            return Ok(None);
        };
        let by = rival.memory.id.to_string();
        let (_, more) = self.life().link_existing(stored, &by)?;
        plan.extend(more);
        let reason = if reason.is_empty() { "it clashed with what was decided" } else { reason };
        let request = Request::Supersede { by, by_active: true, reason: reason.to_owned() };
        self.life().plan_moved(stored, &request, plan).map(Some)
    }

    fn active_of<'i>(&self, ids: impl Iterator<Item = &'i str>) -> Result<Vec<Stored>> {
        let mut found = Vec::new();
        for id in ids {
            // Gone meanwhile: it no longer stands in the way.
            found.extend(self.look_up(id)?.filter(|stored| stored.memory.is_active()));
        }
        Ok(found)
    }

    fn pass_restored(&self, case: &Case<'_>, links: &Links, plan: &mut Plan) -> Result<Memory> {
        let stored = self.get(case.memory)?;
        let request = match stored.memory.state {
            State::Archived => Request::Unarchive,
            State::Superseded => Request::Reinstall { replaced_by: None },
            _ => Request::Restore,
        };
        let signals = self.signals(&stored.memory)?;
        let mut new = stored.memory.clone();
        links.put_into(&mut new);
        Ok(self.life().step_with(&stored, new, &request, &signals)?.add_to(plan))
    }

    /// Approved through the gate: stable, and said to be so.
    fn pass_new(&self, mut memory: Memory, plan: &mut Plan) -> Result<Memory> {
        memory.origin = Origin::Gate;
        memory.state = match memory.content.text("status") {
            Some("proposed") => State::Provisional,
            _ => Origin::Gate.entry_state(),
        };
        memory.created_at = Some(whole_seconds(self.now));
        memory.updated_at = memory.created_at;
        memory.id = self.free_id(&memory.id, &plan.files)?;
        let (written, more) = self.writing().plan_new(memory, &plan.files)?;
        plan.extend(more);
        Ok(written.memory)
    }

    fn pass_update(&self, case: &Case<'_>, new: &Memory, plan: &mut Plan) -> Result<Memory> {
        let stored = self.get(case.memory)?;
        if case.base.is_some_and(|base| base != stored.hash.to_string()) {
            let message = format!("`{}` has changed since this was proposed", case.memory);
            let hint =
                "nothing was changed; drop the proposal with `--follow`, then update it again";
            return refuse(Code::Occ, message, hint);
        }
        let mut draft = Draft::of_memory(new);
        draft.front.retain(|(key, _)| !crate::update::is_owned(key));
        draft.id = None;
        let (written, more) =
            self.writing().decide_update_passed(&stored, &draft, Some(case.reason))?;
        plan.extend(more);
        Ok(written.memory)
    }

    fn proposed(&self, case: &Case<'_>) -> Result<Memory> {
        MemoryId::parse(case.memory)?;
        let at = At { stem: case.memory, folder: "" };
        let parsed = markdown::parse(case.proposal, at, &self.settings.kinds).map_err(|error| {
            Refusal::new(Code::Unreadable, format!("the proposal can't be read: {error}"))
                .with_hint("take the file's last committed version back with git")
        })?;
        let mut problems = parsed.problems;
        problems.extend(write::check(&parsed.memory, &self.settings.kinds));
        // The file may have been edited since it was stopped: the same rules as for any write.
        write::refuse_secrets(&Draft::of_memory(&parsed.memory))?;
        refuse_invalid(problems)?;
        Ok(parsed.memory)
    }
}

struct Case<'c> {
    action: Action,
    memory: &'c str,
    against: &'c [Against],
    proposal: &'c str,
    base: Option<&'c str>,
    /// Why the person lets it pass.
    reason: &'c str,
}

/// What a memory that passed is linked to.
struct Links {
    supersedes: Vec<String>,
    related: Vec<String>,
}

impl Links {
    fn put_into(&self, memory: &mut Memory) {
        add_new(&mut memory.supersedes, &self.supersedes);
        let known = memory.related_to.len();
        add_new(&mut memory.related_to, &self.related);
        memory.related_to.truncate(RELATED_TO_MAX.max(known));
    }
}

fn ids(stored: &[Stored]) -> Vec<String> {
    stored.iter().map(|it| it.memory.id.to_string()).collect()
}
