//! Files in `pending/` that somebody broke: each is named, none lets anything pass that a rule
//! would refuse, none leads out of the store, and what else waits can still be settled.

use std::os::unix::fs::symlink;
use std::path::PathBuf;

use super::{RESOLVE, STOPPED, decide, events, state_of, stopped, waiting};
use crate::scratch::Scratch;

const NAME: &str = "conflict-disable-strict-mode";

fn file(store: &Scratch) -> PathBuf {
    store.store().join(format!("pending/{NAME}.md"))
}

/// Rewrites the waiting proposal as somebody's editor would.
fn edit(store: &Scratch, change: impl Fn(&str) -> String) {
    let text = std::fs::read_to_string(file(store)).unwrap();
    let changed = change(&text);
    assert_ne!(text, changed);
    std::fs::write(file(store), changed).unwrap();
}

/// What was said, refused and without effect.
#[track_caller]
fn refused(store: &Scratch, args: &[&str]) -> String {
    let before = std::fs::read(file(store)).unwrap();
    let (log, rival) = (events(store), state_of(store, "enable-strict-mode"));
    let ran = store.run(args);
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert_eq!(ran.code, 1, "{args:?}: {said}");
    assert!(said.contains("error[") && said.contains("hint: "), "{said}");
    assert_eq!(std::fs::read(file(store)).unwrap(), before);
    assert_eq!(events(store), log);
    assert_eq!(state_of(store, "enable-strict-mode"), rival);
    assert!(!store.store().join("decisions/disable-strict-mode.md").exists());
    said
}

/// Another conflict, untouched.
fn with_another() -> Scratch {
    let store = stopped();
    decide(&store, "Never commit generated files");
    let title = "Commit the generated files";
    assert_eq!(store.run(&["add", "decision", "--title", title, "--decision", title]).code, 1);
    store
}

#[test]
fn garbage_is_named_and_blocks_nothing_else() {
    let cut = b"---\nid: conflict-disable-strict-mode\npending: conf".to_vec();
    for garbage in [b"garbage".to_vec(), Vec::new(), vec![0xff, 0xfe, 0x00, 0x80], cut] {
        let store = with_another();
        std::fs::write(file(&store), &garbage).unwrap();
        refused(&store, RESOLVE);
        let mut follow = RESOLVE.to_vec();
        follow[2] = "--follow";
        refused(&store, &follow);
        assert_eq!(waiting(&store), ["conflict-commit-the-generated-files"]);
        let diagnosis = store.json(&["doctor"]);
        assert!(diagnosis["findings"].to_string().contains(NAME), "{diagnosis}");
        assert_eq!(store.run(&["review"]).code, store.copy().run(&["pending"]).code);
        // The same proposal again is stopped again, beside what can't be read.
        let ran = store.run(STOPPED);
        let said = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.code, 1, "{said}");
        assert!(said.contains("waits as"), "{said}");
        assert_eq!(state_of(&store, "disable-strict-mode"), "");
        assert_eq!(std::fs::read(file(&store)).unwrap(), garbage, "it is somebody's");
        let other = "conflict-commit-the-generated-files";
        store.ok(&["resolve", other, "--follow", "--by", "ada"]);
    }
}

/// The file's name counts, for what waits and for what it becomes.
#[test]
fn another_id_leads_nowhere_else() {
    let store = stopped();
    edit(&store, |text| text.replacen("id: conflict-disable-strict-mode", "id: sort-by-name", 1));
    assert_eq!(waiting(&store), [NAME]);
    refused(&store, &["resolve", "sort-by-name", "--follow", "--by", "ada"]);
    store.ok(RESOLVE);
    assert_eq!(state_of(&store, "disable-strict-mode"), "stable");
    store.assert_healthy("another id");
}

#[test]
fn a_proposal_overwrites_no_other_memory() {
    let store = stopped();
    decide(&store, "Sort by name");
    let there = store.store().join("decisions/sort-by-name.md");
    let before = std::fs::read(&there).unwrap();
    edit(&store, |text| {
        text.replace("memory: disable-strict-mode", "memory: sort-by-name")
            .replace("\nid: disable-strict-mode", "\nid: sort-by-name")
    });
    store.ok(RESOLVE);
    assert_eq!(std::fs::read(&there).unwrap(), before);
    store.assert_healthy("numbered beside it");
}

