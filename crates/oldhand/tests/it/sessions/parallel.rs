//! Several sessions at once, several worktrees, and programs that are killed.

use std::path::{Path, PathBuf};
use std::process::Command;

use oldhand_testkit::kill::{KillAt, Outcome, run};
use serde_json::{Value, json};

use crate::hooks::stage::Stage;
use crate::scratch::Scratch;

fn git(folder: &Path, args: &[&str]) {
    let done = Command::new("git")
        .args(["-c", "user.name=a", "-c", "user.email=a@example.invalid"])
        .args(args)
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(done.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&done.stderr));
}

#[track_caller]
fn answer(mut command: Command) -> Value {
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text)
        .unwrap_or_else(|_| panic!("{text}{}", String::from_utf8_lossy(&output.stderr)))
}

/// A linked worktree that has no store of its own uses the one of its main worktree, and so the same
/// notes of this machine: its sessions are its own all the same.
#[test]
fn two_worktrees_never_see_each_other_s_notes() {
    let stage = Stage::new();
    let main = stage.scratch.repository();
    git(&main, &["init", "-q", "-b", "main"]);
    std::fs::write(main.join(".git/info/exclude"), ".oldhand\n").unwrap();
    git(&main, &["commit", "-q", "--allow-empty", "-m", "begin"]);
    let linked = stage.home().join("linked");
    git(&main, &["worktree", "add", "-q", linked.to_str().unwrap()]);
    let inside = |folder: &Path, args: &[&str]| {
        let mut command = stage.scratch.program(args);
        command.current_dir(folder);
        command
    };
    for (folder, text) in [(main.as_path(), "in main"), (linked.as_path(), "in linked")] {
        let done = inside(folder, &["note", "remaining", text]).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }
    for (folder, own, other) in
        [(main.as_path(), "in main", "in linked"), (linked.as_path(), "in linked", "in main")]
    {
        for args in
            [&["notes", "--json"] as &[&str], &["resume", "--json"], &["notes", "--all", "--json"]]
        {
            let text = answer(inside(folder, args)).to_string();
            assert!(!text.contains(other), "{args:?} in {}: {text}", folder.display());
            assert!(args[1] == "--all" || text.contains(own), "{args:?}: {text}");
        }
    }
    // Nor does a session of a host.
    let mut session = stage.session("one");
    session.person("Please add refunds").runs("make", Err("error: no rule to make refunds"));
    session.stop();
    session = stage.session("two");
    let mut payload = session.payload("SessionStart", json!({"source": "startup"}));
    payload["cwd"] = json!(linked);
    let text = stage.hook("claude-code", &payload).map(|it| it.to_string()).unwrap_or_default();
    assert!(text.contains("in linked") && !text.contains("refunds"), "{text}");
}

/// Two sessions in one worktree, each known to its own shell.
#[test]
fn two_sessions_of_one_worktree_keep_their_notes_apart() {
    let scratch = Scratch::new();
    let inside = |session: &str, args: &[&str]| {
        let mut command = scratch.program(args);
        command.env("CLAUDE_CODE_SESSION_ID", session).env("CLAUDECODE", "1");
        command
    };
    for session in ["one", "two"] {
        answer(inside(session, &["note", "remaining", &format!("work of {session}"), "--json"]));
    }
    let notes = answer(inside("one", &["notes", "--json"]));
    assert_eq!(notes["notes"].as_array().unwrap().len(), 1, "{notes}");
    assert_eq!(notes["notes"][0]["text"], "work of one");
    let resumed = answer(inside("two", &["resume", "--json"])).to_string();
    assert!(resumed.contains("work of two") && !resumed.contains("work of one"), "{resumed}");
}

#[test]
fn notes_that_are_written_at_once_are_all_there() {
    const WRITERS: usize = 24;
    let scratch = Scratch::new();
    std::thread::scope(|scope| {
        for number in 0..WRITERS {
            let scratch = &scratch;
            scope.spawn(move || {
                let text = format!("note number {number}");
                let done = scratch.program(&["note", "done", &text]).output().unwrap();
                assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
            });
        }
    });
    let notes = scratch.json(&["notes"]);
    assert_eq!(notes["notes"].as_array().unwrap().len(), WRITERS, "{notes}");
}

