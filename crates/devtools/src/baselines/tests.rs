//! Three texts, ranked by hand.

use super::*;

fn corpus(entries: &[(&str, &str, i64)]) -> Corpus {
    let entry = |(id, text, second): &(&str, &str, i64)| Entry {
        id: (*id).to_owned(),
        text: (*text).to_owned(),
        at: Timestamp::from_second(*second).unwrap(),
    };
    Corpus::new(entries.iter().map(entry).collect())
}

fn shop() -> Corpus {
    corpus(&[
        ("cents", "Money is kept in integer cents. Cents never round", 10),
        ("gateway", "The gateway takes ten messages a second", 30),
        ("money", "money_type: Money of other currencies, and more money", 20),
    ])
}

#[track_caller]
fn check(by: Baseline, question: &str, want: &[&str]) {
    assert_eq!(shop().rank(by, question, 10), want, "{question}");
}

#[test]
fn grep_counts_distinct_words_contained() {
    check(Baseline::Grep, "cents cents cents money", &["cents", "money"]);
    // Part of a word counts, in any case.
    check(Baseline::Grep, "GATE", &["gateway"]);
    check(Baseline::Grep, "type_ or typ", &["money"]);
    check(Baseline::Grep, "resolver", &[]);
    check(Baseline::Grep, "e", &["gateway", "money", "cents"]);
}

#[test]
fn grep_breaks_ties_by_age_then_id() {
    check(Baseline::Grep, "money", &["money", "cents"]);
    let same = corpus(&[("b", "word", 5), ("a", "word", 5), ("c", "word", 6)]);
    assert_eq!(same.rank(Baseline::Grep, "word", 10), ["c", "a", "b"]);
    assert_eq!(same.rank(Baseline::Grep, "word", 2), ["c", "a"]);
}

#[test]
fn recency_does_not_look_at_the_question() {
    check(Baseline::Recency, "cents", &["gateway", "money", "cents"]);
    check(Baseline::Recency, "", &["gateway", "money", "cents"]);
}

#[test]
fn bm25_ranks_whole_words() {
    check(Baseline::Bm25, "money", &["money", "cents"]);
    check(Baseline::Bm25, "cents", &["cents"]);
    check(Baseline::Bm25, "cent", &[]);
    check(Baseline::Bm25, "MONEY_TYPE", &["money"]);
    let same = corpus(&[("b", "word", 5), ("c", "word", 6)]);
    assert_eq!(same.rank(Baseline::Bm25, "word", 10), ["b", "c"]);
}

#[test]
fn bm25_scores_are_the_formula() {
    // Two texts of 2 and 4 words: the mean is 3, `a` is in one of two.
    let two = corpus(&[("x", "a b", 1), ("y", "b b c d", 2)]);
    let scores = two.weighed("a a");
    let rarity = (1.0_f64 + 1.5 / 1.5).ln();
    let once = rarity * 2.2 / (1.0 + 1.2 * (0.25 + 0.75 * 2.0 / 3.0));
    assert!((scores[1] - 2.0 * once).abs() < 1e-12, "{scores:?}");
    assert!(scores[0].abs() < 1e-12, "{scores:?}");
}

#[test]
fn an_empty_corpus_answers_nothing() {
    for by in Baseline::ALL {
        assert!(corpus(&[]).rank(by, "money", 10).is_empty());
    }
}
