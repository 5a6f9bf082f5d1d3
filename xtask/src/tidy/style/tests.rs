//! What counts as a banner, a long file and a long function.

use super::{banner_lines, check_file};
use crate::tidy::{rust, shown};

#[track_caller]
fn check_banner(source: &str, want: bool) {
    assert_eq!(!banner_lines(&rust::split(source).comments).is_empty(), want, "{source}");
}

#[track_caller]
fn check(path: &str, source: &str, want: &[&str]) {
    assert_eq!(shown(&check_file(path, source)), want);
}

fn long_function(lines: usize) -> String {
    format!("fn a() {{\n{}}}\n", "    b();\n".repeat(lines - 2))
}

#[test]
fn lines_of_marks_are_banners() {
    check_banner("// ====", true);
    check_banner("// ---- helpers ----", true);
    check_banner("// helpers ----------", true);
    check_banner("////////", true);
    check_banner("    /* **** */", true);
    check_banner("a(); // ────", true);
}

#[test]
fn prose_lists_tables_and_strings_are_not() {
    check_banner("// a - b -- c", false);
    check_banner("//! - item\n//! | a | b |\n//! |------|------|", false);
    check_banner("/// **important**", false);
    check_banner("//! ```", false);
    check_banner("let line = \"// ====\";", false);
    check_banner("//\n///\n//!", false);
}

#[test]
fn a_file_opens_with_what_it_owns() {
    check("a.rs", "//! Owns a.\n", &[]);
    check(
        "a.rs",
        "\n//! Owns a.\n",
        &["a.rs:1: file does not start with a `//!` comment that says what it owns"],
    );
    check(
        "a.rs",
        "// Owns a.\n",
        &["a.rs:1: file does not start with a `//!` comment that says what it owns"],
    );
}

#[test]
fn a_file_ends_after_500_lines() {
    check("a.rs", &format!("//! Doc.\n{}", "\n".repeat(499)), &[]);
    check(
        "a.rs",
        &format!("//! Doc.\n{}", "\n".repeat(500)),
        &["a.rs:501: file has 501 lines, at most 500: split it"],
    );
}

#[test]
fn a_function_ends_after_70_lines() {
    check("a.rs", &format!("//! Doc.\n{}", long_function(70)), &[]);
    let source = format!("//! Doc.\n{}", long_function(71));
    check("a.rs", &source, &["a.rs:2: function has 71 lines, at most 70: `a`"]);
    check("a/tests.rs", &source, &[]);
}

#[test]
fn functions_of_inline_tests_are_left_to_clippy() {
    check("a.rs", &format!("//! Doc.\n#[cfg(test)]\nmod tests {{\n{}}}\n", long_function(71)), &[]);
}
