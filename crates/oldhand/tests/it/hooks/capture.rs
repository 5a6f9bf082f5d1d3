//! What a stop keeps of what was said: candidates, without a word.

use serde_json::json;

use super::stage::Stage;

const CONSTRAINT: &str = "The API must never return more than 100 rows per page.";
const DECISION: &str = "We decided to use PostgreSQL for the orders because it has transactions.";
const REMEMBER: &str = "Remember that the nightly job runs at 3am UTC.";
const CONSTRAINT_ID: &str = "the-api-must-never-return-more-than-100-rows-per-page";
const DECISION_ID: &str = "use-postgresql-for-the-orders";

/// R101, R99, R285: as candidates, of the fitting kind, with where it was said; R286: silently.
#[test]
fn a_stop_keeps_what_was_said_and_says_nothing() {
    let stage = Stage::new();
    let session = stage.session("s");
    session.person(CONSTRAINT).person(DECISION).person(REMEMBER);
    assert_eq!(session.stop(), None);
    let found = stage.candidates();
    assert_eq!(found.len(), 3, "{found:?}");
    assert_eq!(stage.ids(&[]), found, "nothing but candidates");
    for (id, kind, line) in [(CONSTRAINT_ID, "constraint", 1), (DECISION_ID, "decision", 2)] {
        let memory = stage.show(id);
        assert_eq!(memory["category"], kind);
        assert_eq!(memory["state"], "candidate");
        assert_eq!(memory["origin"], "capture");
        assert_eq!(memory["evidence"], json!([format!("transcript:s#L{line}")]));
    }
    let references = stage.ids(&["--kind", "reference"]);
    assert_eq!(references.len(), 1, "{references:?}");
    let text = stage.show(&references[0])["content"].to_string();
    assert!(text.contains("nightly job runs at 3am"), "{text}");
}

/// R285: whatever the sentence is about, "remember that" is an order.
#[test]
fn remember_that_is_always_kept() {
    for text in [
        "Remember that the staging server is called heron.",
        "remember that the flag is set in CI only",
        "Please remember that the cache is used by two teams.",
        "remember: the docs are built from main",
    ] {
        let stage = Stage::new();
        let session = stage.session("s");
        session.person(text);
        session.stop();
        assert_eq!(stage.candidates().len(), 1, "{text}: {}", stage.last_note());
    }
}

/// R99, R101: also from the agent's own words, and from a message that only the host has yet.
#[test]
fn the_last_message_is_read_before_the_transcript_has_it() {
    let stage = Stage::new();
    let session = stage.session("s");
    session.person("which database shall the orders use?");
    let more = json!({"stop_hook_active": false, "last_assistant_message": DECISION});
    assert_eq!(stage.hook("claude-code", &session.payload("Stop", more)), None);
    assert_eq!(stage.candidates(), [DECISION_ID]);
    session.agent_says(DECISION);
    session.stop();
    assert_eq!(stage.candidates(), [DECISION_ID]);
    assert_eq!(stage.show(DECISION_ID)["times_updated"], 0);
}

/// R99: a host that names no transcript still tells what was said last.
#[test]
fn without_a_transcript_the_last_message_is_read() {
    let stage = Stage::new();
    let session = stage.session("s");
    for (host, event, key) in
        [("codex", "Stop", "last_assistant_message"), ("gemini", "AfterAgent", "prompt_response")]
    {
        let more = json!({"transcript_path": null, key: DECISION, "stop_hook_active": false});
        for _ in 0..3 {
            assert_eq!(stage.hook(host, &session.payload(event, more.clone())), None);
        }
        assert_eq!(stage.candidates(), [DECISION_ID], "{host}");
    }
    assert_eq!(stage.show(DECISION_ID)["times_updated"], 0);
}

/// R289
#[test]
fn a_kind_that_is_switched_off_is_not_captured() {
    for (key, value) in [
        ("kinds.decision.enabled", "false"),
        ("kinds.decision.auto_capture", "false"),
        ("capture.threshold.decision", "1.0"),
    ] {
        let stage = Stage::new();
        stage.set(key, value);
        let session = stage.session("s");
        // Below a threshold of 1 it is the weaker sentence that stays away.
        let decision = if value == "1.0" { "Let's go with Redis for the queue." } else { DECISION };
        session.person(CONSTRAINT).agent_says(decision);
        session.stop();
        assert_eq!(stage.candidates(), [CONSTRAINT_ID], "{key}");
    }
}

/// R289: `capture.mode = off`, and hooks that are off, keep nothing.
#[test]
fn nothing_is_kept_when_capture_is_off() {
    for (key, value) in [("capture.mode", "off"), ("hooks.enabled", "false")] {
        let stage = Stage::new();
        stage.set(key, value);
        let session = stage.session("s");
        session.person(CONSTRAINT).person(DECISION);
        assert_eq!(session.stop(), None);
        session.end();
        assert_eq!(stage.ids(&[]), Vec::<String>::new(), "{key}");
    }
}

