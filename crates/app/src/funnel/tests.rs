//! Tables of what goes in and what comes out.

use serde_json::json;

use super::*;

fn at(day: &str) -> Timestamp {
    format!("{day}T12:00:00Z").parse().unwrap()
}

fn event(event_type: EventType, id: &str, day: &str) -> Event {
    Event { via: Via::Hook("codex".to_owned()), ..Event::new(event_type, id, at(day)) }
}

fn born(id: &str, day: &str) -> Event {
    Event { to: Some(State::Candidate), ..event(EventType::Created, id, day) }
}

fn log() -> Vec<Event> {
    let raised = Event {
        from: Some(State::Candidate),
        to: Some(State::Stable),
        ..event(EventType::Reviewed, "a", "2026-11-10")
    };
    let helped =
        Event { effect: Some(Effect::Positive), ..event(EventType::Applied, "a", "2026-11-17") };
    let rejected = Event {
        decision: Some(Verdict::Reject),
        reason: "too vague".to_owned(),
        ..event(EventType::Reviewed, "b", "2026-11-10")
    };
    // Nobody captured it: its use is none of the funnel.
    let typed = event(EventType::Applied, "typed", "2026-11-17");
    vec![born("a", "2026-11-03"), born("b", "2026-11-03"), raised, rejected, helped, typed]
}

#[track_caller]
fn check(host: Option<&str>, want: [&[Option<u64>]; 6]) {
    let hooks = [
        json!({"at": "2026-11-10T08:00:00Z", "host": "codex", "heard": 40, "hits": 3}),
        json!({"at": "2026-11-17T08:00:00Z", "host": "claude-code", "heard": 5}),
    ];
    let funnel = count(&log(), &hooks, host, at("2026-11-18"));
    assert_eq!(funnel.weeks, ["2026-11-02", "2026-11-09", "2026-11-16"]);
    let counts: Vec<&[Option<u64>]> = funnel.steps.iter().map(|it| it.counts.as_slice()).collect();
    assert_eq!(counts, want);
    assert_eq!(funnel.hosts, ["claude-code", "codex"]);
}

/// R359
#[test]
fn weeks_before_the_log_are_not_known() {
    check(
        None,
        [
            &[None, Some(40), Some(5)],
            &[None, Some(3), Some(0)],
            &[Some(2), Some(0), Some(0)],
            &[Some(0), Some(1), Some(0)],
            &[Some(0), Some(0), Some(1)],
            &[Some(0), Some(0), Some(1)],
        ],
    );
}

#[test]
fn a_host_has_its_own_funnel() {
    check(
        Some("codex"),
        [
            &[None, Some(40), Some(0)],
            &[None, Some(3), Some(0)],
            &[Some(2), Some(0), Some(0)],
            &[Some(0), Some(1), Some(0)],
            &[Some(0), Some(0), Some(1)],
            &[Some(0), Some(0), Some(1)],
        ],
    );
}

#[test]
fn reasons_are_counted() {
    let funnel = count(&log(), &[], None, at("2026-11-18"));
    let want = Rejection { reason: "too vague".to_owned(), count: 1, ids: vec!["b".to_owned()] };
    assert_eq!(funnel.rejected, [want]);
    assert_eq!(count(&[], &[], None, at("2026-11-18")).weeks, ["2026-11-16"]);
}
