//! The requirements one by one, each as a table of cases beside its edges.

use super::super::*;
use super::cases::{ask_code, at, base, memory_of, now};
use super::oracle::{Ask, Case, Sort, allowed};
use crate::event::{Effect, Event, EventType};
use crate::origin::Origin;
use crate::policy::TrustPolicy;
use State::{
    Archived, Candidate, Canonical, Decayed, Provisional, Rejected, Retired, Stable, Superseded,
    UnderReview,
};

/// The code says what is wanted, and the table of the requirements agrees.
#[track_caller]
fn check(ask: Ask, from: State, edit: fn(&mut Case), want: Option<State>) {
    let mut case = base(ask, from);
    edit(&mut case);
    check_case(&case, want);
}

#[track_caller]
fn check_case(case: &Case, want: Option<State>) {
    assert_eq!(ask_code(case).ok().map(|moved| moved.to), want, "{case:?}");
    assert_eq!(allowed(case), want, "the table: {case:?}");
}

/// Evidence, incidents and approvers alone.
#[track_caller]
fn check_provisional(evidence: u32, incidents: u32, approvers: &'static [&str], want: bool) {
    let case = Case { evidence, incidents, approvers, ..base(Ask::Promote, Candidate) };
    check_case(&case, want.then_some(Provisional));
}

/// R200: two pieces of evidence, or two incidents, or an approval.
#[test]
fn from_candidate_to_provisional() {
    check_provisional(1, 1, &[], false);
    check_provisional(2, 1, &[], true);
    check_provisional(1, 2, &[], true);
    check_provisional(1, 1, &["ada"], true);
}

/// R201: three uses that helped and no contradiction; or a person who looked and says why. Without
/// anybody the uses are in three tasks.
#[test]
fn from_provisional_to_stable() {
    check(Ask::Promote, Provisional, |c| (c.uses, c.approvers) = (3, &["ada"]), Some(Stable));
    check(Ask::Promote, Provisional, |c| (c.uses, c.reason) = (2, ""), None);
    check(Ask::Promote, Provisional, |c| (c.contradictions, c.reason) = (1, " "), None);
    check(Ask::Promote, Provisional, |c| (c.uses, c.contradictions) = (0, 1), Some(Stable));
    check(Ask::Promote, Provisional, |c| c.approvers = &[], Some(Stable));
    check(Ask::Promote, Provisional, |c| (c.tasks, c.approvers) = (2, &[]), None);
    check(Ask::Promote, Provisional, |c| c.sort = Sort::Proposed, None);
}

/// R202: five uses in three tasks, and two people.
#[test]
fn from_stable_to_canonical() {
    check(Ask::Promote, Stable, |_| {}, Some(Canonical));
    check(Ask::Promote, Stable, |c| c.uses = 4, None);
    check(Ask::Promote, Stable, |c| c.tasks = 2, None);
    check(Ask::Promote, Stable, |c| c.approvers = &["ada"], None);
    check(Ask::Promote, Stable, |c| c.approvers = &["ada", "ada"], None);
}

/// R203: with everything that a promotion can need, it is one state.
#[test]
fn no_promotion_skips_a_state() {
    let next = |state: State| match state {
        Candidate => Some(Provisional),
        Provisional => Some(Stable),
        Stable => Some(Canonical),
        _ => None,
    };
    for state in State::ALL {
        check(Ask::Promote, *state, |_| {}, next(*state));
    }
}

/// R204, R225: from the second failed use on, below 0.3, or on request, whatever is active.
#[test]
fn to_review() {
    for state in [Candidate, Provisional, Stable, Canonical, Decayed] {
        check(Ask::ReviewSignals, state, |c| c.failed = 1, None);
        check(Ask::ReviewSignals, state, |c| c.failed = 2, Some(UnderReview));
        check(Ask::ReviewSignals, state, |c| c.trust = 0.3, None);
        check(Ask::ReviewSignals, state, |c| c.trust = 0.299, Some(UnderReview));
        check(Ask::ReviewWish, state, |_| {}, Some(UnderReview));
    }
    for state in [UnderReview, Superseded, Archived, Rejected, Retired] {
        check(Ask::ReviewSignals, state, |c| (c.failed, c.trust) = (9, 0.0), None);
        check(Ask::ReviewWish, state, |_| {}, None);
    }
}

