//! Undo after each command of a memory's life: the files are what they were, byte for byte, and
//! what has happened stays in the log. A use is no file, and is not taken back.

use std::collections::BTreeMap;
use std::path::Path;

use super::{Scene, events, failures, lessons, scenes, state_of, waiting};
use crate::scratch::Scratch;

type Bytes = BTreeMap<String, Vec<u8>>;

fn bytes(store: &Scratch) -> Bytes {
    fn walk(folder: &Path, above: &str, found: &mut Bytes) {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = format!("{above}{}", entry.file_name().to_string_lossy());
            if !entry.file_type().unwrap().is_dir() {
                found.insert(path, std::fs::read(entry.path()).unwrap());
            } else if !["local", "events"].contains(&path.as_str()) {
                walk(&entry.path(), &format!("{path}/"), found);
            }
        }
    }
    let mut found = Bytes::new();
    walk(&store.store(), "", &mut found);
    found
}

#[track_caller]
fn check(scene: &Scene) {
    let before = bytes(&scene.store);
    let store = scene.done();
    let (after, log) = (bytes(&store), events(&store));
    assert_ne!(before, after, "{}", scene.name);
    store.ok(&["undo"]);
    assert_eq!(bytes(&store), before, "{}: not what it was", scene.name);
    assert_eq!(events(&store)[..log.len()], log, "{}: the log was changed", scene.name);
    store.assert_healthy(scene.name);
    // And back again: an undo is a write like any other.
    let again = scene.done();
    again.ok(&["undo"]);
    again.ok(&["undo"]);
    assert_eq!(bytes(&again), after, "{}: the undo can't be undone", scene.name);
    again.assert_healthy(scene.name);
}

#[test]
fn of_each_command() {
    scenes().iter().for_each(check);
}

#[test]
fn of_reviews() {
    let review = |decision: &'static str| {
        ["review", PULL, "--decision", decision, "--reason", "we know", "--by", "ada"]
    };
    let rejected = lessons();
    let requested = served();
    requested.ok(&["review", PULL, "--request", "--reason", "it failed"]);
    let reinstated: Vec<&'static str> =
        review("reinstate").into_iter().chain(["--guidance", "Open it on the first day"]).collect();
    let ask: &[&'static str] = &["review", PULL, "--request", "--reason", "it failed"];
    for (name, store, args) in [
        ("reject", rejected, &review("reject")[..]),
        ("promote", lessons(), &review("promote")[..]),
        ("ask", served(), ask),
        ("archive", served(), &review("archive")[..]),
        ("reinstate", requested, &reinstated[..]),
    ] {
        check(&Scene::new(name, store, args, "schema"));
    }
}

const PULL: &str = "open-the-pull-request-earlier";

fn served() -> Scratch {
    let store = lessons();
    store.ok(&["promote", PULL, "--by", "ada"]);
    store
}

#[test]
fn a_promoted_candidate_goes_back() {
    let store = served();
    let (here, there) = (format!("candidates/{PULL}.md"), format!("lessons/{PULL}.md"));
    let is_there = |path: &str| store.store().join(path).exists();
    assert_eq!((is_there(&here), is_there(&there)), (false, true));
    store.ok(&["undo"]);
    assert_eq!((is_there(&here), is_there(&there)), (true, false));
    assert_eq!(state_of(&store, PULL), "candidate");
    store.ok(&["undo"]);
    assert_eq!((is_there(&here), is_there(&there)), (false, true));
    assert_eq!(state_of(&store, PULL), "provisional");
    store.assert_healthy("there and back again");
}

/// Only what changed files is taken back.
#[test]
fn a_use_stays() {
    let store = failures(&["a"]);
    let lesson = "freeze-the-clock-in-tests";
    let uses = || store.json(&["show", lesson])["signals"]["reuse_count"].as_u64().unwrap();
    store.ok(super::TASK_END);
    assert_eq!(uses(), 1);
    let learned = store.store().join("candidates/repeated-failure-flaky-test.md");
    assert!(learned.exists());
    store.ok(&["undo"]);
    assert!(!learned.exists());
    assert_eq!(uses(), 1);
    assert_eq!(store.run(super::TASK_END).code, 1, "it has ended, whatever was taken back");
}

/// What was stopped is dropped by an undo, and can be proposed again.
#[test]
fn a_stop_can_be_repeated() {
    let store = super::stopped();
    assert_eq!(waiting(&store).len(), 1);
    store.ok(&["undo"]);
    assert_eq!(waiting(&store).len(), 0);
    assert_eq!(store.run(super::STOPPED).code, 1);
    assert_eq!(waiting(&store).len(), 1);
    store.assert_healthy("stopped again");
}
