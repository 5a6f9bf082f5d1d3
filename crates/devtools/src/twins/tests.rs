//! A file of pairs as it is read, measured and told.

use super::*;
use crate::tests::ok;

#[test]
fn words_in_common() {
    assert!((common("Money in cents", "money, in euros") - 0.5).abs() < 1e-9);
    assert!(common("", "").abs() < 1e-9);
}

const PAIRS: &str = r#"
{"id":"1","a":{"type":"lesson","title":"Use pipefail","text":"Pipes hide it","lesson_type":"agent_rule"},"b":{"type":"lesson","title":"Use pipefail","text":"Pipes hide it","lesson_type":"agent_rule"},"label":"twin","why":"copy","split":"dev"}
{"id":"2","a":{"type":"decision","title":"Use Redis","text":"For queues"},"b":{"type":"decision","title":"Use Kafka","text":"For queues"},"label":"other","why":"technology","split":"test"}
"#;

fn read_text(text: &str) -> Result<Vec<Pair>, Fail> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pairs.jsonl");
    std::fs::write(&file, text).unwrap();
    read(&file)
}

#[test]
fn a_file_is_read_measured_and_told() {
    let pairs = ok(read_text(PAIRS));
    let engine = Engine::new("words", Some(TWIN_FLOOR), &pairs, |pair| {
        likeness(&pair.one.profile, &pair.other.profile, None)
    });
    let names: Vec<&str> = engine.splits.iter().map(|(split, _)| split.as_str()).collect();
    assert_eq!(names, ["all", "dev", "test"]);
    assert_eq!(engine.is_wrong, [false, false]);
    let text = to_text("pairs.jsonl", &pairs, std::slice::from_ref(&engine));
    assert!(text.starts_with("pairs.jsonl: 2 pairs, 1 twins\n"), "{text}");
    let json = to_json("pairs.jsonl", &pairs, &[engine]);
    assert_eq!(json["engines"][0]["splits"][0]["precision"], json!(1.0));
}

#[test]
fn what_is_no_pair_is_named_by_its_line() {
    let why = |text: &str| match read_text(text) {
        Err(Fail { message, .. }) => message,
        _ => panic!("it was read"),
    };
    assert!(why(r#"{"label":"perhaps","a":{"text":"x"},"b":{"text":"y"}}"#).contains("`twin` or"));
    assert!(why(r#"{"label":"twin","a":{"text":"x"}}"#).contains("line 1"));
}
