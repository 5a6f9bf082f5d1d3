//! What a session leaves behind when it is over: a summary, modules for the map, a pattern.

use super::stage::{Session, Stage};

fn work(session: &Session<'_>, file: &str) {
    session.person("Please add refunds to the payment service");
    for _ in 0..4 {
        session.runs("cargo test -p pay", Ok("test result: ok"));
        session.edits(file);
        session.uses("Read", serde_json::json!({"file_path": file}), Ok("fn refund() {}"));
    }
    session.agent_says("Refunds are there and tested.");
    session.stop();
}

fn summaries(stage: &Stage) -> Vec<String> {
    stage.ids(&["--kind", "session_summary"])
}

/// R237: one candidate a session, by what was done; told again it is changed.
#[test]
fn a_working_session_leaves_one_summary() {
    let stage = Stage::new();
    let session = stage.session("s");
    work(&session, "src/pay/refund.rs");
    assert!(summaries(&stage).is_empty(), "the session is not over");
    session.end();
    let first = summaries(&stage);
    assert_eq!(first.len(), 1);
    let memory = stage.show(&first[0]);
    assert_eq!(memory["state"], "candidate", "{memory}");
    let content = memory["content"].to_string();
    assert!(
        content.contains("add refunds") && content.contains("\"src/pay/refund.rs"),
        "{content}"
    );
    session.end();
    assert_eq!(stage.show(&first[0])["times_updated"], 0, "nothing new was done");
    session.start("resume");
    session.edits("src/pay/ledger.rs");
    session.stop();
    session.end();
    assert_eq!(summaries(&stage), first);
    let memory = stage.show(&first[0]);
    assert!(memory["content"].to_string().contains("ledger.rs"), "{memory}");
}

/// R237: talk is no activity, whatever is talked of.
#[test]
fn small_talk_leaves_no_summary() {
    let stage = Stage::new();
    let session = stage.session("s");
    for number in 0..40 {
        session.person(&format!("And what do you think about topic number {number}, my friend?"));
        session.agent_says(&format!("Topic number {number} is a fine one, and a deep one."));
    }
    session.stop();
    session.end();
    assert_eq!(summaries(&stage), Vec::<String>::new());
}

/// R237, R289: off by its kind, by its threshold, by the mode.
#[test]
fn a_summary_can_be_switched_off() {
    for (key, value) in [
        ("kinds.session_summary.enabled", "false"),
        ("kinds.session_summary.auto_capture", "false"),
        ("capture.mode", "off"),
    ] {
        let stage = Stage::new();
        stage.set(key, value);
        let session = stage.session("s");
        work(&session, "src/pay/refund.rs");
        session.end();
        assert_eq!(summaries(&stage), Vec::<String>::new(), "{key}");
    }
}

/// R237: a window that rolls, of candidates too.
#[test]
fn summaries_are_a_rolling_window() {
    let mut stage = Stage::new();
    for day in 1..=8 {
        stage.scratch.now = format!("2026-11-{day:02}T12:00:00Z").parse().unwrap();
        let session = stage.session(&format!("session-{day}"));
        work(&session, "src/pay/refund.rs");
        session.end();
    }
    let left = summaries(&stage);
    assert!(left.len() <= 5, "{left:?}");
    assert!(left.iter().any(|id| id.contains("2026-11-08")), "{left:?}");
    stage.scratch.assert_healthy("after eight sessions");
}

/// What a person threw out is not brought back by the next stop.
#[test]
fn a_summary_that_was_retired_stays_so() {
    let stage = Stage::new();
    let session = stage.session("s");
    work(&session, "src/pay/refund.rs");
    session.end();
    let id = summaries(&stage).remove(0);
    stage.scratch.ok(&["retire", &id, "--by", "ada"]);
    session.start("resume");
    work(&session, "src/pay/other.rs");
    session.end();
    assert_eq!(stage.show(&id)["record_status"], "retired");
    assert_eq!(stage.ids(&["--kind", "session_summary", "--status", "active"]).len(), 0);
}

/// R100: a module that no map has is a candidate for it; one that a map has is not.
#[test]
fn work_in_an_unmapped_module_proposes_it() {
    let stage = Stage::new();
    let map = ["architecture", "--title", "Map", "--module-map", "`src/pay`: payments"];
    stage.scratch.ok(&[&["add"], &map[..]].concat());
    let session = stage.session("s");
    session.person("Please add mail for refunds");
    session.edits("src/pay/refund.rs").edits("src/mail/send.rs").edits("docs/mail.md");
    session.stop();
    session.end();
    session.end();
    let found = stage.ids(&["--kind", "architecture", "--state", "candidate"]);
    assert_eq!(found, ["module-src-mail"], "{}", stage.last_note());
    let text = stage.show("module-src-mail")["content"].to_string();
    assert!(text.contains("src/mail") && text.contains("send.rs"), "{text}");
}

/// R100: where there is no map there is nothing to complete.
#[test]
fn without_a_map_no_module_is_proposed() {
    let stage = Stage::new();
    let session = stage.session("s");
    session.person("Please add mail for refunds").edits("src/mail/send.rs");
    session.end();
    assert_eq!(stage.ids(&["--kind", "architecture"]), Vec::<String>::new());
}

/// R108, R114: no stored pattern matched, so that what was done may become one. A session that
/// began with what always holds has matched nothing by that.
#[test]
fn work_that_matched_nothing_leaves_its_pattern() {
    for has_decision in [false, true] {
        let stage = Stage::new();
        if has_decision {
            let args = ["decision", "--title", "Ship on Fridays", "--decision", "We ship then"];
            stage.scratch.ok(&[&["add"], &args[..]].concat());
        }
        let session = stage.session("s");
        session.start("startup");
        assert_eq!(session.prompt("Please add refunds to the payment service"), "");
        work(&session, "src/pay/refund.rs");
        session.end();
        let memory = stage.show(&summaries(&stage)[0]);
        let text = memory["content"].to_string();
        assert!(text.contains("Pattern, no memory matched"), "decision {has_decision}: {text}");
    }
}

/// R114: one that was matched is followed, and is no new pattern.
#[test]
fn work_that_matched_something_leaves_no_pattern() {
    let stage = Stage::new();
    let text = "Refunds in the payment service go through the ledger first";
    stage.scratch.ok(&["add", "reference", "--title", "Refunds in payment", "--text", text]);
    for started in [false, true] {
        let session = stage.session(&format!("s{started}"));
        if started {
            session.start("startup");
        }
        let told = session.prompt("Please add refunds to the payment service ledger");
        assert!(told.contains("refunds-in-payment"), "{told}");
        session.prompt("and now something about nothing at all");
        work(&session, "src/pay/refund.rs");
        session.end();
    }
    for id in summaries(&stage) {
        let text = stage.show(&id)["content"].to_string();
        assert!(!text.contains("Pattern, no memory matched"), "{text}");
    }
}
