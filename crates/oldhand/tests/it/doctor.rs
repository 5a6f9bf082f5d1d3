//! A look at everything, and names that mean no memory or two: what is gone comes back, what is
//! twice is refused, and none of it costs a reading of the whole store in the lock.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use oldhand_store::disk::RealDisk;
use oldhand_testkit::fault::{Counted, Fault, FaultDisk, FaultPlan, Mode};
use serde_json::{Value, json};

use crate::scratch::Scratch;

fn decision() -> (Scratch, PathBuf) {
    let store = Scratch::new();
    store.ok(&["add", "decision", "--title", "Use cents", "--decision", "Integers"]);
    let file = store.store().join("decisions/use-cents.md");
    (store, file)
}

fn git(store: &Scratch, args: &[&str]) {
    let who = ["-c", "user.name=ada", "-c", "user.email=ada@example.org"];
    let done =
        Command::new("git").args(who).args(args).current_dir(store.repository()).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

/// The command that a finding's hint offers.
#[track_caller]
fn offered(finding: &Value) -> Vec<String> {
    let hint = finding["hint"].as_str().unwrap();
    let command = hint.split('`').nth(1).and_then(|typed| typed.strip_prefix("oldhand "));
    let command = command.unwrap_or_else(|| panic!("no command in: {finding}"));
    command.split(' ').map(str::to_owned).collect()
}

/// Every way in which a text can go while its file stays, and the way back that `doctor` offers.
#[test]
fn content_that_is_gone_is_named_and_comes_back() {
    let (template, file) = decision();
    template.ok(&["update", "use-cents", "--rationale", "No rounding"]);
    let whole = std::fs::read_to_string(&file).unwrap();
    let (front, body) = whole.split_at(whole.rfind("---").unwrap() + 4);
    let losses: [(&str, Vec<u8>); 7] = [
        ("empty", Vec::new()),
        ("blank", b"\n  \n".to_vec()),
        ("NUL bytes", vec![0; whole.len()]),
        ("NUL bytes at the end", [&whole.as_bytes()[..whole.len() / 2], &[0; 64]].concat()),
        ("no frontmatter", body.as_bytes().to_vec()),
        ("no body", front.as_bytes().to_vec()),
        ("no file", b"-".to_vec()),
    ];
    for (loss, bytes) in losses {
        let store = template.copy();
        let file = store.store().join("decisions/use-cents.md");
        match loss {
            "no file" => std::fs::remove_file(&file).unwrap(),
            _ => std::fs::write(&file, bytes).unwrap(),
        }
        let diagnosis = store.json(&["doctor"]);
        let findings = diagnosis["findings"].as_array().unwrap();
        assert_eq!(findings.len(), 1, "{loss}: {diagnosis}");
        assert!(findings[0]["what"].as_str().unwrap().contains("gone"), "{loss}: {diagnosis}");
        let log = store.json(&["history", "use-cents"]);
        assert!(!log.to_string().contains("adopted"), "{loss}: {log}");
        let command = offered(&findings[0]);
        store.ok(&command.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(store.ok(&["show", "use-cents"]).contains("Integers"), "{loss}");
        store.assert_healthy(loss);
        // It can't be used to go back in time over words that are there.
        let again = store.run(&command.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(again.code, 1, "{loss}");
    }
}

/// Nothing was replaced here, and git has what was there; an emptied file that was committed hides
/// no version before it.
#[test]
fn a_lost_text_comes_back_from_git() {
    let (store, file) = decision();
    let whole = std::fs::read_to_string(&file).unwrap();
    git(&store, &["init", "-q"]);
    git(&store, &["add", "-A"]);
    git(&store, &["commit", "-qm", "one"]);
    std::fs::write(&file, "").unwrap();
    git(&store, &["commit", "-qam", "two"]);
    // The copy of this machine would come first.
    std::fs::remove_dir_all(store.store().join("local/kept")).unwrap();
    let run = |args: &[&str]| store.program(args).output().unwrap();
    let diagnosis: Value = serde_json::from_slice(&run(&["doctor", "--json"]).stdout).unwrap();
    let command = offered(&diagnosis["findings"][0]);
    assert!(diagnosis["findings"][0]["what"].as_str().unwrap().contains("git has version"));
    let ran = run(&command.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), whole);
}

/// What was decided about a memory after a version still holds when its words come back.
#[test]
fn a_restored_version_does_not_raise_what_was_retired() {
    let (store, file) = decision();
    store.ok(&["retire", "use-cents", "--reason", "no more money"]);
    std::fs::write(&file, "").unwrap();
    let command = offered(&store.json(&["doctor"])["findings"][0]);
    store.ok(&command.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(store.ok(&["show", "use-cents"]).contains("state  retired"));
}

#[test]
fn a_chain_of_successors_is_followed_to_its_end() {
    let store = Scratch::new();
    let add = |id: &str| {
        store.ok(&["add", "reference", "--title", id, "--text", id]);
    };
    ["first", "second", "third", "fourth"].iter().for_each(|id| add(id));
    store.ok(&["supersede", "first", "--by-memory", "second"]);
    store.ok(&["supersede", "second", "--by-memory", "third"]);
    store.assert_healthy("two supersedes in a row");
    // What was replaced by way of another does not come back beside what holds.
    assert_eq!(store.run(&["restore", "first"]).code, 1);
    store.ok(&["retire", "third"]);
    let findings = store.json(&["doctor"])["findings"].clone();
    assert_eq!(findings.as_array().unwrap().len(), 1, "{findings}");
    assert_eq!(findings[0]["path"], "reference/second.md");
    assert_eq!(findings[0]["what"], "its successor is no longer active");
}

#[test]
fn successors_in_a_circle_are_one_finding() {
    let store = Scratch::new();
    for (id, by) in [("one", "two"), ("two", "three"), ("three", "two")] {
        let text = format!(
            "---\nid: {id}\ntype: reference\ntitle: {id}\nstate: superseded\ntags: [a]\n\
             origin: user\nsuperseded_by: {by}\n---\n\ntext\n"
        );
        std::fs::create_dir_all(store.store().join("reference")).unwrap();
        std::fs::write(store.store().join(format!("reference/{id}.md")), text).unwrap();
    }
    let findings = store.json(&["doctor"])["findings"].clone();
    assert_eq!(findings.as_array().unwrap().len(), 1, "{findings}");
    assert_eq!(findings[0]["what"], "superseded in a circle: `two`, `three`");
}

#[test]
fn names_that_are_no_text_are_named() {
    let (store, _) = decision();
    let name = OsStr::from_bytes(b"caf\xe9.md");
    std::fs::write(store.store().join("decisions").join(name), "lost\n").unwrap();
    let diagnosis = store.json(&["doctor"]);
    let finding = &diagnosis["findings"][0];
    assert_eq!(finding["path"], r"decisions/caf\xe9.md", "{diagnosis}");
    assert_eq!(finding["what"], "has a name that is not UTF-8");
    let command = finding["hint"].as_str().unwrap().split('`').nth(1).unwrap();
    let mut shell = Command::new("bash");
    let done = shell.args(["-c", command]).current_dir(store.repository()).status().unwrap();
    assert!(done.success(), "{command}");
    assert!(store.ok(&["list"]).contains("caf"));
}

/// Two files with one id: neither is read, changed or served, and both are named.
#[test]
fn one_id_in_two_folders_is_refused() {
    let (store, file) = decision();
    let copy = store.store().join("reference/use-cents.md");
    std::fs::create_dir_all(copy.parent().unwrap()).unwrap();
    std::fs::copy(&file, &copy).unwrap();
    let both = ["decisions/use-cents.md", "reference/use-cents.md"];
    let commands: [&[&str]; 6] = [
        &["show", "use-cents"],
        &["update", "use-cents", "--rationale", "x"],
        &["retire", "use-cents"],
        &["history", "use-cents"],
        &["edit", "use-cents"],
        &["add", "decision", "--title", "Use cents", "--decision", "other"],
    ];
    let before = std::fs::read(&file).unwrap();
    for command in commands {
        let ran = store.run(command);
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert_eq!(ran.code, 1, "{command:?}: {said}");
        assert!(said.contains("AMBIGUOUS_ERROR"), "{command:?}: {said}");
        assert!(both.iter().all(|path| said.contains(path)), "{command:?}: {said}");
        assert!(said.contains("mv .oldhand/"), "{command:?}: {said}");
    }
    assert_eq!(std::fs::read(&file).unwrap(), before);
    assert_eq!(std::fs::read(&copy).unwrap(), before);
    let recalled = store.json(&["recall", "use cents integers"]);
    assert_eq!(recalled["memories"], json!([]), "{recalled}");
    assert!(recalled.to_string().contains("is the id of two files"), "{recalled}");
    let diagnosis = store.json(&["doctor"]);
    let findings = diagnosis["findings"].to_string();
    assert!(findings.contains("has the same id as `decisions/use-cents.md`"), "{findings}");
    assert!(!diagnosis["repaired"].to_string().contains("by hand"), "{diagnosis}");
}

/// A candidate that rises is in one folder, then in the other: who reads meanwhile finds it.
#[test]
fn a_memory_that_moves_is_found_and_is_never_two() {
    let (store, file) = decision();
    let other = store.store().join("candidates/use-cents.md");
    std::fs::create_dir_all(other.parent().unwrap()).unwrap();
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..200 {
                std::fs::rename(&file, &other).unwrap();
                std::thread::sleep(Duration::from_millis(2));
                std::fs::rename(&other, &file).unwrap();
                std::thread::sleep(Duration::from_millis(2));
            }
            is_over.store(true, Ordering::SeqCst);
        });
        let mut reads = 0;
        while !is_over.load(Ordering::SeqCst) {
            store.ok(&["show", "use-cents"]);
            reads += 1;
        }
        assert!(reads > 0);
    });
}

