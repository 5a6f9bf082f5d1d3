//! A handful of memories and their log. Each accepted step leaves the lines that the engine writes.

use jiff::Timestamp;

use super::super::super::*;
use super::super::cases::{DAY, at, kind_of, request_of};
use super::super::oracle::{Ask, Case, Ground, Sort};
use super::random::Random;
use crate::content::FieldValue;
use crate::event::{Effect, Event, EventType, Followup};
use crate::memory::MemoryId;
use crate::origin::Origin;
use crate::policy::TrustPolicy;

/// One memory with what the walk itself knows about it.
pub(super) struct One {
    pub memory: Memory,
    pub signals: Signals,
    pub log: Vec<Event>,
    /// Where it is, on top of all the places that it can go back to.
    pub trail: Vec<State>,
    /// How often a review of it began.
    pub passes: u32,
    /// Pieces of evidence that it had when it was rejected.
    pub rejected_with: usize,
}

/// What one accepted step did.
#[derive(Debug, Clone, Copy)]
pub(super) struct Done {
    pub who: usize,
    pub ask: Ask,
    pub from: State,
    pub to: State,
}

pub(super) struct World {
    pub all: Vec<One>,
    /// The order of the whole log: which memory, and which of its lines.
    pub order: Vec<(usize, usize)>,
    pub now: Timestamp,
    pub policy: LifePolicy,
    pub trust: TrustPolicy,
}

const BEGINNINGS: [(Sort, Origin); 6] = [
    (Sort::Lesson, Origin::Retrospective),
    (Sort::Lesson, Origin::User),
    (Sort::Decision, Origin::User),
    (Sort::Proposed, Origin::User),
    (Sort::Lesson, Origin::External),
    (Sort::Session, Origin::Capture),
];

/// Memories in one world.
const POPULATION: usize = 4;

impl World {
    pub(super) fn new(random: &mut Random) -> Self {
        let now = at(1_700_000_000);
        let trust = TrustPolicy::default();
        let all = (0..POPULATION).map(|number| {
            let (sort, origin) = random.pick(&BEGINNINGS);
            let id = MemoryId::of_title(&format!("m{number}"));
            let mut memory = Memory::new(id, kind_of(sort), "m");
            memory.origin = origin;
            memory.state = origin.entry_state();
            memory.created_at = Some(now);
            memory.evidence = vec!["task:0".to_owned()];
            if memory.kind == Kind::Decision {
                let is_proposed = sort == Sort::Proposed;
                let status = if is_proposed { "proposed" } else { "accepted" };
                memory.content.set("status", FieldValue::Text(status.to_owned()));
                memory.state = if is_proposed { State::Provisional } else { memory.state };
            }
            let signals = Signals::fold_recorded(&memory, &[], &trust);
            let trail = vec![memory.state];
            One { memory, signals, log: Vec::new(), trail, passes: 0, rejected_with: 0 }
        });
        let all = all.collect();
        Self { all, order: Vec::new(), now, policy: LifePolicy::default(), trust }
    }

    fn log(&mut self, who: usize, edit: impl FnOnce(&mut Event), event_type: EventType) {
        let one = &mut self.all[who];
        let mut event = Event::new(event_type, one.memory.id.as_str(), self.now);
        event.id = format!("e{:08}", self.order.len());
        edit(&mut event);
        self.order.push((who, one.log.len()));
        one.log.push(event);
        one.signals = Signals::fold_recorded(&one.memory, &one.log, &self.trust);
    }

