//! One batch of an import as one plan. Memories that are there are read again inside the lock: what somebody
//! changed meanwhile stays.

use std::collections::HashSet;

use oldhand_core::event::{Effect, Followup, Surface, Verdict};
use oldhand_core::imported::{HELD, Imported};
use oldhand_core::memory::Change;
use oldhand_core::pending::Action as Proposed;
use oldhand_core::policy::CHANGES_MAX;
use oldhand_exchange::record::Use;

use super::arrive::Arriving;
use super::decide::Obstacle;
use super::report::{Fate, Item};
use super::run::{ImportRun, Permit};
use super::shelf::Known;
use crate::prelude::*;
use crate::promote::refuse_clash_with;
use crate::twin::add_new;

/// What is written of one record.
#[derive(Debug, Clone)]
pub(super) enum ImportStep {
    New(Box<Arriving>),
    /// The source changed it.
    Update {
        id: MemoryId,
        one: Box<Arriving>,
        permit: Permit,
    },
    /// A candidate of an earlier import that a person vouches for now.
    Raise {
        id: MemoryId,
        one: Box<Arriving>,
    },
    /// The same text is there.
    Join {
        id: MemoryId,
        path: String,
        reference: String,
        key: String,
        source: usize,
    },
    /// It has another key or another source.
    Rename {
        id: MemoryId,
        source: usize,
        from: String,
        key: String,
        hash: String,
        item: Item,
    },
    /// What diverged stays as it is here.
    Settle {
        id: MemoryId,
        source: usize,
        hash: String,
        from: String,
        key: String,
    },
    Retire {
        id: MemoryId,
        source: usize,
        key: String,
    },
    /// A record of the same source replaces it.
    Supersede {
        id: String,
        by: String,
        permit: Permit,
    },
}

impl ImportStep {
    /// The memory that it changes.
    pub(super) fn known(&self) -> Option<&str> {
        match self {
            Self::New(_) => None,
            Self::Update { id, .. }
            | Self::Raise { id, .. }
            | Self::Join { id, .. }
            | Self::Rename { id, .. }
            | Self::Settle { id, .. }
            | Self::Retire { id, .. } => Some(id.as_str()),
            Self::Supersede { id, .. } => Some(id),
        }
    }

    /// The record, where the step is about one.
    pub(super) fn arriving(&self) -> Option<&Arriving> {
        match self {
            Self::New(one) | Self::Update { one, .. } | Self::Raise { one, .. } => Some(one),
            _ => None,
        }
    }

    fn item(&self, fate: Fate, why: String) -> Reported {
        let (source, key) = match self {
            Self::New(one) | Self::Update { one, .. } | Self::Raise { one, .. } => {
                (one.source, &one.key)
            }
            Self::Join { source, key, .. }
            | Self::Rename { source, key, .. }
            | Self::Settle { source, key, .. }
            | Self::Retire { source, key, .. } => (*source, key),
            Self::Supersede { .. } => return None,
        };
        let id = self.known().map(str::to_owned);
        Some((source, Item { id, ..Item::new(fate, key, why) }))
    }
}

type Reported = Option<(usize, Item)>;

