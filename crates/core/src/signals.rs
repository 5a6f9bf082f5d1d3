//! What a memory has earned: counters and trust, folded from its events (R184, R216 to R221).

use std::collections::BTreeSet;

use jiff::Timestamp;

use crate::event::{Effect, Event, EventType};
use crate::memory::Memory;
use crate::origin::Origin;
use crate::policy::TrustPolicy;
use crate::state::State;

#[derive(Debug, Clone, PartialEq)]
pub struct Signals {
    pub evidence_count: u32,
    pub reuse_count: u32,
    pub successful_reuses: u32,
    pub failed_reuses: u32,
    pub contradiction_count: u32,
    pub trust: f64,
    /// The tasks in which it helped.
    pub tasks: BTreeSet<String>,
    pub reviews: u32,
    pub last_promotion: Option<Timestamp>,
    pub last_reuse: Option<Timestamp>,
}

impl Signals {
    /// Where a memory begins: the higher of its evidence and its origin's floor.
    pub fn start(evidence_count: u32, origin: Origin, policy: &TrustPolicy) -> Self {
        let row = evidence_count.clamp(1, 3) as usize - 1;
        let floor = match origin {
            Origin::User => policy.user_floor,
            Origin::Capture => policy.capture_floor,
            _ => 0.0,
        };
        Self {
            evidence_count,
            reuse_count: 0,
            successful_reuses: 0,
            failed_reuses: 0,
            contradiction_count: 0,
            trust: policy.by_evidence[row].max(floor),
            tasks: BTreeSet::new(),
            reviews: 0,
            last_promotion: None,
            last_reuse: None,
        }
    }

    /// The events of this memory in the order of the log; an event met twice counts once.
    pub fn fold<'a>(
        memory: &Memory,
        events: impl IntoIterator<Item = &'a Event>,
        policy: &TrustPolicy,
    ) -> Self {
        let evidence = u32::try_from(memory.evidence.len()).unwrap_or(u32::MAX);
        let mut signals = Self::start(evidence, memory.origin, policy);
        let mut seen = BTreeSet::new();
        for event in events {
            if event.memory == memory.id.as_str() && seen.insert(event.id.as_str()) {
                signals.take(event, policy);
            }
        }
        signals
    }

    fn take(&mut self, event: &Event, policy: &TrustPolicy) {
        match (event.event_type, event.effect) {
            (EventType::Applied, Some(effect)) => self.apply(effect, event, policy),
            (EventType::Conflict, _) => self.contradict(policy),
            (EventType::Reviewed, _) if event.to.is_some_and(State::is_served) => {
                self.failed_reuses = 0;
                self.last_promotion = Some(event.at);
            }
            (EventType::Moved, _) => match event.to {
                Some(State::UnderReview) => self.reviews += 1,
                Some(to) if to.is_served() => self.last_promotion = Some(event.at),
                _ => {}
            },
            _ => {}
        }
    }

    fn apply(&mut self, effect: Effect, event: &Event, policy: &TrustPolicy) {
        if effect == Effect::Contradiction {
            self.contradict(policy);
            return;
        }
        self.reuse_count += 1;
        self.last_reuse = Some(event.at);
        match effect {
            Effect::Positive => {
                self.successful_reuses += 1;
                if !event.task.is_empty() {
                    self.tasks.insert(event.task.clone());
                }
                self.move_trust(policy.positive);
            }
            Effect::Negative => {
                self.failed_reuses += 1;
                self.move_trust(policy.negative);
            }
            Effect::Neutral | Effect::Contradiction => {}
        }
    }

    fn contradict(&mut self, policy: &TrustPolicy) {
        self.contradiction_count += 1;
        self.move_trust(policy.contradiction);
    }

    /// Rounded to thousandths, so that ten steps of a tenth are one.
    fn move_trust(&mut self, by: f64) {
        self.trust = ((self.trust + by).clamp(0.0, 1.0) * 1000.0).round() / 1000.0;
    }
}

#[cfg(test)]
mod tests;
