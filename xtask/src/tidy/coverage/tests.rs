//! What counts as naming a requirement.

use super::{check, named_in};
use crate::tidy::shown;
use crate::tidy::tree::Tree;

#[track_caller]
fn check_named(text: &str, want: &[u32]) {
    assert_eq!(named_in(text), want, "{text}");
}

#[test]
fn single_numbers_count() {
    check_named("## A title (R4 R36, R37)", &[4, 36, 37]);
    check_named("R4: a", &[4]);
    check_named("a—R4", &[4]);
}

#[test]
fn parts_of_words_do_not() {
    check_named("XR4 R4x R_4 r4 R R4_5", &[]);
}

#[test]
fn ranges_do_not() {
    check_named("R109-R113", &[]);
    check_named("R109-113 R5", &[5]);
    check_named("R1–R3 and R7..R9", &[]);
    check_named("R4 - R5", &[4, 5]);
    check_named("R4-like", &[4]);
    check_named("ends with R4. R5", &[4, 5]);
}

#[test]
fn each_promised_requirement_needs_a_test() {
    let tree = Tree::of(&[
        ("specs/promised.txt", "# R1\nR2 R3 # later: R9\nR4-R6 R8-R7 x\n"),
        ("specs/recall/a.md", "# A (R2)"),
        ("crates/core/src/a/tests.rs", "// R4"),
        ("crates/core/src/a.rs", "// R3"),
        ("crates/oldhand/tests/it/a.rs", "// R6"),
        ("README.md", "R5"),
    ]);
    let want = [
        "specs/promised.txt:2: no test names R3",
        "specs/promised.txt:3: no test names R5",
        "specs/promised.txt:3: neither a requirement nor a range: `R8-R7`",
        "specs/promised.txt:3: neither a requirement nor a range: `x`",
    ];
    assert_eq!(shown(&check(&tree)), want);
}

#[test]
fn the_list_itself_must_be_there() {
    assert_eq!(
        shown(&check(&Tree::of(&[]))),
        ["specs/promised.txt:1: list of promised requirements is missing"]
    );
}
