//! The inbox as a person goes through it: one memory at a time, a key for each decision.

use oldhand_store::disk::RealDisk;

use crate::program::{World, run_typed};
use crate::scratch::Scratch;

const CANDIDATES: &[u8] = br#"{"task_id": "T1", "memory_candidates": ["Retry uploads once"]}"#;

/// What is printed when this is typed.
pub(crate) fn typed(scratch: &Scratch, args: &[&str], keys: &str) -> String {
    let world = World {
        disk: &RealDisk,
        vars: scratch.vars(),
        current_dir: &scratch.repository(),
        now: scratch.now,
        seed: 7,
    };
    let ran = run_typed(&world, args, keys);
    String::from_utf8([ran.stdout, ran.stderr].concat()).unwrap()
}

fn with_work() -> Scratch {
    let scratch = Scratch::new();
    scratch.ok(&["add", "decision", "--title", "Use PostgreSQL", "--decision", "PostgreSQL"]);
    let clash = ["add", "decision", "--title", "Use MySQL", "--decision", "MySQL"];
    assert_eq!(scratch.run(&clash).code, 1);
    assert_eq!(scratch.run_on(&RealDisk, &["learn"], CANDIDATES).code, 0);
    scratch
}

fn state(scratch: &Scratch, id: &str) -> String {
    scratch.json(&["show", id])["state"].as_str().unwrap_or_default().to_owned()
}

/// R96, R198, R229
#[test]
fn everything_is_settled_in_one_go() {
    let scratch = with_work();
    let keys = "grace\ns\none database less\np\nwe saw it twice\n";
    let text = typed(&scratch, &["review"], keys);
    for said in ["who decides? [ada]", "[1/2] conflict-use-mysql", "settled: supersede", "[2/2]"] {
        assert!(text.contains(said), "{said} in {text}");
    }
    assert_eq!(state(&scratch, "use-postgresql"), "superseded");
    assert_eq!(state(&scratch, "retry-uploads-once"), "provisional");
    let history = scratch.ok(&["history", "use-postgresql"]);
    assert!(history.contains("grace"), "{history}");
}

#[test]
fn nothing_is_decided_by_leaving() {
    let scratch = with_work();
    for keys in ["", "grace\nq\n", "grace\nn\nn\n", "grace\n?\nn\nq\n"] {
        typed(&scratch, &["review"], keys);
        assert_eq!(state(&scratch, "retry-uploads-once"), "candidate", "{keys:?}");
        assert_eq!(state(&scratch, "use-postgresql"), "stable", "{keys:?}");
    }
}

/// A refusal is told, and the next one is shown.
#[test]
fn a_decision_without_a_reason_is_refused() {
    let scratch = with_work();
    let text = typed(&scratch, &["review"], "grace\nb\n\nr\n\n");
    assert!(text.contains("without a reason"), "{text}");
    assert!(text.contains("a review needs a reason"), "{text}");
    assert!(text.contains("that was all"), "{text}");
    assert_eq!(state(&scratch, "retry-uploads-once"), "candidate");
}
