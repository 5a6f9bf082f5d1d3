//! What uses, failures and contradictions do to a memory's standing.

use super::*;
use crate::kind::Kind;
use crate::memory::MemoryId;

fn memory(origin: Origin, evidence: usize) -> Memory {
    let mut memory = Memory::new(MemoryId::of_title("m"), Kind::Lesson, "m");
    memory.origin = origin;
    memory.evidence = vec!["task:1".to_owned(); evidence];
    memory
}

fn used(number: usize, effect: Effect) -> Event {
    let mut event = Event::new(EventType::Applied, "m", Timestamp::UNIX_EPOCH);
    event.id = format!("e{number:03}");
    event.effect = Some(effect);
    event.task = format!("t{number}");
    event
}

#[track_caller]
fn check(effects: &[Effect], counters: [u32; 5], trust: f64) {
    let events: Vec<Event> =
        effects.iter().enumerate().map(|(at, effect)| used(at, *effect)).collect();
    let signals =
        Signals::fold_recorded(&memory(Origin::External, 1), &events, &TrustPolicy::default());
    let found = [
        signals.evidence_count,
        signals.reuse_count,
        signals.successful_reuses,
        signals.failed_reuses,
        signals.contradiction_count,
    ];
    assert_eq!((found, signals.trust), (counters, trust));
}

/// R184: the six signals; R185: how a candidate with one piece of evidence begins.
#[test]
fn a_new_candidate() {
    check(&[], [1, 0, 0, 0, 0], 0.4);
}

/// R216
#[test]
fn a_positive_use() {
    check(&[Effect::Positive], [1, 1, 1, 0, 0], 0.5);
}

/// R217
#[test]
fn a_negative_use() {
    check(&[Effect::Negative], [1, 1, 0, 1, 0], 0.3);
}

/// R218
#[test]
fn a_neutral_use() {
    check(&[Effect::Neutral], [1, 1, 0, 0, 0], 0.4);
}

/// R219
#[test]
fn a_contradiction() {
    check(&[Effect::Contradiction], [1, 0, 0, 0, 1], 0.2);
}

/// R220: trust by pieces of evidence, and the floors of the origins.
#[test]
fn where_trust_begins() {
    let start = |origin, evidence| {
        Signals::fold_recorded(&memory(origin, evidence), &[], &TrustPolicy::default()).trust
    };
    assert_eq!([1, 2, 3, 7].map(|n| start(Origin::External, n)), [0.4, 0.6, 0.8, 0.8]);
    assert_eq!(start(Origin::User, 0), 0.9);
    assert_eq!(start(Origin::Capture, 1), 0.4, "nobody has looked at it");
    let seen = |evidence| {
        let mut memory = memory(Origin::Capture, evidence);
        memory.state = State::Provisional;
        Signals::fold_recorded(&memory, &[], &TrustPolicy::default()).trust
    };
    assert_eq!([seen(1), seen(3)], [0.7, 0.8]);
}

/// R221
#[test]
fn trust_stays_within_its_bounds() {
    check(&[Effect::Positive; 12], [1, 12, 12, 0, 0], 1.0);
    check(&[Effect::Negative; 12], [1, 12, 0, 12, 0], 0.0);
}

#[test]
fn an_event_that_was_merged_twice_counts_once() {
    let event = used(1, Effect::Positive);
    let events = [event.clone(), event];
    let signals =
        Signals::fold_recorded(&memory(Origin::External, 1), &events, &TrustPolicy::default());
    assert_eq!(signals.successful_reuses, 1);
}