#[test]
fn no_name_in_it_leads_elsewhere() {
    for (from, to) in [
        ("memory: disable-strict-mode", "memory: ../../outside"),
        ("memory: disable-strict-mode", "memory: /tmp/outside"),
    ] {
        let store = stopped();
        edit(&store, |text| text.replace(from, to));
        refused(&store, RESOLVE);
        assert!(!store.repository().join("outside.md").exists());
        assert!(!store.repository().parent().unwrap().join("outside.md").exists());
    }
}

/// The rival is taken out of the report, and still stands against it: it is named again.
#[test]
fn a_rival_that_was_taken_out_is_named_again() {
    for to in ["- id: ../../outside", "- id: decisions/enable-strict-mode", "- id: nobody"] {
        let store = stopped();
        edit(&store, |text| text.replace("- id: enable-strict-mode", to));
        assert_eq!(store.run(RESOLVE).code, 1, "{to}");
        assert_eq!(state_of(&store, "enable-strict-mode"), "stable", "{to}");
        assert_eq!(waiting(&store), [NAME], "{to}");
        let report = store.ok(&["pending", NAME]);
        assert!(report.contains("- id: enable-strict-mode"), "{report}");
    }
}

#[test]
fn a_secret_does_not_pass() {
    let secret = ["AKIA", "QWERTYUIOPASDFGH"].concat();
    let store = stopped();
    let marker = "## Decision\n";
    edit(&store, |text| text.replace(marker, &format!("{marker}The key is {secret}. ")));
    let said = refused(&store, RESOLVE);
    assert!(said.contains("SECRET") && !said.contains(&secret), "{said}");
    let mut keep = RESOLVE.to_vec();
    keep[2] = "--keep-both";
    refused(&store, &keep);
    // What is dropped needs no look at it.
    keep[2] = "--follow";
    store.ok(&keep);
}

#[test]
fn a_merge_conflict_does_not_pass() {
    let store = stopped();
    edit(&store, |text| {
        let ours = "<<<<<<< HEAD\nby: ada\n=======\nby: bob\n>>>>>>> theirs\n";
        text.replace("by: ada\n", ours)
    });
    refused(&store, RESOLVE);
    let diagnosis = store.json(&["doctor"]);
    assert!(diagnosis["findings"].to_string().contains(NAME), "{diagnosis}");

    let store = stopped();
    edit(&store, |text| {
        let both = "## Decision\n<<<<<<< HEAD\nOne\n=======\nTwo\n>>>>>>> theirs\n";
        text.replace("## Decision\n", both)
    });
    refused(&store, RESOLVE);
}

#[test]
fn a_linked_folder_is_refused() {
    let store = stopped();
    let elsewhere = store.repository().join("elsewhere");
    std::fs::rename(store.store().join("pending"), &elsewhere).unwrap();
    symlink(&elsewhere, store.store().join("pending")).unwrap();
    let there = || std::fs::read_dir(&elsewhere).unwrap().count();
    for args in [RESOLVE, STOPPED, &["pending"], &["doctor"], &["undo"]] {
        let ran = store.run(args);
        let said = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.code, 2, "{args:?}: {said}");
        assert!(said.contains("symbolic link"), "{args:?}: {said}");
        assert_eq!(there(), 1);
    }
}

#[test]
fn a_linked_file_is_not_followed() {
    let store = with_another();
    let elsewhere = store.repository().join("elsewhere.md");
    std::fs::rename(file(&store), &elsewhere).unwrap();
    symlink(&elsewhere, file(&store)).unwrap();
    let before = std::fs::read(&elsewhere).unwrap();
    assert_ne!(store.run(RESOLVE).code, 0);
    assert_eq!(waiting(&store), ["conflict-commit-the-generated-files"]);
    let diagnosis = store.json(&["doctor"]);
    assert!(diagnosis["findings"].to_string().contains(NAME), "{diagnosis}");
    assert_eq!(std::fs::read(&elsewhere).unwrap(), before);
    assert_eq!(state_of(&store, "disable-strict-mode"), "");
}
