//! Many hooks of one session at once, and hooks that are killed: nothing is told twice, nothing is
//! lost, nothing is doubled.

use std::collections::BTreeMap;
use std::fs::File;

use oldhand_testkit::kill::{KillAt, Outcome, run};
use serde_json::{Value, json};

use super::stage::{Stage, feed};

const CONSTRAINT: &str = "The API must never return more than 100 rows per page.";
const CONSTRAINT_ID: &str = "the-api-must-never-return-more-than-100-rows-per-page";
const DECISION: &str = "We decided to use PostgreSQL for the orders because it has transactions.";
const DECISION_ID: &str = "use-postgresql-for-the-orders";

const HOOKS: usize = 200;
const AT_ONCE: usize = 20;

/// R291: tools run at the same time, and what binds one path binds many.
#[test]
fn two_hundred_hooks_of_one_session_tell_nothing_twice() {
    let stage = Stage::new();
    for number in 0..10 {
        let (title, folder) = (format!("Rule {number}"), format!("src/m{number}/"));
        let args = ["constraint", "--title", &title, "--rule", "So be it", "--file", &folder];
        stage.scratch.ok(&[&["add"], &args[..]].concat());
    }
    let session = stage.session("s");
    let one = |number: usize| {
        let path = format!("src/m{}/f{number}.rs", number % 10);
        let more = json!({"tool_name": "Edit", "tool_input": {"file_path": path}});
        let payload = session.payload("PreToolUse", more);
        let output = stage.process("claude-code", payload.to_string().as_bytes());
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).unwrap()
    };
    let answers: Vec<String> = std::thread::scope(|scope| {
        let one = &one;
        let workers: Vec<_> = (0..AT_ONCE)
            .map(|worker| {
                scope.spawn(move || {
                    (0..HOOKS / AT_ONCE).map(|at| one(worker * HOOKS / AT_ONCE + at)).collect()
                })
            })
            .collect();
        workers.into_iter().flat_map(|it| -> Vec<String> { it.join().unwrap() }).collect()
    });
    let mut told: BTreeMap<String, usize> = BTreeMap::new();
    for answer in answers.iter().filter(|answer| !answer.is_empty()) {
        let answer: Value = serde_json::from_str(answer).unwrap();
        let text = super::answers::context(&answer);
        for (_, rest) in
            text.match_indices("<memory id=\"").map(|(at, it)| text.split_at(at + it.len()))
        {
            *told.entry(rest.split('"').next().unwrap().to_owned()).or_default() += 1;
        }
    }
    assert!(told.values().all(|count| *count == 1), "{told:?}");
    let states = stage.session_states();
    assert_eq!(states.len(), 1);
    let state: Value = serde_json::from_slice(&std::fs::read(&states[0]).unwrap()).unwrap();
    let mut kept: Vec<&str> =
        state["ever_served"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
    kept.sort_unstable();
    assert_eq!(kept, told.keys().map(String::as_str).collect::<Vec<_>>());
    let lines = stage.log();
    assert_eq!(lines.len(), HOOKS, "each has left its line");
    let waited = lines.iter().filter(|line| line["trouble"] == true).count();
    println!("{waited} of {HOOKS} did not get at the state of the session in time");
}

/// Stops of several sessions at once, each again and again: each sentence is one memory.
#[test]
fn stops_at_the_same_time_keep_everything_once() {
    let stage = Stage::new();
    let names = ["orders", "invoices", "refunds", "wallets", "ledgers", "vouchers"];
    for name in names {
        let session = stage.session(name);
        session.person(&format!("The {name} endpoint must never return more than 100 rows."));
    }
    let stop = |name: &str| {
        let payload = stage.session(name).payload("Stop", json!({"stop_hook_active": false}));
        let output = stage.process("claude-code", payload.to_string().as_bytes());
        assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
    };
    std::thread::scope(|scope| {
        for name in names {
            for _ in 0..3 {
                scope.spawn(move || stop(name));
            }
        }
    });
    for name in names {
        stage.session(name).stop();
    }
    let found = stage.candidates();
    assert_eq!(found.len(), names.len(), "{found:?}");
    for id in &found {
        assert_eq!(stage.show(id)["evidence"].as_array().unwrap().len(), 1, "{id}");
    }
}

