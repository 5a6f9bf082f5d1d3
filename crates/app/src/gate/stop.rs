//! Inside a write: what clashes stops it, and what was proposed is kept for a person.

use oldhand_core::actor::Via;
use oldhand_core::codec::markdown::Origin as At;
use oldhand_core::imported::Imported;
use oldhand_core::pending::Action;
use oldhand_store::failure::Stop;

use super::{Closeness, Conflict, Proposal, is_gated, question};
use crate::context::Gate;
use crate::prelude::*;

/// What is said of a proposal that clashes with nothing.
#[derive(Default)]
pub(crate) struct Passed {
    pub warnings: Vec<String>,
    pub related: Vec<Memory>,
    /// What must be answered first, unless it turns out that it was said before.
    question: Option<Failure>,
}

impl Passed {
    pub(crate) fn settled(mut self) -> Result<Self> {
        match self.question.take() {
            Some(question) => Err(question),
            None => Ok(self),
        }
    }
}

impl Gate<'_> {
    /// Inside a write: what clashes stops it. What passes is told what could not be read, what the
    /// archive says (R140), and what speaks of the same matter.
    pub(crate) fn pass_gate(&self, memory: &Memory, action: Action, text: &str) -> Result<Passed> {
        if !is_gated(&memory.kind) || marker(memory, self.now).is_some() {
            return Ok(Passed::default());
        }
        let proposal = Proposal::of_memory(memory);
        // What nobody has judged yet is asked about when somebody does; an import may be thousands.
        let asks = matches!(action, Action::Create | Action::Update)
            && memory.state != State::Candidate
            && memory.origin != Origin::Import;
        for id in proposal.answered.iter().filter(|_| asks && action == Action::Create) {
            if !self.is_above(id)? {
                self.get(id)?;
            }
        }
        // Which ones are near is known from the index, where one is asked for anyway.
        let by = if asks { Measure::MeaningOfAll } else { Measure::Meaning };
        let judged = self.compare(&proposal, by, asks)?;
        let is_asked = !judged.questions.is_empty();
        let question = match is_asked {
            true if *self.via == Via::Ci || memory.origin == Origin::Capture => {
                let against = judged.questions.iter().map(|it| it.against(&proposal)).collect();
                Some(self.stop(memory, action, text, against)?)
            }
            true => Some(question::ask(&proposal, &judged.questions).into()),
            false => None,
        };
        if judged.conflicts.is_empty() {
            let warnings = judged.notes().chain(judged.earlier.iter().map(in_archive)).collect();
            return Ok(Passed { warnings, related: judged.related, question });
        }
        let against = judged.conflicts.iter().map(Conflict::against).collect();
        Err(self.stop(memory, action, text, against)?)
    }

    /// R52: an agent that turns a decision in force into its opposite reverses it, and a person is
    /// asked, whatever the others say.
    pub(crate) fn refuse_turned(&self, old: &Memory, new: &Memory, text: &str) -> Result<()> {
        if self.is_person || !self.binds(old) {
            return Ok(());
        }
        let proposal = Proposal::of_memory(new);
        let Some(clash) = self.clash(&proposal, old) else { return Ok(()) };
        let (memory, closeness) = (old.clone(), Closeness::Domain);
        let itself = Conflict { memory, clash, closeness, doubt: None };
        Err(self.stop(new, Action::Update, text, vec![itself.against()])?)
    }

    /// What a memory that binds clashes with most.
    pub(crate) fn first_conflict(&self, memory: &Memory) -> Result<Option<Conflict>> {
        if !is_gated(&memory.kind) {
            return Ok(None);
        }
        let judged = self.compare(&Proposal::of_memory(memory), Measure::Meaning, false)?;
        Ok(judged.conflicts.into_iter().next())
    }

    /// What a proposal clashes with besides what a person has been told of.
    pub(crate) fn further(&self, memory: &Memory, told: &[Against]) -> Result<Vec<Against>> {
        let mut proposal = Proposal::of_memory(memory);
        proposal.except.extend(told.iter().map(|one| one.id.clone()));
        let judged = self.compare(&proposal, Measure::Meaning, false)?;
        Ok(judged.conflicts.iter().map(Conflict::against).collect())
    }

    /// The stop itself, under a name of its own; the same proposal waits only once.
    pub(crate) fn stop(
        &self,
        memory: &Memory,
        action: Action,
        text: &str,
        against: Vec<Against>,
    ) -> Result<Failure> {
        let id = Pending::conflict_id(memory.id.as_str());
        let seen = match action {
            Action::Update | Action::Merge => self.vault.find(&memory.id)?,
            _ => None,
        };
        let mut pending = Pending {
            id: id.clone(),
            by: self.by.to_owned(),
            via: self.via.clone(),
            at: whole_seconds(self.now),
            matter: Matter::Conflict {
                action,
                memory: memory.id.to_string(),
                title: memory.title.clone(),
                against,
                proposal: text.to_owned(),
                base: seen.map(|stored| stored.hash.to_string()),
            },
        };
        for number in 2.. {
            match self.find_pending(&pending.id) {
                Ok(Some((there, _))) if !self.is_same_proposal(&there, &pending) => {}
                // What can't be read has the name, and is somebody's.
                Err(Failure::Refused(_)) => {}
                Ok(_) => break,
                Err(error) => return Err(error),
            }
            pending.id = id.numbered(number);
        }
        Ok(Failure::Stopped(Box::new(Stop { pending, notes: Vec::new() })))
    }

    /// The file of a stop, and a line for each memory that it is about.
    pub(crate) fn plan_stop(&self, stop: &Stop) -> Result<Plan> {
        let pending = &stop.pending;
        let waiting = self.find_pending(&pending.id)?;
        if waiting.as_ref().is_some_and(|(there, _)| self.is_told(there, pending)) {
            return Ok(Plan::default());
        }
        let reason = format!("stopped: {}", shorten(&pending.headline(), 200));
        let mut plan = self.plan_pending(pending, waiting.as_ref(), reason);
        if let Matter::Conflict { against, .. } = &pending.matter {
            for one in against {
                let reason = format!("a proposal against it waits: {}", pending.id);
                let event = Event::new(EventType::Conflict, &one.id, self.now);
                plan.events.push(Event { reason, ..event });
            }
        }
        Ok(plan)
    }

    /// It waits already, and names everything that it clashes with.
    fn is_told(&self, there: &Pending, now: &Pending) -> bool {
        let against = |pending: &Pending| match &pending.matter {
            Matter::Conflict { against, .. } => against.clone(),
            Matter::Approval { .. } => Vec::new(),
        };
        let known = against(there);
        let has_changed = match (self.source_of(there), self.source_of(now)) {
            (Some(there), Some(now)) => there.hash != now.hash,
            _ => false,
        };
        !has_changed && against(now).iter().all(|one| known.iter().any(|other| other.id == one.id))
    }

    /// The same record of a source is one proposal, whatever it says by now.
    fn is_same_proposal(&self, one: &Pending, other: &Pending) -> bool {
        if let (Some(one), Some(other)) = (self.source_of(one), self.source_of(other)) {
            return one.reference() == other.reference();
        }
        let said = |pending: &Pending| match &pending.matter {
            Matter::Conflict { proposal, action, .. } => Some((*action, without_dates(proposal))),
            Matter::Approval { .. } => None,
        };
        said(one) == said(other)
    }

    /// Where a proposal that an import made came from. What is in force already came from nowhere.
    pub(crate) fn source_of(&self, pending: &Pending) -> Option<Imported> {
        let Matter::Conflict { action, memory, proposal, .. } = &pending.matter else {
            return None;
        };
        if !matches!(action, Action::Create | Action::Update) {
            return None;
        }
        let at = At { stem: memory, folder: "" };
        markdown::parse(proposal, at, &self.settings.kinds).ok()?.memory.imported
    }
}

/// R140: nobody should think that nothing was ever decided about it.
fn in_archive(memory: &Memory) -> String {
    let why = memory.state_reason.as_deref().unwrap_or("no reason was given");
    format!("the archive speaks of it too: `{}`, {}: {why}", memory.id, memory.state)
}

/// The text of a memory without what differs each time that it is written.
fn without_dates(text: &str) -> String {
    let (front, body) = text.split_once("\n---\n").unwrap_or(("", text));
    let is_dated = |line: &&str| {
        ["created_at:", "updated_at:", "times_updated:", "changes:", " "]
            .iter()
            .any(|start| line.starts_with(start))
    };
    let kept: Vec<&str> = front.lines().filter(|line| !is_dated(line)).collect();
    format!("{}\n{body}", kept.join("\n"))
}
