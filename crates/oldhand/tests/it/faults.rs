//! Nothing lost, part three: the n-th operation fails, for n = 1, 2, 3… until a run completes. The
//! error is clear, nothing is acknowledged, and the store is as it was.

use oldhand_store::disk::RealDisk;
use oldhand_testkit::fault::{Counted, Fault, FaultDisk, FaultPlan, Mode, PANIC};

use crate::scratch::{Scratch, records};

const FAULTS: [Fault; 4] = [Fault::Eio, Fault::Enospc, Fault::Emfile, Fault::ShortWrite];

/// What is not caught anywhere below: one clear error, and the store is as after a kill.
#[test]
fn a_panic_is_an_error_like_any_other() {
    let template = store();
    let args = ["remember", "We decided to sign the releases"];
    let (before, whole) = (template.snapshot(), template.copy());
    whole.ok(&args);
    let after = whole.snapshot();
    for is_json in [false, true] {
        for nth in 1.. {
            let copy = template.copy();
            let plan =
                FaultPlan { nth, fault: Fault::Panic, mode: Mode::Once, counted: Counted::Every };
            let disk = FaultDisk::new(RealDisk, plan);
            let flag: &[&str] = if is_json { &["--json"] } else { &[] };
            let ran = copy.run_on(&disk, &[&args[..], flag].concat(), b"");
            if !disk.fired() {
                assert_eq!(ran.code, 0);
                break;
            }
            let when = format!("a panic at operation {nth}");
            if ran.code == 0 {
                // It was acknowledged, and broke behind that.
                let notes = String::from_utf8(ran.stderr).unwrap();
                assert!(notes.starts_with("note: ") && notes.contains(PANIC), "{when}: {notes}");
                assert_eq!(copy.snapshot(), after, "{when}");
                copy.assert_healthy(&when);
                continue;
            }
            assert_eq!(ran.code, 2, "{when}");
            assert!(!is_json || ran.stderr.is_empty(), "{when}");
            assert!(is_json || ran.stdout.is_empty(), "{when}: told and failed");
            let told = String::from_utf8(if is_json { ran.stdout } else { ran.stderr }).unwrap();
            if is_json {
                let error: serde_json::Value = serde_json::from_str(&told).expect(&told);
                assert_eq!(error["code"], "INTERNAL_ERROR", "{when}");
            } else {
                let lines: Vec<&str> = told.lines().collect();
                assert_eq!(lines.len(), 2, "{when}: {told}");
                assert!(lines[0].starts_with("error[INTERNAL_ERROR]: "), "{when}: {told}");
                assert!(
                    lines[0].contains(PANIC) && lines[1].starts_with("hint: "),
                    "{when}: {told}"
                );
            }
            // The process lives on, as a server does: its lock must be free.
            copy.assert_healthy(&when);
            let mut found = copy.snapshot();
            found.retain(|_, said| !said.contains("The next command works"));
            assert!(found == before || found == after, "{when}: {found:#?}");
        }
    }
}

fn check(name: &str, template: &Scratch, args: &[&str]) {
    let before = template.snapshot();
    let whole = template.copy();
    whole.ok(args);
    let after = whole.snapshot();
    for fault in FAULTS {
        for mode in [Mode::Once, Mode::FromThenOn] {
            for nth in 1.. {
                let copy = template.copy();
                let disk = FaultDisk::new(
                    RealDisk,
                    FaultPlan { nth, fault, mode, counted: Counted::Every },
                );
                let ran = copy.run_on(&disk, args, b"");
                if !disk.fired() {
                    assert_eq!(ran.code, 0);
                    break;
                }
                let when = format!("{name}: {fault:?} {mode:?} at operation {nth}");
                let found = copy.snapshot();
                let stderr = String::from_utf8_lossy(&ran.stderr);
                if ran.code == 0 {
                    assert_eq!(found, after, "{when}: acknowledged and not there");
                } else {
                    assert_eq!(ran.stdout, b"", "{when}: told and failed");
                    assert!(
                        stderr.contains("error[") && stderr.contains("hint: "),
                        "{when}: {stderr}"
                    );
                    let is_intact = found == before || (mode == Mode::FromThenOn && found == after);
                    assert!(is_intact, "{when}: {stderr}\n{found:#?}");
                }
                copy.assert_healthy(&when);
            }
        }
    }
}

fn store() -> Scratch {
    let store = Scratch::new();
    for title in ["Use floats", "Sort by name"] {
        store.ok(&["add", "decision", "--title", title, "--decision", "So be it", "--tags", "a"]);
    }
    store
}

#[test]
fn create() {
    check("create", &store(), &["remember", "We decided to sign the releases"]);
    check("first create", &Scratch::new(), &["remember", "We decided to sign the releases"]);
}

#[test]
fn update() {
    check("update", &store(), &["update", "sort-by-name", "--tags", "b", "--context", "Money"]);
}

#[test]
fn retire() {
    check("retire", &store(), &["retire", "sort-by-name"]);
}

#[test]
fn supersede() {
    check("supersede", &store(), &["supersede", "use-floats", "--by-memory", "sort-by-name"]);
}

#[test]
fn undo() {
    check("undo", &store(), &["undo"]);
}

#[test]
fn import() {
    let store = Scratch::new();
    std::fs::write(store.repository().join("records.jsonl"), records(7)).unwrap();
    check("import", &store, &["import", "records.jsonl"]);
}
