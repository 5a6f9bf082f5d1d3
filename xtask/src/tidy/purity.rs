//! Core and engine decide; they reach for no file, clock, environment, process or thread.

use std::ops::RangeInclusive;

use super::Violation;
use super::rust::{self, Token};
use super::tree::{Tree, is_test_file, is_under};

const PURE_FOLDERS: &[&str] = &[
    "crates/text/src",
    "crates/transcripts/src",
    "crates/core/src",
    "crates/judge/src",
    "crates/sessions/src",
    "crates/app/src",
    "crates/hosts/src",
    "crates/screen/src",
];

/// Modules of `std` that reach outside.
const IMPURE_MODULES: &[&str] = &["env", "fs", "process", "thread"];

/// The tokens of paths, or of the ends of paths, that read the clock.
const CLOCKS: &[&[&str]] = &[
    &["SystemTime"],
    &["Timestamp", ":", ":", "now"],
    &["Zoned", ":", ":", "now"],
    &["Instant", ":", ":", "now"],
];

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let is_pure = |path: &str| {
        PURE_FOLDERS.iter().any(|folder| is_under(path, folder)) && !is_test_file(path)
    };
    tree.files("rs")
        .filter(|(path, _)| is_pure(path))
        .flat_map(|(path, text)| check_file(path, text))
        .collect()
}

fn check_file(path: &str, text: &str) -> Vec<Violation> {
    let code = rust::split(text).code;
    let tokens = rust::tokens(&code);
    let regions = rust::test_regions(&tokens);
    let is_test =
        |line: usize| regions.iter().any(|region: &RangeInclusive<usize>| region.contains(&line));
    let mut violations = Vec::new();
    for at in 0..tokens.len() {
        let uses = impure_modules(&tokens[at..]).into_iter().chain(clock(&tokens[at..]));
        for (line, name) in uses.filter(|(line, _)| !is_test(*line)) {
            violations.push(Violation::new(
                path,
                line,
                format!("not allowed in a pure crate: `{name}`"),
            ));
        }
    }
    violations
}

/// What `std::fs` or `std::{fs, env}` at the start of the tokens names, with the lines.
fn impure_modules(tokens: &[Token<'_>]) -> Vec<(usize, String)> {
    if !rust::matches(tokens, &["std", ":", ":"]) {
        return Vec::new();
    }
    let impure = rust::group_heads(&tokens[3..])
        .into_iter()
        .filter(|token| IMPURE_MODULES.contains(&token.text));
    impure.map(|token| (token.line, format!("std::{}", token.text))).collect()
}

fn clock(tokens: &[Token<'_>]) -> Option<(usize, String)> {
    let path = CLOCKS.iter().find(|path| rust::matches(tokens, path))?;
    Some((tokens[0].line, path.concat()))
}

#[cfg(test)]
mod tests;
