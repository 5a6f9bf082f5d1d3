//! Facts that must survive verbatim, and whether a summary keeps them or names them as left out.

use std::collections::HashSet;

use super::left;
use super::piece::ungroup;
use crate::conversation::exact::is_path_part;
use crate::summary::Summary;
use oldhand_core::codec::sections;
use oldhand_text::word::words;

words! {
    /// The plural of each word has an `s`.
    Sort, "sort" {
        Path = "path",
        Command = "command",
        Error = "error",
        Number = "number",
    }
}

/// Something exact that was said or done.
///
/// Its text is on one line, with single spaces and nothing invisible, and the folder of the project
/// is taken off: `cd <root> && x` is `x`, `<root>/a` is `a`. A path has no slash at its end. A command
/// of more than 200 characters, an error of more than 500 and a path of more than 300 lose their
/// middle, where a `…` stands. Everything else is verbatim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    pub sort: Sort,
    pub text: String,
    /// The line of the transcript where it came up first.
    pub line: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Checked {
    pub kept: usize,
    /// The summary says that they are left out, by name or as one of so many.
    pub dropped: usize,
    /// Neither there nor left out knowingly.
    pub missing: Vec<Fact>,
}

pub(super) fn check(summary: &str, facts: &[Fact]) -> Checked {
    let (body, left_out) = split(summary);
    let (kept, named) = (Found::of(&body), Found::of(&left_out));
    let summary = Summary::parse(summary);
    let mut checked = Checked::default();
    for &sort in Sort::ALL {
        let (there, gone): (Vec<&Fact>, Vec<&Fact>) =
            facts.iter().filter(|it| it.sort == sort).partition(|it| kept.has(it));
        let (named, unnamed): (Vec<&Fact>, Vec<&Fact>) =
            gone.into_iter().partition(|it| named.has(it));
        let stated = summary.list("left_out").iter().filter_map(|item| left::stated(item, sort));
        let count = stated.fold(0, usize::saturating_add);
        // A count that is larger than what there is was made up.
        let is_true = count <= named.len() + unnamed.len();
        let spare = if is_true { count.saturating_sub(named.len()) } else { 0 };
        let counted = unnamed.len().min(spare);
        checked.kept += there.len();
        checked.dropped += named.len() + counted;
        // Nobody can say which of them were counted.
        checked.missing.extend(unnamed.iter().take(unnamed.len() - counted).copied().cloned());
    }
    checked
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

#[derive(Debug, Default)]
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
        let mut found = Self { text, ..Self::default() };
        let is_end = |c: char| c.is_whitespace() || "`,()[]{}<>\"'".contains(c);
        for line in text.lines().map(str::trim) {
            let item = line.strip_prefix("- ").unwrap_or(line);
            found.spans.insert(item.strip_prefix("$ ").unwrap_or(item));
            found.spans.extend(item.split('`').skip(1));
            found.paths.extend(ungroup(item).0);
            let words = item.split(is_end).map(|word| word.trim_end_matches([';', ':', '.']));
            found.words.extend(words);
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
        let is_inner = |c: char| c.is_alphanumeric() || c == '_';
        !text.is_empty()
            && self.text.match_indices(text).any(|(at, _)| {
                let behind = &self.text[at + text.len()..];
                let goes_on = behind
                    .strip_prefix('.')
                    .is_some_and(|it| it.starts_with(char::is_alphanumeric));
                !self.text[..at].ends_with(|c: char| is_inner(c) || c == '.')
                    && !behind.starts_with(is_inner)
                    && !goes_on
            })
    }
}
