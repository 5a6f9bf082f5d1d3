//! What waits for a person, and how a person settles it.

use oldhand_core::codec::markdown::{self, Origin as At};
use oldhand_core::draft::Draft;
use oldhand_core::event::{Event, EventType};
use oldhand_core::lifecycle::{Request, marker};
use oldhand_core::memory::{Memory, MemoryId};
use oldhand_core::origin::Origin;
use oldhand_core::pending::{Action, Against, Matter, PENDING_FOLDER, Pending};
use oldhand_core::refusal::{Code, Refusal};
use oldhand_core::state::State;
use oldhand_core::write;
use oldhand_text::strings::nearest;

use crate::gate::is_gated;
use crate::{ASK_A_PERSON, Done, Engine, chain};
use oldhand_store::failure::{Failure, Stop};
use oldhand_store::port::{FileWrite, Plan, RawFile, Stored};

/// How a person settles a conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resolution {
    /// What was decided before holds; the proposal is dropped.
    Follow,
    /// The proposal replaces what was decided before.
    Supersede,
    /// They don't exclude each other after all.
    KeepBoth,
}

impl Resolution {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Follow => "follow",
            Self::Supersede => "supersede",
            Self::KeepBoth => "keep_both",
        }
    }
}

/// What came of it.
#[derive(Debug, Clone)]
pub struct Resolved {
    pub pending: Pending,
    pub resolution: Resolution,
    /// What the proposal became.
    pub memory: Option<Memory>,
    pub superseded: Vec<String>,
}

impl<'a> Engine<'a> {
    /// Everything that waits, oldest first; a file that can't be read is named.
    pub fn pending_list(&self) -> Result<(Vec<Pending>, Vec<String>), Failure> {
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

    pub(crate) fn find_pending(
        &self,
        id: &MemoryId,
    ) -> Result<Option<(Pending, RawFile)>, Failure> {
        let Some(raw) = self.vault.read_raw(&format!("{PENDING_FOLDER}/{id}.md"))? else {
            return Ok(None);
        };
        Ok(Some((Pending::parse(id.as_str(), &raw.text)?, raw)))
    }

    pub fn get_pending(&self, name: &str) -> Result<(Pending, RawFile), Failure> {
        write::refuse_path(name.trim())?;
        if let Ok(id) = MemoryId::parse(name.trim())
            && let Some(found) = self.find_pending(&id)?
        {
            return Ok(found);
        }
        let waiting = self.vault.pending()?;
        let names: Vec<&str> = waiting.iter().flatten().map(|raw| stem(&raw.path)).collect();
        let hint = match nearest(name, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`oldhand pending` shows what waits".to_owned(),
        };
        let message = format!("nothing called `{}` waits", name.trim());
        Err(Refusal::new(Code::NotFound, message).with_hint(hint).into())
    }

    /// R52, R96: a named person decides; nobody else, and no flag.
    pub fn resolve(
        &self,
        name: &str,
        resolution: Resolution,
        reason: &str,
    ) -> Result<Done<'a, Resolved>, Failure> {
        self.write(&mut || {
            crate::moves::refuse_bad_reason(reason)?;
            let (pending, raw) = self.get_pending(name)?;
            if !self.is_person {
                let message = format!("only a person settles `{}`", pending.id);
                return Err(Refusal::new(Code::State, message).with_hint(ASK_A_PERSON).into());
            }
            if resolution != Resolution::Follow && reason.trim().is_empty() {
                let message = format!("`{}` can't be settled without a reason", pending.id);
                return Err(Refusal::new(Code::Validation, message)
                    .with_hint("say why with `--reason \"…\"`")
                    .into());
            }
            self.decide_resolve(pending, &raw, resolution, reason)
        })
    }

