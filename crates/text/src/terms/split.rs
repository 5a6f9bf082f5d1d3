//! The terms of one span: a compound as it was written, then its components down to single words.

use std::ops::Range;

use super::Form;
use super::fold::{Keep, fold_ascii_into, fold_into};
use super::scan::{Class, class, is_hangul};
use super::stem::Stems;

/// What a compound is taken apart at, outermost first.
const LEVELS: [&[char]; 3] = [&['/', '\\', '@'], &['.', ':'], &['_', '-', '\u{2010}', '\u{2011}']];

pub(super) struct Splitter<'a> {
    pub(super) text: &'a str,
    pub(super) stems: &'a mut Stems,
    pub(super) folded: &'a mut String,
    pub(super) take: &'a mut dyn FnMut(&str, Form, Range<usize>),
}

impl Splitter<'_> {
    /// A word or number that is not split any further.
    fn word(&mut self, span: Range<usize>) {
        fold_into(&self.text[span.clone()], Keep::Letters, self.folded);
        self.give(span);
    }

    /// The same for a word of ASCII letters or digits.
    pub(super) fn plain_word(&mut self, span: Range<usize>) {
        fold_ascii_into(&self.text[span.clone()], self.folded);
        self.give(span);
    }

    fn give(&mut self, span: Range<usize>) {
        let stem = self.stems.stem(self.folded);
        (self.take)(stem, Form::Stem, span.clone());
        if stem != self.folded {
            (self.take)(self.folded, Form::Exact, span);
        }
    }

    pub(super) fn compound(&mut self, span: Range<usize>) {
        if self.text[span.clone()].ends_with(['+', '#']) {
            self.whole(span.clone());
            self.word(span.start..span.start + 1);
            return;
        }
        self.level(span, 0);
    }

    /// Pairs of neighbours, as such a script has no spaces. Korean has, and its words are terms too.
    pub(super) fn unspaced(&mut self, span: Range<usize>) {
        let text = self.text;
        let raw = &text[span.clone()];
        let mut starts = Vec::from_iter(
            raw.char_indices()
                .filter(|(offset, it)| *offset == 0 || class(*it) != Class::Extend)
                .map(|(offset, _)| span.start + offset),
        );
        starts.push(span.end);
        match starts.len() {
            0..=3 => self.word(span),
            _ => {
                if raw.chars().all(is_hangul) {
                    self.whole(span);
                }
                for pair in starts.windows(3) {
                    self.word(pair[0]..pair[2]);
                }
            }
        }
    }

    fn whole(&mut self, span: Range<usize>) {
        fold_into(&self.text[span.clone()], Keep::Joiners, self.folded);
        (self.take)(self.folded, Form::Whole, span);
    }

    fn level(&mut self, span: Range<usize>, depth: usize) {
        let Some(separators) = LEVELS.get(depth) else { return self.humps(span) };
        let text = self.text;
        if !text[span.clone()].contains(*separators) {
            return self.level(span, depth + 1);
        }
        self.whole(span.clone());
        if depth == 1 {
            self.version(span.clone());
        }
        let mut start = span.start;
        for piece in text[span].split_inclusive(*separators) {
            let is_joiner = |it| class(it) == Class::Joiner;
            let from = start + piece.len() - piece.trim_start_matches(is_joiner).len();
            let trimmed = piece.trim_matches(is_joiner);
            if !trimmed.is_empty() {
                self.level(from..from + trimmed.len(), depth + 1);
            }
            start += piece.len();
        }
    }

    /// `v1.2.3` is also found as `1.2.3`.
    fn version(&mut self, span: Range<usize>) {
        if let [b'v' | b'V', b'0'..=b'9', ..] = self.text.as_bytes()[span.clone()] {
            self.whole(span.start + 1..span.end);
        }
    }

    /// The words of `camelCase`, and the name in one word: people write `github` for `GitHub`.
    fn humps(&mut self, span: Range<usize>) {
        let text = self.text;
        let raw = &text[span.clone()];
        let mut ends = humps(raw);
        if !ends.is_empty() {
            self.whole(span.clone());
            if !raw.chars().any(|it| class(it) == Class::Digit) {
                self.word(span.clone());
            }
        }
        ends.push(raw.len());
        let mut hump = 0;
        for end in ends {
            self.part(span.start + hump..span.start + end);
            hump = end;
        }
    }

    /// `sha256` is found by its name and by its number; `E0502` and hashes stay in one.
    fn part(&mut self, span: Range<usize>) {
        let raw = &self.text[span.clone()];
        let name = raw.trim_end_matches(|it: char| it.is_ascii_digit());
        let is_name = name.len() >= 2 && name.bytes().all(|byte| byte.is_ascii_alphabetic());
        if !is_name || name.len() == raw.len() {
            return self.word(span);
        }
        let number = span.start + name.len();
        self.whole(span.clone());
        self.word(span.start..number);
        self.word(number..span.end);
    }
}

/// Byte offsets inside of a name where its next word begins.
fn humps(raw: &str) -> Vec<usize> {
    let mut humps = Vec::new();
    let (mut before, mut has_letter) = (Class::Gap, false);
    for (offset, character) in raw.char_indices() {
        let class = class(character);
        let is_hump = match (before, class) {
            (_, Class::Extend | Class::Apostrophe) => continue,
            (Class::Lower, Class::Upper) => true,
            (Class::Digit, Class::Upper) => has_letter,
            (Class::Upper, Class::Upper) => begins_word(&raw[offset + character.len_utf8()..]),
            _ => false,
        };
        humps.extend(is_hump.then_some(offset));
        before = class;
        has_letter |= class != Class::Digit;
    }
    humps
}

/// Behind two capitals: is the second the first letter of a word? In `URLs` it is not.
fn begins_word(rest: &str) -> bool {
    let mut classes = rest.chars().map(|it| (it, class(it))).filter(|it| it.1 != Class::Extend);
    let Some((first, Class::Lower)) = classes.next() else { return false };
    let is_plural = first == 's' && classes.next().is_none_or(|it| it.1 != Class::Lower);
    !is_plural
}
