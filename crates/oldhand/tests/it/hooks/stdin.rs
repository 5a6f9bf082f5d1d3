//! Whatever a host puts on standard input, or doesn't: exit 0, and the protocol alone on standard
//! output. The real program, which has a deadline of its own.

use std::io::{Read, Write};
use std::process::{Child, Stdio};

use oldhand_store::disk::RealDisk;
use oldhand_testkit::fault::{Counted, Fault, FaultDisk, FaultPlan, Mode, PANIC};
use serde_json::json;

use super::answers;
use super::stage::{CENTS, Stage, feed, with_cents as stage};

#[track_caller]
fn silent(stage: &Stage, what: &str, args: &[&str], payload: &[u8]) {
    let output = feed(stage.scratch.program(args), payload);
    assert_eq!(output.status.code(), Some(0), "{what}");
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(matches!(stdout.as_str(), "" | "{}\n"), "{what}: {stdout}");
}

#[test]
fn what_is_no_payload_is_met_with_silence() {
    let stage = stage();
    let deep = "[".repeat(100_000);
    let deep_object = "{\"a\":".repeat(100_000);
    let deep_inside = format!("{{\"hook_event_name\":\"Stop\",\"tool_input\":{deep}");
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("empty", Vec::new()),
        ("blank", b" \n\t\r\n".to_vec()),
        ("cut off", br#"{"hook_event_name":"UserPromptSubmit","prompt":"how do we ke"#.to_vec()),
        ("cut in an escape", br#"{"hook_event_name":"Stop","a":"\u00"#.to_vec()),
        ("no JSON", b"hello there }".to_vec()),
        ("an array", b"[1, 2, 3]".to_vec()),
        ("a text", b"\"SessionStart\"".to_vec()),
        ("null", b"null".to_vec()),
        ("binary", (0..=255).cycle().take(100_000).collect()),
        ("nested", deep.into_bytes()),
        ("nested objects", deep_object.into_bytes()),
        ("nested inside", deep_inside.into_bytes()),
        ("braces", b"}".repeat(200_000)),
        ("quotes", b"{\"".repeat(200_000)),
        (
            "more than anybody reads",
            b"{\"a\": \"".iter().copied().chain(vec![b'x'; 65 << 20]).collect(),
        ),
        ("no event", br#"{"session_id":"s"}"#.to_vec()),
        ("an event of tomorrow", br#"{"hook_event_name":"TeammateIdle"}"#.to_vec()),
        ("an event of another type", br#"{"hook_event_name":{"name":"Stop"}}"#.to_vec()),
    ];
    for (what, payload) in &cases {
        for host in ["claude-code", "cursor"] {
            silent(&stage, what, &["hook", host], payload);
        }
    }
}

/// Wherever it breaks: exit 0, no word on standard output that is no answer, and a line in the log.
#[test]
fn a_bug_of_ours_is_met_with_silence() {
    let stage = stage();
    let into_store = json!({
        "file_path": stage.scratch.store().join("decisions/a.md"), "content": "past the program",
    });
    for event in ["SessionStart", "UserPromptSubmit", "PreToolUse", "Stop"] {
        let (mut fired, mut denied) = (0, 0);
        for nth in 1.. {
            let plan =
                FaultPlan { nth, fault: Fault::Panic, mode: Mode::Once, counted: Counted::Every };
            let disk = FaultDisk::new(RealDisk, plan);
            let payload = json!({
                "hook_event_name": event, "session_id": format!("{event}-{nth}"),
                "cwd": stage.scratch.repository(), "prompt": "how do we keep amounts of money?",
                "tool_name": "Write", "tool_input": into_store,
            });
            let lines = stage.log().len();
            let payload_bytes = payload.to_string().into_bytes();
            let ran = stage.scratch.run_on(&disk, &["hook", "claude-code"], &payload_bytes);
            assert_eq!(ran.code, 0, "{event} {nth}");
            answers::check("claude-code", &payload, &ran.stdout);
            if !disk.fired() {
                break;
            }
            fired += 1;
            if String::from_utf8_lossy(&ran.stdout).contains("deny") {
                denied += 1;
                continue;
            }
            let log = stage.log();
            let told = log[lines..].iter().find(|line| line["trouble"] == true);
            let told = told.unwrap_or_else(|| panic!("{event} {nth}: {:?}", &log[lines..]));
            assert!(told["note"].as_str().unwrap().contains(PANIC), "{event} {nth}: {told}");
        }
        assert!(fired > 0, "{event} touches the disk");
        assert!(event != "PreToolUse" || denied > 0, "a bug opens the store to everybody");
    }
}

#[test]
fn wrong_types_everywhere() {
    let stage = stage();
    let wrong =
        [json!(null), json!(7), json!(true), json!([]), json!({}), json!("\u{0}"), json!(-1e300)];
    let keys = [
        "session_id",
        "transcript_path",
        "cwd",
        "agent_id",
        "source",
        "prompt",
        "tool_name",
        "tool_input",
        "tool_response",
        "error",
        "stop_hook_active",
        "last_assistant_message",
        "workspace_roots",
        "permission_mode",
        "loop_count",
    ];
    let events = [
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "PostToolUseFailure",
        "SubagentStart",
        "SubagentStop",
        "PreCompact",
        "Stop",
        "SessionEnd",
    ];
    for event in events {
        for value in &wrong {
            let mut payload = json!({"hook_event_name": event});
            for key in keys {
                payload[key] = value.clone();
            }
            payload["cwd"] = json!(stage.scratch.repository());
            // In process: a thousand of these would take their time.
            let answer = stage.hook("claude-code", &payload);
            assert!(answer.is_none_or(|it| !it.to_string().contains("deny")), "{payload}");
        }
    }
    let lines = stage.log();
    let trouble: Vec<_> = lines.iter().filter(|line| line["trouble"] == true).collect();
    assert!(trouble.is_empty(), "{trouble:#?}");
}

#[test]
fn arguments_that_make_no_sense() {
    let stage = stage();
    let payload = br#"{"hook_event_name":"SessionStart"}"#;
    for args in [
        &["hook"][..],
        &["hook", "emacs"],
        &["hook", ""],
        &["hook", "--event"],
        &["hook", "--event", "SessionStart"],
        &["hook", "--json", "--frobnicate"],
        &["hook", "claude-code", "--event", "nonsense"],
        &["hook", "claude-code", "--event="],
    ] {
        silent(&stage, &args.join(" "), args, payload);
    }
    let output = feed(stage.scratch.program(&["hook", "claude-code", "extra", "-x"]), payload);
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stdout).contains("keep-money-in-cents"));
}

/// A prompt or an output of fifty megabytes is read, and what it asks for is found.
#[test]
fn fifty_megabytes_are_read() {
    let stage = stage();
    let session = stage.session("s");
    let long = "}{\"\\ lorem ipsum ".repeat(3_300_000);
    let prompt = format!("{CENTS}\n{long}");
    let before = session.payload(
        "PreToolUse",
        json!({"tool_name": "Write",
        "tool_input": {"file_path": ".oldhand/decisions/x.md", "content": long}}),
    );
    let output = stage.process("claude-code", before.to_string().as_bytes());
    assert_eq!(output.status.code(), Some(0));
    let answer = answers::check("claude-code", &before, &output.stdout);
    let answer = answer.unwrap_or_else(|| panic!("{}", stage.last_note()));
    assert!(answers::denial(&answer).contains("oldhand "), "{answer}");
    let after = session.payload(
        "PostToolUse",
        json!({"tool_name": "Bash",
        "tool_input": {"command": "cat big"}, "tool_response": {"stdout": long}}),
    );
    let output = stage.process("claude-code", after.to_string().as_bytes());
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
    let asked = session.payload("UserPromptSubmit", json!({"prompt": prompt}));
    let output = stage.process("claude-code", asked.to_string().as_bytes());
    assert_eq!(output.status.code(), Some(0));
    let answer = answers::check("claude-code", &asked, &output.stdout).expect("an answer");
    assert!(answers::context(&answer).contains("keep-money-in-cents"), "{answer}");
    assert!(stage.last_note() != "gave up at its deadline", "{}", stage.last_note());
    let kept: u64 = std::fs::read_dir(stage.state_folder())
        .unwrap()
        .map(|entry| entry.unwrap().metadata().unwrap().len())
        .sum();
    assert!(kept < 1_000_000, "{kept} bytes of notes for one prompt");
}

fn spawn(stage: &Stage) -> Child {
    let mut command = stage.scratch.program(&["hook", "claude-code"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

fn finish(mut child: Child) -> String {
    let mut stdout = String::new();
    child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
    // Standard input is open until here.
    let stdin = child.stdin.take();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    drop(stdin);
    stdout
}

/// A payload, blanks in it, of exactly this many bytes.
fn payload_of(stage: &Stage, bytes: usize) -> Vec<u8> {
    let payload =
        stage.session(&bytes.to_string()).payload("UserPromptSubmit", json!({"prompt": CENTS}));
    let text = payload.to_string();
    let padding = " ".repeat(bytes.checked_sub(text.len()).unwrap());
    format!("{{{padding}{}", &text[1..]).into_bytes()
}

/// Some hosts never close the pipe: the object ends where it ends, whatever its length.
#[test]
fn the_answer_does_not_wait_for_the_end_of_input() {
    let stage = stage();
    for bytes in [1_000, 4_096, 65_535, 65_536, 65_537, 131_072, 1_048_576] {
        let payload = payload_of(&stage, bytes);
        let mut child = spawn(&stage);
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(&payload).unwrap();
        stdin.flush().unwrap();
        child.stdin = Some(stdin);
        let stdout = finish(child);
        assert!(stdout.contains("keep-money-in-cents"), "{bytes} bytes: {stdout:?}");
    }
}

/// In pieces, each of which looks like an end.
#[test]
fn a_payload_may_come_in_pieces() {
    let stage = stage();
    let session = stage.session("pieces");
    let more = json!({"prompt": CENTS, "x": {"y": {"z": "}}}\"}"}}, "w": {}});
    let text = session.payload("UserPromptSubmit", more).to_string();
    let mut child = spawn(&stage);
    let mut stdin = child.stdin.take().unwrap();
    for piece in text.split_inclusive('}') {
        stdin.write_all(piece.as_bytes()).unwrap();
        stdin.flush().unwrap();
        std::thread::yield_now();
    }
    child.stdin = Some(stdin);
    let stdout = finish(child);
    assert!(stdout.contains("keep-money-in-cents"), "{stdout:?}");
}

/// Nothing is ever written: the deadline ends it.
#[test]
fn input_that_never_comes_ends_at_the_deadline() {
    let stage = stage();
    assert_eq!(finish(spawn(&stage)), "");
}

/// The deadline of the settings is the deadline, also when it is short.
#[test]
fn a_short_deadline_is_kept() {
    let stage = stage();
    let name = r#"a "note":"" and "trouble":false"#;
    let mut session = stage.session("s");
    session.id = name.to_owned();
    session.start("startup");
    // Another hook of the session holds its state, for longer than this one may take.
    let sessions = stage.state_folder().join("sessions");
    let lock = std::fs::read_dir(sessions)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|it| it == "lock"))
        .unwrap();
    let held = std::fs::File::open(lock).unwrap();
    held.lock().unwrap();
    let mut command = stage.scratch.program(&["hook", "claude-code"]);
    command.env("OLDHAND_HOOKS_DEADLINE_MS", "50");
    let payload = session.payload("UserPromptSubmit", json!({"prompt": CENTS}));
    let output = feed(command, payload.to_string().as_bytes());
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
    assert_eq!(stage.last_note(), "gave up at its deadline");
    let log = stage.log();
    let last = log.last().unwrap();
    assert_eq!(last["trouble"], true, "it is found by `log --trouble`");
    assert_eq!(last["session"], name);
}

/// What broke is in the log of the store at hand.
#[test]
fn a_payload_that_is_none_is_in_the_log() {
    let stage = stage();
    silent(&stage, "no JSON", &["hook", "claude-code"], b"hello");
    assert!(stage.last_note().contains("no JSON"), "{}", stage.last_note());
}
