//! Signals for any series of events, in any order.

use std::collections::BTreeSet;

use jiff::Timestamp;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::actor::Via;
use crate::event::{Effect, Event, EventType, Followup, Verdict, in_order};
use crate::kind::Kind;
use crate::memory::{Memory, MemoryId};
use crate::origin::Origin;
use crate::policy::TrustPolicy;
use crate::signals::Signals;
use crate::state::State;

/// Effect, task (0 is none), whether it was called the most useful, and the second.
type Used = (Effect, usize, bool, i64);

fn uses() -> impl Strategy<Value = Vec<Used>> {
    vec((select(Effect::ALL), 0_usize..5, proptest::bool::weighted(0.1), 0_i64..100), 0..60)
}

fn memory(origin: Origin, evidence: usize) -> Memory {
    let mut memory = Memory::new(MemoryId::of_title("m"), Kind::Lesson, "m");
    memory.origin = origin;
    memory.evidence = (0..evidence).map(|number| format!("task:{number}")).collect();
    memory
}

fn events(uses: &[Used]) -> Vec<Event> {
    let event = |(number, (effect, task, is_best, second)): (usize, &Used)| {
        let at = Timestamp::from_second(*second).unwrap();
        let mut event = Event::new(EventType::Applied, "m", at);
        event.id = format!("e{number:03}");
        event.effect = Some(*effect);
        event.task = if *task == 0 { String::new() } else { format!("t{task}") };
        event.followup = is_best.then_some(Followup::Promote);
        event
    };
    uses.iter().enumerate().map(event).collect()
}

/// Events of any kind, of the old ids and the new ones, of few moments and writes.
fn lives() -> impl Strategy<Value = Vec<Event>> {
    let states = || proptest::option::of(select(State::ALL));
    let ids = (0_i64..3, 0_u8..3, any::<bool>());
    let what =
        (select(EventType::ALL), states(), states(), proptest::option::of(select(Effect::ALL)));
    let decided = (proptest::option::of(select(Verdict::ALL)), any::<bool>());
    vec((ids, what, decided), 0..40).prop_map(|rows| {
        let one = |(number, row): (usize, _)| {
            let ((second, write, is_counted), (event_type, from, to, effect), decided) = row;
            let (decision, is_persons): (_, bool) = decided;
            let at = Timestamp::from_second(second).unwrap();
            let write = format!("01m000000{second}-write-{write}-");
            let id = if is_counted {
                format!("{write}{number:03}")
            } else {
                format!("01m000000{second}{:03}", number * 37 % 101)
            };
            let via = if is_persons { Via::Terminal } else { Via::Unknown };
            let event = Event::new(event_type, "m", at);
            Event { id, write, from, to, effect, decision, via, ..event }
        };
        rows.into_iter().enumerate().map(one).collect()
    })
}

fn fold(memory: &Memory, events: &[Event]) -> Signals {
    Signals::fold_recorded(memory, events, &TrustPolicy::default())
}

/// Trust in whole thousandths, clamped once at the end.
fn reference(origin: Origin, evidence: usize, uses: &[Used]) -> i32 {
    let by_evidence = match evidence {
        0 | 1 => 400,
        2 => 600,
        _ => 800,
    };
    let floor = match origin {
        Origin::User | Origin::Gate => 900,
        Origin::Capture => 700,
        _ => 0,
    };
    let sum: i32 = uses
        .iter()
        .map(|(effect, ..)| match effect {
            Effect::Positive => 100,
            Effect::Negative => -100,
            Effect::Neutral => 0,
            Effect::Contradiction => -200,
        })
        .sum();
    let helped = uses.iter().filter(|(effect, task, ..)| *effect == Effect::Positive && *task > 0);
    let most = match helped.map(|(_, task, ..)| task).collect::<BTreeSet<_>>().len() {
        1 => 950,
        2 => 980,
        _ => 1000,
    };
    (by_evidence.max(floor) + sum).clamp(0, most)
}

proptest! {
    /// R220, R221: every step of trust, within its bounds, from where the evidence and the origin let
    /// it begin.
    #[test]
    fn trust_is_its_steps(
        uses in uses(),
        origin in select(Origin::ALL),
        evidence in 0_usize..6,
    ) {
        let mut memory = memory(origin, evidence);
        // A capture that is still a candidate has no floor.
        memory.state = origin.entry_state();
        let events = events(&uses);
        for count in 0..=uses.len() {
            let trust = fold(&memory, &events[..count]).trust;
            let want = reference(origin, evidence, &uses[..count]);
            prop_assert_eq!(trust, f64::from(want) / 1000.0);
            prop_assert!((0.0..=1.0).contains(&trust));
        }
    }

    /// R216, R217, R218, R219: the counts are counts.
    #[test]
    fn counters_count(uses in uses()) {
        let signals = fold(&memory(Origin::Agent, 1), &events(&uses));
        let count = |wanted| uses.iter().filter(|(effect, ..)| *effect == wanted).count() as u32;
        prop_assert_eq!(signals.successful_reuses, count(Effect::Positive));
        prop_assert_eq!(signals.failed_reuses, count(Effect::Negative));
        prop_assert_eq!(signals.contradiction_count, count(Effect::Contradiction));
        prop_assert_eq!(signals.open_contradictions, count(Effect::Contradiction));
        let used = uses.len() as u32 - count(Effect::Contradiction);
        prop_assert_eq!(signals.reuse_count, used);
    }

    /// The order of the lines changes nothing: a merged log is in no order at all.
    #[test]
    fn any_order_says_the_same(
        (sorted, shuffled) in lives().prop_flat_map(|events| {
            (Just(events.clone()), Just(events).prop_shuffle())
        }),
        again in vec(any::<prop::sample::Index>(), 0..5),
    ) {
        let memory = memory(Origin::Capture, 2);
        let mut merged = shuffled.clone();
        if !shuffled.is_empty() {
            merged.extend(again.iter().map(|at| at.get(&shuffled).clone()));
        }
        let policy = TrustPolicy::default();
        prop_assert_eq!(
            Signals::fold(&memory, &sorted, &policy),
            Signals::fold(&memory, &merged, &policy)
        );
        let (mut one, mut other) = (sorted, merged);
        in_order(&mut one);
        in_order(&mut other);
        prop_assert_eq!(one, other);
    }

    /// Uses alone add up to the same trust whichever happened first, as far as ids can tell.
    #[test]
    fn the_order_of_uses_changes_nothing(
        (sorted, shuffled) in uses().prop_flat_map(|uses| (Just(uses.clone()), Just(uses).prop_shuffle())),
    ) {
        let memory = memory(Origin::Capture, 2);
        prop_assert_eq!(fold(&memory, &events(&sorted)), fold(&memory, &events(&shuffled)));
    }

    /// A log that was merged twice, in whole or in part, says the same.
    #[test]
    fn a_line_met_again_changes_nothing(uses in uses(), again in vec(any::<prop::sample::Index>(), 0..30)) {
        let memory = memory(Origin::Import, 1);
        let events = events(&uses);
        let mut merged = events.clone();
        if !events.is_empty() {
            merged.extend(again.iter().map(|at| at.get(&events).clone()));
        }
        prop_assert_eq!(fold(&memory, &merged), fold(&memory, &events));
    }

    /// What happened to another memory is no matter of this one.
    #[test]
    fn events_of_others_do_not_count(uses in uses()) {
        let memory = memory(Origin::Agent, 1);
        let mut events = events(&uses);
        for event in &mut events {
            event.memory = "another".to_owned();
        }
        prop_assert_eq!(fold(&memory, &events), fold(&memory, &[]));
    }
}
