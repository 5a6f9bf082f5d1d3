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

#[test]
fn where_a_task_began_is_not_forgotten() {
    let stage = Stage::new();
    stage.scratch.ok(&["task", "start", "T-1"]);
    let base = stage.state_folder().join("task-base");
    std::fs::write(&base, "{\"task\": \"T-1\", \"he").unwrap();
    let ran = stage.scratch.run(&["task", "start", "T-1"]);
    assert_ne!(ran.code, 0);
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(said.contains("could not read") && said.contains("move it away"), "{said}");
    assert_eq!(std::fs::read_to_string(&base).unwrap(), "{\"task\": \"T-1\", \"he");
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