impl ImportRun<'_> {
    pub(super) fn plan(&mut self, steps: &[ImportStep]) -> Decided<Vec<(usize, Item)>> {
        let there: HashSet<String> = self.exchange.vault.ids()?.into_iter().collect();
        self.look_at_rivals(&there)?;
        let (mut told, mut plan) = (Vec::new(), Plan::default());
        for step in steps {
            let decided = self.step(step, &there).and_then(|(item, more)| {
                self.exchange.refuse_secrets(&more)?;
                Ok((item, more))
            });
            match decided {
                Ok((item, more)) => {
                    self.bind(step, &more);
                    told.extend(item);
                    plan.extend(more);
                }
                Err(Failure::Refused(refusal)) => {
                    told.extend(step.item(Fate::Refused, super::reason_of(&refusal)));
                }
                Err(Failure::Stopped(_)) if self.is_declined(step)? => {
                    told.extend(step.item(Fate::Unchanged, String::new()));
                }
                Err(Failure::Stopped(mut stop)) => {
                    super::rename_taken(&mut stop, &plan);
                    let pending = &stop.pending;
                    let why = format!("{}; it waits as `{}`", pending.headline(), pending.id);
                    let stopped = self.exchange.gate().plan_stop(&stop)?;
                    self.exchange.refuse_secrets(&stopped)?;
                    plan.extend(stopped);
                    told.extend(step.item(Fate::Refused, why));
                }
                Err(other) => return Err(other),
            }
        }
        self.ids.extend(plan.files.iter().map(|file| file.id.to_string()));
        Ok((told, plan))
    }

    fn step(&self, step: &ImportStep, there: &HashSet<String>) -> Decided<Reported> {
        match step {
            ImportStep::New(one) => self.create(one, there),
            ImportStep::Update { id, one, permit } => self.update(id, one, *permit),
            ImportStep::Raise { id, one } => self.raise(id, one),
            ImportStep::Join { path, reference, key, source, .. } => {
                self.join(path, reference, key, *source)
            }
            ImportStep::Rename { id, source, from, key, hash, item } => {
                let (_, plan) = self.mark(id, |it| {
                    it.from.clone_from(from);
                    it.key.clone_from(key);
                    it.hash.clone_from(hash);
                })?;
                Ok((Some((*source, item.clone())), plan))
            }
            ImportStep::Settle { id, source, hash, from, key } => {
                let (memory, plan) = self.mark(id, |it| {
                    it.from.clone_from(from);
                    it.hash.clone_from(hash);
                })?;
                let item = Item::of(Fate::Updated, key, &memory).because("kept as it is here");
                Ok((Some((*source, item)), plan))
            }
            ImportStep::Retire { id, source, key } => {
                let stored = self.stored(id)?;
                let from = stored.memory.imported.as_ref().map_or("", |it| it.from.as_str());
                self.exchange.need_person("retire", &stored.memory)?;
                let request = Request::Retire(format!("gone from {from}"));
                let (written, plan) = self.exchange.life().plan_move(&stored, &request)?;
                let item = Item::of(Fate::Gone, key, &written.memory).because("retired");
                Ok((Some((*source, item)), plan))
            }
            ImportStep::Supersede { id, by, permit } => {
                let stored = self.exchange.get(id)?;
                let mut plan = Plan::default();
                if permit.ends(stored.memory.state) {
                    let (by, reason) = (by.clone(), format!("superseded by {by}"));
                    let request = Request::Supersede { by, by_active: true, reason };
                    self.exchange.life().plan_moved(&stored, &request, &mut plan)?;
                }
                Ok((None, plan))
            }
        }
    }

    fn stored(&self, id: &MemoryId) -> Result<Stored> {
        self.exchange.get(id.as_str())
    }

    fn create(&self, one: &Arriving, there: &HashSet<String>) -> Decided<Reported> {
        let (exchange, memory) = (&self.exchange, &one.memory);
        if there.contains(memory.id.as_str()) {
            let message = format!("`{}` was written meanwhile", memory.id);
            return refuse(Code::State, message, "run the import again");
        }
        exchange.life().refuse_example_only(&memory.kind)?;
        let text = exchange.writing().rendered(memory)?;
        self.pass_gate(memory, Proposed::Create, &text)?;
        if let Some(against) = self.clash_in_run(memory) {
            return Err(exchange.gate().stop(memory, Proposed::Create, &text, vec![against])?);
        }
        let spec = exchange.settings.kinds.spec(&memory.kind);
        let path = format!("{}/{}.md", memory.folder(&spec.folder), memory.id);
        let file = file_of(&path, memory.clone(), None, text);
        let mut event = exchange.file_event(EventType::Created, memory, &file);
        event.reason = format!("imported from {}", one.from());
        let mut plan = Plan::default();
        if one.is_accepted {
            event.to = Some(State::Candidate);
        }
        plan.add(file, event);
        if one.is_accepted {
            plan.events.push(self.acceptance(one, (State::Candidate, memory), &path));
            plan.events.extend(self.uses(&one.uses, memory, &path));
        }
        let item = match &one.held {
            Some(why) => Item::of(Fate::Held, &one.key, memory).because(why),
            None => Item::of(Fate::Created, &one.key, memory),
        };
        Ok((Some((one.source, item)), plan))
    }

    /// The record that a person vouches for it.
    fn acceptance(&self, one: &Arriving, (from, memory): (State, &Memory), path: &str) -> Event {
        Event {
            from: Some(from),
            to: Some(memory.state),
            decision: Some(Verdict::Promote),
            reason: format!("accepted with {}", one.from()),
            evidence: vec![format!("accepted:{}", self.exchange.by)],
            ..self.exchange.event(EventType::Reviewed, memory, path)
        }
    }

    /// What the source has counted. An effect that is not known here says nothing.
    fn uses(&self, uses: &[Use], memory: &Memory, path: &str) -> Vec<Event> {
        let one = |it: &Use| {
            let event = self.exchange.event(EventType::Applied, memory, path);
            Some(Event {
                effect: Some(Effect::parse(&it.effect).ok()?),
                task: it.task.clone(),
                role: it.role.clone(),
                surface: Surface::parse(&it.surface).ok(),
                followup: Followup::parse(&it.followup).ok(),
                reason: shorten(&it.reason, oldhand_core::policy::REASON_CHARS_MAX),
                ..event
            })
        };
        uses.iter().filter_map(one).collect()
    }

    fn update(&self, id: &MemoryId, one: &Arriving, permit: Permit) -> Decided<Reported> {
        let exchange = &self.exchange;
        let stored = self.stored(id)?;
        let old = &stored.memory;
        let obstacle = Known::of(&stored).and_then(|known| Obstacle::of(&known, one));
        if let Some(obstacle) = obstacle.filter(|it| !it.gives_way_to(permit)) {
            let item = Item::of(Fate::Diverged, &one.key, old).because(obstacle.reason(id));
            return Ok((Some((one.source, item)), Plan::default()));
        }
        let mut new = replaced(old, one, exchange.now);
        // What an import wrote is compared with what it will be.
        let wrote = write::wrote(&new);
        if let Some(imported) = &mut new.imported {
            imported.wrote = wrote;
        }
        let file = match new.kind == old.kind {
            true => exchange.rewritten(&stored, new.clone())?,
            // Another kind has other fields: the file is written as a new one, where it waits.
            false => {
                let text = exchange.writing().rendered(&new)?;
                file_of(&stored.path, new.clone(), Some(stored.hash), text)
            }
        };
        if new.is_active() {
            self.pass_gate(&new, Proposed::Update, file.after.as_deref().unwrap_or_default())?;
        }
        let from = one.from();
        let mut plan = Plan::default();
        let is_raised = old.state == State::Candidate && new.state != State::Candidate;
        let mut event = exchange.file_event(EventType::Updated, &new, &file);
        event.reason = format!("imported from {from}");
        event.fields = changed_fields(old, &new);
        if is_raised {
            let spec = exchange.settings.kinds.spec(&new.kind);
            let path = format!("{}/{}.md", spec.folder, new.id);
            plan.files.push(FileWrite::removal(&stored.path, &new.id, stored.hash));
            event.moved_from.clone_from(&stored.path);
            event.path.clone_from(&path);
            (event.from, event.to) = (Some(old.state), Some(new.state));
            plan.files.push(FileWrite { path, before: None, ..file });
        } else {
            if old.state != new.state {
                (event.from, event.to) = (Some(old.state), Some(new.state));
            }
            plan.files.push(file);
        }
        let path = event.path.clone();
        plan.events.push(event);
        if one.is_accepted {
            plan.events.push(self.acceptance(one, (old.state, &new), &path));
        }
        if is_raised && one.is_accepted {
            plan.events.extend(self.uses(&one.uses, &new, &path));
        }
        let why = if one.is_accepted { "accepted" } else { "" };
        let item = Item::of(Fate::Updated, &one.key, &new).because(why);
        Ok((Some((one.source, item)), plan))
    }

    /// A later run vouches for what an earlier one brought.
    fn raise(&self, id: &MemoryId, one: &Arriving) -> Decided<Reported> {
        let exchange = &self.exchange;
        let stored = self.stored(id)?;
        let held = stored.memory.state_reason.as_deref().is_some_and(|it| it.starts_with(HELD));
        if stored.memory.state != State::Candidate || held {
            let item = Item::of(Fate::Unchanged, &one.key, &stored.memory);
            return Ok((Some((one.source, item)), Plan::default()));
        }
        if self.may_clash(&stored.memory) {
            exchange.life().refuse_clash(&stored.memory, &format!("accept `{id}`"))?;
        }
        let accepted = Memory { state: State::Provisional, ..stored.memory.clone() };
        if let Some(against) = self.clash_in_run(&accepted) {
            refuse_clash_with(&stored.memory, &against, &format!("accept `{id}`"))?;
        }
        let mut new = stored.memory.clone();
        add_new(&mut new.evidence, &one.evidence);
        add_new(&mut new.evidence, &[format!("accepted:{}", exchange.by)]);
        // An approval needs no other signs, and the log is long.
        let signals = Signals::fold_recorded(&stored.memory, &[], &exchange.settings.trust);
        let request = Request::Promote {
            approvers: vec![exchange.by.to_owned()],
            incidents: 0,
            is_reasoned: true,
        };
        let mut step = exchange.life().step_with(&stored, new, &request, &signals)?;
        step.review(Verdict::Promote, None);
        step.event.reason = format!("accepted with {}", one.from());
        step.event.evidence = vec![format!("accepted:{}", exchange.by)];
        let path = step.event.path.clone();
        let mut plan = Plan::default();
        let memory = step.add_to(&mut plan);
        plan.events.extend(self.uses(&one.uses, &memory, &path));
        let item = Item::of(Fate::Updated, &one.key, &memory).because("accepted");
        Ok((Some((one.source, item)), plan))
    }

    fn join(&self, path: &str, reference: &str, key: &str, source: usize) -> Decided<Reported> {
        let exchange = &self.exchange;
        let Some(stored) = exchange.vault.find_at(path)? else {
            return refuse(Code::State, "the memory with the same text is gone", "run it again");
        };
        let memory = &stored.memory;
        let places = memory.sources.iter().chain(&memory.evidence);
        if !memory.is_active() || places.into_iter().any(|it| it == reference) {
            let item = Item::of(Fate::Unchanged, key, memory);
            return Ok((Some((source, item)), Plan::default()));
        }
        let mut new = memory.clone();
        new.sources.push(reference.to_owned());
        let file = exchange.rewritten(&stored, new)?;
        let fields = vec!["sources".to_owned()];
        let (written, plan) = exchange.writing().updated(&stored, file, fields, "the same text")?;
        let item = Item::of(Fate::Joined, key, &written.memory).because("the same text");
        Ok((Some((source, item)), plan))
    }

    /// Changes what is known about the source, and nothing else.
    fn mark(&self, id: &MemoryId, change: impl Fn(&mut Imported)) -> Decided<Memory> {
        let stored = self.stored(id)?;
        let mut new = stored.memory.clone();
        if let Some(imported) = &mut new.imported {
            let left = imported.reference();
            change(imported);
            // A place that it has left has it no more.
            let own = imported.reference();
            if own != left && new.sources.contains(&left) {
                new.sources.retain(|it| *it != left && *it != own);
                new.sources.push(own);
            }
        }
        let file = self.exchange.rewritten(&stored, new)?;
        let fields = vec!["imported".to_owned()];
        let (written, plan) = self.exchange.writing().updated(&stored, file, fields, "")?;
        Ok((written.memory, plan))
    }
}

