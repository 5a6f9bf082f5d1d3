//! Transcripts as they should not be: nothing hangs, nothing foreign is read, nothing is lost.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::stage::{Stage, append};

const CONSTRAINT: &str = "The API must never return more than 100 rows per page.";
const CONSTRAINT_ID: &str = "the-api-must-never-return-more-than-100-rows-per-page";
const DECISION: &str = "We decided to use PostgreSQL for the orders because it has transactions.";
const DECISION_ID: &str = "use-postgresql-for-the-orders";

/// The real program stops with this as its transcript; what it noted.
#[track_caller]
fn stop_with(stage: &Stage, path: &Value) -> String {
    let session = stage.session("s");
    let payload = session.payload("Stop", json!({"transcript_path": path}));
    let output = stage.process("claude-code", payload.to_string().as_bytes());
    assert_eq!(output.status.code(), Some(0), "{path}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "", "{path}");
    stage.last_note()
}

#[test]
fn what_is_no_plain_file_of_the_user_is_not_read() {
    let stage = Stage::new();
    let folder = stage.home().join("odd");
    std::fs::create_dir(&folder).unwrap();
    let fifo = folder.join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let link = |name: &str, target: &str| {
        std::os::unix::fs::symlink(target, folder.join(name)).unwrap();
        folder.join(name)
    };
    for (path, note) in [
        (json!(folder), "no plain file"),
        (json!(fifo), "no plain file"),
        (json!("/dev/zero"), "outside"),
        (json!(link("zero", "/dev/zero")), "outside"),
        (json!(link("passwd", "/etc/passwd")), "outside"),
        (json!("/etc/passwd"), "outside"),
        (json!("/proc/self/environ"), "outside"),
        (json!(link("loop", "loop")), "can't be read"),
        (json!(folder.join("missing.jsonl")), "can't be read"),
        (json!("relative.jsonl"), "not absolute"),
        (json!(format!("{}/x\u{0}y", folder.display())), "can't be read"),
        (json!(null), "names no transcript"),
        (json!(7), "names no transcript"),
        (json!("x".repeat(100_000)), "not absolute"),
    ] {
        let found = stop_with(&stage, &path);
        assert!(found.contains(note), "{note} for {path}: {found}");
    }
    assert_eq!(stage.ids(&[]), Vec::<String>::new());
}

#[test]
fn one_that_may_not_be_read_is_no_trouble() {
    let stage = Stage::new();
    let session = stage.session("s");
    session.person(CONSTRAINT);
    let mut mode = std::fs::metadata(&session.transcript).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut mode, 0o000);
    std::fs::set_permissions(&session.transcript, mode).unwrap();
    if std::fs::File::open(&session.transcript).is_ok() {
        // The super-user may read everything.
        return;
    }
    assert!(stop_with(&stage, &json!(session.transcript)).contains("can't be read"));
}

/// A line that is still being written is read when it is whole, once.
#[test]
fn a_torn_line_is_read_when_it_is_whole() {
    let stage = Stage::new();
    let session = stage.session("s");
    session.person(CONSTRAINT);
    let message = json!({"role": "user", "content": DECISION});
    let line = json!({"type": "user", "message": message}).to_string();
    let (start, rest) = line.split_at(line.len() / 2);
    append(&session.transcript, start);
    session.stop();
    assert_eq!(stage.candidates(), [CONSTRAINT_ID]);
    append(&session.transcript, rest);
    session.stop();
    assert_eq!(stage.candidates(), [CONSTRAINT_ID], "its end is still to come");
    append(&session.transcript, "\n");
    for _ in 0..3 {
        session.stop();
    }
    assert_eq!(stage.candidates(), [CONSTRAINT_ID, DECISION_ID]);
    assert_eq!(stage.show(DECISION_ID)["evidence"], json!(["transcript:s#L2"]));
}