/// T4: a conflict puts only what is settled under review.
#[test]
fn a_conflict_between_settled_memories() {
    for state in State::ALL {
        let want = matches!(state, Stable | Canonical).then_some(UnderReview);
        check(Ask::ReviewConflict, *state, |_| {}, want);
    }
}

/// R205: the ways out of a review, and that no other way leads out.
#[test]
fn out_of_a_review() {
    for ask in Ask::ALL {
        let want = match ask {
            Ask::Reinstate => Some(Candidate),
            Ask::Supersede => Some(Superseded),
            Ask::Archive => Some(Archived),
            Ask::Reject => Some(Rejected),
            Ask::Retire => Some(Retired),
            _ => None,
        };
        check(ask, UnderReview, |_| {}, want);
    }
}

/// R206: a passed date without a use ends a lesson's automatic recall; contradictions or distrust
/// end that of anything.
#[test]
fn what_a_sweep_finds() {
    for state in [Provisional, Stable, Canonical] {
        check(Ask::Sweep, state, |_| {}, None);
        check(Ask::Sweep, state, |c| c.overdue = true, Some(Decayed));
        check(Ask::Sweep, state, |c| (c.overdue, c.reused) = (true, true), None);
        check(Ask::Sweep, state, |c| (c.overdue, c.sort) = (true, Sort::Decision), None);
        check(Ask::Sweep, state, |c| c.contradictions = 2, None);
        check(
            Ask::Sweep,
            state,
            |c| (c.contradictions, c.sort) = (3, Sort::Decision),
            Some(Decayed),
        );
        check(Ask::Sweep, state, |c| c.trust = 0.3, None);
        check(Ask::Sweep, state, |c| (c.trust, c.sort) = (0.299, Sort::Decision), Some(Decayed));
    }
}

/// R208, R209: a promotion changes the state, its reason and the date, and nothing else.
#[test]
fn a_promotion_in_place() {
    for (from, to, days) in
        [(Candidate, Provisional, 30), (Provisional, Stable, 90), (Stable, Canonical, 180)]
    {
        let case = base(Ask::Promote, from);
        let mut before = memory_of(&case);
        before.retired_at = None;
        let mut after = before.clone();
        apply(&mut after, &ask_code(&case).unwrap(), now());
        before.state = to;
        before.state_reason = Some("approved by ada, bob".to_owned());
        before.review_after = Some(at(now().as_second() + days * super::cases::DAY));
        assert_eq!(after, before);
    }
}

/// R223: what faded comes back only for something new.
#[test]
fn out_of_decay() {
    check(Ask::Revive, Decayed, |c| c.news = false, None);
    check(Ask::Revive, Decayed, |_| {}, Some(Provisional));
    for ask in [Ask::Promote, Ask::Keep, Ask::Reinstate, Ask::Unarchive, Ask::Restore] {
        check(ask, Decayed, |_| {}, None);
    }
}

fn moved(number: u32, event_type: EventType, from: State, to: State) -> Event {
    let mut event = Event::new(event_type, "the-one", now());
    event.id = format!("move-{number:03}");
    (event.from, event.to) = (Some(from), Some(to));
    event
}

fn failed(number: u32) -> Event {
    let mut event = Event::new(EventType::Applied, "the-one", now());
    event.id = format!("a-use-{number:03}");
    event.effect = Some(Effect::Negative);
    event
}

#[track_caller]
fn check_fold(events: &[Event], failed: u32, reviews: u32) {
    let memory = memory_of(&base(Ask::Promote, Stable));
    let signals = Signals::fold_recorded(&memory, events, &TrustPolicy::default());
    assert_eq!((signals.failed_reuses, signals.reviews), (failed, reviews));
}

/// R226: failed uses begin again, wherever it was before the review.
#[test]
fn a_reinstated_memory_begins_again() {
    for state in [Candidate, Provisional, Stable, Canonical, Decayed] {
        let mut events = vec![failed(1), failed(2), moved(1, EventType::Moved, state, UnderReview)];
        check_fold(&events, 2, 1);
        events.push(moved(2, EventType::Reviewed, UnderReview, state));
        check_fold(&events, 0, 1);
        check(Ask::Reinstate, UnderReview, |c| c.changed = false, None);
    }
    let rejected = moved(2, EventType::Reviewed, UnderReview, Rejected);
    check_fold(&[failed(1), moved(1, EventType::Moved, Stable, UnderReview), rejected], 1, 1);
}