/// Before and after every call that changes the disk: what was acknowledged is there, the notes can
/// be read, and the next one is written whole.
#[test]
fn a_note_that_is_killed_loses_no_other() {
    let template = Scratch::new();
    let kinds: [fn(u32) -> KillAt; 2] = [KillAt::BeforeCall, KillAt::AfterCall];
    let mut points = 0;
    for kind in kinds {
        for number in 1.. {
            let scratch = template.copy();
            scratch.ok(&["note", "remaining", "the first"]);
            let mut command = scratch.program(&["note", "error", "the second"]);
            let outcome = run(&mut command, kind(number)).unwrap();
            scratch.ok(&["note", "question", "the third"]);
            let notes = scratch.json(&["notes"]);
            let texts: Vec<&str> = notes["notes"]
                .as_array()
                .unwrap()
                .iter()
                .map(|note| note["text"].as_str().unwrap())
                .collect();
            assert_eq!(texts.first(), Some(&"the first"), "call {number}: {notes}");
            assert_eq!(texts.last(), Some(&"the third"), "call {number}: {notes}");
            points += 1;
            if matches!(outcome, Outcome::Finished(_)) {
                assert_eq!(texts.len(), 3, "{notes}");
                break;
            }
        }
    }
    assert!(points >= 4, "only {points} points");
    println!("{points} points");
}

/// The one file of notes that there is.
fn notes_file(scratch: &Scratch) -> PathBuf {
    let home = scratch.repository().parent().unwrap().join(".local/state/oldhand");
    let folder = std::fs::read_dir(home).unwrap().next().unwrap().unwrap().path();
    std::fs::read_dir(folder.join("sessions"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.to_string_lossy().ends_with(".notes.jsonl"))
        .unwrap()
}

/// A line that was cut off by a power cut is passed over, and does not take the next one with it.
#[test]
fn a_torn_line_loses_only_itself() {
    let scratch = Scratch::new();
    scratch.ok(&["note", "remaining", "the first"]);
    let file = notes_file(&scratch);
    crate::hooks::stage::append(&file, "{\"at\":\"2026-11-15T12:00:00Z\",\"what\":\"no");
    scratch.ok(&["note", "done", "the second"]);
    let notes = scratch.json(&["notes"]);
    assert_eq!(notes["notes"].as_array().unwrap().len(), 2, "{notes}");
}

/// Each moves the plan on by one step, whoever else does.
#[test]
fn steps_that_are_done_at_once_are_all_done() {
    const STEPS: usize = 12;
    let scratch = Scratch::new();
    let mut plan = vec!["anchor", "--objective", "many steps"];
    let names: Vec<String> = (0..STEPS + 4).map(|at| format!("step {at}")).collect();
    for name in &names {
        plan.extend(["--plan", name.as_str()]);
    }
    scratch.ok(&plan);
    std::thread::scope(|scope| {
        for _ in 0..STEPS {
            let scratch = &scratch;
            scope.spawn(move || {
                let done = scratch.program(&["anchor", "--next"]).output().unwrap();
                assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
            });
        }
    });
    assert_eq!(scratch.json(&["anchor"])["step"], STEPS + 1);
}

/// A session that is full can still be brought to an end.
#[test]
fn a_full_session_can_be_looked_through() {
    let scratch = Scratch::new();
    scratch.ok(&["note", "remaining", "the first"]);
    let file = notes_file(&scratch);
    let line = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, line.repeat(1_000)).unwrap();
    let full = scratch.run(&["note", "done", "one more"]);
    assert_eq!(full.code, 1);
    assert!(String::from_utf8_lossy(&full.stderr).contains("oldhand notes discard"));
    scratch.ok(&["note", "done", "3"]);
    scratch.ok(&["notes", "discard"]);
    scratch.ok(&["note", "done", "one more"]);
}
