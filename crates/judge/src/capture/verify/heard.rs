//! What was said, prepared for being searched. Numbers are compared with their units: `1,000 ms` and
//! `1000ms` are the same.

use std::collections::{BTreeMap, BTreeSet};

use oldhand_text::lexicon::same;
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
        Self { flat, letters, stems: stems(excerpt), numbers: said_numbers(excerpt) }
    }

    /// The text, wherever it begins and ends.
    pub(super) fn has(&self, text: &str) -> bool {
        self.flat.contains(fold(text).trim())
    }

    /// The text as whole words: `max` is not in `maximum`.
    pub(super) fn has_word(&self, text: &str) -> bool {
        let folded = fold(text);
        let needle = folded.trim();
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let (opens, closes) = (needle.starts_with(is_part), needle.ends_with(is_part));
        let is_cut = |at: usize| {
            let (before, behind) = (&self.flat[..at], &self.flat[at + needle.len()..]);
            opens && before.ends_with(is_part) || closes && behind.starts_with(is_part)
        };
        needle.is_empty() || self.flat.match_indices(needle).any(|(at, _)| !is_cut(at))
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

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Number {
    pub value: String,
    /// Empty without one that is known.
    pub unit: &'static str,
    /// Letters behind it that are no unit: `1st`, `4k`.
    pub suffix: String,
}

/// The words of each unit; the first one names it.
const UNITS: &str = "ms millisecond milliseconds msec|s sec secs second seconds|\
     min mins minute minutes|h hr hrs hour hours|day d days|week weeks|month months|year years|\
     % percent pct|kb kib kilobytes|mb mib megabytes|gb gib gigabytes|tb tib terabytes|\
     byte b bytes";

/// All numbers of a text with the units that they have there; words for small ones too.
fn said_numbers(text: &str) -> BTreeMap<String, BTreeSet<&'static str>> {
    let mut numbers: BTreeMap<String, BTreeSet<&'static str>> = BTreeMap::new();
    let mut add = |value: String, unit| {
        numbers.entry(value).or_default().insert(unit);
    };
    each_number(text, &mut |number, _| add(number.value, number.unit));
    // The lexicon has number words as other forms of their digits.
    for word in text.split(|c: char| !c.is_alphabetic()) {
        let value = same::stem_of(&word.to_lowercase());
        if value.starts_with(|c: char| c.is_ascii_digit()) {
            add(value, "");
        }
    }
    numbers
}

/// The numbers of one piece of text that do not belong to a word, as in `port=80` and `$300`.
pub(super) fn claimed_numbers(text: &str) -> Vec<Number> {
    let mut numbers = Vec::new();
    each_number(text, &mut |number, before| {
        if !before.is_some_and(|c| c.is_alphanumeric() || c == '_') {
            numbers.push(number);
        }
    });
    numbers
}

/// Gives each number with the character before it. What follows a second point is no number: 1.2.3.
fn each_number(text: &str, take: &mut dyn FnMut(Number, Option<char>)) {
    let mut at = 0;
    while let Some(found) = text[at..].find(|c: char| c.is_ascii_digit()) {
        let from = at + found;
        let (number, length) = read_number(&text[from..]);
        let head = &text.as_bytes()[..from];
        if !matches!(head, [.., digit, b'.'] if digit.is_ascii_digit()) {
            take(number, text[..from].chars().next_back());
        }
        at = from + length;
    }
}

/// The number that the text begins with, and how many bytes it has without its unit.
fn read_number(text: &str) -> (Number, usize) {
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut value = String::new();
    let mut at = 0;
    let mut has_point = false;
    while at < bytes.len() {
        match bytes[at] {
            digit if digit.is_ascii_digit() => value.push(char::from(digit)),
            b'_' if is_digit(at + 1) => {}
            // A comma groups by three; in a list it does not.
            b',' if !has_point && (1..4).all(|it| is_digit(at + it)) && !is_digit(at + 4) => {}
            b'.' if is_digit(at + 1) && !has_point => {
                has_point = true;
                value.push('.');
            }
            _ => break,
        }
        at += 1;
    }
    let rest = &text[at..];
    let suffix_length =
        rest.find(|c: char| !(c.is_alphanumeric() || c == '%')).unwrap_or(rest.len());
    let suffix = &rest[..suffix_length];
    let unit = if suffix.is_empty() { next_word(rest) } else { suffix };
    let unit = unit_of(unit);
    let suffix = if unit.is_empty() { suffix.to_lowercase() } else { String::new() };
    (Number { value: canonical(&value), unit, suffix }, at)
}

/// `300 ms`, `5-minute`
fn next_word(rest: &str) -> &str {
    let Some(word) = rest.strip_prefix([' ', '-']) else { return "" };
    let end = word.find(|c: char| !(c.is_alphabetic() || c == '%')).unwrap_or(word.len());
    &word[..end]
}

fn unit_of(word: &str) -> &'static str {
    let word = word.to_lowercase();
    let unit = UNITS.split('|').find(|words| words.split(' ').any(|it| it == word));
    unit.and_then(|words| words.split(' ').next()).unwrap_or_default()
}

fn canonical(value: &str) -> String {
    let value =
        if value.contains('.') { value.trim_end_matches('0').trim_end_matches('.') } else { value };
    let bare = value.trim_start_matches('0');
    if bare.is_empty() || bare.starts_with('.') { format!("0{bare}") } else { bare.to_owned() }
}
