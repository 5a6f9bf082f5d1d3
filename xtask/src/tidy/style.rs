//! How a Rust file looks: it says what it owns, it is short, its functions are short, and it draws no lines.

use std::ops::RangeInclusive;

use super::tree::{Tree, is_test_file};
use super::{Violation, rust};

const FILE_LINES_MAX: usize = 500;
const FUNCTION_LINES_MAX: usize = 70;

/// A run of this many rules off a part of a file.
const BANNER_RUN: usize = 4;
const BANNER_MARKS: &[char] = &['=', '-', '*', '#', '~', '+', '_', '/', '─', '━', '═'];

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    tree.files("rs").flat_map(|(path, text)| check_file(path, text)).collect()
}

fn check_file(path: &str, text: &str) -> Vec<Violation> {
    let views = rust::split(text);
    let mut violations = Vec::new();
    if !text.starts_with("//!") {
        violations.push(Violation::new(
            path,
            1,
            "file does not start with a `//!` comment that says what it owns",
        ));
    }
    let lines = text.lines().count();
    if lines > FILE_LINES_MAX {
        let message = format!("file has {lines} lines, at most {FILE_LINES_MAX}: split it");
        violations.push(Violation::new(path, FILE_LINES_MAX + 1, message));
    }
    for line in banner_lines(&views.comments) {
        violations.push(Violation::new(path, line, "banner comment: make a module instead"));
    }
    if !is_test_file(path) {
        violations.extend(check_functions(path, &views.code));
    }
    violations
}

fn check_functions(path: &str, code: &str) -> Vec<Violation> {
    let tokens = rust::tokens(code);
    let regions = rust::test_regions(&tokens);
    let is_test =
        |lines: &RangeInclusive<usize>| regions.iter().any(|region| region.contains(lines.start()));
    let mut violations = Vec::new();
    for function in rust::functions(&tokens) {
        let lines = function.lines.end() - function.lines.start() + 1;
        if lines > FUNCTION_LINES_MAX && !is_test(&function.lines) {
            let message = format!(
                "function has {lines} lines, at most {FUNCTION_LINES_MAX}: `{}`",
                function.name
            );
            violations.push(Violation::new(path, *function.lines.start(), message));
        }
    }
    violations
}

/// Lines whose comment starts or ends with a run of one mark. A table or a list in a doc comment does neither.
fn banner_lines(comments: &str) -> Vec<usize> {
    let mut lines = Vec::new();
    for (index, line) in comments.lines().enumerate() {
        let line = line.trim();
        let text = line.trim_start_matches("/*").trim_end_matches("*/");
        // Slashes up to three and the `!` are the comment's own.
        let text = text
            .strip_prefix("///")
            .or(text.strip_prefix("//!"))
            .or(text.strip_prefix("//"))
            .unwrap_or(text);
        let text = text.trim();
        if starts_with_run(text.chars()) || starts_with_run(text.chars().rev()) {
            lines.push(index + 1);
        }
    }
    lines
}

fn starts_with_run(mut chars: impl Iterator<Item = char>) -> bool {
    let Some(first) = chars.next() else { return false };
    BANNER_MARKS.contains(&first) && chars.take_while(|&c| c == first).count() + 1 >= BANNER_RUN
}

#[cfg(test)]
mod tests;
