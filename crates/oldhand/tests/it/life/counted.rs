//! A use is counted once, by whatever names a task calls it, and a task can always end.

use super::{TASK_END, events, failures, lessons, state_of};
use crate::scratch::Scratch;

const CLOCK: &str = "freeze-the-clock-in-tests";
const FLAKY: &str = "repeated-failure-flaky-test";

fn uses(store: &Scratch, id: &str) -> u64 {
    store.json(&["show", id])["signals"]["reuse_count"].as_u64().unwrap()
}

#[test]
fn an_alias_and_the_id_are_one_use() {
    let store = lessons();
    store.ok(&["promote", CLOCK, "--by", "ada"]);
    // The second failed use moves it: one file, not two.
    for (number, task) in ["x", "y"].into_iter().enumerate() {
        let names = ["--most-useful", "mem-t1-1", "--most-useful", CLOCK];
        let end = ["task", "end", task, "--outcome", "failed"];
        store.ok(&[&end[..], &names[..]].concat());
        assert_eq!(uses(&store, CLOCK), number as u64 + 1);
    }
    assert_eq!(state_of(&store, CLOCK), "under_review");
    store.assert_healthy("two failed uses");
}

/// The advice against a failure was used, and the same failure came again: the use moves the
/// lesson to a review, and the incident is its evidence, in one file and one step.
#[test]
fn a_lesson_fails_at_what_it_is_about() {
    let store = failures(&["a", "b"]);
    store.ok(&["promote", FLAKY, "--by", "ada"]);
    let end = |task: &'static str| {
        let mut args = TASK_END.to_vec();
        (args[2], args[TASK_END.len() - 1]) = (task, FLAKY);
        args
    };
    store.ok(&end("c"));
    let before = std::fs::read(store.store().join(format!("lessons/{FLAKY}.md"))).unwrap();
    store.ok(&end("d"));
    assert_eq!(uses(&store, FLAKY), 2);
    assert_eq!(state_of(&store, FLAKY), "under_review");
    let shown = store.json(&["show", FLAKY]);
    let evidence = shown["evidence"].to_string();
    assert!(evidence.contains("task:c") && evidence.contains("task:d"), "{shown}");
    let ended = |event: &&serde_json::Value| event["type"] == "task";
    assert_eq!(events(&store).iter().filter(ended).count(), 4);
    store.copy().assert_healthy("failed twice");
    store.ok(&["undo"]);
    assert_eq!(std::fs::read(store.store().join(format!("lessons/{FLAKY}.md"))).unwrap(), before);
    assert_eq!(uses(&store, FLAKY), 2);
    store.assert_healthy("taken back");
}
