//! Hooks of one session while another one takes its time: no prompt is lost, nothing is told twice.

use std::fs::File;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use super::stage::Stage;

const FIRST: &str = "how do we keep money amounts, in cents or as floats?";
const SECOND: &str = "are amounts of money kept in cents or as floats here?";
const RULE: &str = "The API must never return more than 100 rows per page.";
const RULE_ID: &str = "the-api-must-never-return-more-than-100-rows-per-page";

/// A repository with a memory that is held against git whenever it is told.
fn stage_with_git() -> Stage {
    let stage = Stage::new();
    let root = stage.scratch.repository();
    std::fs::create_dir(root.join("src")).unwrap();
    std::fs::write(root.join("src/pay.rs"), "fn pay() {}\n").unwrap();
    for args in [
        &["init", "-q", "-b", "main"][..],
        &["add", "-A"],
        &["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-qm", "first"],
    ] {
        let done = Command::new("git").args(args).current_dir(&root).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }
    let decision = "Amounts of money are integers, counted in cents, never floats";
    let bound = ["--refresh-tier", "2", "--depends-on", "src/pay.rs"];
    let args = ["add", "decision", "--title", "Keep money in cents", "--decision", decision];
    stage.scratch.ok(&[&args[..], &bound[..]].concat());
    stage
}

/// A git that says that it was called, and waits until it may go on.
fn slow_git(stage: &Stage) -> (PathBuf, PathBuf, PathBuf) {
    let folder = stage.home().join("bin");
    std::fs::create_dir(&folder).unwrap();
    let (called, released) = (stage.home().join("called"), stage.home().join("released"));
    let script = format!(
        "#!/bin/sh\n/usr/bin/touch {}\nwhile [ ! -e {} ]; do /bin/sleep 0.02; done\nexit 1\n",
        called.display(),
        released.display()
    );
    let program = folder.join("git");
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    (folder, called, released)
}

fn spawn(stage: &Stage, payload: &Value, path: &Path) -> Child {
    let mut command = stage.scratch.program(&["hook", "claude-code"]);
    command.env("PATH", path).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(payload.to_string().as_bytes()).unwrap();
    child
}

fn wait_for(path: &Path) {
    for _ in 0..3_000 {
        if path.exists() {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("{} never came", path.display());
}

fn said(stage: &Stage) -> String {
    let states = stage.session_states();
    assert_eq!(states.len(), 1);
    let state: Value = serde_json::from_slice(&std::fs::read(&states[0]).unwrap()).unwrap();
    state["said"].to_string()
}

#[test]
fn a_prompt_is_recorded_while_another_hook_waits_for_git() {
    let stage = stage_with_git();
    let (slow, called, released) = slow_git(&stage);
    let session = stage.session("s");
    let prompt = |text: &str| session.payload("UserPromptSubmit", json!({"prompt": text}));
    let first = spawn(&stage, &prompt(FIRST), &slow);
    wait_for(&called);
    assert!(said(&stage).contains(FIRST), "recorded before the answer: {}", said(&stage));
    let second = stage.process("claude-code", prompt(SECOND).to_string().as_bytes());
    assert_eq!(second.status.code(), Some(0));
    assert!(said(&stage).contains(SECOND), "{}", said(&stage));
    std::fs::write(&released, "").unwrap();
    let first = first.wait_with_output().unwrap();
    assert_eq!(first.status.code(), Some(0));
    assert!(said(&stage).contains(FIRST) && said(&stage).contains(SECOND));
    assert!(stage.log().iter().all(|line| line["trouble"] == false), "{:?}", stage.log());
    let told = [first.stdout, second.stdout].concat();
    let told = String::from_utf8(told).unwrap();
    assert_eq!(told.matches("<memory id=\\\"keep-money-in-cents\\\"").count(), 1, "{told}");
}

/// Whoever holds the session for longer than anybody waits: the prompt is kept beside it.
#[test]
fn a_prompt_that_can_not_get_at_the_session_is_kept() {
    let stage = Stage::new();
    let session = stage.session("s");
    session.prompt("hello");
    let lock = File::open(stage.session_states()[0].with_extension("lock")).unwrap();
    lock.lock().unwrap();
    let payload = session.payload("UserPromptSubmit", json!({"prompt": RULE}));
    for _ in 0..2 {
        let output = stage.process("claude-code", payload.to_string().as_bytes());
        assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
    }
    assert!(stage.last_note().contains("kept for the next hook"), "{}", stage.last_note());
    assert!(!said(&stage).contains(RULE));
    drop(lock);
    session.stop();
    assert_eq!(stage.candidates(), [RULE_ID]);
    session.stop();
    assert_eq!(stage.show(RULE_ID)["evidence"].as_array().unwrap().len(), 1);
}

/// A stop reads a transcript for long; whoever types meanwhile is heard.
#[test]
fn a_prompt_does_not_wait_for_a_stop() {
    let stage = Stage::new();
    let session = stage.session("s");
    session.prompt("hello");
    let work = stage.session_states()[0].with_extension("work.lock");
    let work = File::options().create(true).write(true).truncate(false).open(work).unwrap();
    work.lock().unwrap();
    session.prompt(RULE);
    assert!(said(&stage).contains(RULE), "{}", said(&stage));
    drop(work);
    session.stop();
    assert_eq!(stage.candidates(), [RULE_ID]);
}
