//! No secret reaches the store, by whichever way and in whichever field it comes: also one that is
//! split by a character which is taken out before anything is stored. The keys here are made up.

use std::path::Path;

use oldhand_store::disk::RealDisk;
use serde_json::{Value, json};

use crate::scratch::Scratch;

const KEY: &str = concat!("AKI", "AZ7QWERTYUIOPASDF");

/// The key as nobody sees that it is one in two halves.
fn split() -> String {
    format!("{}\u{200B}{}", &KEY[..8], &KEY[8..])
}

#[track_caller]
fn check_refused(store: &Scratch, args: &[&str], stdin: &str) {
    let ran = store.run_on(&RealDisk, args, stdin.as_bytes());
    let said =
        format!("{}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    let names_it = said.contains("holds a secret") || said.contains("SECRET_ERROR");
    assert!(ran.code != 0 && names_it, "{args:?} {stdin}: {said}");
    assert!(!said.contains(KEY), "{args:?}: {said}");
    assert_clean(&store.store(), &format!("{args:?} {stdin}"));
}

/// No file below holds the key, in any case, with or without what hides in it.
#[track_caller]
fn assert_clean(folder: &Path, when: &str) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_dir() {
            assert_clean(&entry.path(), when);
            continue;
        }
        let text = String::from_utf8_lossy(&std::fs::read(entry.path()).unwrap()).to_uppercase();
        let plain: String = text.chars().filter(|it| *it != '\u{200B}').collect();
        assert!(!plain.contains(KEY), "{when}: {}", entry.path().display());
        assert!(!entry.file_name().to_string_lossy().to_uppercase().contains(KEY), "{when}");
    }
}

fn record(with: &[(&str, Value)]) -> String {
    let mut record = json!({"category": "reference", "title": "Deploy", "content": {"text": "x"}});
    for (key, value) in with {
        record[key] = value.clone();
    }
    record.to_string()
}

#[test]
fn no_field_takes_one() {
    let store = Scratch::new();
    for key in [KEY.to_owned(), split()] {
        let fields = [
            ("title", json!(format!("The key {key}"))),
            ("tags", json!(["ci", key])),
            ("aliases", json!([key])),
            ("id", json!(format!("Deploy {key}"))),
            ("sources", json!([format!("mail:{key}")])),
            ("evidence", json!([format!("mail:{key}")])),
            ("domain", json!(key)),
            ("related_files", json!([format!("src/{key}.rs")])),
            ("content", json!({"text": format!("It is {key}.")})),
            ("extra", json!({"owner": key})),
            ("extra", json!({key.clone(): "owner"})),
            ("extra", json!({"owner": {"name": [key]}})),
            ("extra", json!({key.clone(): {"name": "x"}})),
            ("sections", json!([{"heading": format!("About {key}"), "text": "x"}])),
            ("sections", json!([{"heading": "About", "text": key}])),
        ];
        for (field, value) in fields {
            check_refused(&store, &["add", "--from", "-"], &record(&[(field, value)]));
        }
    }
}

/// A name and its value in two places are still a name and its value.
#[test]
fn a_heading_names_what_stands_below_it() {
    let store = Scratch::new();
    let value = concat!("q8Zr3LmXv7KpT2s", "Wn5YbHd4J");
    let sections = json!([{"heading": "API key", "text": value}]);
    check_refused(&store, &["add", "--from", "-"], &record(&[("sections", sections)]));
}

#[test]
fn no_command_takes_one() {
    let store = Scratch::new();
    store.ok(&["add", "reference", "--title", "Deploy", "--text", "by the pipeline"]);
    store.ok(&["add", "decision", "--title", "Use cents", "--decision", "Integers"]);
    let key = split();
    let said = format!("it had {key}");
    std::fs::write(store.repository().join("note.md"), format!("# Note\n\n## {key}\n\nx\n"))
        .unwrap();
    std::fs::write(
        store.repository().join("retro.md"),
        format!("## Lessons\n- Rotate {key} now\n"),
    )
    .unwrap();
    let commands: [&[&str]; 19] = [
        &["remember", &said],
        &["update", "deploy", "--text", &said],
        &["update", "deploy", "--tags", &key],
        &["update", "deploy", "--tags", "ci", "--note", &said],
        &["update", "deploy", "--tags", "ci", "--by", &key],
        &["retire", "deploy", "--reason", &said],
        &["apply", "deploy", "--effect", "positive", "--task", &key],
        &["apply", "deploy", "--effect", "positive", "--task", "t", "--notes", &said],
        &["review", "deploy", "--decision", "keep", "--reason", &said],
        &["import", "note.md"],
        &["learn", "retro.md"],
        &["note", "remaining", &said],
        &["note", "error", "--fix", &said, "it broke"],
        &["anchor", "--objective", &said],
        &["task", "start", &key],
        &["task", "end", "--task", "t", "--outcome", "passed", "--concern", &key],
        &["summary", "t", "--goal", &said, "--completed", "x"],
        &["config", "set", "kinds.reference.description", &said],
        &["config", "set", "kinds.reference.description", &said, "--user"],
    ];
    for command in commands {
        check_refused(&store, command, "");
    }
    assert_clean(&store.repository().join(".oldhand"), "all");
}

/// A memory that was written before a rule was known is not locked in: it can be retired, and the
/// secret can be taken out of it without staying in its history.
#[test]
fn what_is_there_already_can_be_put_right() {
    let store = Scratch::new();
    store.ok(&["add", "reference", "--title", "Deploy", "--text", "the old one"]);
    store.ok(&["add", "reference", "--title", "Other", "--text", "the old one too"]);
    for name in ["deploy", "other"] {
        let file = store.store().join(format!("reference/{name}.md"));
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, text.replace("the old one", &format!("by {KEY}"))).unwrap();
    }
    store.ok(&["update", "deploy", "--tags", "ci"]);
    store.ok(&["retire", "other"]);
    store.ok(&["update", "deploy", "--text", "the key is in the vault"]);
    let text = std::fs::read_to_string(store.store().join("reference/deploy.md")).unwrap();
    assert!(text.contains("changed content.text") && !text.contains(KEY), "{text}");
}
