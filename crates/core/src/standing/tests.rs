//! What a file claims counts as far as the log carries it.

use jiff::Timestamp;

use super::Logged;
use crate::actor::Via;
use crate::event::{Event, EventType, Verdict};
use crate::origin::Origin;
use crate::state::State;

fn agent() -> Via {
    Via::Agent("codex".to_owned())
}

fn event(event_type: EventType, to: State, via: Via) -> Event {
    let mut event = Event::new(event_type, "use-tabs", Timestamp::UNIX_EPOCH);
    (event.to, event.via) = (Some(to), via);
    event
}

fn created(to: State, origin: Origin, via: Via) -> Event {
    Event { origin: Some(origin), ..event(EventType::Created, to, via) }
}

#[track_caller]
fn check(events: &[Event], state: State, origin: Origin, is_carried: bool) {
    let mut logged = Logged::default();
    events.iter().for_each(|event| logged.take(event));
    assert_eq!(logged.carries_claim(state, origin), is_carried, "{state} {origin}: {events:?}");
}

#[test]
fn a_file_without_events_claims_nothing() {
    for state in [State::Provisional, State::Stable, State::Canonical] {
        check(&[], state, Origin::User, false);
    }
    // Candidates are not served: there is nothing to forge.
    check(&[], State::Candidate, Origin::User, true);
}

#[test]
fn what_was_written_is_carried_and_no_more() {
    let log = [created(State::Stable, Origin::User, Via::Shell)];
    check(&log, State::Stable, Origin::User, true);
    check(&log, State::Provisional, Origin::User, true);
    check(&log, State::Canonical, Origin::User, false);
    let log = [created(State::Provisional, Origin::Agent, agent())];
    check(&log, State::Provisional, Origin::Agent, true);
    check(&log, State::Stable, Origin::Agent, false);
    check(&log, State::Provisional, Origin::User, false);
}

#[test]
fn noticing_an_edit_vouches_for_nothing() {
    let log = [event(EventType::Adopted, State::Canonical, Via::Shell)];
    check(&log, State::Canonical, Origin::User, false);
}

#[test]
fn a_machine_creates_no_persons_word() {
    let log = [created(State::Stable, Origin::User, agent())];
    check(&log, State::Stable, Origin::User, false);
}

#[test]
fn a_persons_review_carries_what_it_names() {
    let log = [event(EventType::Reviewed, State::Stable, Via::Terminal)];
    check(&log, State::Stable, Origin::User, true);
    let log = [event(EventType::Reviewed, State::Stable, agent())];
    check(&log, State::Stable, Origin::User, false);
}

#[test]
fn uses_carry_one_step_and_never_the_last() {
    let begun = created(State::Provisional, Origin::Agent, agent());
    let risen =
        |to| Event { decision: Some(Verdict::Promote), ..event(EventType::Reviewed, to, agent()) };
    check(&[begun.clone(), risen(State::Stable)], State::Stable, Origin::Agent, true);
    check(&[risen(State::Stable)], State::Stable, Origin::Agent, false);
    let twice = [begun, risen(State::Stable), risen(State::Canonical)];
    check(&twice, State::Canonical, Origin::Agent, false);
}

#[test]
fn retiring_and_restoring_launders_nothing() {
    let begun = created(State::Provisional, Origin::Agent, agent());
    let retired = event(EventType::Moved, State::Retired, agent());
    let back = |to| event(EventType::Moved, to, agent());
    check(
        &[begun.clone(), retired.clone(), back(State::Canonical)],
        State::Canonical,
        Origin::Agent,
        false,
    );
    check(
        &[begun, retired.clone(), back(State::Provisional)],
        State::Provisional,
        Origin::Agent,
        true,
    );
    let stable = created(State::Stable, Origin::User, Via::Shell);
    check(&[stable, retired, back(State::Stable)], State::Stable, Origin::User, true);
}

#[test]
fn logs_of_before_channels_were_recorded_are_believed() {
    let log = [event(EventType::Created, State::Stable, Via::Unknown)];
    check(&log, State::Stable, Origin::User, true);
}
