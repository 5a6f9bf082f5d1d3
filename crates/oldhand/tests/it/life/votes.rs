//! Two people at once about the same thing: one settles a conflict and the other is told so, and
//! two approvals are both counted, once.

use std::process::Output;
use std::sync::Barrier;

use super::{TASK_END, decide, events, failures, proven, state_of, stopped, waiting};
use crate::scratch::Scratch;

/// Two programs, started in the same moment.
fn at_once(store: &Scratch, jobs: [&[&str]; 2]) -> [Output; 2] {
    let barrier = Barrier::new(2);
    std::thread::scope(|scope| {
        let both = jobs.map(|args| {
            scope.spawn(|| {
                barrier.wait();
                store.program(args).output().unwrap()
            })
        });
        both.map(|one| one.join().unwrap())
    })
}

fn codes(outputs: &[Output; 2]) -> [i32; 2] {
    outputs.each_ref().map(|output| output.status.code().unwrap())
}

#[test]
fn a_conflict_is_settled_once() {
    let template = stopped();
    let name = "conflict-disable-strict-mode";
    let follow = ["resolve", name, "--follow", "--by", "ada"];
    let reverse = ["resolve", name, "--supersede", "--by", "bob", "--reason", "it is slow"];
    for round in 0..20 {
        let store = template.copy();
        let outputs = at_once(&store, [&follow, &reverse]);
        let (loser, states) = match codes(&outputs) {
            [0, 1] => (&outputs[1], ["stable", ""]),
            [1, 0] => (&outputs[0], ["superseded", "stable"]),
            other => panic!("round {round}: {other:?} {outputs:?}"),
        };
        let said = String::from_utf8_lossy(&loser.stderr);
        assert!(said.contains("nothing called") && said.contains("hint: "), "{said}");
        let found = ["enable-strict-mode", "disable-strict-mode"].map(|id| state_of(&store, id));
        assert_eq!(found, states, "round {round}");
        assert_eq!(waiting(&store), Vec::<String>::new(), "round {round}");
        let settled = events(&store)
            .into_iter()
            .filter(|event| event["memory"] == format!("pending:{name}"))
            .count();
        assert_eq!(settled, 2, "round {round}: stopped once and settled once");
        store.assert_healthy(&format!("round {round}"));
    }
}

/// Two proposals against one decision, both let pass at once: the second one clashes with the first
/// by then, and nobody has looked at that.
#[test]
fn two_reversals_do_not_both_hold() {
    let template = Scratch::new();
    decide(&template, "Use PostgreSQL for storage");
    for name in ["SQLite", "MySQL"] {
        let title = format!("Use {name} for storage");
        let args = ["add", "decision", "--title", &title, "--decision", &title];
        assert_eq!(template.run(&args).code, 1);
    }
    let reverse = |name: &'static str| {
        ["resolve", name, "--supersede", "--by", "ada", "--reason", "it is smaller"]
    };
    let (one, other) =
        (reverse("conflict-use-sqlite-for-storage"), reverse("conflict-use-mysql-for-storage"));
    for round in 0..10 {
        let store = template.copy();
        let outputs = at_once(&store, [&one, &other]);
        let mut codes = codes(&outputs);
        codes.sort_unstable();
        assert_eq!(codes, [0, 1], "round {round}: {outputs:?}");
        let listing = store.json(&["list", "--kind", "decision"]);
        assert_eq!(listing["total"], 1, "round {round}: {listing}");
        // Nothing is lost: the other one still waits, and can be proposed anew.
        assert_eq!(waiting(&store).len(), 1, "round {round}");
        store.assert_healthy(&format!("round {round}"));
    }
}

/// The same task ended twice, the same retrospective learned twice: it has happened once.
#[test]
fn a_task_ends_once_and_a_lesson_is_learned_once() {
    let template = failures(&["a"]);
    let text = r#"{"task_id": "t9", "memory_candidates": ["Batch the inserts"]}"#;
    std::fs::write(template.repository().join("retro.json"), text).unwrap();
    for round in 0..20 {
        let store = template.copy();
        let mut ends = codes(&at_once(&store, [TASK_END, TASK_END]));
        ends.sort_unstable();
        assert_eq!(ends, [0, 1], "round {round}");
        let lesson = store.json(&["show", "freeze-the-clock-in-tests"]);
        assert_eq!(lesson["signals"]["reuse_count"], 1, "round {round}");
        let learn: &[&str] = &["learn", "retro.json"];
        assert_eq!(codes(&at_once(&store, [learn, learn])), [0, 0], "round {round}");
        let candidates = std::fs::read_dir(store.store().join("candidates")).unwrap();
        let names: Vec<_> = candidates.map(|entry| entry.unwrap().file_name()).collect();
        let batch = |name: &&std::ffi::OsString| name.to_string_lossy().contains("batch");
        assert_eq!(names.iter().filter(batch).count(), 1, "round {round}: {names:?}");
        let learned = store.json(&["show", "batch-the-inserts"]);
        assert_eq!(learned["evidence"], serde_json::json!(["task:t9"]), "round {round}");
        store.assert_healthy(&format!("round {round}"));
    }
}

#[test]
fn two_approvals_count_once_each() {
    let template = proven();
    let votes: [&[&str]; 2] = [
        &["promote", "sort-by-name", "--by", "ada", "--role", "architect"],
        &["promote", "sort-by-name", "--by", "bob", "--role", "orchestrator"],
    ];
    for round in 0..20 {
        let store = template.copy();
        let outputs = at_once(&store, votes);
        let mut codes = codes(&outputs);
        codes.sort_unstable();
        assert_eq!(codes, [0, 1], "round {round}: one waits, one completes: {outputs:?}");
        assert_eq!(state_of(&store, "sort-by-name"), "canonical");
        assert_eq!(waiting(&store), Vec::<String>::new(), "round {round}");
        let promoted: Vec<_> = events(&store)
            .into_iter()
            .filter(|event| event["memory"] == "sort-by-name" && event["to"] == "canonical")
            .collect();
        assert_eq!(promoted.len(), 1, "round {round}");
        let by = promoted[0]["by"].as_str().unwrap();
        assert!(["ada, bob", "bob, ada"].contains(&by), "round {round}: {by}");
        store.assert_healthy(&format!("round {round}"));
    }
}

/// The same person twice is one approval, however often and however fast.
#[test]
fn nobody_votes_twice() {
    let template = proven();
    let vote: &[&str] = &["promote", "sort-by-name", "--by", "ada"];
    for round in 0..10 {
        let store = template.copy();
        let outputs = at_once(&store, [vote, vote]);
        assert_eq!(codes(&outputs), [1, 1], "round {round}: {outputs:?}");
        assert_eq!(state_of(&store, "sort-by-name"), "stable");
        assert_eq!(waiting(&store), ["promote-sort-by-name"]);
    }
}
