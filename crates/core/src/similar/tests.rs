//! Likeness is symmetric, 1 for the same words and 0 for none in common.

use super::*;

#[track_caller]
fn check(one: &str, other: &str, want: std::ops::RangeInclusive<f64>) {
    let (one, other) = (TermSet::of(one), TermSet::of(other));
    let found = one.likeness(&other);
    assert!(want.contains(&found), "{found}");
    assert!((found - other.likeness(&one)).abs() < f64::EPSILON);
}

#[test]
fn the_same_words_are_alike_in_any_order() {
    check("Money is stored in cents", "cents: stored money", 1.0..=1.0);
}

#[test]
fn other_words_are_not() {
    check("money in cents", "retry with jitter", 0.0..=0.0);
    check("", "", 0.0..=0.0);
    check("money in cents", "money in euros", 0.2..=0.5);
}
