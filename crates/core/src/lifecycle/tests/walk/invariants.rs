//! What holds after every step.

use super::super::super::*;
use super::super::oracle::Ask;
use super::random::Random;
use super::world::{Done, One, World};
use crate::event::Event;
use crate::state::RecordStatus;

/// After a move: was it one that may be, and is it where the walk expects it?
pub(super) fn check_done(world: &mut World, done: Done) {
    let Done { ask, from, to, who } = done;
    let one = &mut world.all[who];
    follow(one, ask, to);
    assert_eq!(one.memory.state, to);
    assert_eq!(one.trail.last(), Some(&to), "it is not where it was before: {done:?}");
    let is_back = matches!(ask, Ask::Reinstate | Ask::Unarchive | Ask::Restore | Ask::Reinstall);
    // R203: one step up, or back to where it was.
    match (from, to) {
        _ if is_back => {}
        (State::Candidate, State::Provisional)
        | (State::Provisional, State::Stable)
        | (State::Stable, State::Canonical) => assert_eq!(ask, Ask::Promote),
        (State::Decayed, State::Provisional) => assert_eq!(ask, Ask::Revive),
        (_, to) if to.is_served() => assert_eq!((ask, from), (Ask::Keep, to)),
        _ => {}
    }
    // R205
    if from == State::UnderReview {
        let ends = [Ask::Reinstate, Ask::Supersede, Ask::Archive, Ask::Reject, Ask::Retire];
        assert!(ends.contains(&ask), "{done:?}");
    }
    // R228: thrown out for ever, unless something new is seen.
    if from == State::Rejected {
        assert_eq!((ask, to), (Ask::Revive, State::Candidate));
        assert!(one.memory.evidence.len() > one.rejected_with);
    }
    if to == State::Rejected {
        one.rejected_with = one.memory.evidence.len();
    }
    if ask == Ask::Reinstate {
        // R230, R226
        assert!(one.passes < 3, "reinstated after {} reviews", one.passes);
        let signals = &one.signals;
        assert_eq!((signals.failed_reuses, signals.open_contradictions), (0, 0), "{done:?}");
        assert!(signals.trust >= world.policy.trust_floor, "{done:?}");
    }
    assert_eq!(one.signals.reviews, one.passes, "{done:?}");
}

/// What the walk itself knows of the way.
fn follow(one: &mut One, ask: Ask, to: State) {
    match ask {
        Ask::ReviewWish | Ask::ReviewConflict | Ask::ReviewSignals => {
            one.passes += 1;
            one.trail.push(to);
        }
        Ask::Retire | Ask::Archive | Ask::Supersede => one.trail.push(to),
        Ask::Reinstate | Ask::Unarchive | Ask::Restore | Ask::Reinstall => {
            one.trail.pop();
        }
        Ask::Collect => *one.trail.last_mut().expect("it is somewhere") = to,
        Ask::Promote | Ask::Confirm | Ask::Reject | Ask::Keep | Ask::Revive | Ask::Sweep => {
            one.trail.clear();
            one.trail.push(to);
        }
    }
}

pub(super) fn check_all(world: &World) {
    for one in &world.all {
        check_one(world, one);
    }
}

fn check_one(world: &World, one: &One) {
    let Memory { state, .. } = one.memory;
    let memory = &one.memory;
    // R221
    assert!((0.0..=1.0).contains(&one.signals.trust), "trust is {}", one.signals.trust);
    let status = match state {
        State::Retired | State::Rejected => RecordStatus::Retired,
        State::Archived | State::Superseded => RecordStatus::Archived,
        _ => RecordStatus::Active,
    };
    assert_eq!(memory.record_status(), status);
    assert_eq!(memory.is_active(), status == RecordStatus::Active);
    assert_eq!(memory.retired_at.is_some(), state == State::Retired);
    assert_eq!(memory.archived_at.is_some(), state == State::Archived);
    assert!(memory.retired_reason.is_none() || state == State::Retired);
    assert!(memory.archived_reason.is_none() || state == State::Archived);
    assert_eq!(memory.superseded_by.is_some(), state == State::Superseded);
    // What has a way back is away from somewhere.
    let is_away =
        matches!(state, State::Retired | State::Archived | State::Superseded | State::UnderReview);
    assert!(is_away || memory.prev_state.is_none(), "{state} and was {:?}", memory.prev_state);
    assert!(memory.prev_state.is_none_or(State::is_active), "was {:?}", memory.prev_state);
    if let Some(by) = &memory.superseded_by {
        let successor = world.all.iter().find(|other| other.memory.id.as_str() == by);
        let successor = successor.expect("a successor is there");
        assert_ne!(successor.memory.id, memory.id);
        assert!(successor.memory.supersedes.iter().any(|old| old == memory.id.as_str()));
    }
    if memory.kind == Kind::Decision {
        let status = memory.content.text("status");
        assert_eq!(status == Some("superseded"), state == State::Superseded);
        assert!(
            status != Some("proposed") || !matches!(state, State::Stable | State::Canonical),
            "a proposed decision is {state}"
        );
    }
}

/// A log that is read again, that was merged twice, or of which some lines came twice: the same.
pub(super) fn check_folds(world: &World, random: &mut Random) {
    let log: Vec<&Event> =
        world.order.iter().map(|(who, line)| &world.all[*who].log[*line]).collect();
    let mut some_twice = log.clone();
    // From the end, so that each line is still at its place.
    for at in (0..log.len()).rev() {
        if random.percent(20) {
            let place = at + random.below(some_twice.len() - at);
            some_twice.insert(place + 1, log[at]);
        }
    }
    let twice: Vec<&Event> = log.iter().chain(&log).copied().collect();
    let each_twice: Vec<&Event> = log.iter().flat_map(|event| [*event, *event]).collect();
    for one in &world.all {
        for (name, lines) in
            [("log", &log), ("twice", &twice), ("each", &each_twice), ("some", &some_twice)]
        {
            let again = Signals::fold_recorded(&one.memory, lines.iter().copied(), &world.trust);
            assert_eq!(again, one.signals, "{name}");
        }
    }
}
