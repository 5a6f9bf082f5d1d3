//! What a memory has earned: counters and trust, folded from its events (R184, R216 to R221).

mod edits;

use std::collections::BTreeSet;

use jiff::Timestamp;

use crate::actor::Via;
use crate::event::{Effect, Event, EventType, Followup, Verdict, in_order};
use crate::memory::Memory;
use crate::origin::Origin;
use crate::policy::TrustPolicy;
use crate::standing::Logged;
use crate::state::State;
use edits::Edits;
use oldhand_text::hash::ContentHash;
use oldhand_text::time::format_day;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Signals {
    pub evidence_count: u32,
    pub reuse_count: u32,
    pub successful_reuses: u32,
    pub failed_reuses: u32,
    pub contradiction_count: u32,
    pub trust: f64,
    /// The log carries the state and origin that its file claims.
    pub is_recorded: bool,
    /// Those in which it helped.
    pub tasks: BTreeSet<String>,
    /// The tasks in which it was used at all.
    pub used_in: BTreeSet<String>,
    pub reviews: u32,
    /// Where it was when the last review began.
    pub reviewed_from: Option<State>,
    /// Contradictions since a review last set it right.
    pub open_contradictions: u32,
    /// A retrospective called it the most useful (R147).
    pub most_useful: bool,
    /// A person's word that is under review because an agent doubts it: a caution until a person
    /// decides.
    pub is_contested: bool,
    /// A person's text or an agent's that somebody has changed without the tool, and nobody has
    /// looked at since.
    pub is_hand_edited: bool,
    /// As the tool left it; none where that is not known.
    pub left_as: Option<String>,
    pub under_review_since: Option<Timestamp>,
    pub last_promotion: Option<Timestamp>,
    pub last_reuse: Option<Timestamp>,
    pub last_success: Option<Timestamp>,
}

impl Signals {
    /// Where a memory begins: the higher of its evidence and its origin's floor.
    pub fn start(evidence_count: u32, origin: Origin, policy: &TrustPolicy) -> Self {
        let row = evidence_count.clamp(1, 3) as usize - 1;
        let floor = match origin {
            Origin::User | Origin::Gate => policy.user_floor,
            Origin::Capture => policy.capture_floor,
            _ => 0.0,
        };
        Self {
            evidence_count,
            trust: policy.by_evidence[row].max(floor),
            is_recorded: true,
            ..Self::default()
        }
    }

