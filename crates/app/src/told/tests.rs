//! Tables of what goes in and what comes out.

use serde_json::json;

use super::*;

fn hooks() -> Vec<Value> {
    vec![
        json!({"at": "2026-11-18T08:00:00Z", "session": "s1", "host": "codex", "event": "prompt",
            "said": "context", "served": ["a"], "captured": [], "tokens": 40, "ms": 3.5, "trouble": false, "note": ""}),
        json!({"at": "2026-11-18T08:02:00Z", "session": "s1", "host": "codex", "event": "stop",
            "said": "nothing", "served": [], "captured": ["b"], "tokens": 0, "ms": 9.0, "trouble": true, "note": "slow"}),
        json!({"at": "2026-11-18T09:00:00Z", "session": "s2", "host": "gemini", "event": "prompt",
            "said": "nothing", "served": [], "captured": [], "tokens": 0, "ms": 1.0, "trouble": false, "note": "no words"}),
        json!({"at": "2026-11-18T09:00:00Z", "session": "", "event": "prompt"}),
    ]
}

fn receipts() -> Vec<Value> {
    vec![
        json!({"at": "2026-11-18T08:00:00Z", "session": "s1", "task": "T-7", "query": "round the total",
            "served": [{"id": "a"}], "dropped": [{"id": "c", "reason": "too weak"}], "tokens": 40, "budget": 800}),
        json!({"at": "2026-11-18T08:01:00Z", "session": "s1", "query": "cents", "served": [],
            "dropped": [], "tokens": 0, "budget": 800}),
    ]
}

#[test]
fn sessions_are_added_up_newest_first() {
    let all = sessions(&hooks(), &receipts());
    let names: Vec<&str> = all.iter().map(|it| it.session.as_str()).collect();
    assert_eq!(names, ["s2", "s1"]);
    let one = &all[1];
    assert_eq!((one.calls, one.served, one.captured, one.trouble), (2, 1, 1, 1));
    assert_eq!((one.tokens, one.task.as_deref(), one.host.as_str()), (40, Some("T-7"), "codex"));
    assert_eq!(one.began, "2026-11-18T08:00:00Z");
    assert_eq!(one.ended, "2026-11-18T08:02:00Z");
}

/// R360
#[test]
fn a_receipt_belongs_to_its_call() {
    let calls = calls("s1", &hooks(), &receipts());
    let events: Vec<&str> = calls.iter().map(|it| it.event.as_str()).collect();
    assert_eq!(events, ["prompt", "recall", "stop"]);
    assert_eq!((calls[0].query.as_str(), calls[0].budget), ("round the total", Some(800)));
    assert_eq!(calls[0].dropped, [("c".to_owned(), "too weak".to_owned())]);
    assert_eq!((calls[1].said.as_str(), calls[1].ms), ("nothing", None));
    assert_eq!(calls[2].note, "slow");
}
