//! A whole evaluation of a tiny set, with a recall that knows its answers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use oldhand_core::kind::Kind;

use super::baselines::Baseline;
use super::report::{Head, Report};
use super::set::{Document, Set};
use super::*;

#[track_caller]
pub(super) fn ok<T>(result: Result<T, Fail>) -> T {
    match result {
        Ok(value) => value,
        Err(Fail::Usage { message, .. }) => panic!("{message}"),
        Err(_) => panic!("it failed"),
    }
}

pub(super) fn question(id: &str, scope: &str, gold: &[&str]) -> Question {
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

pub(super) fn answer(ranking: &[&str]) -> Answer {
    Answer {
        ranking: ranking.iter().map(|id| (*id).to_owned()).collect(),
        silent: ranking.is_empty(),
        tokens: 10 * ranking.len(),
        stale: 0,
        micros: 1000,
    }
}

/// Serves every file of the store, in the order of names; silent when asked to be.
struct Everything {
    stores: Vec<PathBuf>,
}

impl Recaller for Everything {
    fn ask(&mut self, scope_store: &Path, query: &Question) -> Result<Answer, Fail> {
        self.stores.push(scope_store.to_owned());
        let mut ids = Vec::new();
        if let Ok(files) = std::fs::read_dir(scope_store.join("reference")) {
            for file in files {
                let path = file?.path();
                ids.push(path.file_stem().unwrap().to_str().unwrap().to_owned());
            }
        }
        ids.sort();
        ids.truncate(query.depth);
        let silent = query.text.contains("quiet");
        Ok(Answer {
            tokens: if silent { 0 } else { 100 },
            stale: 1,
            silent,
            ranking: ids,
            micros: 5,
        })
    }
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
    let wish = Wish { k: 1, baselines: &Baseline::ALL };
    let mut everything = Everything { stores: Vec::new() };
    let asked = ok(ask_set(&set, &wish, &mut everything));
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
    everything.stores.dedup();
    assert_eq!(everything.stores.len(), 3);
    // The newest of the scope, as the order of the documents has it.
    assert_eq!(asked[0].answers[3].ranking, ["s/b"]);
    // "question" and "q3" are words of that document.
    assert_eq!(asked[2].answers[2].ranking, ["s/b"]);
}

#[test]
fn a_report_has_all_groups_and_engines() {
    let set = tiny_set();
    let wish = Wish { k: 10, baselines: &[Baseline::Recency] };
    let asked = ok(ask_set(&set, &wish, &mut Everything { stores: Vec::new() }));
    let unknown = unknown_gold(&set.questions, |_, id| set.documents.iter().any(|it| it.id == id));
    assert_eq!(unknown, ["gone"]);
    let head = Head {
        source: set.name.clone(),
        documents: 3,
        scopes: 2,
        k: 10,
        gold_field: "gold".to_owned(),
        unknown_gold: vec!["gone".to_owned()],
    };
    let report = Report::new(head, &asked, &["recency"]);
    let object = report.to_json();
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
    let text = report.to_text();
    assert!(
        text.starts_with("tiny: 3 documents in 2 scopes, 4 questions and 1 without an answer\n")
    );
    assert!(text.contains("\nall       recall   4  0.750"), "{text}");
}

#[test]
fn an_own_store_names_its_memories_itself() {
    let questions = [question("q1", "all", &["use-cents"])];
    let corpus = Corpus::new(Vec::new());
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("reference")).unwrap();
    std::fs::write(folder.path().join("reference/use-cents.md"), "").unwrap();
    let place = Place { store: folder.path(), names: &BTreeMap::new(), corpus: &corpus };
    let wish = Wish { k: 10, baselines: &[] };
    let asked = ok(ask_store(&questions, &place, &wish, &mut Everything { stores: Vec::new() }));
    assert_eq!(asked[0].answers[0].ranking, ["use-cents"]);
}

#[track_caller]
fn check_prepared(count: usize, limit: Option<usize>, want: &[&str]) {
    let questions = (0..count).map(|at| question(&at.to_string(), "s", &[])).collect();
    let prepared = ok(prepare(questions, limit, 10));
    let ids: Vec<&str> = prepared.iter().map(|question| question.id.as_str()).collect();
    assert_eq!(ids, want);
}

#[test]
fn a_limit_spreads_over_the_set() {
    check_prepared(6, None, &["0", "1", "2", "3", "4", "5"]);
    check_prepared(6, Some(3), &["0", "2", "4"]);
    check_prepared(5, Some(2), &["0", "2"]);
    check_prepared(2, Some(9), &["0", "1"]);
    assert!(prepare(Vec::new(), None, 10).is_err());
}

#[test]
fn what_is_excluded_is_ranked_in_addition() {
    let mut one = question("q", "s", &[]);
    one.exclude = vec!["a".to_owned(), "b".to_owned()];
    assert_eq!(ok(prepare(vec![one], None, 10))[0].depth, 12);
}
