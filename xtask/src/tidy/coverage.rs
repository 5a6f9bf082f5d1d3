//! The requirements in `specs/requirements.md`: a test or spec names each of them, and nothing names one that is not
//! in the list.

use std::collections::BTreeSet;

use super::Violation;
use super::rust::is_word;
use super::tree::{Tree, is_test_file, is_under};

const REQUIREMENTS: &str = "specs/requirements.md";

/// Where a requirement of that number is named in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Mention {
    line: usize,
    number: u32,
    /// As an end of a range. A range shows nothing: its writer did not look at each requirement in it.
    in_range: bool,
}

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let Some(text) = tree.text(REQUIREMENTS) else {
        return vec![Violation::new(REQUIREMENTS, 1, "list of requirements is missing")];
    };
    let mut violations = Vec::new();
    let mut known: BTreeSet<u32> = BTreeSet::new();
    let shown = shown_by_tests(tree);
    for (line, item) in items(text) {
        let message = match requirement(item) {
            None => format!("not a requirement, write `- R<number>: <text>`: `- {item}`"),
            Some(number) if !known.insert(number) => format!("R{number} is listed twice"),
            Some(number) if !shown.contains(&number) => format!("no test or spec names R{number}"),
            Some(_) => continue,
        };
        violations.push(Violation::new(REQUIREMENTS, line, message));
    }
    for (path, text) in ["rs", "md", "toml"].into_iter().flat_map(|extension| tree.files(extension))
    {
        let unknown = mentions(text).into_iter().filter(|it| !known.contains(&it.number));
        violations.extend(unknown.map(|Mention { line, number, .. }| {
            Violation::new(path, line, format!("R{number} is not in `{REQUIREMENTS}`"))
        }));
    }
    violations
}

fn shown_by_tests(tree: &Tree) -> BTreeSet<u32> {
    let specs =
        tree.files("md").filter(|(path, _)| is_under(path, "specs") && *path != REQUIREMENTS);
    let tests = tree.files("rs").filter(|(path, _)| is_under(path, "crates") && is_test_file(path));
    let journeys = tree.files("mjs").filter(|(path, _)| is_under(path, "tests/browser"));
    let mentions = specs.chain(tests).chain(journeys).flat_map(|(_, text)| mentions(text));
    mentions.filter(|mention| !mention.in_range).map(|mention| mention.number).collect()
}

/// The items of all lists, with their lines.
fn items(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines()).filter_map(|(line, text)| Some((line, text.strip_prefix("- ")?)))
}

/// The number of `R4: what it asks for`.
fn requirement(item: &str) -> Option<u32> {
    let (number, text) = item.strip_prefix('R')?.split_once(": ")?;
    if text.trim().is_empty() { None } else { number.parse().ok() }
}

fn mentions(text: &str) -> Vec<Mention> {
    (1..).zip(text.lines()).flat_map(|(line, text)| mentions_in_line(line, text)).collect()
}

fn mentions_in_line(line: usize, text: &str) -> Vec<Mention> {
    let mut mentions = Vec::new();
    let mut range_ends_at = None;
    for (at, _) in text.match_indices('R') {
        let after = &text[at + 1..];
        let (digits, after) = after.split_at(after.find(|c| !is_word(c)).unwrap_or(after.len()));
        let Ok(number) = digits.parse() else { continue };
        if text[..at].ends_with(is_word) {
            continue;
        }
        let joint = joint_length(after);
        let in_range = joint.is_some() || range_ends_at == Some(at);
        mentions.push(Mention { line, number, in_range });
        range_ends_at = joint.map(|joint| text.len() - after.len() + joint);
    }
    mentions
}

/// The length of what joins a number to the next one, if something does: `-`, `–` or `..`, before `R` or a digit.
fn joint_length(after: &str) -> Option<usize> {
    let joint = ["-", "–", "..=", ".."].into_iter().find(|joint| after.starts_with(joint))?;
    let next = &after[joint.len()..];
    let digits = next.strip_prefix('R').unwrap_or(next);
    digits.starts_with(|c: char| c.is_ascii_digit()).then_some(joint.len())
}

#[cfg(test)]
mod tests;