    /// The events of this memory, in any order: the log may be merged from many files. An event
    /// met twice counts once.
    pub fn fold<'e>(
        memory: &Memory,
        events: impl IntoIterator<Item = &'e Event>,
        policy: &TrustPolicy,
    ) -> Self {
        let own = own_events(memory, events);
        let mut logged = Logged::default();
        own.iter().for_each(|event| logged.take(event));
        let mut signals = Self::fold_own(memory, own, true, policy);
        let is_persons = matches!(memory.origin, Origin::User | Origin::Gate);
        signals.is_contested &= memory.state == State::UnderReview
            && is_persons
            && logged.carries_origin(memory.origin);
        // A claim that the log does not support gets the lowest trust at most.
        if !logged.carries_claim(memory.state, memory.origin) {
            signals.is_recorded = false;
            signals.trust = signals.trust.min(signals.trust_cap(policy));
        }
        signals
    }

    /// The same for one whose standing the log is known to carry.
    pub fn fold_recorded<'e>(
        memory: &Memory,
        events: impl IntoIterator<Item = &'e Event>,
        policy: &TrustPolicy,
    ) -> Self {
        Self::fold_own(memory, own_events(memory, events), false, policy)
    }

    fn fold_own(memory: &Memory, own: Vec<&Event>, is_whole: bool, policy: &TrustPolicy) -> Self {
        let mut signals = Self::beginning(memory, &own, policy);
        let edits = Edits::of(&own, is_whole);
        signals.is_hand_edited = edits.is_edited;
        signals.left_as = edits.left_as().map(str::to_owned);
        let start = signals.trust;
        own.into_iter().for_each(|event| signals.take(event, policy));
        // Bounded at the end alone, so that uses add up to the same whoever saw which first. No
        // single task lifts it all the way (R216): only another one shows that it helps again.
        let ceiling = signals.ceiling(policy).map_or(1.0, |ceiling| ceiling.max(start));
        signals.trust = signals.trust.clamp(0.0, ceiling);
        signals
    }

    /// What the file can't say of itself; nothing where there is nothing to say.
    pub fn standing(&self) -> &'static str {
        match self {
            it if !it.is_recorded => "claimed by the file alone; a review settles it",
            it if it.is_contested => "an agent doubts what a person said; a review settles it",
            it if it.is_hand_edited => "edited by hand since a person looked",
            _ => "",
        }
    }

    /// Whether the text at hand is the one that the tool left.
    pub fn compare(&mut self, text: ContentHash) {
        let is_other = |left: &String| ContentHash::parse(left).is_some_and(|left| left != text);
        self.is_hand_edited |= self.left_as.as_ref().is_some_and(is_other);
    }

    fn beginning(memory: &Memory, own: &[&Event], policy: &TrustPolicy) -> Self {
        // A capture is not verified before somebody has looked at it.
        let is_unseen = memory.origin == Origin::Capture && memory.state == State::Candidate;
        let origin = if is_unseen { Origin::Retrospective } else { memory.origin };
        let evidence = crate::evidence::count(&memory.evidence, own);
        Self::start(evidence, origin, policy)
    }

    /// Trust as it was after each event that moved it, the last as `fold` has it.
    pub fn curve<'e>(
        memory: &Memory,
        events: &'e [Event],
        policy: &TrustPolicy,
    ) -> Vec<(&'e Event, f64)> {
        let ceiling = Self::fold(memory, events, policy).trust_cap(policy);
        let own = own_events(memory, events);
        let mut signals = Self::beginning(memory, &own, policy);
        let (start, mut last) = (signals.trust, None);
        let mut curve = Vec::new();
        for event in own {
            signals.take(event, policy);
            let bound = signals.ceiling(policy).map_or(1.0, |ceiling| ceiling.max(start));
            let trust = signals.trust.clamp(0.0, bound).min(ceiling);
            if last != Some(trust) {
                curve.push((event, trust));
                last = Some(trust);
            }
        }
        curve
    }

    /// The most that a claim gets which the log does not support.
    fn trust_cap(&self, policy: &TrustPolicy) -> f64 {
        if self.is_recorded { 1.0 } else { policy.by_evidence[0] }
    }

    fn take(&mut self, event: &Event, policy: &TrustPolicy) {
        if event.to == Some(State::UnderReview) {
            self.under_review_since = Some(event.at);
            self.is_contested = event.via.is_machine();
        }
        let (from, to) = (event.from, event.to);
        // What faded or was thrown out comes back with new evidence, and begins again (R223).
        let is_revived = event.event_type == EventType::Moved
            && matches!(from, Some(State::Decayed | State::Rejected))
            && matches!(to, Some(State::Provisional | State::Candidate));
        match (event.event_type, event.effect) {
            (EventType::Applied, Some(effect)) => self.apply(effect, event, policy),
            (EventType::Reviewed, _) => {
                if from == Some(State::UnderReview) && to.is_some_and(State::is_active) {
                    self.begin_again(policy);
                }
                if event.decision == Some(Verdict::Promote) && to == Some(State::Stable) {
                    self.trust = self.trust.max(policy.stable_floor);
                }
            }
            (EventType::Moved, _) if is_revived => self.begin_again(policy),
            // What is brought back into a review that had begun is no further one.
            (EventType::Moved, _)
                if to == Some(State::UnderReview) && from.is_none_or(State::is_active) =>
            {
                self.reviews += 1;
                self.reviewed_from = from;
            }
            _ => {}
        }
        let is_step = matches!(event.event_type, EventType::Moved | EventType::Reviewed);
        if is_revived || is_step && to.is_some_and(State::is_served) {
            self.last_promotion = self.last_promotion.max(Some(event.at));
        }
    }

    /// R226: its guidance is another one now, and has not failed yet.
    fn begin_again(&mut self, policy: &TrustPolicy) {
        self.failed_reuses = 0;
        self.open_contradictions = 0;
        self.trust = self.trust.max(policy.by_evidence[0]);
    }

    fn apply(&mut self, effect: Effect, event: &Event, policy: &TrustPolicy) {
        self.most_useful |= event.followup == Some(Followup::Promote);
        if effect == Effect::Contradiction {
            self.contradiction_count += 1;
            self.open_contradictions += 1;
            self.move_trust(policy.contradiction);
            return;
        }
        self.reuse_count += 1;
        // The latest, not the last: a merged log is not in the order of time.
        self.last_reuse = self.last_reuse.max(Some(event.at));
        let task = |name: String| Some(name).filter(|name| !name.is_empty());
        self.used_in.extend(task(event.task.clone()));
        match effect {
            Effect::Positive => {
                self.successful_reuses += 1;
                self.last_success = self.last_success.max(Some(event.at));
                self.tasks.extend(task(task_of(event)));
                self.move_trust(policy.positive);
            }
            Effect::Negative => {
                self.failed_reuses += 1;
                self.move_trust(policy.negative);
            }
            Effect::Neutral | Effect::Contradiction => {}
        }
    }

    /// The highest trust by uses in so few tasks.
    pub fn ceiling(&self, policy: &TrustPolicy) -> Option<f64> {
        policy.ceilings.get(self.tasks.len().checked_sub(1)?).copied()
    }

    /// Rounded to thousandths, so that ten steps of a tenth are one.
    fn move_trust(&mut self, by: f64) {
        self.trust = ((self.trust + by) * 1000.0).round() / 1000.0;
    }
}

/// What counts as one task. An agent names its tasks itself, as many as it likes: what one tells of
/// its own uses in a day is one. A host that ends a session, and a person, are believed.
fn task_of(event: &Event) -> String {
    match &event.via {
        Via::Agent(_) | Via::Mcp(_) if !event.task.is_empty() => {
            format!("{} on {}", event.via, format_day(event.at))
        }
        _ => event.task.clone(),
    }
}

/// Each once, as they happened.
fn own_events<'e>(memory: &Memory, events: impl IntoIterator<Item = &'e Event>) -> Vec<&'e Event> {
    let is_own = |event: &&Event| event.memory == memory.id.as_str();
    let mut own = events.into_iter().filter(is_own).collect();
    in_order(&mut own);
    own
}

#[cfg(test)]
mod tests;
