//! Nothing lost, part one: the real program is killed at every call that changes the disk, before
//! and after it. Whatever was acknowledged is there, nothing is torn or half done, and the next
//! command works. `cargo xtask nightly` does it again with other stores.

use oldhand_testkit::kill::{KillAt, Outcome, run};

use crate::scratch::{Scratch, Snapshot, fill, records, round};

/// A command on a prepared store.
struct Sweep {
    name: &'static str,
    template: Scratch,
    args: Vec<String>,
    /// What the answer begins with.
    answer: &'static str,
}

impl Sweep {
    fn args(&self) -> Vec<&str> {
        self.args.iter().map(String::as_str).collect()
    }

    /// What the store says when the command ran to its end.
    fn finished(&self) -> Snapshot {
        let copy = self.template.copy();
        let output = copy.program(&self.args()).output().unwrap();
        assert!(
            output.status.success(),
            "{}: {}",
            self.name,
            String::from_utf8_lossy(&output.stderr)
        );
        copy.snapshot()
    }

    /// Every point until a run completes; how many there were.
    fn run(&self) -> u32 {
        let before = self.template.snapshot();
        let after = self.finished();
        assert_ne!(before, after, "{}", self.name);
        let points: [fn(u32) -> KillAt; 2] = [KillAt::BeforeCall, KillAt::AfterCall];
        let mut points_run = 0;
        for point in points {
            for number in 1.. {
                let copy = self.template.copy();
                match run(&mut copy.program(&self.args()), point(number)).unwrap() {
                    Outcome::Finished(finished) => {
                        assert_eq!(finished.code, Some(0), "{}", self.name);
                        break;
                    }
                    Outcome::Killed(killed) => {
                        let when =
                            format!("{} killed at {} number {number}", self.name, killed.call);
                        let told = String::from_utf8_lossy(&killed.stdout).starts_with(self.answer);
                        check(&copy, told, (&before, &after), &when);
                        points_run += 1;
                    }
                }
            }
        }
        points_run
    }
}

fn check(store: &Scratch, told: bool, (before, after): (&Snapshot, &Snapshot), when: &str) {
    let found = store.snapshot();
    if told {
        assert_eq!(found, *after, "{when}: acknowledged and not there");
    } else {
        assert!(found == *before || found == *after, "{when}: half done: {found:#?}");
    }
    store.assert_healthy(when);
}

fn decision(store: &Scratch, title: &str) {
    store.ok(&["add", "decision", "--title", title, "--decision", "So be it", "--tags", "a"]);
}

fn sweep(name: &'static str, template: Scratch, args: &[&str], answer: &'static str) -> Sweep {
    fill(&template);
    Sweep { name, template, args: args.iter().map(|arg| (*arg).to_owned()).collect(), answer }
}

#[track_caller]
fn run_all(sweeps: &[Sweep], at_least: u32) {
    let points: u32 = sweeps.iter().map(Sweep::run).sum();
    assert!(points >= at_least, "only {points} points");
    println!("{points} points");
}

#[test]
fn create_update_retire_and_restore() {
    let store = || {
        let store = Scratch::new();
        decision(&store, "Sort by name");
        store
    };
    let retired = store();
    retired.ok(&["retire", "sort-by-name"]);
    let without_index = store();
    std::fs::remove_file(without_index.store().join("index.md")).unwrap();
    let first = ["remember", "We decided to use pennies"];
    let update = ["update", "sort-by-name", "--tags", "b", "--context", "Money"];
    run_all(
        &[
            sweep("create", store(), &first, "remembered"),
            sweep("first create", Scratch::new(), &first, "remembered"),
            sweep("create without an index", without_index, &first, "remembered"),
            sweep("update", store(), &update, "updated"),
            sweep("retire", store(), &["retire", "sort-by-name"], "retired"),
            sweep("restore", retired, &["restore", "sort-by-name"], "restored"),
            sweep("undo", store(), &["undo"], "took back"),
        ],
        250,
    );
}

#[test]
fn supersede_and_sessions() {
    let store = Scratch::new();
    decision(&store, "Use floats");
    decision(&store, "Sort by name");
    let existing = ["supersede", "use-floats", "--by-memory", "sort-by-name"];
    let new = ["supersede", "use-floats", "--title", "Use decimals", "--decision", "Decimals"];
    let sessions = Scratch::new();
    for number in 0..5 {
        let title = format!("Session {number}");
        sessions.ok(&["add", "session_summary", "--title", &title, "--goal", "Work"]);
    }
    let next = ["add", "session_summary", "--title", "Session 5", "--goal", "More work"];
    run_all(
        &[
            sweep("supersede by an existing one", store.copy(), &existing, "superseded"),
            sweep("supersede by a new one", store, &new, "superseded"),
            sweep("the rolling window", sessions, &next, "added"),
        ],
        140,
    );
}

#[test]
fn gc() {
    let mut store = Scratch::new();
    let count = 12 + round() * 7 % 40;
    let file = store.repository().join("records.jsonl");
    std::fs::write(&file, records(count)).unwrap();
    store.ok(&["import", "records.jsonl"]);
    for number in 0..count {
        store.ok(&["retire", &format!("fact-number-{number}")]);
    }
    // The program's own clock is the real one, far past the grace period of these.
    store.now = "2020-01-01T00:00:00Z".parse().unwrap();
    let long_ago = store.copy();
    for entry in std::fs::read_dir(long_ago.store().join("candidates")).unwrap().map(Result::unwrap)
    {
        let text = std::fs::read_to_string(entry.path()).unwrap();
        let dated = text.replace("retired_at: 2026-11-15", "retired_at: 2020-11-15");
        std::fs::write(entry.path(), dated).unwrap();
    }
    long_ago.json(&["doctor"]);
    run_all(&[sweep("gc", long_ago, &["gc"], "archived")], 40 + 5 * count as u32);
}

#[test]
fn bulk_import() {
    let store = Scratch::new();
    let count = 100 - round() * 23 % 80;
    std::fs::write(store.repository().join("records.jsonl"), records(count)).unwrap();
    run_all(&[sweep("import", store, &["import", "records.jsonl"], "imported")], 5 * count as u32);
}

/// The command that completes an interrupted write is killed as well.
#[test]
fn recovery_itself() {
    let store = Scratch::new();
    decision(&store, "Use floats");
    decision(&store, "Sort by name");
    let args = ["supersede", "use-floats", "--by-memory", "sort-by-name"];
    let whole = sweep("supersede", store, &args, "superseded");
    let (before, after) = (whole.template.snapshot(), whole.finished());
    let mut points = 0;
    for number in (1..).step_by(3) {
        let interrupted = whole.template.copy();
        let Outcome::Killed(killed) =
            run(&mut interrupted.program(&args), KillAt::BeforeCall(number)).unwrap()
        else {
            break;
        };
        let told = !killed.stdout.is_empty();
        for again in 1.. {
            let copy = interrupted.copy();
            let outcome = run(&mut copy.program(&["list"]), KillAt::BeforeCall(again)).unwrap();
            let when = format!("supersede killed at call {number}, its recovery at {again}");
            check(&copy, told, (&before, &after), &when);
            points += 1;
            if matches!(outcome, Outcome::Finished(_)) {
                break;
            }
        }
    }
    assert!(points >= 100, "only {points} points");
}
