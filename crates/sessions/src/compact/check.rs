//! Whether a summary keeps what a session said exactly, or says what it left out.

use std::collections::HashSet;

use super::facts::{Fact, Sort, is_path_part};
use super::left;
use super::piece::ungroup;
use crate::summary::Summary;
use oldhand_core::codec::sections;

/// What became of the facts of one sort.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    pub sort: Sort,
    pub kept: usize,
    /// Left out, by name.
    pub named: usize,
    /// Left out, and counted without a name.
    pub counted: usize,
    pub missing: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    pub kept: usize,
    /// The summary says that they are left out, by name or as one of so many.
    pub dropped: usize,
    /// Neither there nor left out knowingly.
    pub missing: Vec<Fact>,
    /// Each sort once.
    pub tallies: Vec<Tally>,
}

pub(super) fn check(summary: &str, facts: Vec<Fact>) -> Checked {
    let (body, left_out) = split(summary);
    let (kept, named) = (Found::of(&body), Found::of(&left_out));
    let stated: Vec<String> = Summary::parse(summary).list("left_out").to_vec();
    let mut tallies: Vec<Tally> = Sort::ALL
        .into_iter()
        .map(|sort| Tally { sort, kept: 0, named: 0, counted: 0, missing: 0 })
        .collect();
    let mut unnamed: Vec<Fact> = Vec::new();
    for fact in facts {
        let Some(tally) = tallies.iter_mut().find(|it| it.sort == fact.sort) else { continue };
        if kept.has(&fact) {
            tally.kept += 1;
        } else if named.has(&fact) {
            tally.named += 1;
        } else {
            unnamed.push(fact);
        }
    }
    let mut missing = Vec::new();
    for tally in &mut tallies {
        let own: Vec<&Fact> = unnamed.iter().filter(|it| it.sort == tally.sort).collect();
        let counts = stated.iter().filter_map(|item| left::stated(item, tally.sort));
        let count = counts.fold(0, usize::saturating_add);
        // Who counts more than there are has not counted.
        let is_true = count <= tally.named + own.len();
        let spare = if is_true { count.saturating_sub(tally.named) } else { 0 };
        tally.counted = own.len().min(spare);
        tally.missing = own.len() - tally.counted;
        // Which of them were counted nobody can tell: with too few, all are doubtful.
        if tally.missing > 0 {
            missing.extend(own.into_iter().take(tally.missing).cloned());
        }
    }
    let sum = |of: fn(&Tally) -> usize| tallies.iter().map(of).sum::<usize>();
    let (kept, dropped) = (sum(|it| it.kept), sum(|it| it.named + it.counted));
    Checked { kept, dropped, missing, tallies }
}

/// The text without what is left out, and what is.
fn split(summary: &str) -> (String, String) {
    let (mut body, mut left_out) = (String::new(), String::new());
    let mut is_left = false;
    for line in summary.lines() {
        if let Some(heading) = sections::heading(line) {
            is_left = heading.eq_ignore_ascii_case("Left out");
        }
        let to = if is_left { &mut left_out } else { &mut body };
        to.push_str(line);
        to.push('\n');
    }
    (body, left_out)
}

/// What a text holds, ready to be asked.
#[derive(Debug)]
pub(super) struct Found<'t> {
    text: &'t str,
    /// Between two backticks that follow one another, and whole lines.
    spans: HashSet<&'t str>,
    words: HashSet<&'t str>,
    /// Out of items that name a folder once.
    paths: HashSet<String>,
}

impl<'t> Found<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let mut found =
            Self { text, spans: HashSet::new(), words: HashSet::new(), paths: HashSet::new() };
        for line in text.lines() {
            let line = line.trim();
            let item = line.strip_prefix("- ").unwrap_or(line);
            found.spans.insert(item.strip_prefix("$ ").unwrap_or(item));
            found.spans.extend(item.split('`').skip(1));
            found.paths.extend(ungroup(item).0);
            let is_end = |c: char| c.is_whitespace() || "`,()[]{}<>\"'".contains(c);
            found
                .words
                .extend(item.split(is_end).map(|word| word.trim_end_matches([';', ':', '.'])));
        }
        found
    }

    pub(super) fn has(&self, fact: &Fact) -> bool {
        let text = fact.text.as_str();
        match fact.sort {
            Sort::Path => {
                self.paths.contains(text)
                    || self.words.contains(text)
                    || text.contains(|c: char| !is_path_part(c)) && self.has_apart(text)
            }
            Sort::Command => {
                self.spans.contains(text)
                    || text.contains('`') && self.text.contains(&format!("`{text}`"))
            }
            Sort::Error => self.text.contains(text),
            Sort::Number => self.has_apart(text),
        }
    }

    /// As a word of its own: `80` is not in `8080`, nor `1.5` in `1.5.2`.
    fn has_apart(&self, text: &str) -> bool {
        !text.is_empty()
            && self.text.match_indices(text).any(|(at, _)| {
                let mut behind = self.text[at + text.len()..].chars();
                let before = self.text[..at].chars().next_back();
                let next = behind.next();
                let is_inner = |c: char| c.is_alphanumeric() || c == '_';
                let goes_on = next == Some('.') && behind.next().is_some_and(char::is_alphanumeric);
                !before.is_some_and(|c| is_inner(c) || c == '.')
                    && !next.is_some_and(is_inner)
                    && !goes_on
            })
    }
}
