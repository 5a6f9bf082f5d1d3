//! A log of a later version, a log that somebody forged, and a file that is there twice.

use std::io::Write;

use serde_json::{Value, json};

use super::{lessons, state_of};
use crate::scratch::Scratch;

const PULL: &str = "open-the-pull-request-earlier";

fn append(store: &Scratch, line: &Value) {
    let mut file = std::fs::OpenOptions::new().append(true).open(store.log()).unwrap();
    writeln!(file, "{line}").unwrap();
}

fn last_event(store: &Scratch) -> Value {
    let text = std::fs::read_to_string(store.log()).unwrap();
    serde_json::from_str(text.lines().last().unwrap()).unwrap()
}

/// Lines of a later version stay, and what is known in them counts.
#[test]
fn a_later_version_is_read_as_far_as_it_is_known() {
    let store = lessons();
    let at = "2026-11-15T12:00:00Z";
    append(
        &store,
        &json!({"id": "01a", "at": at, "type": "telepathy", "memory": PULL, "aura": {"deep": [1]}}),
    );
    append(
        &store,
        &json!({"id": "01b", "at": at, "type": "applied", "memory": PULL, "effect": "positive",
            "task": "t7", "mood": "fine"}),
    );
    append(
        &store,
        &json!({"id": "01c", "at": at, "type": "applied", "memory": PULL, "effect": "delight"}),
    );
    let log = store.log();
    let before = std::fs::read_to_string(&log).unwrap();
    let uses = || store.json(&["show", PULL])["signals"]["reuse_count"].clone();
    assert_eq!(uses(), 1);
    store.ok(&["apply", PULL, "--effect", "positive", "--task", "t8"]);
    store.ok(&["promote", PULL, "--by", "ada"]);
    store.ok(&["sweep"]);
    store.ok(&["undo"]);
    assert_eq!(uses(), 2);
    assert_eq!(state_of(&store, PULL), "candidate");
    assert!(std::fs::read_to_string(log).unwrap().starts_with(&before));
    store.assert_healthy("a later version");
}

/// The log comes with a clone, and anybody may have written it.
#[test]
fn a_forged_move_leads_nowhere() {
    let out = "../../outside.md";
    for (key, value) in [
        ("moved_from", out),
        ("moved_from", "../outside.md"),
        ("moved_from", "/tmp/oldhand-outside.md"),
        ("moved_from", "candidates/../../../outside.md"),
        ("moved_from", "candidates/another-name.md"),
        ("moved_from", "local/open-the-pull-request-earlier.md"),
        ("moved_from", "events/open-the-pull-request-earlier.md"),
        ("moved_from", "pending/open-the-pull-request-earlier.md"),
        ("path", out),
        ("path", "config.toml"),
    ] {
        let store = lessons();
        store.ok(&["promote", PULL, "--by", "ada"]);
        let mut event = last_event(&store);
        event[key] = json!(value);
        event["id"] = json!("01z");
        event["write"] = json!("01w");
        append(&store, &event);
        let there = store.store().join(format!("lessons/{PULL}.md"));
        let before = (std::fs::read(&there).unwrap(), std::fs::read(store.log()).unwrap());
        let ran = store.run(&["undo"]);
        let said = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.code, 1, "{key} {value}: {said}");
        assert!(said.contains("error[") && said.contains("hint: "), "{key} {value}: {said}");
        let after = (std::fs::read(&there).unwrap(), std::fs::read(store.log()).unwrap());
        assert_eq!(before, after, "{key} {value}");
        for folder in [store.repository(), store.repository().join("..")] {
            assert!(!folder.join("outside.md").exists(), "{key} {value}");
        }
    }
}

/// Somebody copied a candidate: both files stay what they are, `doctor` names them, and nothing
/// else has to wait for that.
#[test]
fn a_candidate_that_is_there_twice() {
    let store = lessons();
    let here = store.store().join(format!("candidates/{PULL}.md"));
    let there = store.store().join(format!("lessons/{PULL}.md"));
    std::fs::create_dir_all(there.parent().unwrap()).unwrap();
    std::fs::copy(&here, &there).unwrap();
    let bytes = || (std::fs::read(&here).unwrap(), std::fs::read(&there).unwrap());
    let before = bytes();
    let named = || {
        let diagnosis = store.json(&["doctor"]);
        assert!(diagnosis["findings"].to_string().contains("the same id"), "{diagnosis}");
    };
    named();
    let ran = store.run(&["promote", PULL, "--by", "ada"]);
    let said = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(ran.code, 1, "{said}");
    assert!(said.contains("hint: "), "{said}");
    // Nobody knows which of the two was of use.
    let used = store.run(&["apply", PULL, "--effect", "positive", "--task", "t8"]);
    assert_eq!(used.code, 1, "{}", String::from_utf8_lossy(&used.stdout));
    // It has evidence for two, so the sweep would let it rise; the other one goes on.
    super::learn(&store, "t4", "Batch the inserts", &["commit:c", "commit:d"]);
    store.ok(&["sweep"]);
    assert_eq!(state_of(&store, "batch-the-inserts"), "provisional");
    assert_eq!(bytes(), before);
    named();
    std::fs::remove_file(&there).unwrap();
    store.ok(&["promote", PULL, "--by", "ada"]);
    assert_eq!(state_of(&store, PULL), "provisional");
    assert!(!here.exists());
    store.assert_healthy("one of them again");
}
