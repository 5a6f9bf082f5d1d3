//! The three formats of pairs, and what is counted.

use super::*;
use crate::tests::ok;

fn judged(lines: &str) -> Result<Report, Fail> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pairs.jsonl");
    std::fs::write(&file, lines).unwrap();
    let mut vectors = Vectors { model: None, known: BTreeMap::new() };
    Ok(Report::new("pairs.jsonl".to_owned(), judge_all(&file, &mut vectors, "keywords")?))
}

#[test]
fn three_formats_of_pairs_are_read() {
    let report = ok(judged(
        r#"{"a": "Use MySQL", "b": "Use PostgreSQL", "label": "contradict"}
{"a": "Use MySQL", "b": "Use MySQL", "label": "agree"}
{"new_text": "Use MySQL", "old_text": "Use PostgreSQL", "label": "supersedes"}
{"proposal": "Use MySQL", "existing": {"type": "decision", "title": "Database", "content": {"decision": "Use PostgreSQL"}}, "label": "conflict", "cause": "choice", "split": "dev"}
"#,
    ));
    let (_, [gate, _, words]) = &report.groups[0];
    assert_eq!((gate.cases, gate.positives, gate.precision, gate.recall), (4, 3, 1.0, 1.0));
    assert!(words.f1 > 0.0 && words.auc < gate.auc);
    assert_eq!(report.groups[1].0, "dev");
    assert_eq!(report.causes, [("dev choice".to_owned(), [1, 1, 1, 0])]);
    assert!(report.to_text().contains("precision"));
    assert_eq!(report.to_json()["groups"][0]["gate"]["clashing"], 3);
}

#[test]
fn what_can_not_be_read_is_named_by_its_line() {
    let fails = |line: &str, part: &str| match judged(line) {
        Err(Fail { message, .. }) => {
            assert!(message.contains("line 1") && message.contains(part), "{message}")
        }
        _ => panic!("it was read: {line}"),
    };
    fails(r#"{"left": "x"}"#, "proposal");
    fails(r#"{"a": "x", "b": "y"}"#, "label");
    fails(r#"{"a": "x", "b": 7, "label": "agree"}"#, "a text or a record");
    fails(r#"{"a": {"type": "decision", "title": "x"}, "b": "y", "label": "agree"}"#, "content");
}
