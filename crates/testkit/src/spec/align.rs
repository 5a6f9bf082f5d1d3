//! Which expected line stands for which line of the output, when the two differ: the cheapest way to
//! turn one into the other. A failure shows it as a difference, an update keeps what still matches.

use super::compare::{ANY_LETTERS, ANY_LINES, line_matches};

/// One step of the way from what is expected to what was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edit<'a> {
    /// An expected piece that still matches, or a wildcard with whatever it stands for.
    Keep(&'a str),
    Replace(&'a str, &'a str),
    Remove(&'a str),
    Add(&'a str),
}

/// A replacement is always cheaper than a removal, also beside a wildcard that would take the new
/// piece for nothing: an expectation is reworded, not lost. It costs between these two, by likeness. An
/// addition costs less, so that a line which matches stays.
const REPLACE_LIKE: usize = 40;
const REPLACE_UNLIKE: usize = 100;
const ADD: usize = 90;
const REMOVE: usize = 150;

/// What is aligned: the lines of an output, or the pieces of one line.
struct Pieces<'a> {
    expected: Vec<&'a str>,
    found: Vec<&'a str>,
    /// The piece that stands for any number of others.
    any: &'static str,
}

pub(super) fn lines<'a>(expected: &'a [String], found: &'a [String]) -> Vec<Edit<'a>> {
    let expected = expected.iter().map(String::as_str).collect();
    let found = found.iter().map(String::as_str).collect();
    Pieces { expected, found, any: ANY_LINES }.edits()
}

/// The lines that an update writes: expected ones as they stand, with their wildcards, where they
/// still match, and found ones where they don't.
pub(super) fn merged(expected: &[String], found: &[String]) -> Vec<String> {
    let edits = lines(expected, found);
    let kept = edits.into_iter().filter_map(|edit| match edit {
        Edit::Keep(line) | Edit::Add(line) => Some(line.to_owned()),
        Edit::Replace(old, new) => Some(merged_line(old, new)),
        Edit::Remove(_) => None,
    });
    kept.collect()
}

/// The found line, with the wildcards of the expected one where these still stand for something.
fn merged_line(expected: &str, found: &str) -> String {
    if !expected.contains(ANY_LETTERS) {
        return found.to_owned();
    }
    let pieces = Pieces { expected: split(expected), found: split(found), any: ANY_LETTERS };
    let merged: String = pieces
        .edits()
        .into_iter()
        .map(|edit| match edit {
            Edit::Keep(piece) | Edit::Add(piece) | Edit::Replace(_, piece) => piece,
            Edit::Remove(_) => "",
        })
        .collect();
    if line_matches(&merged, found) { merged } else { found.to_owned() }
}

/// Words, wildcards and single other letters, which together are the line.
fn split(line: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let end = if rest.starts_with(ANY_LETTERS) {
            ANY_LETTERS.len()
        } else if first.is_alphanumeric() {
            rest.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (piece, after) = rest.split_at(end);
        pieces.push(piece);
        rest = after;
    }
    pieces
}

impl<'a> Pieces<'a> {
    fn edits(&self) -> Vec<Edit<'a>> {
        let (costs, replacing) = self.costs();
        let Self { expected, found, any } = self;
        let mut edits = Vec::new();
        let (mut i, mut j) = (0, 0);
        while i < expected.len() || j < found.len() {
            let here = costs[i][j];
            if i < expected.len() && expected[i] == *any {
                if j < found.len() && here == costs[i][j + 1] {
                    j += 1;
                } else {
                    edits.push(Edit::Keep(expected[i]));
                    i += 1;
                }
            } else if i < expected.len()
                && j < found.len()
                && here == costs[i + 1][j + 1] + replacing[i][j]
            {
                edits.push(match replacing[i][j] {
                    0 => Edit::Keep(expected[i]),
                    _ => Edit::Replace(expected[i], found[j]),
                });
                (i, j) = (i + 1, j + 1);
            } else if i < expected.len() && here == costs[i + 1][j] + REMOVE {
                edits.push(Edit::Remove(expected[i]));
                i += 1;
            } else {
                edits.push(Edit::Add(found[j]));
                j += 1;
            }
        }
        edits
    }

    /// `costs[i][j]`: of turning `expected[i..]` into `found[j..]`; the second table has what it costs
    /// to replace the one piece by the other, 0 where it matches.
    fn costs(&self) -> (Vec<Vec<usize>>, Vec<Vec<usize>>) {
        let Self { expected, found, any } = self;
        let words = |pieces: &[&'a str]| -> Vec<Vec<&'a str>> {
            pieces.iter().map(|piece| sorted_words(piece)).collect()
        };
        let (expected_words, found_words) = (words(expected), words(found));
        let mut replacing = vec![vec![0; found.len()]; expected.len()];
        let mut costs = vec![vec![0; found.len() + 1]; expected.len() + 1];
        for i in (0..=expected.len()).rev() {
            for j in (0..=found.len()).rev() {
                let is_any = expected.get(i) == Some(any);
                let mut ways = Vec::with_capacity(3);
                if i < expected.len() {
                    ways.push(costs[i + 1][j] + if is_any { 0 } else { REMOVE });
                }
                if j < found.len() {
                    ways.push(costs[i][j + 1] + if is_any { 0 } else { ADD });
                }
                if i < expected.len() && j < found.len() && !is_any {
                    if !line_matches(expected[i], found[j]) {
                        let unlike = unlikeness(&expected_words[i], &found_words[j]);
                        replacing[i][j] = REPLACE_LIKE + unlike;
                    }
                    ways.push(costs[i + 1][j + 1] + replacing[i][j]);
                }
                costs[i][j] = ways.into_iter().min().unwrap_or(0);
            }
        }
        (costs, replacing)
    }
}

fn sorted_words(piece: &str) -> Vec<&str> {
    let mut words: Vec<&str> =
        split(piece).into_iter().filter(|word| !word.trim().is_empty()).collect();
    words.sort_unstable();
    words
}

/// From 0 for the same words to the most for no common one.
fn unlikeness(left: &[&str], right: &[&str]) -> usize {
    const MOST: usize = REPLACE_UNLIKE - REPLACE_LIKE;
    let (mut i, mut j, mut common) = (0, 0, 0);
    while i < left.len() && j < right.len() {
        match left[i].cmp(right[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => (i, j, common) = (i + 1, j + 1, common + 1),
        }
    }
    MOST - MOST * 2 * common / (left.len() + right.len()).max(1)
}

#[cfg(test)]
mod tests {
    use super::{merged, merged_line};

    fn texts(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[track_caller]
    fn check(expected: &str, found: &str, want: &str) {
        assert_eq!(merged(&texts(expected), &texts(found)).join("\n"), want);
    }

    #[test]
    fn lines_that_match_stay_as_they_are_written() {
        check("id [..]\nold\nend", "id 17\nnew\nend", "id [..]\nnew\nend");
        check("id [..]\nend", "id 17\nmore\nend", "id [..]\nmore\nend");
        check("id [..]\ngone\nend", "id 17\nend", "id [..]\nend");
    }

    #[test]
    fn dots_stay_and_the_line_beside_them_is_reworded() {
        check("a\n...\nwas it", "a\nb\nc\nis it", "a\n...\nis it");
        check("...\nit was so\n...", "a\nit is so\nb", "...\nit is so\n...");
        check("a\n...", "b\nc", "b\n...");
        check("...\nb", "a\nb\nc d", "...\nb\nc d");
    }

    #[test]
    fn a_reworded_line_keeps_its_wildcards() {
        let line = merged_line("made m-[..] in [..] ms", "wrote m-01AB-7 in 12 ms");
        assert_eq!(line, "wrote m-[..] in [..] ms");
        let line = merged_line(r#"{"id":"[..]","state":"old"}"#, r#"{"id":"x-1","state":"new"}"#);
        assert_eq!(line, r#"{"id":"[..]","state":"new"}"#);
        assert_eq!(merged_line("plain", "other"), "other");
    }
}
