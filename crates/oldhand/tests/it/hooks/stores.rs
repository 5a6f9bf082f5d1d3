//! A store or a home that is missing, held, broken or of tomorrow: hooks still end with 0, say
//! nothing but the protocol, and lose nothing.

use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::{Value, json};

use super::answers;
use super::stage::{Stage, feed};

const CENTS: &str = "how do we keep money amounts, in cents or as floats?";
const CONSTRAINT: &str = "The API must never return more than 100 rows per page.";
const CONSTRAINT_ID: &str = "the-api-must-never-return-more-than-100-rows-per-page";

fn stage() -> Stage {
    let stage = Stage::new();
    for (title, text) in [
        ("Keep money in cents", "Amounts of money are integers, counted in cents, never floats"),
        ("Ship on Fridays", "Releases go out on Friday mornings"),
    ] {
        stage.scratch.ok(&["add", "decision", "--title", title, "--decision", text]);
    }
    stage.session("s").person(CONSTRAINT);
    stage
}

/// Every event of a session through the real program; what was put into the conversation.
#[track_caller]
fn whole_session(stage: &Stage, when: &str, env: &[(&str, Option<&Path>)]) -> String {
    let session = stage.session("s");
    let events = [
        ("SessionStart", json!({"source": "startup"})),
        ("UserPromptSubmit", json!({"prompt": CENTS})),
        ("PreToolUse", json!({"tool_name": "Edit", "tool_input": {"file_path": "src/a.rs"}})),
        ("PostToolUseFailure", json!({"tool_name": "Bash", "error": "error: it broke"})),
        ("PreCompact", json!({"trigger": "auto"})),
        ("Stop", json!({"stop_hook_active": false})),
        ("SessionEnd", json!({"reason": "other"})),
    ];
    let mut said = String::new();
    for (event, more) in events {
        let payload = session.payload(event, more);
        let output = run(stage, env, &payload);
        assert_eq!(output.status.code(), Some(0), "{when}: {event}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{when}: {event}");
        if let Some(answer) = answers::check("claude-code", &payload, &output.stdout) {
            said.push_str(&answers::context(&answer));
        }
    }
    said
}

