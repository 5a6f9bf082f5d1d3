//! What was said, prepared for being searched.

use std::collections::{BTreeMap, BTreeSet};

use super::numbers;
use oldhand_text::terms::{self, Form};

pub(super) struct Heard {
    /// Lower case, single spaces, without quotes and marks of Markdown.
    flat: String,
    letters: String,
    stems: BTreeSet<String>,
    numbers: BTreeMap<String, BTreeSet<&'static str>>,
}

impl Heard {
    pub(super) fn new(excerpt: &str) -> Self {
        let flat = fold(excerpt);
        let letters = letters_of(&flat);
        Self { flat, letters, stems: stems(excerpt), numbers: numbers::said(excerpt) }
    }

    /// The text, wherever it begins and ends.
    pub(super) fn has(&self, text: &str) -> bool {
        self.flat.contains(fold(text).trim())
    }

    /// The text as whole words: `max` is not in `maximum`.
    pub(super) fn has_word(&self, text: &str) -> bool {
        let folded = fold(text);
        let needle = folded.trim();
        if needle.is_empty() {
            return true;
        }
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let (opens, closes) = (needle.starts_with(is_part), needle.ends_with(is_part));
        self.flat.match_indices(needle).any(|(at, _)| {
            let before = self.flat[..at].chars().next_back();
            let behind = self.flat[at + needle.len()..].chars().next();
            let is_cut =
                opens && before.is_some_and(is_part) || closes && behind.is_some_and(is_part);
            !is_cut
        })
    }

    /// The same letters with other signs between them: `max retries` for `MAX_RETRIES`.
    pub(super) fn has_letters(&self, text: &str) -> bool {
        let letters = letters_of(&fold(text));
        letters.len() >= 4 && self.letters.contains(&letters)
    }

    /// The number with this unit, or without any.
    pub(super) fn has_number(&self, value: &str, unit: &str) -> bool {
        let is_same = |units: &BTreeSet<&'static str>| {
            unit.is_empty() || units.contains(unit) || units.contains("")
        };
        self.numbers.get(value).is_some_and(is_same)
    }

    pub(super) fn has_any_stem(&self, text: &str) -> bool {
        self.support(text).0 > 0.0
    }

    /// The part of the telling words that were said, with how many there are.
    pub(super) fn support(&self, text: &str) -> (f64, usize) {
        let mut stems = stems(text);
        stems.retain(|stem| !terms::is_common(stem));
        let said = stems.iter().filter(|stem| self.stems.contains(*stem)).count();
        let part = if stems.is_empty() { 1.0 } else { said as f64 / stems.len() as f64 };
        (part, stems.len())
    }
}

fn stems(text: &str) -> BTreeSet<String> {
    let mut stems = BTreeSet::new();
    terms::each_term(text, &mut |term, form, _| {
        if form == Form::Stem {
            stems.insert(term.to_owned());
        }
    });
    stems
}

fn letters_of(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Signs that say how a text is set, not what it says.
pub(super) fn is_mark(character: char) -> bool {
    matches!(character, '`' | '*' | '"' | '\'' | '“' | '”' | '„' | '‘' | '’' | '«' | '»')
}

/// Each character alone, so that a piece of a text is a piece of what comes out.
pub(super) fn fold(text: &str) -> String {
    let mut flat = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_whitespace() || is_mark(character) {
            if !flat.ends_with(' ') {
                flat.push(' ');
            }
        } else if character == '\\' {
            flat.push('/');
        } else {
            flat.extend(character.to_lowercase());
        }
    }
    flat
}
