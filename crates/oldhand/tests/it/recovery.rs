//! What a note of an interrupted write may and may not do: it is completed once, gives way to what
//! people did meanwhile, and can't be made to write elsewhere.

use std::io::Write;
use std::os::unix::fs::symlink;

use oldhand_testkit::kill::{KillAt, Outcome, run};
use oldhand_text::hash::ContentHash;

use crate::scratch::Scratch;

fn decisions() -> Scratch {
    let store = Scratch::new();
    for title in ["Use floats", "Sort by name"] {
        store.ok(&["add", "decision", "--title", title, "--decision", "So be it", "--tags", "a"]);
    }
    store
}

const SUPERSEDE: [&str; 4] = ["supersede", "use-floats", "--by-memory", "sort-by-name"];

/// Kills the command at each call, and looks at every store that has a note left.
fn each_with_a_note(check: impl Fn(&Scratch, bool)) -> usize {
    let template = decisions();
    let mut seen = 0;
    for number in 1.. {
        let copy = template.copy();
        let Outcome::Killed(killed) =
            run(&mut copy.program(&SUPERSEDE), KillAt::BeforeCall(number)).unwrap()
        else {
            return seen;
        };
        let left = std::fs::read_dir(copy.store().join("local/tmp")).unwrap();
        if left.flatten().any(|entry| entry.file_name().to_string_lossy().ends_with(".plan")) {
            seen += 1;
            check(&copy, !killed.stdout.is_empty());
        }
    }
    seen
}

/// A write that was acknowledged is not done again over what somebody did since.
#[test]
fn a_finished_write_is_not_repeated() {
    let before = decisions();
    let old = std::fs::read(before.store().join("decisions/use-floats.md")).unwrap();
    let seen = each_with_a_note(|store, told| {
        if !told {
            return;
        }
        let file = store.store().join("decisions/use-floats.md");
        std::fs::write(&file, &old).unwrap();
        store.ok(&["list"]);
        assert_eq!(std::fs::read(&file).unwrap(), old);
        assert_eq!(store.run(&["remember", "The next command works"]).code, 0);
    });
    assert!(seen > 3);
}

/// A file that somebody edited between the crash and the next command stays theirs, and the log
/// tells nothing that did not happen.
#[test]
fn an_edit_after_the_crash_wins() {
    each_with_a_note(|store, told| {
        let file = store.store().join("decisions/use-floats.md");
        let edited = std::fs::read_to_string(&file).unwrap() + "\nby hand\n";
        std::fs::write(&file, &edited).unwrap();
        store.ok(&["list"]);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), edited);
        let history = store.json(&["history", "use-floats"]);
        let moved =
            history["events"].as_array().unwrap().iter().any(|event| event["type"] == "moved");
        let is_superseded = edited.contains("state: superseded");
        assert!(!moved || is_superseded, "told {told}: the log says what the file does not");
        let diagnosis = store.json(&["doctor"]).to_string();
        assert!(!diagnosis.contains("after its version was replaced"), "{diagnosis}");
    });
}

/// The folder of notes comes with a clone when somebody committed it.
#[test]
fn a_forged_note_writes_nothing_elsewhere() {
    for path in [
        "../../stolen.md",
        "decisions/../../../stolen.md",
        "/tmp/oldhand-stolen.md",
        "decisions/a/b.md",
    ] {
        let store = decisions();
        let tmp = store.store().join("local/tmp");
        let write = "01m7gqs1qg968h9q40yrbmmp5p";
        let after = ContentHash::of(b"stolen");
        let file = format!("{{\"path\":\"{path}\",\"after\":\"{after}\"}}");
        std::fs::write(tmp.join(format!("{write}-0.part")), "stolen").unwrap();
        std::fs::write(tmp.join(format!("{write}-1.part")), "stolen").unwrap();
        let note = format!("{{\"write\":\"{write}\",\"files\":[{file},{file}],\"events\":[]}}");
        std::fs::write(tmp.join(format!("{write}.plan")), note).unwrap();
        store.ok(&["list"]);
        for place in [
            store.repository().join("../stolen.md"),
            store.repository().join("stolen.md"),
            "/tmp/oldhand-stolen.md".into(),
        ] {
            assert!(!place.exists(), "{path} was written");
        }
        store.assert_healthy(path);
    }
}

#[test]
fn linked_folders_are_refused() {
    for folder in ["decisions", "events", "local"] {
        let store = decisions();
        let place = store.store().join(folder);
        let elsewhere = store.repository().join("elsewhere");
        std::fs::rename(&place, &elsewhere).unwrap();
        symlink(&elsewhere, &place).unwrap();
        for command in [&["list"][..], &["remember", "x"], &["doctor"]] {
            let ran = store.run(command);
            assert_eq!(ran.code, 2, "{folder}");
            assert!(String::from_utf8_lossy(&ran.stderr).contains("symbolic link"));
        }
    }
}

/// What an editor writes into a version that was replaced is kept, also when that version was kept
/// before.
#[test]
fn a_late_save_into_a_kept_version() {
    let store = decisions();
    store.ok(&["update", "sort-by-name", "--context", "one"]);
    store.ok(&["undo"]);
    let file = store.store().join("decisions/sort-by-name.md");
    let mut editor = std::fs::OpenOptions::new().append(true).open(&file).unwrap();
    store.ok(&["undo"]);
    editor.write_all(b"typed too late\n").unwrap();
    let diagnosis = store.json(&["doctor"]);
    assert!(
        diagnosis["findings"].to_string().contains("after its version was replaced"),
        "{diagnosis}"
    );
}

/// A clock that went back: what happens next comes after what has happened, in any file.
#[test]
fn a_file_of_a_later_month_is_no_later_event() {
    let store = decisions();
    let events = store.store().join("events");
    std::fs::rename(store.log(), events.join("2026-12.0later.jsonl")).unwrap();
    store.ok(&["update", "sort-by-name", "--context", "one"]);
    let history = store.json(&["history", "sort-by-name"]);
    assert_eq!(history["events"][1]["edited_before"], false);
    assert_eq!(store.json(&["doctor"])["repaired"], serde_json::json!([]));
    store.ok(&["undo"]);
    assert_eq!(std::fs::read_dir(events).unwrap().count(), 2);
}

#[test]
fn a_session_is_superseded_in_a_full_window() {
    let store = Scratch::new();
    for number in 0..5 {
        let title = format!("Session {number}");
        store.ok(&["add", "session_summary", "--title", &title, "--goal", "Work"]);
    }
    store.ok(&["supersede", "session-0", "--title", "Session 0 again", "--goal", "Work"]);
    let listing = store.json(&["list"]);
    assert_eq!(listing["total"], 5, "{listing}");
}

#[test]
fn settings_set_at_once_are_all_there() {
    let store = decisions();
    let keys = [
        "gc.grace_period_days",
        "lock.wait_seconds",
        "write.resurrection_hours",
        "kinds.lesson.retention_days",
    ];
    std::thread::scope(|scope| {
        for key in keys {
            let store = &store;
            scope.spawn(move || {
                let output = store.program(&["config", "set", key, "7"]).output().unwrap();
                assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            });
        }
    });
    let text = std::fs::read_to_string(store.store().join("config.toml")).unwrap();
    assert_eq!(text.matches("= 7").count(), keys.len(), "{text}");
}