    fn decide_resolve(
        &self,
        pending: Pending,
        raw: &RawFile,
        resolution: Resolution,
        reason: &str,
    ) -> Result<(Resolved, Plan), Failure> {
        let mut plan = Plan::default();
        let mut resolved =
            Resolved { pending: pending.clone(), resolution, memory: None, superseded: Vec::new() };
        let said = if reason.is_empty() { String::new() } else { format!(": {reason}") };
        let ids = match &pending.matter {
            Matter::Conflict { action, memory, against, proposal, base, .. } => {
                if resolution != Resolution::Follow {
                    let base = base.as_deref();
                    let case = Case { action: *action, memory, against, proposal, base, reason };
                    self.refuse_further(&pending, &case)?;
                    self.let_pass(&case, &mut resolved, &mut plan)?;
                }
                against.iter().map(|one| one.id.clone()).collect()
            }
            Matter::Approval { memory, .. } if resolution == Resolution::Follow => {
                vec![memory.clone()]
            }
            Matter::Approval { memory, .. } => {
                let message = format!("`{}` is a request for an approval", pending.id);
                return Err(Refusal::new(Code::State, message)
                    .with_hint(format!(
                        "approve it with `oldhand promote {memory} --by <name>`, or drop it with \
                         `--follow`"
                    ))
                    .into());
            }
        };
        for id in ids {
            let mut event = Event::new(EventType::Conflict, &id, self.now);
            event.reason = format!("{} settled, {}{said}", pending.id, resolution.as_str());
            plan.events.push(event);
        }
        self.plan_settled(&pending, raw, &format!("{}{said}", resolution.as_str()), &mut plan);
        Ok((resolved, plan))
    }

    /// The file goes; what it said is in the log and in `kept`.
    pub(crate) fn plan_settled(
        &self,
        pending: &Pending,
        raw: &RawFile,
        reason: &str,
        plan: &mut Plan,
    ) {
        let file = FileWrite::removal(&raw.path, &pending.id, raw.hash);
        let event_type = match pending.matter {
            Matter::Conflict { .. } => EventType::Conflict,
            Matter::Approval { .. } => EventType::Reviewed,
        };
        let mut event = self.pending_event(event_type, pending, &file);
        event.reason = reason.to_owned();
        plan.add(file, event);
    }

    /// A name in the log that no memory has: the two must never be taken for each other.
    pub(crate) fn pending_name(pending: &Pending) -> String {
        format!("{PENDING_FOLDER}:{}", pending.id)
    }

    pub(crate) fn pending_event(
        &self,
        event_type: EventType,
        pending: &Pending,
        file: &FileWrite,
    ) -> Event {
        let mut event = Event::new(event_type, &Self::pending_name(pending), self.now);
        event.path.clone_from(&file.path);
        chain(&mut event, file);
        event
    }

    /// What was decided while the proposal waited is judged as well: the person is told of it, and
    /// decides again.
    fn refuse_further(&self, pending: &Pending, case: &Case<'_>) -> Result<(), Failure> {
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

    fn let_pass(
        &self,
        case: &Case<'_>,
        resolved: &mut Resolved,
        plan: &mut Plan,
    ) -> Result<(), Failure> {
        let is_reversal = resolved.resolution == Resolution::Supersede;
        // An update may be told to clash with what it changes: that gives way by being changed.
        let others = case.against.iter().map(|one| one.id.as_str());
        let rivals = self.active_of(others.filter(|id| *id != case.memory))?;
        let proposed = self.proposed(case)?;
        // What it was meant to replace from the start goes in any case.
        let mut leaving = self.active_of(proposed.supersedes.iter().map(String::as_str))?;
        leaving.retain(|it| it.memory.id != proposed.id);
        if is_reversal {
            let is_new = |it: &Stored| leaving.iter().all(|one| one.memory.id != it.memory.id);
            let more: Vec<Stored> = rivals.iter().filter(|it| is_new(it)).cloned().collect();
            leaving.extend(more);
        }
        let links = Links {
            supersedes: ids(&leaving),
            related: if is_reversal { Vec::new() } else { ids(&rivals) },
        };
        let memory = match case.action {
            Action::Create | Action::Supersede => self.pass_new(proposed, &links, plan)?,
            Action::Update => self.pass_update(case, &proposed, &links, plan)?,
            Action::Restore => self.pass_restored(case, &links, plan)?,
        };
        // The memory that passed tells of it as well as the one that gave way.
        if let Some(event) = plan.events.iter_mut().find(|it| it.memory == memory.id.as_str()) {
            event.reason =
                format!("{} by {}: {}", resolved.resolution.as_str(), self.by, case.reason);
        }
        for stored in &leaving {
            let request = Request::Supersede {
                by: memory.id.to_string(),
                by_active: true,
                reason: case.reason.to_owned(),
            };
            let signals = self.signals(&stored.memory)?;
            self.step(stored, &request, &signals)?.add_to(plan);
        }
        resolved.superseded = links.supersedes;
        resolved.memory = Some(memory);
        Ok(())
    }

    fn active_of<'i>(&self, ids: impl Iterator<Item = &'i str>) -> Result<Vec<Stored>, Failure> {
        let mut found = Vec::new();
        for id in ids {
            // Gone meanwhile: it no longer stands in the way.
            found.extend(self.look_up(id)?.filter(|stored| stored.memory.is_active()));
        }
        Ok(found)
    }