/// Written to at every moment while it is read.
#[test]
fn one_that_grows_while_it_is_read_loses_nothing() {
    let stage = Stage::new();
    stage.set("capture.max_per_stop", "50");
    let session = stage.session("s");
    const NAMES: &[&str] = &[
        "orders", "invoices", "refunds", "mails", "users", "carts", "wallets", "ledgers", "quotes",
        "payouts", "fees", "vouchers", "sessions", "audits", "exports", "imports",
    ];
    std::thread::scope(|scope| {
        let path = session.transcript.clone();
        scope.spawn(move || {
            for (number, name) in NAMES.iter().enumerate() {
                let text =
                    format!("The {name} endpoint must never return more than {number}00 rows.");
                let message = json!({"role": "user", "content": text});
                let line = format!("{}\n", json!({"type": "user", "message": message}));
                for piece in line.as_bytes().chunks(7) {
                    append(&path, std::str::from_utf8(piece).unwrap());
                }
            }
        });
        for _ in 0..12 {
            session.stop();
        }
    });
    session.stop();
    let found = stage.candidates();
    let lost: Vec<&&str> =
        NAMES.iter().filter(|name| !found.iter().any(|id| id.contains(**name))).collect();
    assert!(lost.is_empty(), "{lost:?} of {found:#?}");
    for id in &found {
        let memory = stage.show(id);
        assert_eq!(memory["evidence"].as_array().unwrap().len(), 1, "{memory}");
    }
}

/// Begun anew, or another file: what was captured is known by its words.
#[test]
fn one_that_was_rotated_is_read_from_its_start() {
    let stage = Stage::new();
    let session = stage.session("s");
    session.person("some longer talk about nothing that stands before").person(CONSTRAINT);
    session.stop();
    std::fs::write(&session.transcript, "").unwrap();
    session.stop();
    session.person(DECISION);
    session.stop();
    assert_eq!(stage.candidates(), [CONSTRAINT_ID, DECISION_ID]);
    let other = stage.session("other");
    other.person(CONSTRAINT).person("Remember that the nightly job runs at 3am UTC.");
    let payload = session.payload("Stop", json!({"transcript_path": other.transcript}));
    stage.hook("claude-code", &payload);
    assert_eq!(stage.candidates().len(), 3, "{:?}", stage.candidates());
    let evidence = stage.show(CONSTRAINT_ID)["evidence"].clone();
    assert_eq!(evidence.as_array().unwrap().len(), 1, "{evidence}");
}

/// A file that was begun anew and has grown past where reading ended: its start is not lost.
#[test]
fn one_that_was_rotated_and_grew_is_read_from_its_start() {
    let stage = Stage::new();
    let session = stage.session("s");
    session.person("hello");
    session.stop();
    std::fs::remove_file(&session.transcript).unwrap();
    session.person(CONSTRAINT).person(DECISION);
    session.stop();
    assert_eq!(stage.candidates(), [CONSTRAINT_ID, DECISION_ID]);
}

/// One line of a hundred megabytes holds a picture; what follows it is read.
#[test]
fn a_line_of_a_hundred_megabytes_is_left_out() {
    let stage = Stage::new();
    let path = stage.session("s").transcript;
    let piece = "x".repeat(1 << 20);
    append(&path, "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"");
    for _ in 0..100 {
        append(&path, &piece);
    }
    stop_with(&stage, &json!(path));
    append(&path, "\"}}\n");
    stage.session("s").person(CONSTRAINT);
    let note = stop_with(&stage, &json!(path));
    assert_eq!(stage.candidates(), [CONSTRAINT_ID], "{note}");
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn rubbish_between_the_lines_is_left_out() {
    let stage = Stage::new();
    let session = stage.session("s");
    let deep = "[".repeat(100_000);
    for rubbish in ["", "null", "{", "\u{0}\u{0}\u{0}", "[[[[", "{\"type\":\"user\"}", &deep] {
        append(&session.transcript, &format!("{rubbish}\n"));
    }
    raw(&session.transcript, b"{\"type\":\"user\",\"message\":\"\xff\xfe\"}\n");
    session.person(CONSTRAINT);
    session.stop();
    assert_eq!(stage.candidates(), [CONSTRAINT_ID]);
}

fn raw(path: &Path, bytes: &[u8]) {
    use std::io::Write;
    let mut options = std::fs::OpenOptions::new();
    options.append(true).open(path).unwrap().write_all(bytes).unwrap();
}
