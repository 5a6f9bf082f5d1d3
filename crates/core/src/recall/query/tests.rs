//! From a task to the words that are looked for.

use super::*;

fn words(text: &str, paths: &[&str]) -> Vec<String> {
    let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
    Query::new(text, &paths).words.into_iter().map(|word| word.text).collect()
}

#[test]
fn common_words_are_left_out_when_something_else_remains() {
    assert_eq!(words("please can you round the total", &[]), ["round", "total"]);
    assert!(!words("what is it", &[]).is_empty());
}

#[test]
fn a_word_counts_once() {
    assert_eq!(words("retry the retry", &[]), ["retry"]);
}

/// R132: affected modules come from the paths at hand.
#[test]
fn modules_come_from_paths() {
    assert_eq!(
        modules_of("src/billing/invoice_total.rs").collect::<Vec<_>>(),
        ["billing", "invoice_total"]
    );
    assert_eq!(modules_of("./src/lib.rs").count(), 0);
    assert!(words("round it", &["src/billing/total.rs"]).contains(&"billing".to_owned()));
}

/// R82: what is embedded is the task and the paths being modified.
#[test]
fn meaning_is_taken_from_the_task_and_the_paths() {
    let query = Query::new("round the total", &["src/pay.rs".to_owned()]);
    assert_eq!(query.semantic_text(), "round the total\nsrc/pay.rs");
    assert_eq!(Query::new("round", &[]).semantic_text(), "round");
}

#[test]
fn a_pasted_log_is_cut_in_the_middle() {
    let text = format!("why does this fail {} at the end", "ü".repeat(QUERY_BYTES_MAX));
    let query = Query::new(&text, &[]);
    assert!(query.text.len() <= QUERY_BYTES_MAX + 1);
    assert!(query.text.starts_with("why does") && query.text.ends_with("at the end"));
}

/// R284: what is remembered is the index, what was decided is a decision.
#[test]
fn a_question_tells_what_kind_of_answer_it_wants() {
    assert_eq!(intent("What do you remember?"), Intent::Overview);
    assert_eq!(intent("what do you remember about retries"), Intent::Anything);
    assert_eq!(intent("what did we decide about money?"), Intent::Decisions);
    assert_eq!(intent("round the total"), Intent::Anything);
}