    fn pass_restored(
        &self,
        case: &Case<'_>,
        links: &Links,
        plan: &mut Plan,
    ) -> Result<Memory, Failure> {
        let stored = self.get(case.memory)?;
        let request = match stored.memory.state {
            State::Archived => Request::Unarchive,
            State::Superseded => Request::Reinstall { replaced_by: None },
            _ => Request::Restore,
        };
        let signals = self.signals(&stored.memory)?;
        let mut new = stored.memory.clone();
        links.put_into(&mut new);
        Ok(self.step_with(&stored, new, &request, &signals)?.add_to(plan))
    }

    /// Approved through the gate: stable, and said to be so.
    fn pass_new(
        &self,
        mut memory: Memory,
        links: &Links,
        plan: &mut Plan,
    ) -> Result<Memory, Failure> {
        links.put_into(&mut memory);
        memory.origin = Origin::Gate;
        memory.state = match memory.content.text("status") {
            Some("proposed") => State::Provisional,
            _ => Origin::Gate.entry_state(),
        };
        let now = oldhand_text::time::whole_seconds(self.now);
        memory.created_at = Some(now);
        memory.updated_at = Some(now);
        let base = memory.id.clone();
        for number in 2.. {
            if self.vault.find(&memory.id)?.is_none() {
                break;
            }
            memory.id = base.numbered(number);
        }
        let (written, more) = self.plan_new(memory, &plan.files)?;
        plan.extend(more);
        Ok(written.memory)
    }

    fn pass_update(
        &self,
        case: &Case<'_>,
        proposed: &Memory,
        links: &Links,
        plan: &mut Plan,
    ) -> Result<Memory, Failure> {
        let stored = self.get(case.memory)?;
        if case.base.is_some_and(|base| base != stored.hash.to_string()) {
            let message = format!("`{}` has changed since this was proposed", case.memory);
            return Err(Refusal::new(Code::Occ, message)
                .with_hint(
                    "nothing was changed; drop the proposal with `--follow`, then update it again",
                )
                .into());
        }
        let mut linked = proposed.clone();
        links.put_into(&mut linked);
        let mut draft = Draft::of_memory(&linked);
        draft.front.retain(|(key, _)| !crate::update::is_owned(key));
        draft.id = None;
        let (written, more) = self.decide_update_passed(&stored, &draft, Some(case.reason))?;
        plan.extend(more);
        Ok(written.memory)
    }

    fn proposed(&self, case: &Case<'_>) -> Result<Memory, Failure> {
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
        if problems.is_empty() { Ok(parsed.memory) } else { Err(Refusal::invalid(problems).into()) }
    }
}

/// A conflict as it was stopped.
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
        for id in &self.supersedes {
            if !memory.supersedes.contains(id) {
                memory.supersedes.push(id.clone());
            }
        }
        for id in &self.related {
            let has_room = memory.related_to.len() < oldhand_core::policy::RELATED_TO_MAX;
            if has_room && !memory.related_to.contains(id) {
                memory.related_to.push(id.clone());
            }
        }
    }
}

fn ids(stored: &[Stored]) -> Vec<String> {
    stored.iter().map(|it| it.memory.id.to_string()).collect()
}

fn stem(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default().trim_end_matches(".md")
}
