//! Commands and hooks of a session, killed at every call that changes the disk, before and after it:
//! what was acknowledged is there, no state is torn, nothing was put aside, and the next hook works.

use std::fs::File;
use std::path::{Path, PathBuf};

use oldhand_testkit::kill::{KillAt, Outcome, run};
use serde_json::{Value, json};

use crate::hooks::stage::{CENTS, Stage, with_cents};
use crate::scratch::{copy_tree, fill};

const SESSION: &str = "s";

/// A command or a hook on a prepared session.
struct Scene {
    name: &'static str,
    args: &'static [&'static str],
    /// The event of a hook, and what its payload says besides.
    event: Option<(&'static str, Value)>,
    /// What is so once the command has acknowledged.
    holds: fn(&Stage) -> bool,
}

fn scenes() -> Vec<Scene> {
    let hook = |name, event, more, holds| Scene {
        name,
        args: &["hook", "claude-code"],
        event: Some((event, more)),
        holds,
    };
    let command = |name, args, holds| Scene { name, args, event: None, holds };
    let nothing: fn(&Stage) -> bool = |_| true;
    vec![
        command("note", &["note", "error", "the second", "--session", SESSION], |stage| {
            texts(stage).iter().any(|text| text == "the second")
        }),
        command("discard", &["notes", "discard", "--session", SESSION], |stage| {
            texts(stage).is_empty()
        }),
        command("task start", &["task", "start", "T-2", "--session", SESSION], |stage| {
            record(stage).to_string().contains("T-2")
        }),
        command("task end", &["task", "end", "T-1", "--outcome", "passed"], |stage| {
            !record(stage)["tasks"].to_string().contains("\"is_under_way\":true")
        }),
        command("recall", &["recall", CENTS, "--session", SESSION], nothing),
        command("resume", &["resume", "--session", SESSION], nothing),
        hook("prompt", "UserPromptSubmit", json!({"prompt": CENTS}), nothing),
        hook("stop", "Stop", json!({"stop_hook_active": false}), nothing),
        hook("compaction", "PreCompact", json!({"trigger": "auto"}), nothing),
        hook("session end", "SessionEnd", json!({"reason": "other"}), nothing),
        hook("session start", "SessionStart", json!({"source": "startup"}), nothing),
    ]
}

fn texts(stage: &Stage) -> Vec<String> {
    let notes = stage.scratch.json(&["notes", "--session", SESSION]);
    let notes = notes["notes"].as_array().unwrap().iter();
    notes.map(|note| note["text"].as_str().unwrap().to_owned()).collect()
}

fn record(stage: &Stage) -> Value {
    serde_json::from_slice(&std::fs::read(stage.state_folder().join("store.json")).unwrap())
        .unwrap()
}

/// A session in the middle of its work, and a copy of all its files.
fn prepared() -> (Stage, tempfile::TempDir) {
    let stage = with_cents();
    fill(&stage.scratch);
    let session = stage.session(SESSION);
    stage.scratch.ok(&["note", "remaining", "the first", "--session", SESSION]);
    stage.scratch.ok(&["task", "start", "T-1", "--session", SESSION]);
    session.prompt("hello there");
    session.person("The API must never return more than 100 rows per page.");
    session.runs("cargo test", Err("error: one test failed"));
    let backup = tempfile::tempdir_in(stage.home().parent().unwrap()).unwrap();
    copy_tree(&stage.home(), &backup.path().join("home"));
    (stage, backup)
}

fn restore(stage: &Stage, backup: &Path) {
    for entry in std::fs::read_dir(stage.home()).unwrap().map(|entry| entry.unwrap().path()) {
        let removed = match entry.is_dir() {
            true => std::fs::remove_dir_all(&entry),
            false => std::fs::remove_file(&entry),
        };
        removed.unwrap();
    }
    copy_tree(&backup.join("home"), &stage.home());
}

/// Files of the state folder, with those below it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

fn check(stage: &Stage, scene: &Scene, is_told: bool, when: &str) {
    for path in files(&stage.state_folder()) {
        let name = path.to_string_lossy().into_owned();
        assert!(!name.contains(".damaged-"), "{when}: {name}");
        if name.ends_with(".json") {
            let text = std::fs::read(&path).unwrap();
            serde_json::from_slice::<Value>(&text).unwrap_or_else(|_| panic!("{when}: {name}"));
        }
    }
    assert!(!is_told || (scene.holds)(stage), "{when}: acknowledged and not there");
    let texts = texts(stage);
    let is_kept = texts.first().is_some_and(|text| text == "the first");
    assert!(is_kept || scene.name == "discard" && texts.is_empty(), "{when}: {texts:?}");
    stage.scratch.ok(&["note", "question", "the last", "--session", SESSION]);
    stage.session(SESSION).prompt("what is next?");
    let log = stage.log();
    assert_eq!(log.last().unwrap()["trouble"], false, "{when}: {}", log.last().unwrap());
}

fn points(scene: &Scene) -> u32 {
    let (stage, backup) = prepared();
    let payload = scene.event.as_ref().map(|(event, more)| {
        let path = backup.path().join("payload.json");
        let payload = stage.session(SESSION).payload(event, more.clone());
        std::fs::write(&path, payload.to_string()).unwrap();
        path
    });
    let kinds: [fn(u32) -> KillAt; 2] = [KillAt::BeforeCall, KillAt::AfterCall];
    let mut points = 0;
    for kind in kinds {
        for number in 1.. {
            restore(&stage, backup.path());
            let mut command = stage.scratch.program(scene.args);
            if let Some(payload) = &payload {
                command.stdin(File::open(payload).unwrap());
            }
            match run(&mut command, kind(number)).unwrap() {
                Outcome::Finished(finished) => {
                    assert_eq!(finished.code, Some(0), "{}", scene.name);
                    check(&stage, scene, true, scene.name);
                    break;
                }
                Outcome::Killed(killed) => {
                    let when = format!("{} killed at {} number {number}", scene.name, killed.call);
                    check(&stage, scene, !killed.stdout.is_empty(), &when);
                    points += 1;
                }
            }
        }
    }
    points
}

#[test]
fn a_session_survives_every_kill() {
    let scenes = scenes();
    let points: u32 = std::thread::scope(|scope| {
        let workers: Vec<_> = scenes.iter().map(|scene| scope.spawn(|| points(scene))).collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).sum()
    });
    println!("{points} points");
    assert!(points >= 500, "only {points} points");
}
