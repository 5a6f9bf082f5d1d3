//! What this machine keeps about sessions and can't be read: it is never taken for nothing, and never
//! written over.

use serde_json::json;

use super::stage::Stage;

const RULE: &str = "The API must never return more than 100 rows per page.";
const RULE_ID: &str = "the-api-must-never-return-more-than-100-rows-per-page";

#[test]
fn a_damaged_state_is_kept_and_its_prompt_too() {
    let stage = Stage::new();
    let session = stage.session("s");
    session.prompt("hello");
    let path = stage.session_states().remove(0);
    std::fs::write(&path, "{\"session\": \"s\", \"served\": [\"a\"").unwrap();
    assert_eq!(session.prompt(RULE), "");
    let log = stage.log();
    let line = log.last().unwrap();
    assert_eq!(line["trouble"], true);
    let note = line["note"].as_str().unwrap();
    assert!(note.contains("could not read") && note.contains(".damaged-"), "{note}");
    let kept: Vec<_> = std::fs::read_dir(path.parent().unwrap())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().contains(".damaged-"))
        .collect();
    assert_eq!(kept.len(), 1);
    assert!(std::fs::read_to_string(&kept[0]).unwrap().contains("[\"a\""));
    session.stop();
    assert_eq!(stage.candidates(), [RULE_ID], "{}", stage.last_note());
}

#[test]
fn a_state_that_is_no_file_stops_its_hooks_alone() {
    let stage = Stage::new();
    let session = stage.session("s");
    session.prompt("hello");
    let path = stage.session_states().remove(0);
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    session.prompt(RULE);
    assert!(stage.last_note().contains("could not read"), "{}", stage.last_note());
    session.stop();
    assert!(path.is_dir(), "nothing was put in its place");
    assert_eq!(stage.candidates(), Vec::<String>::new());
    std::fs::remove_dir(&path).unwrap();
    session.stop();
    assert_eq!(stage.candidates(), [RULE_ID]);
}

#[test]
fn notes_that_can_not_be_read_are_not_overwritten() {
    let stage = Stage::new();
    let session = ["--session", "s"];
    stage.scratch.ok(&[&["note", "error", "the parser is slow"], &session[..]].concat());
    let folder = stage.state_folder().join("sessions");
    let notes = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.to_string_lossy().ends_with(".notes.jsonl"))
        .unwrap();
    std::fs::remove_file(&notes).unwrap();
    std::fs::create_dir(&notes).unwrap();
    for args in [&["note", "error", "another"][..], &["notes"], &["notes", "discard"]] {
        let ran = stage.scratch.run(&[args, &session[..]].concat());
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert_ne!(ran.code, 0, "{args:?}: {said}");
        assert!(said.contains("could not read"), "{args:?}: {said}");
    }
    assert!(notes.is_dir());
}

/// The tasks under way are in it: no command starts without them, and none replaces it.
#[test]
fn a_damaged_record_of_tasks_is_an_error_until_somebody_looks() {
    let stage = Stage::new();
    stage.scratch.ok(&["task", "start", "T-1"]);
    let record = stage.state_folder().join("store.json");
    for damaged in ["{\"tasks\": {\"\": {\"task\": \"T-1\", \"he", "[]"] {
        std::fs::write(&record, damaged).unwrap();
        stage.scratch.ok(&["sweep"]);
        let tries: &[&[&str]] = &[
            &["task", "start", "T-2"],
            &["task", "show"],
            &["task", "end", "T-1", "--outcome", "passed"],
            &["summary", "T-1", "--outcome", "success"],
        ];
        for args in tries {
            let ran = stage.scratch.run(args);
            let said = String::from_utf8_lossy(&ran.stderr).into_owned();
            assert_eq!(ran.code, 2, "{args:?}: {said}");
            assert!(said.contains("could not read") && said.contains("store.json"), "{said}");
            assert!(said.contains("move it away"), "{said}");
        }
        assert_eq!(std::fs::read_to_string(&record).unwrap(), damaged);
    }
    std::fs::rename(&record, record.with_extension("old")).unwrap();
    stage.scratch.ok(&["task", "start", "T-1"]);
}

