//! One move between states as file writes and their event.

use oldhand_core::event::Verdict;
use oldhand_core::lifecycle::{self, Life};
use oldhand_core::reviewer::Role;

use crate::context::Lifecycle;
use crate::prelude::*;

pub(crate) struct StateChange {
    pub memory: Memory,
    pub files: Vec<FileWrite>,
    pub event: Event,
}

impl StateChange {
    /// Records it as a person's judgement.
    pub(crate) fn review(&mut self, verdict: Verdict, role: Option<Role>) {
        self.event.event_type = EventType::Reviewed;
        self.event.decision = Some(verdict);
        self.event.role = role.map(|role| role.to_string()).unwrap_or_default();
    }

    pub(crate) fn add_to(self, plan: &mut Plan) -> Memory {
        plan.files.extend(self.files);
        plan.events.push(self.event);
        self.memory
    }
}

impl Engine<'_> {
    /// A memory with what the rules of its life depend on.
    pub(crate) fn life_of<'l>(&'l self, memory: &'l Memory, signals: &'l Signals) -> Life<'l> {
        Life {
            memory,
            signals,
            durable: self.settings.kinds.spec(&memory.kind).durable,
            policy: &self.settings.life,
            now: self.now,
        }
    }
}

impl Lifecycle<'_> {
    pub(crate) fn plan_moved(
        &self,
        stored: &Stored,
        request: &Request,
        plan: &mut Plan,
    ) -> Result<Memory> {
        let signals = self.signals(&stored.memory)?;
        Ok(self.step(stored, request, &signals)?.add_to(plan))
    }

    pub(crate) fn step(
        &self,
        stored: &Stored,
        request: &Request,
        signals: &Signals,
    ) -> Result<StateChange> {
        self.step_with(stored, stored.memory.clone(), request, signals)
    }

    /// The same for a memory that the move changes in other ways as well.
    pub(crate) fn step_with(
        &self,
        stored: &Stored,
        mut new: Memory,
        request: &Request,
        signals: &Signals,
    ) -> Result<StateChange> {
        write::refuse_newer(&stored.memory)?;
        let transition = lifecycle::transition(self.life_of(&stored.memory, signals), request)?;
        lifecycle::apply(&mut new, &transition, self.now);
        if let Request::Supersede { by, .. } = request {
            new.superseded_by = Some(by.clone());
        }
        if transition.from != transition.to {
            write::record_move(&mut new, &transition, self.now);
        }
        let file = self.rewritten(stored, new.clone())?;
        let files = self.relocated(stored, file, transition.to)?;
        let moved_from = if files.len() > 1 { stored.path.clone() } else { String::new() };
        let path = files.last().map_or(&stored.path, |file| &file.path).clone();
        let mut event = Event {
            from: Some(transition.from),
            to: Some(transition.to),
            reason: transition.reason,
            moved_from,
            ..self.event(EventType::Moved, &stored.memory, &path)
        };
        if let Some(file) = files.last() {
            chain(&mut event, file);
            event.before = Some(stored.hash.to_string());
        }
        Ok(StateChange { memory: new, files, event })
    }

    /// R207: out of `candidates/` at the first promotion, and never again.
    fn relocated(&self, stored: &Stored, file: FileWrite, to: State) -> Result<Vec<FileWrite>> {
        let is_waiting = stored.path.split('/').next() == Some(CANDIDATES_FOLDER);
        if !is_waiting || !to.is_served() {
            return Ok(vec![file]);
        }
        let folder = self.settings.kinds.spec(&stored.memory.kind).folder.clone();
        let leaving = FileWrite::removal(&stored.path, &file.id, stored.hash);
        let path = format!("{folder}/{}.md", file.id);
        if self.vault.read_raw(&path)?.is_some() {
            let message = format!("could not move `{}`: `{path}` is there already", stored.path);
            let text = "one of the two files has to go: {} names them";
            let hint = Hint::with_steps(text, [NextStep::Doctor]);
            return refuse(Code::State, message, hint);
        }
        let arriving = FileWrite { path, before: None, ..file };
        Ok(vec![leaving, arriving])
    }
}
