//! Single moves by example: every state against every request, and what each move needs.

use super::super::*;
use crate::memory::MemoryId;
use crate::origin::Origin;
use crate::policy::TrustPolicy;

fn memory(state: State) -> Memory {
    let mut memory = Memory::new(MemoryId::of_title("m"), Kind::Lesson, "m");
    memory.state = state;
    memory.origin = Origin::User;
    memory
}

fn signals() -> Signals {
    let mut signals = Signals::start(2, Origin::User, &TrustPolicy::default());
    signals.successful_reuses = 5;
    signals.tasks = ["a", "b", "c"].map(str::to_owned).into();
    signals
}

fn ask(memory: &Memory, signals: &Signals, request: &Request) -> Result<State, Code> {
    let policy = LifePolicy::default();
    let now = Timestamp::from_second(1_000_000_000).unwrap();
    let life = Life { memory, signals, durable: true, policy: &policy, now };
    transition(life, request).map(|t| t.to).map_err(|refusal| refusal.code)
}

fn every_request() -> Vec<(&'static str, Request)> {
    let approvers = vec!["ada".to_owned(), "bob".to_owned()];
    vec![
        ("promote", Request::Promote { approvers, incidents: 0, is_reasoned: false }),
        ("review", Request::Review(ReviewCause::Requested("odd".into()))),
        ("reinstate", Request::Reinstate { guidance_changed: true }),
        ("reject", Request::Reject("wrong".into())),
        (
            "supersede",
            Request::Supersede { by: "n".into(), by_active: true, reason: String::new() },
        ),
        ("archive", Request::Archive { reason: "gone".into(), standing: Standing::Unreferenced }),
        ("unarchive", Request::Unarchive),
        ("retire", Request::Retire(String::new())),
        ("restore", Request::Restore),
    ]
}