/// R226: it resumes the state that it had, also when it was put away in the middle of the review.
#[test]
fn a_review_that_was_put_away() {
    let (away, back) = (Request::Retire(String::new()), Request::Restore);
    let review = Request::Review(ReviewCause::Requested("odd".into()));
    let reinstate = Request::Reinstate { guidance_changed: true };
    for state in [Candidate, Provisional, Stable, Canonical, Decayed] {
        for origin in [Origin::External, Origin::Agent, Origin::User] {
            let mut memory = memory_of(&Case { origin, ..base(Ask::Retire, state) });
            let mut events = Vec::new();
            for request in [&review, &away, &back, &reinstate] {
                let signals = Signals::fold_recorded(&memory, &events, &TrustPolicy::default());
                let policy = LifePolicy::default();
                let life = Life {
                    memory: &memory,
                    signals: &signals,
                    durable: true,
                    policy: &policy,
                    now: now(),
                };
                let done = transition(life, request).unwrap();
                apply(&mut memory, &done, now());
                let number = events.len() as u32;
                events.push(moved(number, EventType::Moved, done.from, done.to));
            }
            assert_eq!(memory.state, state, "{origin}");
            // R230: coming back to a review is no further one.
            check_fold(&events, 0, 1);
        }
    }
}

/// R228: an archived memory is kept whole and can come back; a rejected one can't.
#[test]
fn archived_and_rejected() {
    let case = base(Ask::Archive, Stable);
    let mut before = memory_of(&case);
    let mut after = before.clone();
    apply(&mut after, &ask_code(&case).unwrap(), now());
    assert!(!after.is_active());
    before.state = Archived;
    before.prev_state = Some(Stable);
    before.retired_at = None;
    before.archived_at = Some(now());
    before.archived_reason = Some("because".to_owned());
    before.state_reason.clone_from(&before.archived_reason);
    assert_eq!(after, before);
    check(Ask::Unarchive, Archived, |c| c.before = Some(Stable), Some(Stable));
    for ask in Ask::ALL {
        let want = (ask == Ask::Revive).then_some(Candidate);
        check(ask, Rejected, |_| {}, want);
    }
    check(Ask::Revive, Rejected, |c| c.news = false, None);
}

/// R230: the third review ends otherwise.
#[test]
fn the_third_review() {
    for (reviews, want) in [(1, true), (2, true), (3, false), (4, false)] {
        let before = Some(Stable);
        let case = Case { reviews, before, ..base(Ask::Reinstate, UnderReview) };
        check_case(&case, want.then_some(Stable));
        check_case(&Case { ask: Ask::Archive, ..case }, Some(Archived));
        check_case(&Case { ask: Ask::Reject, ..case }, Some(Rejected));
        check_case(&Case { ask: Ask::Supersede, ..case }, Some(Superseded));
    }
}

/// R231: nothing else is a state.
#[test]
fn the_words_of_the_states() {
    assert_eq!(State::ALL.len(), 10);
    for state in State::ALL {
        assert_eq!(State::parse(state.as_str()), Ok(*state));
    }
    for word in ["", "active", "Stable", "deleted", "under review"] {
        assert!(State::parse(word).is_err(), "{word}");
    }
}

/// A proposed decision is at most provisional, also when it comes back and nobody knows from where.
#[test]
fn a_proposed_decision_that_comes_back() {
    let edit = |c: &mut Case| (c.sort, c.origin) = (Sort::Proposed, Origin::User);
    for (ask, from) in
        [(Ask::Restore, Retired), (Ask::Unarchive, Archived), (Ask::Reinstate, UnderReview)]
    {
        check(ask, from, edit, Some(Provisional));
        check(
            ask,
            from,
            |c| (c.sort, c.before) = (Sort::Proposed, Some(Candidate)),
            Some(Candidate),
        );
    }
}
