//! R175: each of the six points passed, failed, and not needed.

use super::*;
use crate::completion::change::{ChangeKind, ManifestChange};

const DECISIONS_READ: &str = "decisions read";
const NO_CONFLICT: &str = "appended without conflict";
const ARCHITECTURE: &str = "architecture updated";
const CONSTRAINTS: &str = "constraints in manifest";
const SESSION: &str = "session memory reviewed";
const ANCHOR: &str = "anchor maintained";

fn files(count: usize, lines: usize) -> Vec<FileChange> {
    (0..count)
        .map(|number| FileChange {
            path: format!("src/{number}.rs"),
            added: lines,
            removed: 0,
            kind: ChangeKind::Modified,
        })
        .collect()
}

fn with_files(count: usize, lines: usize) -> Evidence {
    Evidence { diff: Diff { files: files(count, lines), ..Diff::default() }, ..Evidence::default() }
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

#[track_caller]
fn check(name: &str, evidence: &Evidence, want: Verdict) {
    let points = judge(evidence);
    assert_eq!(points.len(), 6);
    let point = points.into_iter().find(|point| point.name == name).unwrap();
    assert_eq!(point.verdict, want, "{point:?}");
    assert!(!point.evidence.is_empty(), "every verdict says why: {point:?}");
    assert_eq!(point.next.is_empty(), want != Verdict::Failed, "{point:?}");
}

#[test]
fn decisions_are_read_r175() {
    check(DECISIONS_READ, &with_files(1, 1), Verdict::NotNeeded);
    let in_force = Evidence { in_force: owned(&["use-cents"]), ..with_files(1, 1) };
    check(DECISIONS_READ, &in_force, Verdict::Failed);
    let idle = Evidence { diff: Diff::default(), ..in_force.clone() };
    check(DECISIONS_READ, &idle, Verdict::NotNeeded);
    let read = Evidence { read: owned(&["use-cents"]), ..in_force };
    check(DECISIONS_READ, &read, Verdict::Passed);
}

#[test]
fn decisions_are_appended_without_conflict_r175() {
    check(NO_CONFLICT, &Evidence::default(), Verdict::NotNeeded);
    check(NO_CONFLICT, &with_files(3, 10), Verdict::NotNeeded);
    check(NO_CONFLICT, &with_files(4, 10), Verdict::Passed);
    let decided = Evidence { decided: owned(&["use-cents"]), ..with_files(1, 1) };
    check(NO_CONFLICT, &decided, Verdict::Passed);
    let waits = vec![("conflict-x".to_owned(), "\"X\" clashes with y".to_owned())];
    check(NO_CONFLICT, &Evidence { conflicts: waits, ..decided }, Verdict::Failed);
}

#[test]
fn structure_needs_a_decision_r99_r175() {
    let mut evidence = with_files(1, 1);
    evidence.diff.manifests.push(ManifestChange {
        path: "Cargo.toml".into(),
        before: "[dependencies]\n".into(),
        after: "[dependencies]\nserde = \"1\"\n".into(),
    });
    check(NO_CONFLICT, &evidence, Verdict::Failed);
    evidence.decided = owned(&["use-serde"]);
    check(NO_CONFLICT, &evidence, Verdict::Passed);
}

#[test]
fn the_map_follows_the_modules_r175() {
    let change = with_files(1, 1);
    check(ARCHITECTURE, &change, Verdict::NotNeeded);
    let with = |drift: Drift| Evidence { drift: Some(drift), ..change.clone() };
    let new = |path: &str| Drift { new: owned(&[path]), ..Drift::default() };
    check(ARCHITECTURE, &with(Drift::default()), Verdict::NotNeeded);
    check(ARCHITECTURE, &with(new("src")), Verdict::Failed);
    check(ARCHITECTURE, &with(new("sr")), Verdict::NotNeeded);
    check(ARCHITECTURE, &with(new("config")), Verdict::NotNeeded);
    check(ARCHITECTURE, &with(new(".")), Verdict::NotNeeded);
    let gone = Drift { removed: owned(&["src"]), ..Drift::default() };
    check(ARCHITECTURE, &with(gone), Verdict::Failed);
    let moved = Drift { moved: vec![("old".into(), "src".into())], ..Drift::default() };
    check(ARCHITECTURE, &with(moved), Verdict::Failed);
    // A map that was touched is not yet one that has the module.
    let touched = Evidence { maps_updated: owned(&["map"]), ..with(new("src")) };
    check(ARCHITECTURE, &touched, Verdict::Failed);
    let caught_up = Evidence { drift: Some(Drift::default()), ..touched };
    check(ARCHITECTURE, &caught_up, Verdict::Passed);
    let next = &judge(&with(new("src")))[2].next;
    assert_eq!(next, "oldhand architecture update");
}

#[test]
fn constraints_do_not_wait_r175() {
    check(CONSTRAINTS, &Evidence::default(), Verdict::NotNeeded);
    let accepted = Evidence { constraints_accepted: owned(&["a"]), ..Evidence::default() };
    check(CONSTRAINTS, &accepted, Verdict::Passed);
    let waiting = Evidence { constraints_waiting: owned(&["b"]), ..accepted };
    check(CONSTRAINTS, &waiting, Verdict::Failed);
}

fn told(second: i64, standing: &[&str]) -> WrittenSummary {
    let at = Timestamp::from_second(second).unwrap();
    WrittenSummary { id: "task-a".into(), at, standing: owned(standing) }
}

#[test]
fn the_session_is_looked_through_r175() {
    check(SESSION, &Evidence::default(), Verdict::NotNeeded);
    check(SESSION, &with_files(1, 1), Verdict::Failed);
    let summed_up = Evidence { summaries: vec![told(10, &[])], ..with_files(1, 1) };
    check(SESSION, &summed_up, Verdict::Passed);
    check(SESSION, &Evidence { tasks: owned(&["A"]), ..with_files(1, 1) }, Verdict::Passed);
    let noted = |second| Evidence {
        notes_open: 2,
        noted_at: Timestamp::from_second(second).ok(),
        ..summed_up.clone()
    };
    check(SESSION, &noted(11), Verdict::Failed);
    check(SESSION, &noted(10), Verdict::Passed);
    check(SESSION, &Evidence { noted_at: None, ..noted(1) }, Verdict::Failed);
}

#[test]
fn no_advice_ends_a_task_with_open_steps_as_a_success_r175() {
    let next = |evidence: &Evidence| judge(evidence)[4].next.clone();
    let open = Evidence { task: "A 1".into(), steps: 2, steps_open: 1, ..with_files(1, 1) };
    assert_eq!(next(&open), "oldhand summary 'A 1' --outcome partial");
    let done = Evidence { steps_open: 0, ..open };
    assert!(next(&done).ends_with("--outcome \"<success, partial, blocked or abandoned>\""));
    // A plan that was just made is nothing to look through.
    let begun = Evidence { steps: 2, steps_open: 2, ..Evidence::default() };
    check(SESSION, &begun, Verdict::NotNeeded);
}

#[test]
fn the_anchor_is_kept_r175() {
    check(ANCHOR, &with_files(1, 1), Verdict::NotNeeded);
    check(ANCHOR, &with_files(2, 1), Verdict::Failed);
    check(ANCHOR, &Evidence { steps: 2, ..Evidence::default() }, Verdict::Failed);
    let anchored = Evidence { anchored_at: Some("today".into()), ..with_files(2, 1) };
    check(ANCHOR, &anchored, Verdict::Passed);
    let says = |line: &str| Evidence {
        summaries: vec![told(10, &["branch `main`", line])],
        ..with_files(2, 1)
    };
    check(ANCHOR, &says("step 2 of 3"), Verdict::Passed);
    check(ANCHOR, &says("next step of many"), Verdict::Failed);
}
