//! A whole evaluation of a tiny set, with a recall that knows its answers.

use std::path::Path;

use oldhand_app::eval::{Answer, Question};
use oldhand_app::recall::Recalled;
use oldhand_core::kind::Kind;
use oldhand_desk::evaluate::report_text;

use crate::ask::{Comparison, ask_set, report};
use crate::baselines::Baseline;
use crate::failure::Fail;
use crate::set::{Document, Set};

#[track_caller]
pub(crate) fn ok<T>(result: Result<T, Fail>) -> T {
    result.unwrap_or_else(|fail| panic!("{}", fail.message))
}

fn question(id: &str, scope: &str, gold: &[&str]) -> Question {
    Question {
        id: id.to_owned(),
        scope: scope.to_owned(),
        text: format!("question {id}"),
        category: "easy".to_owned(),
        gold: gold.iter().map(|id| (*id).to_owned()).collect(),
        exclude: Vec::new(),
        depth: 10,
    }
}

/// Serves every file of the store, in the order of names; silent when asked to be.
fn everything(store: &Path, query: &Question) -> Result<(Answer, Option<Recalled>), Fail> {
    let mut ids = Vec::new();
    if let Ok(files) = std::fs::read_dir(store.join("reference")) {
        for file in files {
            let path = file?.path();
            ids.push(path.file_stem().unwrap().to_str().unwrap().to_owned());
        }
    }
    ids.sort();
    ids.truncate(query.depth);
    let silent = query.text.contains("quiet");
    let tokens = if silent { 0 } else { 100 };
    Ok((Answer { tokens, stale: 1, silent, ranking: ids, micros: 5 }, None))
}

fn document(id: &str, scope: &str, text: &str) -> Document {
    Document {
        id: id.to_owned(),
        scope: scope.to_owned(),
        title: None,
        text: text.to_owned(),
        kind: Kind::Reference,
        at: None,
        session: None,
    }
}

fn tiny_set() -> Set {
    let mut excluding = question("q3", "s", &["s/b"]);
    excluding.exclude = vec!["s/a".to_owned()];
    let mut quiet = question("quiet", "s", &[]);
    quiet.category = "abstention".to_owned();
    Set {
        name: "tiny".to_owned(),
        documents: vec![
            document("s/a", "s", "alpha speaks"),
            document("t/c", "t", "gamma speaks"),
            document("s/b", "s", "beta speaks of question q3"),
        ],
        questions: vec![
            question("q1", "s", &["s/a"]),
            question("q2", "t", &["t/c"]),
            excluding,
            quiet,
            question("q5", "empty", &["gone"]),
        ],
    }
}

#[test]
fn a_set_is_asked_scope_by_scope_and_told_in_its_order() {
    let set = tiny_set();
    let comparison = Comparison { k: 1, baselines: &Baseline::ALL, features: None };
    let mut stores = Vec::new();
    let asked = ok(ask_set(&set, &comparison, &mut |store, question| {
        stores.push(store.to_owned());
        everything(store, question)
    }));
    let told: Vec<(&str, Vec<&str>)> = asked
        .iter()
        .map(|asked| {
            let ranking = asked.answers[0].ranking.iter().map(String::as_str).collect();
            (asked.question.id.as_str(), ranking)
        })
        .collect();
    let want = [
        ("q1", vec!["s/a"]),
        ("q2", vec!["t/c"]),
        ("q3", vec!["s/b"]),
        ("quiet", vec!["s/a"]),
        ("q5", vec![]),
    ];
    assert_eq!(told, want);
    stores.dedup();
    assert_eq!(stores.len(), 3);
    // The newest of the scope, as the order of the documents has it.
    assert_eq!(asked[0].answers[3].ranking, ["s/b"]);
    // "question" and "q3" are words of that document.
    assert_eq!(asked[2].answers[2].ranking, ["s/b"]);
}

#[test]
fn a_report_has_all_groups_and_engines() {
    let set = tiny_set();
    let comparison = Comparison { k: 10, baselines: &[Baseline::Recency], features: None };
    let asked = ok(ask_set(&set, &comparison, &mut everything));
    let report = report(&set, "gold", &comparison, &asked);
    assert_eq!(report.unknown_gold, ["gone"]);
    let object = serde_json::to_value(&report).unwrap();
    let recall = &object["engines"][0]["groups"];
    let names: Vec<&str> = (0..3).map(|at| recall[at]["category"].as_str().unwrap()).collect();
    assert_eq!(names, ["all", "abstention", "easy"]);
    let all = &recall[0];
    assert_eq!((&all["answerable"], &all["unanswerable"]), (&4.into(), &1.into()));
    assert_eq!((&all["recall_at_1"], &all["all_at_10"]), (&0.75.into(), &0.75.into()));
    assert_eq!((&all["abstained"], &all["silenced"]), (&1.0.into(), &0.0.into()));
    assert_eq!((&all["tokens_mean"], &all["stale_served"]), (&80.0.into(), &5.into()));
    assert!(recall[1]["mrr"].is_null() && recall[1]["silenced"].is_null());
    assert!(object["engines"][1]["groups"][0]["tokens_mean"].is_null());
    let text = report_text(&report);
    assert!(
        text.starts_with("tiny: 3 documents in 2 scopes, 4 questions and 1 without an answer\n")
    );
    assert!(text.contains("\nall       recall   4  0.750"), "{text}");
}