    fn life(&self, who: usize) -> Life<'_> {
        let one = &self.all[who];
        Life {
            memory: &one.memory,
            signals: &one.signals,
            durable: one.memory.kind != Kind::SessionSummary,
            policy: &self.policy,
            now: self.now,
        }
    }

    /// The case as the oracle sees it: counters from the log, the way back from the walk itself.
    pub(super) fn case(&self, who: usize, ask: Ask, random: &mut Random) -> (Case, usize) {
        let one = &self.all[who];
        let (memory, signals) = (&one.memory, &one.signals);
        let other = random.below(self.all.len());
        let successor = memory.superseded_by.as_deref().filter(|_| ask == Ask::Reinstall);
        let other = match successor {
            Some(by) => self.index(by),
            None => other,
        };
        let since = signals.last_promotion.or(memory.created_at);
        let case = Case {
            ask,
            state: memory.state,
            evidence: memory.evidence.len() as u32,
            incidents: random.pick(&[0, 0, 1, 2]),
            approvers: random.pick(&[&[] as &[&str], &["ada"], &["ada", "ada"], &["ada", "bob"]]),
            uses: signals.successful_reuses,
            tasks: signals.tasks.len() as u32,
            contradictions: match ask {
                Ask::Sweep => signals.open_contradictions,
                _ => signals.contradiction_count,
            },
            failed: signals.failed_reuses,
            trust: signals.trust,
            reviews: one.passes,
            changed: random.percent(80),
            reason: random.pick(&["", "because", "because"]),
            ground: random.pick(&[Ground::Marked, Ground::Unreferenced, Ground::Referenced]),
            durable: memory.kind != Kind::SessionSummary,
            sort: sort_of(memory),
            overdue: overdue(memory, signals, self.now),
            reused: signals.last_reuse > since,
            before: one.trail.len().checked_sub(2).map(|below| one.trail[below]),
            origin: memory.origin,
            retired_days: memory.retired_at.map(|it| (self.now.as_second() - it.as_second()) / DAY),
            news: false,
            other_active: self.all[other].memory.is_active(),
            itself: other == who,
        };
        (case, other)
    }

    fn index(&self, id: &str) -> usize {
        self.all.iter().position(|one| one.memory.id.as_str() == id).expect("it is there")
    }

    /// Asks the code; what it allows is done, as the engine does it.
    pub(super) fn ask(&mut self, who: usize, case: &Case, other: usize) -> Option<Done> {
        let request = match request_of(case) {
            Request::Supersede { by_active, reason, .. } => {
                Request::Supersede { by: self.all[other].memory.id.to_string(), by_active, reason }
            }
            request => request,
        };
        let moved = transition(self.life(who), &request).ok()?;
        if case.ask == Ask::Supersede {
            self.link(who, other);
        }
        apply(&mut self.all[who].memory, &moved, self.now);
        if let Request::Supersede { by, .. } = request {
            self.all[who].memory.superseded_by = Some(by);
        }
        let event_type = event_type_of(case);
        let (from, to) = (moved.from, moved.to);
        self.log(
            who,
            |event| {
                event.from = Some(from);
                event.to = Some(to);
                event.reason = moved.reason;
            },
            event_type,
        );
        Some(Done { who, ask: case.ask, from, to })
    }

    /// The successor names the old one, in the same write.
    fn link(&mut self, old: usize, new: usize) {
        let id = self.all[old].memory.id.to_string();
        let successor = &mut self.all[new].memory;
        if !successor.supersedes.contains(&id) {
            successor.supersedes.push(id);
            self.log(new, |_| {}, EventType::Updated);
        }
    }

    /// A use and the move that follows from it at once: which one, if any.
    pub(super) fn use_it(&mut self, who: usize, random: &mut Random) -> Option<Ask> {
        let effect = random.pick(&[
            Effect::Positive,
            Effect::Positive,
            Effect::Positive,
            Effect::Negative,
            Effect::Neutral,
            Effect::Contradiction,
        ]);
        let followup = random.percent(5).then_some(Followup::Review);
        let task = random.pick(&["", "t1", "t2", "t3", "t4"]).to_owned();
        self.log(
            who,
            |event| {
                event.effect = Some(effect);
                event.task = task;
                event.followup = followup;
            },
            EventType::Applied,
        );
        if effect == Effect::Positive {
            return None;
        }
        let one = &self.all[who];
        let is_reviewable = one.memory.is_active() && one.memory.state != State::UnderReview;
        let signals = &one.signals;
        if followup.is_some() {
            return is_reviewable.then_some(Ask::ReviewWish);
        }
        if is_reviewable && (signals.failed_reuses >= 2 || signals.trust < 0.3) {
            return Some(Ask::ReviewSignals);
        }
        let fades = one.memory.state.is_served() && signals.open_contradictions >= 3;
        fades.then_some(Ask::Sweep)
    }

    /// It was seen again: the evidence goes to the memory, and may move it.
    pub(super) fn add_evidence(&mut self, who: usize, is_new: bool) -> Option<Ask> {
        let one = &mut self.all[who];
        if is_new {
            one.memory.evidence.push(format!("task:{}", one.memory.evidence.len()));
            self.log(who, |_| {}, EventType::Evidence);
        }
        let memory = &self.all[who].memory;
        match memory.state {
            State::Candidate if is_new && memory.origin != Origin::External => Some(Ask::Promote),
            State::Candidate => None,
            _ => Some(Ask::Revive),
        }
    }
}

/// What a person judges is a review; what happens by itself or by a command is a move.
fn event_type_of(case: &Case) -> EventType {
    match case.ask {
        Ask::Promote if case.approvers.is_empty() => EventType::Moved,
        Ask::Promote | Ask::Keep | Ask::Reject | Ask::Reinstate => EventType::Reviewed,
        Ask::Supersede | Ask::Archive if case.incidents > 0 => EventType::Reviewed,
        _ => EventType::Moved,
    }
}

fn sort_of(memory: &Memory) -> Sort {
    match memory.kind {
        Kind::Decision if memory.content.text("status") == Some("proposed") => Sort::Proposed,
        Kind::Decision => Sort::Decision,
        Kind::SessionSummary => Sort::Session,
        _ => Sort::Lesson,
    }
}

/// R206: the date has passed, and no use that helped has pushed it out.
fn overdue(memory: &Memory, signals: &Signals, now: Timestamp) -> bool {
    let days = match memory.state {
        State::Provisional => 30,
        State::Stable => 90,
        State::Canonical => 180,
        _ => return false,
    };
    let from = |start: Timestamp| start.as_second() + days * DAY;
    let written = memory
        .review_after
        .map_or_else(|| memory.created_at.map(from), |due| Some(due.as_second()));
    let pushed = signals.last_success.map(from);
    written.is_some_and(|due| due.max(pushed.unwrap_or(due)) < now.as_second())
}
