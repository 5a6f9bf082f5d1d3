//! Phrases and the words of a text that they are compared with. A phrase is words with alternatives
//! and gaps: `a|b` is either, `a?` may be left out, `a*` is any word that begins like this, `_` is
//! any word, `..` are up to three, `...` up to eight.

use std::borrow::Cow;

/// A word of a text, by its bytes.
pub(super) struct Word<'t> {
    /// In lower case. Code and quotes stand in a sentence like a word, and say nothing themselves.
    pub(super) text: Cow<'t, str>,
    pub(super) start: usize,
    pub(super) end: usize,
}

pub(super) fn words_of(text: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(character) = text[at..].chars().next() {
        let start = at;
        at += character.len_utf8();
        if let Some(end) = closing(character, text, start) {
            at = end;
            words.push(Word { text: Cow::Borrowed(""), start, end });
        } else if is_letter(character) {
            let rest = &text[start..];
            let length = rest.find(|c| !is_letter(c) && !joins(c)).unwrap_or(rest.len());
            let bare = rest[..length].trim_end_matches(joins);
            at = start + length;
            // The name of a flag, such as `--limit`, is no word of the sentence.
            let is_flag = text[..start].ends_with('-');
            let said = if is_flag { "" } else { bare };
            words.push(Word { text: lowered(said), start, end: start + bare.len() });
        } else if character == ':' {
            words.push(Word { text: Cow::Borrowed(":"), start, end: at });
        }
    }
    words
}

/// A part of a phrase.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) any_of: Vec<&'static str>,
    is_optional: bool,
}

impl Part {
    pub(super) fn of(part: &'static str) -> Self {
        let any_of = part.trim_end_matches('?').split('|').collect();
        Self { any_of, is_optional: part.ends_with('?') }
    }
}

/// How many words the parts of a phrase take from here.
pub(super) fn length(parts: &[Part], words: &[Word<'_>]) -> Option<usize> {
    let Some((part, rest)) = parts.split_first() else { return Some(0) };
    let behind = |skipped: usize| Some(length(rest, words.get(skipped..)?)? + skipped);
    match part.any_of.as_slice() {
        ["_"] => behind(1),
        [".."] => (0..=3).find_map(behind),
        ["..."] => (0..=8).find_map(behind),
        any_of => {
            let is_met = words.first().is_some_and(|word| any_of.iter().any(|it| fits(it, word)));
            let here = if is_met { behind(1) } else { None };
            here.or_else(|| if part.is_optional { behind(0) } else { None })
        }
    }
}

fn fits(wanted: &str, word: &Word<'_>) -> bool {
    match wanted.strip_suffix('*') {
        Some(start) => word.text.starts_with(start),
        None => word.text == wanted,
    }
}

/// Most words of a text are as they are.
fn lowered(word: &str) -> Cow<'_, str> {
    match word.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        true => Cow::Borrowed(word),
        false => Cow::Owned(word.to_lowercase().replace('’', "'")),
    }
}

fn is_letter(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '$' | '@')
}

/// Inside of a word: `don't`, `trade-off`, `foo.rs`, `a/b`.
fn joins(character: char) -> bool {
    matches!(character, '\'' | '’' | '-' | '.' | '/')
}

/// The end of the code or the quote that opens here; quotes end on their line by nature.
fn closing(character: char, text: &str, start: usize) -> Option<usize> {
    let pairs = [('`', '`'), ('"', '"'), ('“', '”'), ('„', '“'), ('«', '»')];
    let (_, close) = pairs.into_iter().find(|(open, _)| *open == character)?;
    let from = start + character.len_utf8();
    text[from..].find(close).map(|at| from + at + close.len_utf8())
}