/// Killed before and after every call that changes the disk; the next stop makes it whole.
#[test]
fn a_stop_that_is_killed_loses_and_doubles_nothing() {
    let template = Stage::new();
    let mut points = 0;
    let kinds: [fn(u32) -> KillAt; 2] = [KillAt::BeforeCall, KillAt::AfterCall];
    for kind in kinds {
        for number in 1.. {
            let stage = Stage { scratch: template.scratch.copy() };
            let session = stage.session("s");
            session.person(CONSTRAINT).person(DECISION);
            let payload = session.payload("Stop", json!({"stop_hook_active": false}));
            let file = stage.home().join("payload.json");
            std::fs::write(&file, payload.to_string()).unwrap();
            let mut command = stage.scratch.program(&["hook", "claude-code"]);
            command.stdin(File::open(&file).unwrap());
            let outcome = run(&mut command, kind(number)).unwrap();
            let when = format!("killed at call {number}");
            if let Outcome::Finished(finished) = &outcome {
                assert_eq!((finished.code, finished.stdout.len()), (Some(0), 0));
            }
            let diagnosis = stage.scratch.run(&["doctor"]);
            assert_eq!(diagnosis.code, 0, "{when}: {}", String::from_utf8_lossy(&diagnosis.stdout));
            session.stop();
            assert_eq!(stage.candidates(), [CONSTRAINT_ID, DECISION_ID], "{when}");
            for id in [CONSTRAINT_ID, DECISION_ID] {
                let memory = stage.show(id);
                assert_eq!(memory["evidence"].as_array().unwrap().len(), 1, "{when}: {memory}");
                assert_eq!(memory["times_updated"], 0, "{when}: {memory}");
            }
            points += 1;
            if matches!(outcome, Outcome::Finished(_)) {
                break;
            }
        }
    }
    assert!(points >= 40, "only {points} points");
    println!("{points} points");
}

/// The end of a session that is killed is made good by the next start.
#[test]
fn an_end_that_is_killed_is_settled_once() {
    let mut points = 0;
    for number in (1..).step_by(2) {
        let mut stage = Stage::new();
        let text = "Amounts of money are integers, counted in cents, never floats";
        let args = ["decision", "--title", "Keep money in cents", "--decision", text];
        stage.scratch.ok(&[&["add"], &args[..]].concat());
        let session = stage.session("s");
        session.prompt("how do we keep money amounts, in cents or as floats?");
        let payload = session.payload("SessionEnd", json!({"reason": "other"}));
        let file = stage.home().join("payload.json");
        std::fs::write(&file, payload.to_string()).unwrap();
        let mut command = stage.scratch.program(&["hook", "claude-code"]);
        command.stdin(File::open(&file).unwrap());
        let outcome = run(&mut command, KillAt::BeforeCall(number)).unwrap();
        assert_eq!(stage.scratch.run(&["doctor"]).code, 0, "killed at call {number}");
        stage.scratch.now = "2027-01-15T12:00:00Z".parse().unwrap();
        stage.session("next").start("startup");
        let uses = stage.uses("keep-money-in-cents");
        assert_eq!(uses.len(), 1, "killed at call {number}: {uses:#?}");
        points += 1;
        if matches!(outcome, Outcome::Finished(_)) {
            break;
        }
    }
    assert!(points >= 5, "only {points} points");
}

/// Two hosts in one repository don't know of each other.
#[test]
fn sessions_of_two_hosts_stay_apart() {
    let stage = Stage::new();
    let args = ["constraint", "--title", "No floats", "--rule", "No floats", "--file", "src/"];
    stage.scratch.ok(&[&["add"], &args[..]].concat());
    let more = json!({"tool_name": "Edit", "tool_input": {"file_path": "src/a.rs"}});
    for id in ["one", "two", "../../../etc/passwd", "", "\u{0}", &"x".repeat(100_000)] {
        let mut payload = stage.session("s").payload("PreToolUse", more.clone());
        payload["session_id"] = json!(id);
        let output =
            feed(stage.scratch.program(&["hook", "codex"]), payload.to_string().as_bytes());
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("no-floats"), "{id:.20}: {text:?}");
    }
}
