//! What a person sees before a file is changed.

use super::diff;

#[track_caller]
fn check(before: Option<&str>, after: Option<&str>, want: &str) {
    assert_eq!(diff(before, after), want);
}

#[test]
fn only_what_changes_is_shown_with_a_line_around() {
    check(Some("a\nb\nc\nd\ne"), Some("a\nb\nX\nd\ne"), "      b\n    - c\n    + X\n      d\n");
    check(Some("a\nb"), Some("a\nb"), "");
    check(None, Some("a\nb"), "    + a\n    + b\n");
    check(Some("a"), None, "    - a\n");
}

#[test]
fn two_changes_far_apart_are_two() {
    let before = "1\n2\n3\n4\n5\n6\n7";
    let after = "0\n1\n2\n3\n4\n5\n6\n7\n8";
    check(Some(before), Some(after), "    + 0\n      1\n    ...\n      7\n    + 8\n");
}
