//! The words of a text: lower-cased, stemmed, and weighed by how much they say about a subject.

use super::{same, stop};
use crate::table;

/// One word and what it is worth.
#[derive(Debug, Clone, PartialEq)]
pub struct Word {
    /// Lower-cased, without apostrophes.
    pub text: String,
    pub stem: String,
    /// Byte offset in the text.
    pub start: usize,
    /// Punctuation that separates clauses comes before it.
    pub is_after_break: bool,
    pub is_capital: bool,
    pub is_all_capitals: bool,
    /// 0 for a function word, 1 for a word that names a subject, 2 for a name from code.
    pub weight: f64,
}

/// A preposition ends the thing that was named before it.
pub const PREPOSITIONS: &str = "as at before after between by during for from in inside into of on \
     over through to under until via when where while with within";

impl Word {
    pub fn is(&self, words: &str) -> bool {
        table::has(words, &self.text)
    }

    pub fn has_stem(&self, stems: &str) -> bool {
        table::has(stems, &self.stem)
    }

    /// A verb of making and keeping that says little about what the sentence is about.
    pub fn is_light(&self) -> bool {
        stop::is(&self.stem, stop::LIGHT)
    }
}

/// Where the first word from `from` on stands that ends something; else the end of the words.
pub fn until(words: &[Word], from: usize, ends: impl Fn(&Word) -> bool) -> usize {
    words.iter().skip(from).position(ends).map_or(words.len(), |by| from + by)
}

/// How many words one of the phrases has that the words begin with.
pub fn opening(words: &[Word], phrases: &'static str) -> Option<usize> {
    let length = |phrase: &str| {
        let wanted = phrase.split(' ');
        let count = wanted.clone().count();
        let is_met = words.iter().zip(wanted).all(|(word, it)| word.text == it);
        (is_met && words.len() >= count).then_some(count)
    };
    table::phrases(phrases).find_map(length)
}

/// Whether one of the phrases is somewhere among the words.
pub fn has_phrase(words: &[Word], phrases: &'static str) -> bool {
    (0..words.len()).any(|at| opening(&words[at..], phrases).is_some())
}

pub fn words_of(text: &str) -> Vec<Word> {
    let mut scan = Scan::default();
    let mut before = ' ';
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let after = characters.peek().map_or(' ', |(_, after)| *after);
        scan.take(at, [before, character, after]);
        before = character;
    }
    scan.end_word();
    scan.words
}

#[derive(Default)]
struct Scan {
    words: Vec<Word>,
    word: String,
    start: usize,
    is_after_break: bool,
}

impl Scan {
    fn take(&mut self, at: usize, [before, character, after]: [char; 3]) {
        let is_inside = before.is_alphanumeric() && after.is_alphanumeric();
        match character {
            _ if character.is_alphanumeric() || character == '_' => {
                // `30s` and `10MB` are a number and its unit; `s3` is a name.
                if character.is_alphabetic() && is_number(&self.word) {
                    self.end_word();
                }
                self.push(at, character);
            }
            // A date or a range is one word.
            '-' | '/' if before.is_ascii_digit() && after.is_ascii_digit() => {
                self.push(at, character)
            }
            '.' | ':' if is_inside => self.push(at, character),
            // A thousand with its separator.
            ',' if before.is_ascii_digit() && after.is_ascii_digit() => {}
            '\'' | '\u{2019}' if is_inside => self.push(at, '\''),
            '+' | '#' if !self.word.is_empty() => self.push(at, character),
            '%' | '<' | '>' | '\u{2264}' | '\u{2265}' => {
                self.end_word();
                self.push(at, character);
                self.end_word();
            }
            ',' | ';' | ':' | '(' | ')' | '!' | '?' | '"' | '\n' | '\u{2013}' | '\u{2014}' => {
                self.end_word();
                self.is_after_break = true;
            }
            _ => {
                self.end_word();
                self.is_after_break |= character == '.' && after.is_whitespace();
            }
        }
    }

    fn push(&mut self, at: usize, character: char) {
        if self.word.is_empty() {
            self.start = at;
        }
        self.word.push(character);
    }

    fn end_word(&mut self) {
        let written = std::mem::take(&mut self.word);
        let written = written.trim_end_matches('\'');
        let bare = written.strip_suffix("'s").unwrap_or(written);
        if bare.is_empty() {
            return;
        }
        let letters = || bare.chars().filter(|c| c.is_alphabetic());
        let is_all_capitals = letters().count() > 1 && letters().all(char::is_uppercase);
        let text: String =
            bare.chars().filter(|c| *c != '\'').flat_map(char::to_lowercase).collect();
        let stem = same::stem_of(&text);
        let is_camel = bare.starts_with(char::is_lowercase) && bare.contains(char::is_uppercase);
        // `get` is filler in a question; in capitals it is a method of HTTP.
        let weight = match () {
            () if is_camel || bare.contains('_') => 2.0,
            () if is_all_capitals && text.len() > 2 => 1.0,
            () if stop::is(&text, stop::COMMON) => 0.0,
            () if stop::is(&stem, stop::EMPTY) => 0.0,
            () if stop::is(&stem, stop::GENERIC) => 0.5,
            () => 1.0,
        };
        self.words.push(Word {
            stem,
            start: self.start,
            is_after_break: std::mem::take(&mut self.is_after_break),
            is_capital: bare.starts_with(char::is_uppercase),
            is_all_capitals,
            weight,
            text,
        });
    }
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}