/// R286: the same stop again and again is one stop.
#[test]
fn the_same_stop_five_times_keeps_one() {
    let stage = Stage::new();
    let session = stage.session("s");
    session.person(CONSTRAINT).person(DECISION);
    for round in 0..5 {
        assert_eq!(session.stop_again(round > 0), None);
        session.compact();
    }
    session.end();
    session.end();
    assert_eq!(stage.candidates(), [CONSTRAINT_ID, DECISION_ID]);
    for id in [CONSTRAINT_ID, DECISION_ID] {
        let memory = stage.show(id);
        assert_eq!(memory["times_updated"], 0, "{memory}");
        assert_eq!(memory["evidence"].as_array().unwrap().len(), 1, "{memory}");
    }
}

/// R286: said again in another session it is the same memory.
#[test]
fn another_session_makes_no_second_memory() {
    let stage = Stage::new();
    for id in ["one", "two"] {
        stage.session(id).person(CONSTRAINT);
        stage.session(id).stop();
    }
    assert_eq!(stage.candidates(), [CONSTRAINT_ID]);
}

/// What oldhand has said itself is not captured again.
#[test]
fn what_was_injected_is_not_captured() {
    let stage = Stage::new();
    let rule = ["constraint", "--title", "Pages", "--rule", CONSTRAINT, "--file", "src/"];
    stage.scratch.ok(&[&["add"], &rule[..]].concat());
    let session = stage.session("s");
    let told = session.start("startup");
    assert!(told.contains(CONSTRAINT), "{told}");
    session.person(&told).agent_says(&told);
    let output = json!({"command": "oldhand recall pages"});
    session.uses("Bash", output, Ok(&told));
    session.stop();
    assert_eq!(stage.candidates(), Vec::<String>::new());
}

/// A sentence with a secret is withheld, and the others are kept.
#[test]
fn a_secret_is_withheld() {
    let stage = Stage::new();
    let session = stage.session("s");
    let key = format!("AKIA{}", "IOSFODNN7EXAMPLQ");
    session.person(&format!("Remember that the key of the bucket is {key}."));
    session.person(CONSTRAINT);
    session.stop();
    assert_eq!(stage.candidates(), [CONSTRAINT_ID]);
    let log = json!(stage.log()).to_string();
    assert!(!log.contains("IOSFODNN7"), "{log}");
}

/// R52, R286: a clash with a decision waits for a person, and nobody is interrupted.
#[test]
fn what_contradicts_a_decision_is_no_error() {
    let stage = Stage::new();
    let decision = ["decision", "--title", "Use MySQL", "--decision", "MySQL for the orders"];
    stage.scratch.ok(&[&["add"], &decision[..]].concat());
    let session = stage.session("s");
    session.person(DECISION);
    assert_eq!(session.stop(), None);
    assert_eq!(stage.show("use-mysql")["state"], "stable");
    assert!(stage.log().iter().all(|line| line["trouble"] == false));
}

/// R238: the same by hand, with names in lower case; R285: and what would become of it.
#[test]
fn a_transcript_is_looked_through_by_hand() {
    let stage = Stage::new();
    let session = stage.session("s");
    session.person(CONSTRAINT).person(DECISION);
    let path = session.transcript.to_str().unwrap();
    let triage = stage.scratch.json(&["capture", "triage", path]);
    let categories = triage["categories"].as_array().unwrap();
    let names: Vec<&str> = categories.iter().map(|it| it["category"].as_str().unwrap()).collect();
    assert_eq!(names, ["decision", "constraint"], "{triage}");
    assert!(categories.iter().all(|it| it["triggered"] == true), "{triage}");
    stage.scratch.ok(&["capture", "from", path, "--dry-run"]);
    assert_eq!(stage.ids(&[]), Vec::<String>::new());
    for _ in 0..2 {
        stage.scratch.ok(&["capture", "from", path]);
        assert_eq!(stage.candidates(), [CONSTRAINT_ID, DECISION_ID]);
    }
    session.stop();
    assert_eq!(stage.candidates(), [CONSTRAINT_ID, DECISION_ID], "by hand and by hook is once");
}

/// Evidence is what another session says: the same voice twice in one session is one.
#[test]
fn said_twice_in_a_session_is_said_once() {
    let stage = Stage::new();
    let first = stage.session("first");
    first.person("From now on always use four spaces in Python.");
    first.stop();
    first.person("Please, from now on always use four spaces in Python.");
    first.stop();
    let found = stage.candidates();
    assert_eq!(found.len(), 1, "{found:?}");
    let evidence = || stage.show(&found[0])["evidence"].as_array().unwrap().len();
    assert_eq!(evidence(), 1);
    let second = stage.session("second");
    second.person("From now on always use four spaces in Python.");
    second.stop();
    assert_eq!(evidence(), 2);
}

/// What a person has switched off for themselves, no repository switches on.
#[test]
fn a_users_no_holds_in_every_repository() {
    let stage = Stage::new();
    stage.scratch.ok(&["config", "set", "capture.mode", "off", "--user"]);
    stage.scratch.ok(&["config", "set", "capture.mode", "extract"]);
    let session = stage.session("s");
    session.person(DECISION);
    session.stop();
    assert_eq!(stage.candidates(), Vec::<String>::new());
}
