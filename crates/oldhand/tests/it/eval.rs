//! `oldhand eval`: questions about one's own store.

use serde_json::Value;

use crate::scratch::Scratch;

const WORDS_ALONE: [&str; 2] = ["--config", "recall.model=keywords"];

/// R84: what answers is ranked first, what nothing answers gets nothing, and the store is as it was.
#[test]
fn an_own_store_is_scored_by_questions() {
    let store = Scratch::new();
    store.ok(&["add", "decision", "--title", "Keep money in cents", "--decision", "Integers"]);
    let questions = r#"{"text": "how is money kept in cents", "gold": ["keep-money-in-cents"]}

{"id": "gone", "text": "keep money in cents", "gold": ["lost"], "category": "lost"}
{"text": "penguins", "gold": []}
"#;
    std::fs::write(store.repository().join("questions.jsonl"), questions).unwrap();
    let eval = |more: &[&str]| {
        let args = [&WORDS_ALONE, &["eval", "--questions", "questions.jsonl"][..], more].concat();
        let ran = store.run(&args);
        let error = String::from_utf8(ran.stderr).unwrap();
        assert_eq!(ran.code, 0, "{error}");
        (String::from_utf8(ran.stdout).unwrap(), error)
    };
    let (text, warning) = eval(&["--json", "--run", "ranked.jsonl"]);
    assert_eq!(warning, "warning: 1 gold id was not found: `lost`\n");
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&report["schema"], &report["documents"]), (&"oldhand.eval/1".into(), &1.into()));
    assert_eq!(report["source"], "questions.jsonl");
    let groups = report["engines"][0]["groups"].as_array().unwrap();
    let names: Vec<&str> = groups.iter().map(|it| it["category"].as_str().unwrap()).collect();
    assert_eq!(names, ["all", "lost", "question"]);
    assert_eq!((&groups[2]["recall_at_1"], &groups[2]["abstained"]), (&1.0.into(), &1.0.into()));
    let ranked = std::fs::read_to_string(store.repository().join("ranked.jsonl")).unwrap();
    assert!(ranked.starts_with("{\"id\":\"line-1\",\"ranking\":[\"keep-money-in-cents\"]}\n"));
    let (text, _) = eval(&["--limit", "1"]);
    assert!(text.starts_with("questions.jsonl: 1 document in 1 scope, 1 question and 0 without"));
}

#[test]
fn what_can_not_be_asked_is_refused() {
    let store = Scratch::new();
    let refused = |text: &str, want: &str| {
        std::fs::write(store.repository().join("questions.jsonl"), text).unwrap();
        let ran = store.run(&["eval", "--questions", "questions.jsonl"]);
        let error = String::from_utf8(ran.stderr).unwrap();
        assert_eq!(ran.code, 2, "{error}");
        assert!(error.contains(want), "{error}");
    };
    refused("", "there are no questions");
    refused("{\"text\": \"t\"}", "could not read `questions.jsonl` line 1: missing field `gold`");
}