fn run(stage: &Stage, env: &[(&str, Option<&Path>)], payload: &Value) -> Output {
    let mut command = stage.scratch.program(&["hook", "claude-code"]);
    for (name, value) in env {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    feed(command, payload.to_string().as_bytes())
}

#[test]
fn a_whole_store_answers() {
    let stage = stage();
    let said = whole_session(&stage, "a whole store", &[]);
    assert!(said.contains("keep-money-in-cents"), "{said}");
    assert_eq!(stage.candidates(), [CONSTRAINT_ID]);
}

#[test]
fn without_a_store_there_is_silence() {
    let stage = stage();
    std::fs::rename(stage.scratch.store(), stage.home().join("away")).unwrap();
    assert_eq!(whole_session(&stage, "no store", &[]), "");
    assert!(!stage.scratch.store().exists(), "a hook makes no store");
    std::fs::write(stage.scratch.store(), "a file").unwrap();
    assert_eq!(whole_session(&stage, "the store is a file", &[]), "");
}

/// Where there is only your own store, it answers, and nothing of the session is put into it.
#[test]
fn your_own_store_answers_and_captures_nothing() {
    let stage = stage();
    std::fs::remove_dir_all(stage.scratch.store()).unwrap();
    let args = ["--global", "add", "preference", "--title", "Cents", "--value", "Money in cents"];
    stage.scratch.ok(&args);
    let said = whole_session(&stage, "your own store", &[]);
    assert!(said.contains("<memory id=\"cents\""), "{said}");
    let list = stage.scratch.json(&["--global", "list"]);
    assert_eq!(list["total"], 1, "{list}");
}

/// Held by another process: reading goes on, and what could not be written is kept at the next stop.
#[test]
fn a_store_that_is_held_loses_nothing() {
    let stage = stage();
    let lock = std::fs::File::open(stage.scratch.store().join("local/lock")).unwrap();
    lock.lock().unwrap();
    let session = stage.session("s");
    let payload = session.payload("Stop", json!({"stop_hook_active": false}));
    // A variable is set by its text, which a path is too.
    let soon = [("OLDHAND_HOOKS_DEADLINE_MS", Some(Path::new("400")))];
    for _ in 0..2 {
        let output = run(&stage, &soon, &payload);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
    }
    assert_eq!(stage.log().last().unwrap()["trouble"], true);
    let asked = session.payload("UserPromptSubmit", json!({"prompt": CENTS}));
    let output = run(&stage, &[], &asked);
    let answer = answers::check("claude-code", &asked, &output.stdout).expect("reading is free");
    assert!(answers::context(&answer).contains("keep-money-in-cents"));
    lock.unlock().unwrap();
    session.stop();
    session.stop();
    assert_eq!(stage.candidates(), [CONSTRAINT_ID]);
    assert_eq!(stage.show(CONSTRAINT_ID)["times_updated"], 0);
}

#[test]
fn broken_settings_are_met_with_silence_and_are_in_the_log() {
    let stage = stage();
    let config = stage.scratch.store().join("config.toml");
    let whole = std::fs::read(&config).unwrap();
    for text in
        ["format = [", "format = 99\n", "\u{0}\u{1}\u{2}", "format = 1\n[recall]\nmode = 7\n"]
    {
        std::fs::write(&config, text).unwrap();
        assert_eq!(whole_session(&stage, text, &[]), "", "{text:?}");
        std::fs::write(&config, &whole).unwrap();
        let trouble = stage.scratch.json(&["log", "--trouble", "--limit", "1"]);
        assert_eq!(trouble["lines"].as_array().unwrap().len(), 1, "{text:?}: {trouble}");
    }
    stage.session("s").stop();
    assert_eq!(stage.candidates(), [CONSTRAINT_ID], "what was said meanwhile is not lost");
}

/// Some memories are broken: the others are told.
#[test]
fn broken_memories_hide_no_other() {
    let stage = stage();
    let folder = stage.scratch.store().join("decisions");
    std::fs::write(folder.join("torn.md"), "---\nid: torn\ntype: deci").unwrap();
    std::fs::write(folder.join("binary.md"), [0xff_u8, 0xfe, 0, 1]).unwrap();
    std::fs::write(folder.join("empty.md"), "").unwrap();
    std::fs::create_dir(folder.join("folder.md")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", folder.join("link.md")).unwrap();
    let said = whole_session(&stage, "broken memories", &[]);
    assert!(said.contains("keep-money-in-cents"), "{said}");
    assert!(!said.contains("root:"), "{said}");
    assert!(stage.candidates().contains(&CONSTRAINT_ID.to_owned()));
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            files.extend(files_below(&path));
        } else {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The index is rebuilt, whatever is in its place.
#[test]
fn a_damaged_index_is_made_anew() {
    let stage = stage();
    stage.session("warm").prompt(CENTS);
    let files = files_below(&stage.home().join(".cache"));
    assert!(!files.is_empty());
    for file in files {
        let whole = std::fs::read(&file).unwrap_or_default();
        let half = &whole[..whole.len() / 2];
        let mut flipped = whole.clone();
        flipped.iter_mut().for_each(|byte| *byte ^= 0x5a);
        for (number, damaged) in [half, &flipped, &b""[..]].into_iter().enumerate() {
            if !file.exists() {
                continue;
            }
            std::fs::write(&file, damaged).unwrap();
            let id = format!("{}-{number}", file.display());
            let said = stage.session("x").inside(&id).prompt(CENTS);
            assert!(said.contains("keep-money-in-cents"), "{file:?} {number}: {said}");
        }
    }
}

#[test]
fn rubbish_in_the_event_log_stops_nobody() {
    let stage = stage();
    for file in files_below(&stage.scratch.store().join("events")) {
        super::stage::append(&file, "{\"half\": \n\u{0}\u{0}rubbish\n");
    }
    let said = whole_session(&stage, "rubbish in the events", &[]);
    assert!(said.contains("keep-money-in-cents"), "{said}");
    assert_eq!(stage.candidates(), [CONSTRAINT_ID]);
}

/// Without a home there are no notes: nothing is said twice, since nothing is said.
#[test]
fn without_a_home_there_is_silence() {
    let stage = stage();
    let nowhere = Path::new("/nonexistent/home");
    whole_session(&stage, "no HOME", &[("HOME", None)]);
    whole_session(&stage, "a HOME that is not there", &[("HOME", Some(nowhere))]);
    whole_session(&stage, "HOME is /dev/null", &[("HOME", Some(Path::new("/dev/null")))]);
    whole_session(&stage, "an empty HOME", &[("HOME", Some(Path::new("")))]);
    stage.scratch.json(&["doctor"]);
    stage.session("s").stop();
    assert_eq!(stage.candidates(), [CONSTRAINT_ID]);
}

#[test]
fn a_state_folder_that_is_a_file_is_no_trouble_for_anybody() {
    let stage = stage();
    std::fs::create_dir_all(stage.home().join(".local/state")).unwrap();
    std::fs::write(stage.home().join(".local/state/oldhand"), "a file").unwrap();
    whole_session(&stage, "the state folder is a file", &[]);
    std::fs::remove_file(stage.home().join(".local/state/oldhand")).unwrap();
    stage.session("s").start("startup");
    let sessions = stage.state_folder().join("sessions");
    std::fs::remove_dir_all(&sessions).unwrap();
    std::fs::write(&sessions, "a file").unwrap();
    whole_session(&stage, "the sessions are a file", &[]);
    std::fs::remove_file(&sessions).unwrap();
    std::fs::remove_file(stage.state_folder().join("hooks.jsonl")).unwrap();
    std::fs::create_dir(stage.state_folder().join("hooks.jsonl")).unwrap();
    let said = whole_session(&stage, "the log is a folder", &[]);
    assert!(said.contains("keep-money-in-cents"), "{said}");
}

/// A state that is torn is a new one: what was captured is not captured again as another.
#[test]
fn a_torn_state_is_a_new_one() {
    for damage in [&b"{\"session\":\"s\",\"ser"[..], b"", b"[]", b"\xff\xff", b"{\"served\":7}"] {
        let stage = stage();
        let session = stage.session("s");
        session.stop();
        for file in stage.session_states() {
            std::fs::write(file, damage).unwrap();
        }
        session.stop();
        let told = session.prompt(CENTS);
        assert!(told.contains("keep-money-in-cents"), "{damage:?}");
        assert_eq!(stage.candidates(), [CONSTRAINT_ID], "{damage:?}");
        let memory = stage.show(CONSTRAINT_ID);
        assert_eq!(memory["evidence"].as_array().unwrap().len(), 1, "{memory}");
    }
}

/// Read-only for a usual user; the super-user writes all the same, and then nothing is different.
#[test]
fn a_home_that_cannot_be_written_is_no_trouble() {
    let stage = stage();
    let home = stage.home().join("locked");
    std::fs::create_dir(&home).unwrap();
    let mut mode = std::fs::metadata(&home).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut mode, 0o555);
    std::fs::set_permissions(&home, mode).unwrap();
    whole_session(&stage, "a read-only home", &[("HOME", Some(&home))]);
    // Nobody writes below /proc, whoever asks.
    whole_session(&stage, "a home in /proc", &[("HOME", Some(Path::new("/proc/self")))]);
    stage.session("s").stop();
    assert_eq!(stage.candidates(), [CONSTRAINT_ID]);
}
