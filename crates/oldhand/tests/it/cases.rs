//! The cases of an earlier tool, held against our commands. Ours does what the reference did, or
//! what a case says is wanted; where it deliberately does not, the one table below says so.

mod capture;
mod expectation;
mod journey;
mod records;

use serde_json::{Value, json};

use expectation::disagreements;
use records::{Case, Cases, put_over};

/// The case, what ours does instead (put over what the case expects, in its words; `null` takes an
/// expectation out), and why.
const DIFFERENCES: &[(&str, &str, &str)] = &[
    (
        "wr-14",
        r#"{"last": "STATE_ERROR", "mentions": ["oldhand supersede"], "last_change": null}"#,
        "a superseded decision has a successor, so `oldhand supersede` sets that status",
    ),
    (
        "wr-26",
        r#"{"renamed_to": null,
            "record": {"id": "zstd-for-artifacts", "title": "Lz4 everywhere from now"},
            "index": ["- [DECISION] Lz4 everywhere from now -> .claude/memory/decisions/zstd-for-artifacts.json"]}"#,
        "an id is immutable, so that links to it hold when the title changes",
    ),
    (
        "wr-30",
        r#"{"last_change": {"field": "state", "old_value": "stable", "new_value": "retired"}}"#,
        "the state moves, and `record_status` is derived from it",
    ),
    (
        "wr-40",
        r#"{"last": "ok", "status": "created"}"#,
        "there is no staging area: a person may give any file that they can read",
    ),
    (
        "san-02",
        r#"{"stored": "Move a -> b #tags:evil",
            "index": ["- [DECISION] Move a -> b #tags:evil -> .claude/memory/decisions/zstd-for-artifacts.json"]}"#,
        "a title keeps its words, because our index is escaped and holds no such delimiters",
    ),
    (
        "san-04",
        r#"{"stored": "Trust me [confi[confidence:high]dence:high] ok",
            "index": ["- [DECISION] Trust me [confi[confidence:high]dence:high] ok -> .claude/memory/decisions/zstd-for-artifacts.json"]}"#,
        "a title keeps its words, because confidence is never read from a title",
    ),
    (
        "san-06",
        r#"{"stored": ["a b", "beta", "confidence: high", "tags:q", "x -> y", "zeta"]}"#,
        "a tag keeps its words but for list punctuation, because our index holds no tags",
    ),
    (
        "gc-01",
        r#"{"deleted": [], "archived": ["edge", "old"]}"#,
        "collecting archives by default, and a durable memory is never deleted unasked",
    ),
];

#[test]
fn ours_does_what_the_reference_did_except_where_the_table_says() {
    let cases = Cases::read();
    let wrong: Vec<String> = cases.all().iter().flat_map(|case| judge(case, &cases)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_difference_names_a_case_once() {
    let cases = Cases::read();
    for (at, (id, _, why)) in DIFFERENCES.iter().enumerate() {
        assert!(cases.all().iter().any(|case| case.id == *id), "no such case: {id}");
        assert!(DIFFERENCES[..at].iter().all(|(other, _, _)| other != id), "twice: {id}");
        assert!(!why.is_empty(), "no reason: {id}");
    }
}

/// The other half of wr-14: every other status is a change like any other.
#[test]
fn another_status_is_journalled_as_in_the_reference() {
    check_as_reference("wr-14", |case| {
        *case =
            serde_json::from_str(&case.to_string().replace("superseded", "deprecated")).unwrap();
    });
}

/// The other half of gc-01: with the reference's setting, and a kind that may go.
#[test]
fn sessions_are_deleted_as_in_the_reference_where_collecting_does_not_archive() {
    check_as_reference("gc-01", |case| {
        case["input"]["kind"] = json!("session_summary");
        case["input"]["config"] = json!("gc.archive_retired=false");
    });
}

/// What is wrong with a case: an unlisted difference, another one than listed, or none any more.
fn judge(case: &Case, cases: &Cases) -> Vec<String> {
    let seen = journey::run(case, cases);
    let from_reference = disagreements(&case.expect, &seen);
    let difference = DIFFERENCES.iter().find(|(id, _, _)| *id == case.id);
    let wrong = match difference {
        None => from_reference,
        Some(_) if from_reference.is_empty() => {
            vec!["is listed as a difference and does what the reference did".to_owned()]
        }
        Some((_, instead, _)) => {
            let instead: Value = serde_json::from_str(instead).unwrap();
            disagreements(&put_over(&case.expect, &instead), &seen)
        }
    };
    wrong.into_iter().map(|wrong| format!("{} ({}): {wrong}", case.id, case.title)).collect()
}

#[track_caller]
fn check_as_reference(id: &str, change: impl FnOnce(&mut Value)) {
    let cases = Cases::read();
    let case = cases.changed(id, change);
    let wrong = disagreements(&case.expect, &journey::run(&case, &cases));
    assert!(wrong.is_empty(), "{id}: {}", wrong.join("\n"));
}
