//! What counts as naming a requirement, and what is wrong with a list of them.

use super::{Mention, check, mentions};
use crate::tidy::shown;
use crate::tidy::tree::Tree;

/// `want` are the numbers that count; the ends of ranges are named without counting.
#[track_caller]
fn check_named(text: &str, want: &[u32]) {
    let named = mentions(text).into_iter().filter(|mention| !mention.in_range);
    assert_eq!(named.map(|mention| mention.number).collect::<Vec<_>>(), want, "{text}");
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
    let end = |number| Mention { line: 2, number, in_range: true };
    assert_eq!(mentions("\nR10-R12"), [end(10), end(12)]);
}

#[test]
fn each_requirement_needs_a_test_and_each_mention_a_requirement() {
    // Put together, since this file is checked too.
    let [seven, eight, nine] = [1007, 1008, 1009].map(|number| format!("R{number}"));
    let tree = Tree::of(&[
        ("specs/requirements.md", "# List\n- R2: a\n- R3: b\n- R4: c\n- R4: d\n- x\n- R2:\n"),
        ("specs/recall/a.md", &format!("# A (R2)\n\n({seven})")),
        ("crates/core/src/a/tests.rs", "// R4"),
        ("crates/core/src/a.rs", &format!("// R3\n// {eight}-{nine}")),
        ("README.md", "R3"),
    ]);
    let want = [
        "specs/requirements.md:3: no test or spec names R3".to_owned(),
        "specs/requirements.md:5: R4 is listed twice".to_owned(),
        "specs/requirements.md:6: not a requirement, write `- R<number>: <text>`: `- x`".to_owned(),
        "specs/requirements.md:7: not a requirement, write `- R<number>: <text>`: `- R2:`"
            .to_owned(),
        format!("crates/core/src/a.rs:2: {eight} is not in `specs/requirements.md`"),
        format!("crates/core/src/a.rs:2: {nine} is not in `specs/requirements.md`"),
        format!("specs/recall/a.md:3: {seven} is not in `specs/requirements.md`"),
    ];
    assert_eq!(shown(&check(&tree)), want);
}

#[test]
fn the_list_itself_must_be_there() {
    assert_eq!(
        shown(&check(&Tree::of(&[]))),
        ["specs/requirements.md:1: list of requirements is missing"]
    );
}
