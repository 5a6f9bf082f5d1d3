//! Where a session was when it ended, told to the one that goes on.

use serde_json::json;

use super::stage::Stage;

fn worked(stage: &Stage, id: &str) {
    let session = stage.session(id);
    session.person("Please add refunds to the payment service");
    session.runs("cargo test -p pay", Err("error[E0433]: failed to resolve: use of `Refund`"));
    let todos = json!({"todos": [
        {"content": "Write the refund table", "status": "completed"},
        {"content": "Wire the refund route", "status": "pending"},
    ]});
    session.uses("TodoWrite", todos, Ok("ok"));
    session.edits("src/pay/refund.rs");
    session.agent_says("The table is there.");
    session.stop();
}

/// R102, R103: what fails and what is open is in the notes; R106: the next session reads them.
#[test]
fn the_next_session_is_told_where_the_last_one_ended() {
    let stage = Stage::new();
    worked(&stage, "one");
    let text = stage.session("two").start("startup");
    for fact in [
        "last session here",
        "add refunds to the payment service",
        "pending: fix `cargo test -p pay`: error[E0433]",
        "src/pay/refund.rs",
    ] {
        assert!(text.contains(fact), "{fact} in {text}");
    }
    // The list of steps is older than the edit and the end of the turn (R562).
    assert!(!text.contains("to do:"), "{text}");
}

/// R106: a session that is resumed reads its own notes, and so does one that was compacted.
#[test]
fn a_resumed_session_is_told_where_it_was() {
    let stage = Stage::new();
    worked(&stage, "one");
    for source in ["resume", "compact"] {
        let text = stage.session("one").start(source);
        assert!(text.contains("this session so far"), "{source}: {text}");
        assert!(text.contains("pending: fix `cargo test -p pay`"), "{source}: {text}");
    }
}

/// R103: a compaction comes before any stop.
#[test]
fn progress_is_kept_before_a_compaction() {
    let stage = Stage::new();
    let session = stage.session("one");
    session.person("Please add refunds to the payment service");
    session.runs("make deploy", Err("error: no such target"));
    session.compact();
    let text = session.start("clear");
    assert!(text.contains("`make deploy`: error: no such target (not fixed)"), "{text}");
}

/// R102: a failure that was fixed is told as such.
#[test]
fn what_was_fixed_is_no_longer_open() {
    let stage = Stage::new();
    worked(&stage, "one");
    let session = stage.session("one");
    session.runs("cargo test -p pay", Ok("test result: ok"));
    session.stop();
    let text = stage.session("two").start("startup");
    assert!(!text.contains("not fixed"), "{text}");
    assert!(text.contains("last check passed: `cargo test -p pay`"), "{text}");
}

/// Talk leaves no notes, old notes explain nothing, and a secret is in none of them.
#[test]
fn notes_are_of_work_and_recent_and_clean() {
    let mut stage = Stage::new();
    stage.session("talk").person("hello there, how are you today?");
    stage.session("talk").stop();
    assert_eq!(stage.session("two").start("startup"), "");
    let session = stage.session("work");
    let secret = format!("deploy with AKIA{}", "IOSFODNN7EXAMPLQ");
    session.person(&secret);
    session.runs(&format!("aws --key AKIA{}", "IOSFODNN7EXAMPLQ"), Err("error: denied"));
    session.agent_says(&format!(
        "The role of AKIA{} may not write to the bucket.",
        "IOSFODNN7EXAMPLQ"
    ));
    session.stop();
    let text = stage.session("three").start("startup");
    assert!(text.contains("[withheld]") && !text.contains("IOSFODNN7"), "{text}");
    for file in stage.session_states() {
        let state = std::fs::read_to_string(file).unwrap();
        assert!(!state.contains("IOSFODNN7"), "{state}");
    }
    stage.scratch.now = "2026-12-20T12:00:00Z".parse().unwrap();
    let text = stage.session("four").start("startup");
    assert!(!text.contains("last session here"), "{text}");
}