/// The memory with what its source says now. Its name, its life and what it has earned stay.
fn replaced(old: &Memory, one: &Arriving, now: Timestamp) -> Memory {
    let mut new = one.memory.clone();
    new.id = old.id.clone();
    new.origin = old.origin;
    new.created_at = old.created_at;
    let later = new.updated_at.filter(|at| Some(*at) > old.updated_at);
    new.updated_at = later.or(Some(whole_seconds(now)));
    new.times_updated = old.times_updated.saturating_add(1);
    let mut changes = old.changes.clone();
    changes.push(Change {
        date: oldhand_text::time::format_instant(now),
        summary: "changed in its source".to_owned(),
        ..Change::default()
    });
    let excess = changes.len().saturating_sub(CHANGES_MAX);
    new.changes = changes.split_off(excess);
    let mut evidence = old.evidence.clone();
    add_new(&mut evidence, &new.evidence);
    new.evidence = evidence;
    let mut sources = old.sources.clone();
    add_new(&mut sources, &new.sources);
    new.sources = sources;
    let is_waiting = old.state == State::Candidate;
    // Nobody ended it, and nobody lifts it now: it stays where it is.
    if new.is_active() && !is_waiting || new.state == State::Candidate && one.held.is_none() {
        (new.state, new.prev_state) = (old.state, old.prev_state);
        new.state_reason.clone_from(&old.state_reason);
        new.review_after = new.review_after.or(old.review_after);
        let was_held = new.state_reason.as_deref().is_some_and(|it| it.starts_with(HELD));
        if was_held && one.held.is_none() {
            new.state_reason = None;
        }
    }
    new.extra.clone_from(&old.extra);
    new
}

fn changed_fields(old: &Memory, new: &Memory) -> Vec<String> {
    let front = oldhand_core::codec::fields::FIELDS.iter();
    let front = front.filter(|field| (field.get)(old) != (field.get)(new));
    let mut fields: Vec<String> = front.map(|field| field.key.to_owned()).collect();
    if old.content != new.content {
        fields.push("content".to_owned());
    }
    if old.sections != new.sections {
        fields.push("sections".to_owned());
    }
    fields.retain(|field| !matches!(field.as_str(), "updated_at" | "times_updated" | "changes"));
    fields
}
