//! Questions as they are read and chosen, and a report of a few answers.

use super::*;

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

#[track_caller]
fn check_spread(count: usize, limit: Option<usize>, want: &[&str]) {
    let questions = (0..count).map(|at| question(&at.to_string(), "s", &[])).collect();
    let chosen = spread(questions, limit, 10);
    let ids: Vec<&str> = chosen.iter().map(|question| question.id.as_str()).collect();
    assert_eq!(ids, want);
}

#[test]
fn a_limit_spreads_over_the_questions() {
    check_spread(6, None, &["0", "1", "2", "3", "4", "5"]);
    check_spread(6, Some(3), &["0", "2", "4"]);
    check_spread(5, Some(2), &["0", "2"]);
    check_spread(2, Some(9), &["0", "1"]);
}

#[test]
fn what_is_excluded_is_ranked_in_addition() {
    let mut one = question("q", "s", &[]);
    one.exclude = vec!["a".to_owned(), "b".to_owned()];
    assert_eq!(spread(vec![one], None, 10)[0].depth, 12);
}

#[track_caller]
fn check_refused(lines: &str, want: &str) {
    let error = parse_questions(lines).unwrap_err();
    assert!(error.contains(want), "{error:?} should say {want:?}");
}

#[test]
fn a_question_needs_no_more_than_its_text_and_gold() {
    let text = "\n{\"text\": \"how is money kept\", \"gold\": [\"use-cents\", \"use-cents\"]}\n";
    let questions = parse_questions(text).unwrap();
    let [one] = questions.as_slice() else { panic!("one question") };
    assert_eq!((one.id.as_str(), one.category.as_str()), ("line-2", "question"));
    assert_eq!(one.gold, ["use-cents"]);
}

#[test]
fn a_wrong_question_is_named_by_its_line() {
    check_refused(r#"{"text": "t"}"#, "line 1: missing field `gold`");
    check_refused(r#"{"text": "t", "gold": "d1"}"#, "expected a sequence");
    check_refused(r#"{"text": " ", "gold": []}"#, "line 1: `text` is empty");
    check_refused("\n[1", "line 2: ");
    check_refused(
        "{\"id\": \"1\", \"text\": \"t\", \"gold\": []}\n{\"id\": \"1\", \"text\": \"t\", \"gold\": []}",
        "line 2: the id is taken by line 1",
    );
}

#[test]
fn a_report_serialises_with_what_could_not_be_measured() {
    let questions = [question("1", "s", &["a"])];
    let asked: Vec<Asked<'_>> = questions
        .iter()
        .map(|question| Asked { question, answers: vec![answer(&["b", "a", "c"]), answer(&["a"])] })
        .collect();
    let engines = serde_json::to_string(&EngineReport::all(&asked, &["bm25"])).unwrap();
    let first = r#"[{"name":"recall","groups":[{"category":"all","answerable":1,"unanswerable":0,"recall_at_1":0.0,"recall_at_5":1.0,"recall_at_10":1.0,"all_at_5":1.0,"all_at_10":1.0,"mrr":0.5,"ndcg_at_10":0.6309,"abstained":null,"silenced":0.0,"tokens_mean":30.0,"stale_served":0,"latency_ms":{"p50":1.0,"p95":1.0,"max":1.0}},"#;
    assert!(engines.starts_with(first), "{engines}");
    assert!(engines.contains(r#""tokens_mean":null,"stale_served":null"#), "{engines}");
}
