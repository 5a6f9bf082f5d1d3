//! What a person at a terminal is asked about before something is written.

use crate::inbox::typed;
use crate::scratch::Scratch;

fn kind(scratch: &Scratch, id: &str) -> String {
    scratch.json(&["show", id])["category"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_weak_guess_is_a_question() {
    for (keys, want) in [
        ("reference\n", "reference"),
        ("\n", "decision"),
        ("", "decision"),
        ("decission\ndecision\n", "decision"),
    ] {
        let scratch = Scratch::new();
        let text = typed(&scratch, &["remember", "Postgres holds the ledger"], keys);
        assert!(text.contains("which kind is it? decision, constraint"), "{text}");
        assert_eq!(kind(&scratch, "postgres-holds-the-ledger"), want, "{keys:?}");
    }
    let scratch = Scratch::new();
    let text = typed(&scratch, &["remember", "Postgres holds the ledger"], "decission\n");
    assert!(text.contains("did you mean `decision`?"), "{text}");
    assert!(scratch.ok(&["list"]).contains("no memories"), "a slip writes nothing");
    let text = typed(&scratch, &["remember", "always run cargo fmt"], "");
    assert!(!text.contains("which kind"), "{text}");
}

#[test]
fn a_task_with_open_steps_is_ended_on_purpose() {
    for (keys, is_over) in [("y\n", true), ("n\n", false), ("", false)] {
        let scratch = Scratch::new();
        scratch.ok(&["task", "start", "F-1"]);
        scratch.ok(&["note", "remaining", "Document the flag"]);
        let text = typed(&scratch, &["task", "end", "--outcome", "passed"], keys);
        assert!(text.contains("1 step is still open: Document the flag"), "{text}");
        let left = scratch.ok(&["task", "show"]);
        assert_eq!(left.contains("no task is under way"), is_over, "{keys:?}: {text}");
        let failed = typed(&scratch, &["task", "end", "F-2", "--outcome", "failed"], "");
        assert!(!failed.contains("[y/N]"), "{failed}");
    }
}
