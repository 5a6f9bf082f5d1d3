//! What a sentence is taken for.

mod lesson;

use super::*;

#[track_caller]
fn check(text: &str, want: Kind, is_sure: bool) {
    let guess = kind(text);
    assert_eq!((guess.kind, guess.is_sure), (want, is_sure), "{text} ({})", guess.because);
}

#[test]
fn orders_bind() {
    check("always run cargo fmt", Kind::Preference, true);
    check("Remember to never commit .env files", Kind::Constraint, true);
    check("Don't call the billing API from tests", Kind::Constraint, true);
    check("CI jobs must finish within ten minutes", Kind::Constraint, true);
    check("From now on, use tabs in Makefiles only", Kind::Preference, true);
    check("Immer erst die Tests schreiben, niemals danach", Kind::Constraint, true);
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
    check("Postgres holds the ledger", Kind::Reference, false);
    assert_eq!(kind("Postgres holds the ledger").because, "");
}
