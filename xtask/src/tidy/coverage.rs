//! Every requirement that this version promises is named in a test.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::Violation;
use super::rust::is_word;
use super::tree::{Tree, is_test_file, is_under};

const PROMISED: &str = "specs/promised.txt";

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let Some(text) = tree.text(PROMISED) else {
        return vec![Violation::new(PROMISED, 1, "list of promised requirements is missing")];
    };
    let specs = tree.files("md").filter(|(path, _)| is_under(path, "specs"));
    let tests = tree.files("rs").filter(|(path, _)| is_under(path, "crates") && is_test_file(path));
    let named: BTreeSet<u32> = specs.chain(tests).flat_map(|(_, text)| named_in(text)).collect();

    let mut violations = Vec::new();
    for (line, word, numbers) in promised(text) {
        let Some(numbers) = numbers else {
            violations.push(Violation::new(
                PROMISED,
                line,
                format!("neither a requirement nor a range: `{word}`"),
            ));
            continue;
        };
        let missing = numbers.filter(|number| !named.contains(number));
        violations.extend(
            missing
                .map(|number| Violation::new(PROMISED, line, format!("no test names R{number}"))),
        );
    }
    violations
}

/// Each word of the list with its line, and the numbers it stands for if it can be read.
fn promised(text: &str) -> Vec<(usize, &str, Option<RangeInclusive<u32>>)> {
    let mut words = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.split_once('#').map_or(line, |(before, _)| before);
        words.extend(line.split_whitespace().map(|word| (index + 1, word, range(word))));
    }
    words
}

/// `R4` or `R109-R113`.
fn range(word: &str) -> Option<RangeInclusive<u32>> {
    let number = |word: &str| word.strip_prefix('R')?.parse::<u32>().ok();
    let (first, last) = word.split_once('-').unwrap_or((word, word));
    let (first, last) = (number(first)?, number(last)?);
    (first <= last).then_some(first..=last)
}

/// The requirements that stand alone in a text. A range names nothing: whoever wrote it did not look at each.
fn named_in(text: &str) -> Vec<u32> {
    let mut named = Vec::new();
    let mut range_ends_at = None;
    for (at, _) in text.match_indices('R') {
        let after = &text[at + 1..];
        let (digits, after) = after.split_at(after.find(|c| !is_word(c)).unwrap_or(after.len()));
        let Ok(number) = digits.parse() else { continue };
        if text[..at].ends_with(is_word) {
            continue;
        }
        let joint = joint_length(after);
        if joint.is_none() && range_ends_at != Some(at) {
            named.push(number);
        }
        range_ends_at = joint.map(|joint| text.len() - after.len() + joint);
    }
    named
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
