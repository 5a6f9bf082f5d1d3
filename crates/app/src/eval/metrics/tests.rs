//! Values computed by hand, and by a script that other projects' runs are scored with.

use super::*;
use crate::eval::clean;
use crate::eval::tests::{answer, question};

fn strings(ids: &str) -> Vec<String> {
    ids.split_whitespace().map(str::to_owned).collect()
}

/// Recall at 1, 5 and 10, all at 5 and 10, MRR and nDCG, to four digits.
#[track_caller]
fn check(ranking: &str, exclude: &str, gold: &str, want: [f64; 7]) {
    let ranking = clean(&strings(ranking), &strings(exclude), 50);
    let scores = score(&ranking, &strings(gold));
    for (found, want) in scores.iter().zip(want) {
        assert!((found - want).abs() <= 0.000_05, "{found} is not {want}: {scores:?}");
    }
}

#[test]
fn the_first_is_everything() {
    check("a", "", "a", [1.0; 7]);
}

#[test]
fn two_of_two_at_second_and_sixth() {
    check("x a y z w b", "", "a b", [0.0, 0.5, 1.0, 0.0, 1.0, 0.5, 0.6053]);
}

#[test]
fn excluded_and_repeated_ids_take_no_place() {
    let want = [0.0, 0.6667, 1.0, 0.0, 1.0, 0.5, 0.6133];
    check("x p a p q r b s t u v c", "x", "a b c", want);
}

#[test]
fn the_eleventh_is_too_late() {
    check("1 2 3 4 5 6 7 8 9 10 a", "", "a", [0.0; 7]);
    check("", "", "a", [0.0; 7]);
}

#[test]
fn more_gold_than_places() {
    let gold = "g1 g2 g3 g4 g5 g6 g7 g8 g9 g10 g11 g12";
    let want = [0.0833, 0.3333, 0.75, 0.0, 0.0, 1.0, 0.89];
    check("g1 g2 n g3 g4 g5 g6 g7 g8 g9 g10", "", gold, want);
}

#[test]
fn clean_cuts_after_dropping() {
    assert_eq!(clean(&strings("x a a b c"), &strings("x"), 2), ["a", "b"]);
}

#[test]
fn silence_is_right_without_gold_and_wrong_with_it() {
    let questions =
        [question("1", "s", &["a"]), question("2", "s", &["a"]), question("3", "s", &[])];
    let mut hushed = answer(&["a"]);
    hushed.silent = true;
    hushed.tokens = 0;
    let answers = [answer(&["a", "b"]), hushed.clone(), hushed];
    let rows: Vec<_> = questions.iter().zip(&answers).collect();
    let summary = Group::of("all", &rows, true);
    assert_eq!((summary.answerable, summary.unanswerable), (2, 1));
    assert_eq!((summary.silenced, summary.abstained), (Some(0.5), Some(1.0)));
    // Ranking is scored before the floor: what was hushed was ranked first.
    assert_eq!(summary.scores.map(|scores| scores[5]), Some(1.0));
    assert!((summary.tokens_mean.unwrap() - 20.0 / 3.0).abs() < 1e-9);
}

#[test]
fn nothing_measured_is_not_zero() {
    let summary = Group::of("all", &[], true);
    assert_eq!((summary.scores, summary.abstained, summary.silenced), (None, None, None));
    let unanswerable = question("1", "s", &[]);
    let served = answer(&["a"]);
    let summary = Group::of("all", &[(&unanswerable, &served)], true);
    assert_eq!((summary.scores, summary.abstained), (None, Some(0.0)));
}

#[test]
fn latencies_are_times_that_were_taken() {
    let of = |micros: &[u64]| {
        let found = latency(micros.to_vec());
        (found.p50, found.p95, found.max)
    };
    assert_eq!(of(&[]), (0.0, 0.0, 0.0));
    assert_eq!(of(&[3000]), (3.0, 3.0, 3.0));
    assert_eq!(of(&[4000, 1000, 2000, 3000]), (2.0, 4.0, 4.0));
    let hundred: Vec<u64> = (1..=100).map(|ms| ms * 1000).collect();
    assert_eq!(of(&hundred), (50.0, 95.0, 100.0));
}