/// Operations on the files of a store that a command takes.
fn operations(store: &Scratch, args: &[&str]) -> (u64, String) {
    let plan = FaultPlan { nth: 0, fault: Fault::Eio, mode: Mode::Once, counted: Counted::Every };
    let disk = FaultDisk::new(RealDisk, plan);
    let ran = store.run_on(&disk, args, b"");
    let said = [ran.stdout, ran.stderr].concat();
    (disk.operations(), String::from_utf8_lossy(&said).into_owned())
}

fn reference(store: &Scratch, id: &str, more: &str) -> PathBuf {
    let file = store.store().join(format!("reference/{id}.md"));
    let text = format!(
        "---\nid: {id}\ntype: reference\ntitle: Note {id}\nstate: stable\ntags: [a]\n\
         origin: user\n{more}---\n\nWhere {id} is kept.\n"
    );
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, text).unwrap();
    file
}

/// A name that is none costs no reading of every file, however many such names there are.
#[test]
fn a_missing_name_does_not_read_the_store() {
    let store = Scratch::new();
    for number in 0..400 {
        reference(&store, &format!("note-{number}"), "");
    }
    let walrus: Vec<PathBuf> =
        (0..6).map(|number| reference(&store, &format!("walrus-{number}"), "")).collect();
    store.ok(&["recall", "walrus", "--task", "T-1"]);
    for (command, said) in [
        (vec!["show", "nothing-here"], "there is no memory `nothing-here`"),
        (vec!["show", "walrus-1o"], "did you mean `walrus-1`?"),
        (vec!["retire", "nothing-here"], "there is no memory `nothing-here`"),
        (vec!["apply", "nothing-here", "--effect", "positive", "--task", "T-2"], "no memory"),
    ] {
        let (count, found) = operations(&store, &command);
        assert!(found.contains(said), "{command:?}: {found}");
        assert!(count < 200, "{command:?}: {count} operations");
    }
    walrus.iter().for_each(|file| std::fs::remove_file(file).unwrap());
    let end = ["task", "end", "T-1", "--outcome", "passed", "--no-summary"];
    let (count, found) = operations(&store, &end);
    assert!(found.contains("walrus-0") && found.contains("walrus-3"), "{found}");
    assert!(count < 400, "{count} operations: {found}");
}

/// An alias that was typed into a file in place is found, though nothing of the file's folder says
/// that it has changed.
#[test]
fn an_alias_that_no_index_has_yet_is_found() {
    let store = Scratch::new();
    for number in 0..1_100 {
        reference(&store, &format!("note-{number:04}"), "");
    }
    let words = ["--config", "recall.model=keywords"];
    store.ok(&[&["recall", "note"], &words[..]].concat());
    for number in [3, 400, 800, 1_090] {
        reference(&store, &format!("note-{number:04}"), &format!("aliases: [other-{number}]\n"));
    }
    for number in [3, 400, 800, 1_090] {
        let name = format!("Other-{number}");
        let shown = store.ok(&[&["show", &name], &words[..]].concat());
        assert!(shown.contains(&format!("note-{number:04}")), "{shown}");
    }
}
