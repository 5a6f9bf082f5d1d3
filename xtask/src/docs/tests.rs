//! Where two documents part.

use super::first_difference;

#[track_caller]
fn check(found: &str, wanted: &str, line: Option<usize>) {
    assert_eq!(first_difference(found, wanted), line);
}

#[test]
fn equal_texts_have_no_difference() {
    check("", "", None);
    check("a\nb\n", "a\nb\n", None);
}

#[test]
fn the_line_is_counted_from_one() {
    check("x\nb\n", "a\nb\n", Some(1));
    check("a\nx\n", "a\nb\n", Some(2));
}

#[test]
fn a_longer_text_differs_where_the_shorter_ends() {
    check("", "a\n", Some(1));
    check("a\n", "a\nb\n", Some(2));
    check("a", "a\n", Some(2));
}
