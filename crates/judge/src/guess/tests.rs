//! What a sentence is taken for.

mod lesson;

use super::*;

#[track_caller]
fn check(text: &str, want: Kind, is_sure: bool) {
    let guess = kind(text, None);
    assert_eq!((guess.kind, guess.is_sure), (want, is_sure), "{text} ({})", guess.because);
}

#[test]
fn orders_bind() {
    check("always run cargo fmt", Kind::Preference, true);
    check("Remember to never commit .env files", Kind::Constraint, true);
    check("Don't call the billing API from tests", Kind::Constraint, true);
    check("CI jobs must finish within ten minutes", Kind::Constraint, false);
    check("From now on, use tabs in Makefiles only", Kind::Preference, true);
    check("Immer erst die Tests schreiben, niemals danach", Kind::Preference, true);
}

#[test]
fn what_was_chosen_is_a_decision() {
    check("we use tokio for everything async", Kind::Decision, true);
    check("We went with pnpm, the lockfile merges better", Kind::Decision, true);
    check("Use Postgres for the ledger", Kind::Decision, true);
    check("我们决定使用 PostgreSQL，因为需要事务。", Kind::Decision, true);
}

#[test]
fn trouble_debts_and_lessons() {
    check("when the migration fails, restore the snapshot and retry", Kind::Runbook, true);
    check("To rotate the key, run tools/rotate.sh", Kind::Runbook, true);
    check("TODO: replace the polling with a webhook", Kind::TechDebt, true);
    check("the parser should be rewritten", Kind::TechDebt, true);
    check("it turned out that the cache was never warm", Kind::Lesson, true);
    check("we learned the hard way that retries double the load", Kind::Lesson, true);
}

#[test]
fn facts_are_references_and_a_weak_guess_says_so() {
    check("The staging database is at db.internal", Kind::Reference, true);
    check("Dana is the contact for billing", Kind::Reference, true);
    assert!(!kind("Postgres holds the ledger", None).is_sure);
}

/// `cargo test -p oldhand-judge by_words -- --nocapture` prints what is wrong.
#[test]
fn by_words_alone_most_of_the_sentences_set_aside_are_right() {
    let sentences = include_str!("../../../../evals/kinds/sentences.jsonl").lines();
    let sentences = sentences.map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let (mut right, mut sure, mut sure_right, mut all) = (0, 0, 0, 0);
    for line in sentences.filter(|it| it["split"] == "test" && it["kind"] != "none") {
        let guess = kind(line["text"].as_str().unwrap(), None);
        let is_right = guess.kind.as_str().replace('_', "-") == line["kind"].as_str().unwrap();
        (all, right) = (all + 1, right + usize::from(is_right));
        sure += usize::from(guess.is_sure);
        sure_right += usize::from(guess.is_sure && is_right);
    }
    println!("{right} of {all} right, {sure_right} of {sure} sure ones");
    assert!(right * 10 >= all * 8, "{right} of {all}");
}
