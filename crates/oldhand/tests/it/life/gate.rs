//! What the gate has stopped loses nothing on its way: the whole wish is kept, and what could not
//! be compared is told.

use super::{decide, state_of, waiting};
use crate::scratch::Scratch;

/// A reversal that clashes with a third decision: when it passes, what it was meant to replace is
/// replaced, whichever way the third one goes.
#[test]
fn a_stopped_reversal_still_reverses() {
    for (way, third) in [("--supersede", "superseded"), ("--keep-both", "stable")] {
        let store = Scratch::new();
        decide(&store, "Use floats for money");
        decide(&store, "Never use decimals in reports");
        let title = "Use decimals in reports";
        let stop = ["supersede", "use-floats-for-money", "--title", title, "--decision", title];
        let ran = store.run(&stop);
        assert_eq!(ran.code, 1, "{}", String::from_utf8_lossy(&ran.stderr));
        let before = super::state(&store);
        let name = "conflict-use-decimals-in-reports";
        assert_eq!(waiting(&store), [name]);
        store.ok(&["resolve", name, way, "--by", "ada", "--reason", "exact"]);
        assert_eq!(state_of(&store, "use-decimals-in-reports"), "stable");
        assert_eq!(state_of(&store, "use-floats-for-money"), "superseded", "{way}");
        assert_eq!(state_of(&store, "never-use-decimals-in-reports"), third, "{way}");
        store.copy().assert_healthy(way);
        store.ok(&["undo"]);
        let mut after = super::state(&store);
        after.insert("events".to_owned(), before["events"].clone());
        assert_eq!(super::difference(&after, &before), "");
    }
}

/// A reversal reverses all that stands against it, however many they are.
#[test]
fn every_rival_is_named_and_replaced() {
    let store = Scratch::new();
    for part in ["a", "b", "c", "d", "e", "f", "g"] {
        let (id, scope) = (format!("strict-{part}"), format!("component:src/{part}"));
        let title = "Enable strict mode";
        let what = ["add", "decision", "--title", title, "--decision", title];
        store.ok(&[&what[..], &["--id", &id, "--scope", &scope]].concat());
    }
    assert_eq!(store.run(super::STOPPED).code, 1);
    store.ok(super::RESOLVE);
    let listing = store.json(&["list", "--kind", "decision"]);
    assert_eq!(listing["total"], 1, "{listing}");
    store.assert_healthy("all reversed");
}

/// What stood against it is gone by now: a person can still let it pass.
#[test]
fn a_rival_that_is_gone_blocks_nothing() {
    for way in ["--supersede", "--keep-both"] {
        let store = super::stopped();
        std::fs::remove_file(store.store().join("decisions/enable-strict-mode.md")).unwrap();
        let name = "conflict-disable-strict-mode";
        store.ok(&["resolve", name, way, "--by", "ada", "--reason", "it is gone"]);
        assert_eq!(state_of(&store, "disable-strict-mode"), "stable");
    }
}

/// Nothing is accepted silently beside a file that may say the opposite.
#[test]
fn what_can_not_be_compared_is_told() {
    let store = Scratch::new();
    decide(&store, "Enable strict mode");
    let file = store.store().join("decisions/enable-strict-mode.md");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, format!("{text}<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> b\n")).unwrap();
    let ran = store.run(super::STOPPED);
    let said = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(ran.code, 0, "{said}");
    assert!(said.contains("decisions/enable-strict-mode.md") && said.contains("not compared"));
}

/// The index is a cache: what it knows of the meaning of texts must not decide.
#[test]
fn the_verdict_does_not_depend_on_the_index() {
    let store = Scratch::new();
    let decided = [
        ("Orders in PostgreSQL", "PostgreSQL stores all orders. Invoices are kept for ten years."),
        (
            "Sync handlers",
            "Handlers run synchronously. Each one has its own log. Nothing is shared.",
        ),
        ("Cents for money", "Amounts of money are integers of cents"),
    ];
    for (title, decision) in decided {
        store.ok(&["add", "decision", "--title", title, "--decision", decision]);
    }
    let asked = [
        "MySQL stores all orders. Reports run at night. Mails are sent by a worker.",
        "Handlers run asynchronously",
        "Amounts of money are floats. The log is shared. Pages are cached.",
        "Add a read replica for the reports",
    ];
    let verdicts = |when: &str| -> Vec<serde_json::Value> {
        let of = |text: &&str| store.json(&["check", text])["conflicts"].clone();
        let all: Vec<_> = asked.iter().map(of).collect();
        assert!(all[0].as_array().is_some_and(|it| !it.is_empty()), "{when}");
        all
    };
    let without = verdicts("before anything was embedded");
    store.ok(&["reindex"]);
    assert_eq!(verdicts("with an index of all"), without);
}
