//! What was given is known as long as it matters, however much was given since.

use serde_json::json;

use super::stage::{CENTS, Stage, append, with_cents};

/// More than a file of receipts holds: the next one puts it aside.
fn fill(stage: &Stage) {
    let line = json!({"at": "2026-11-15T12:00:00Z", "session": "x", "disclosure": "full",
        "query": "q".repeat(1000), "served": []});
    let line = format!("{line}\n");
    append(
        &stage.state_folder().join("receipts.jsonl"),
        &line.repeat(5 * 1024 * 1024 / line.len()),
    );
}

#[test]
fn what_a_task_was_given_outlives_the_receipts() {
    let stage = with_cents();
    stage.scratch.ok(&["task", "start", "T-1"]);
    stage.scratch.ok(&["recall", CENTS]);
    for _ in 0..2 {
        fill(&stage);
        stage.scratch.ok(&["recall", "something else", "--task", "T-2"]);
    }
    let served = stage.scratch.json(&["task", "show"])["served"].clone();
    assert_eq!(served, json!(["keep-money-in-cents"]));
    let ended = stage.scratch.json(&["task", "end", "--outcome", "passed"]);
    assert_eq!(ended["used"].as_array().unwrap().len(), 1, "{ended}");
}

#[test]
fn what_a_session_was_given_outlives_the_receipts() {
    let stage = with_cents();
    let recall = || stage.scratch.ok(&["recall", CENTS, "--session", "s"]);
    assert!(recall().contains("<memory id=\"keep-money-in-cents\""));
    for _ in 0..2 {
        fill(&stage);
        stage.scratch.ok(&["recall", "something else"]);
    }
    assert!(!recall().contains("<memory id=\"keep-money-in-cents\""));
    // Hooks and commands know the same.
    assert_eq!(stage.session("s").prompt(CENTS), "");
    assert!(stage.session("t").prompt(CENTS).contains("keep-money-in-cents"));
    let again = stage.scratch.ok(&["recall", CENTS, "--session", "t"]);
    assert!(!again.contains("<memory id=\"keep-money-in-cents\""), "{again}");
}

/// The file that was put aside is read too.
#[test]
fn receipts_are_listed_across_both_files() {
    let stage = with_cents();
    stage.scratch.ok(&["recall", CENTS, "--session", "s"]);
    fill(&stage);
    stage.scratch.ok(&["recall", "something else"]);
    let found = stage.scratch.json(&["receipts", "--session", "s"]);
    assert_eq!(found["receipts"].as_array().unwrap().len(), 1, "{found}");
}

/// Somebody who only asked has not begun to work here: nothing is settled for them.
#[test]
fn a_session_that_was_only_given_something_is_not_settled() {
    let mut stage = with_cents();
    stage.scratch.ok(&["recall", CENTS, "--session", "s"]);
    stage.scratch.now = "2026-11-25T12:00:00Z".parse().unwrap();
    stage.session("next").start("startup");
    assert!(stage.uses("keep-money-in-cents").is_empty());
}