/// One that can't be read hides no other, and is not removed.
#[test]
fn a_damaged_file_of_an_earlier_version_hides_no_other() {
    let stage = Stage::new();
    stage.scratch.ok(&["note", "done", "something", "--session", "s"]);
    let folder = stage.state_folder();
    std::fs::write(folder.join("task"), "T-1\n").unwrap();
    std::fs::write(folder.join("task-base"), "x").unwrap();
    assert!(stage.scratch.ok(&["task", "show"]).contains("task: T-1"));
    stage.scratch.ok(&["task", "end", "T-1", "--outcome", "passed"]);
    assert!(!folder.join("task").exists());
    assert_eq!(std::fs::read_to_string(folder.join("task-base")).unwrap(), "x");
}

/// What version 0.1 kept in files of their own is taken over, once.
#[test]
fn files_of_an_earlier_version_are_taken_over() {
    let stage = Stage::new();
    stage.scratch.ok(&["note", "done", "something", "--session", "s"]);
    let folder = stage.state_folder();
    let of_session = |ending: &str| stage.session_states().remove(0).with_extension(ending);
    let base = |task: &str| {
        format!("{{\"task\":\"{task}\",\"head\":null,\"at\":\"2026-11-01T00:00:00Z\"}}\n")
    };
    std::fs::create_dir(folder.join("tasks")).unwrap();
    let key = oldhand_text::hash::ContentHash::of(b"T-1").to_string();
    let served = folder.join("tasks").join(format!("{}.served", &key[..24]));
    for (path, text) in [
        (folder.join("task"), "T-1\n".to_owned()),
        (folder.join("task-base"), base("T-1")),
        (of_session("task-base"), base("T-2")),
        (of_session("task"), "T-2\n".to_owned()),
        (folder.join("swept"), "2026-11-15T11:00:00Z".to_owned()),
        (folder.join("due"), "3\n".to_owned()),
        (folder.join("entered"), "2026-11-01T00:00:00Z".to_owned()),
        (served, "\nuse-cents\nuse-cents".to_owned()),
    ] {
        std::fs::write(path, text).unwrap();
    }
    let shown = stage.scratch.json(&["task", "show"]);
    assert_eq!((&shown["task"], &shown["served"]), (&json!("T-1"), &json!(["use-cents"])));
    // The first change writes the record and removes the files.
    stage.scratch.ok(&["task", "start", "T-3", "--session", "other"]);
    let record: serde_json::Value =
        serde_json::from_slice(&std::fs::read(folder.join("store.json")).unwrap()).unwrap();
    assert_eq!(record["swept_at"], "2026-11-15T11:00:00Z");
    assert_eq!((&record["due"], &record["tasks"][""]["task"]), (&json!(3), &json!("T-1")));
    assert_eq!(record["tasks"].as_object().unwrap().len(), 3, "{record}");
    assert_eq!(record["entered_at"], "2026-11-01T00:00:00Z");
    assert!(!folder.join("task").exists() && !folder.join("tasks").exists());
    let shown = stage.scratch.json(&["task", "show"]);
    assert_eq!((&shown["task"], &shown["served"]), (&json!("T-1"), &json!(["use-cents"])));
}

/// A memory that is there and can't be read is not gone.
#[test]
fn a_use_that_can_not_be_counted_is_said() {
    let stage = super::stage::with_cents();
    stage.scratch.ok(&["task", "start", "T-1"]);
    stage.scratch.ok(&["recall", super::stage::CENTS]);
    let path = stage.scratch.store().join("decisions/keep-money-in-cents.md");
    std::fs::write(&path, "---\nid: [\n---\n").unwrap();
    let ended = stage.scratch.json(&["task", "end", "T-1", "--outcome", "passed"]);
    assert_eq!(ended["not_in_store"], json!([]), "{ended}");
    assert_eq!(ended["not_counted"][0]["id"], "keep-money-in-cents", "{ended}");
}