/// R231: the states; R203: no promotion skips one; R205: `under_review` ends only by a review;
/// R228: archived is kept, rejected is for ever.
#[test]
fn all_states_against_all_requests() {
    let mut table = String::new();
    for state in State::ALL {
        table.push_str(&format!("{state}:"));
        for (name, request) in every_request() {
            if let Ok(to) = ask(&memory(*state), &signals(), &request) {
                table.push_str(&format!(" {name}={to}"));
            }
        }
        table.push('\n');
    }
    expect_test::expect![[r#"
        candidate: promote=provisional review=under_review reject=rejected supersede=superseded archive=archived retire=retired
        provisional: promote=stable review=under_review supersede=superseded archive=archived retire=retired
        stable: promote=canonical review=under_review supersede=superseded archive=archived retire=retired
        canonical: review=under_review supersede=superseded archive=archived retire=retired
        under_review: reinstate=stable reject=rejected supersede=superseded archive=archived retire=retired
        decayed: review=under_review supersede=superseded archive=archived retire=retired
        superseded:
        archived: unarchive=stable
        rejected:
        retired: restore=stable
    "#]].assert_eq(&table);
}

#[track_caller]
fn check_promotion(state: State, edit: fn(&mut Signals, &mut Vec<String>), want: Option<State>) {
    let mut signals = signals();
    let mut approvers = vec!["ada".to_owned(), "bob".to_owned()];
    edit(&mut signals, &mut approvers);
    let request = Request::Promote { approvers, incidents: 0, is_reasoned: false };
    assert_eq!(ask(&memory(state), &signals, &request).ok(), want);
}

#[test]
fn promotions_need_what_they_need() {
    check_promotion(
        State::Candidate,
        |s, a| {
            s.evidence_count = 1;
            a.clear()
        },
        None,
    );
    check_promotion(State::Candidate, |s, _| s.evidence_count = 1, Some(State::Provisional));
    check_promotion(State::Candidate, |_, a| a.clear(), Some(State::Provisional));
    check_promotion(State::Provisional, |s, _| s.successful_reuses = 2, None);
    check_promotion(State::Provisional, |s, _| s.contradiction_count = 1, None);
    // Uses are the way without a person, in as many tasks.
    check_promotion(State::Provisional, |_, a| a.clear(), Some(State::Stable));
    check_promotion(
        State::Provisional,
        |s, a| {
            a.clear();
            s.tasks.pop_first();
        },
        None,
    );
    check_promotion(
        State::Stable,
        |s, _| {
            s.tasks.pop_last();
        },
        None,
    );
    check_promotion(State::Stable, |_, a| a[1] = "ada".to_owned(), None);
    check_promotion(State::Stable, |_, _| {}, Some(State::Canonical));
}

#[test]
fn a_proposed_decision_is_at_most_provisional() {
    let mut decision = memory(State::Provisional);
    decision.kind = Kind::Decision;
    decision.content.set("status", crate::content::FieldValue::Text("proposed".into()));
    let request =
        Request::Promote { approvers: vec!["ada".into()], incidents: 0, is_reasoned: false };
    assert_eq!(ask(&decision, &signals(), &request), Err(Code::State));
}

#[test]
fn the_third_review_does_not_reinstate() {
    let mut signals = signals();
    signals.reviews = 2;
    let request = Request::Reinstate { guidance_changed: true };
    assert_eq!(ask(&memory(State::UnderReview), &signals, &request), Ok(State::Stable));
    signals.reviews = 3;
    assert_eq!(ask(&memory(State::UnderReview), &signals, &request), Err(Code::State));
    let unchanged = Request::Reinstate { guidance_changed: false };
    signals.reviews = 1;
    assert_eq!(ask(&memory(State::UnderReview), &signals, &unchanged), Err(Code::State));
}

#[test]
fn signals_ask_for_a_review() {
    let request = Request::Review(ReviewCause::Signals);
    let mut failed = signals();
    assert_eq!(ask(&memory(State::Stable), &failed, &request), Err(Code::State));
    failed.failed_reuses = 2;
    assert_eq!(ask(&memory(State::Stable), &failed, &request), Ok(State::UnderReview));
    let mut distrusted = signals();
    distrusted.trust = 0.29;
    assert_eq!(ask(&memory(State::Stable), &distrusted, &request), Ok(State::UnderReview));
}

/// R121: a date alone ends nothing but an unused lesson's automatic recall.
#[test]
fn only_unused_overdue_lessons_fade() {
    let mut lesson = memory(State::Stable);
    lesson.review_after = Some(Timestamp::UNIX_EPOCH);
    assert_eq!(ask(&lesson, &signals(), &Request::Sweep), Ok(State::Decayed));
    let mut used = signals();
    used.last_reuse = Some(Timestamp::from_second(9).unwrap());
    assert_eq!(ask(&lesson, &used, &Request::Sweep), Err(Code::State));
    lesson.kind = Kind::Decision;
    assert_eq!(ask(&lesson, &signals(), &Request::Sweep), Err(Code::State));
    let mut contradicted = signals();
    contradicted.open_contradictions = 3;
    assert_eq!(ask(&lesson, &contradicted, &Request::Sweep), Ok(State::Decayed));
}

/// R119, R120, R123, R124: no archive without a reason, nor while it still binds.
#[test]
fn archiving_a_durable_memory() {
    let archive = |reason: &str, standing| Request::Archive { reason: reason.into(), standing };
    let stable = memory(State::Stable);
    let referenced = Standing::Referenced(vec!["src/pay.rs".into()]);
    assert_eq!(ask(&stable, &signals(), &archive("old", referenced)), Err(Code::State));
    let unreferenced = archive("", Standing::Unreferenced);
    assert_eq!(ask(&stable, &signals(), &unreferenced), Err(Code::Validation));
    let marked = archive("replaced", Standing::Marked("the decision is deprecated"));
    assert_eq!(ask(&stable, &signals(), &marked), Ok(State::Archived));
}

#[test]
fn what_was_put_away_comes_back_to_where_it_was() {
    let now = Timestamp::UNIX_EPOCH;
    for (there, back) in [
        (Request::Retire("x".into()), Request::Restore),
        (
            Request::Archive { reason: "x".into(), standing: Standing::Unreferenced },
            Request::Unarchive,
        ),
    ] {
        for state in
            [State::Candidate, State::Provisional, State::Stable, State::Canonical, State::Decayed]
        {
            let before = memory(state);
            let mut moved = before.clone();
            let signals = signals();
            let policy = LifePolicy::default();
            for request in [&there, &back] {
                let copy = moved.clone();
                let life =
                    Life { memory: &copy, signals: &signals, durable: true, policy: &policy, now };
                apply(&mut moved, &transition(life, request).unwrap(), now);
            }
            moved.state_reason = None;
            assert_eq!(moved, before);
        }
    }
}
