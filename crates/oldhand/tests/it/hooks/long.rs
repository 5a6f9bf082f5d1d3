//! Transcripts that one stop can't read: each stop goes on where the last one ended, however it ended.

use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};

use super::stage::{Session, Stage, append};

const LAST: &str = "The API must never return more than 100 rows per page.";
const LAST_ID: &str = "the-api-must-never-return-more-than-100-rows-per-page";
const STOPS_MAX: usize = 2_000;

/// Prose of an agent, so many bytes of it, and one rule of a person at its end.
fn talk(session: &Session<'_>, bytes: usize) {
    let text = "The parser reads the next token and hands it to the printer, line by line. ";
    let content = json!([{"type": "text", "text": text.repeat(50)}]);
    let message = json!({"role": "assistant", "model": "claude-opus-4-6", "content": content});
    let line = format!("{}\n", json!({"type": "assistant", "message": message}));
    append(&session.transcript, &line.repeat(bytes / line.len()));
    session.person(LAST);
}

fn transcript(stage: &Stage) -> Value {
    let state = std::fs::read(&stage.session_states()[0]).unwrap();
    let state: Value = serde_json::from_slice(&state).unwrap();
    state["transcript"].clone()
}

fn offset(stage: &Stage) -> u64 {
    transcript(stage)["offset"].as_u64().unwrap()
}

#[track_caller]
fn stop_until_whole(stage: &Stage, session: &Session<'_>) -> usize {
    let size = std::fs::metadata(&session.transcript).unwrap().len();
    for stop in 1..=STOPS_MAX {
        let before = offset(stage);
        session.stop();
        if offset(stage) == size {
            return stop;
        }
        assert!(offset(stage) > before, "stop {stop} got nowhere: {}", stage.last_note());
        assert!(stage.last_note().contains("the rest at the next stop"), "{}", stage.last_note());
    }
    panic!("{STOPS_MAX} stops did not finish: {} of {size}", offset(stage));
}

/// A stop as the host starts it, killed as soon as this holds.
fn stop_killed_when(stage: &Stage, session: &Session<'_>, is_time: impl Fn(&Value) -> bool) {
    let payload = session.payload("Stop", json!({"stop_hook_active": false})).to_string();
    let file = stage.home().join("payload.json");
    std::fs::write(&file, payload).unwrap();
    let mut command = stage.scratch.program(&["hook", "claude-code"]);
    command.stdin(std::fs::File::open(&file).unwrap()).stdout(Stdio::null());
    let mut child = command.spawn().unwrap();
    while !is_time(&transcript(stage)) && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

/// No stop ever ends, and still everything is read.
#[test]
fn each_stop_goes_on_where_the_last_one_ended() {
    let stage = Stage::new();
    let session = stage.session("s");
    session.prompt("hello");
    talk(&session, 24 * 1024 * 1024);
    let size = std::fs::metadata(&session.transcript).unwrap().len();
    let mut stops = 0;
    while offset(&stage) < size {
        let before = offset(&stage);
        stop_killed_when(&stage, &session, |at| at["offset"].as_u64().unwrap() > before);
        assert!(offset(&stage) > before, "it got nowhere: {}", stage.last_note());
        stops += 1;
        assert!(stops < STOPS_MAX, "{} of {size} after {stops} stops", offset(&stage));
    }
    assert!(stops >= 2, "the first stop has read everything at once");
    assert_eq!(stage.candidates(), [LAST_ID]);
}

/// Killed in the middle of a step, again and again: the steps become smaller, and end.
#[test]
fn a_step_that_never_ends_becomes_smaller() {
    let stage = Stage::new();
    let session = stage.session("s");
    session.prompt("hello");
    talk(&session, 2 * 1024 * 1024);
    for round in 1..=3 {
        stop_killed_when(&stage, &session, |at| at["tries"].as_u64().unwrap() >= round);
    }
    let stops = stop_until_whole(&stage, &session);
    assert_eq!(stage.candidates(), [LAST_ID], "after {stops} stops");
}

/// One line that nobody ever gets through is left out, and what follows is read.
#[test]
fn a_line_that_never_ends_well_is_left_out() {
    let stage = Stage::new();
    let session = stage.session("s");
    session.prompt("hello");
    session.person("We decided to use PostgreSQL for the orders because it has transactions.");
    session.person(LAST);
    let path = &stage.session_states()[0];
    let mut state: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    state["transcript"]["tries"] = json!(6);
    std::fs::write(path, state.to_string()).unwrap();
    session.stop();
    assert_eq!(stage.candidates(), [LAST_ID]);
    assert!(stage.last_note().contains("line 1 takes too long"), "{}", stage.last_note());
}
