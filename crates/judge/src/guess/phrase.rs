//! Phrases and the words of a text that they are compared with. A phrase is words with alternatives
//! and gaps: `a|b` is either, `a?` may be left out, `a*` is any word that begins like this, `_` is
//! any word, `..` are up to three, `...` up to eight.

/// A word of a text, by its bytes.
pub(super) struct Word {
    /// In lower case. Code and quotes stand in a sentence like a word, and say nothing themselves.
    pub(super) text: String,
    pub(super) start: usize,
    pub(super) end: usize,
}

pub(super) fn words_of(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(character) = text[at..].chars().next() {
        let start = at;
        at += character.len_utf8();
        if let Some(end) = closing(character, text, start) {
            at = end;
            words.push(Word { text: String::new(), start, end });
        } else if is_letter(character) {
            let rest = &text[start..];
            let length = rest.find(|c| !is_letter(c) && !joins(c)).unwrap_or(rest.len());
            let bare = rest[..length].trim_end_matches(joins);
            at = start + length;
            // The name of a flag, such as `--limit`, is no word of the sentence.
            let is_flag = text[..start].ends_with('-');
            let said = if is_flag { "" } else { bare };
            let text = said.to_lowercase().replace('’', "'");
            words.push(Word { text, start, end: start + bare.len() });
        } else if character == ':' {
            words.push(Word { text: ":".to_owned(), start, end: at });
        }
    }
    words
}

/// How many words the parts of a phrase take from here.
pub(super) fn length(parts: &[&str], words: &[Word]) -> Option<usize> {
    let Some((part, rest)) = parts.split_first() else { return Some(0) };
    let behind = |skipped: usize| Some(length(rest, words.get(skipped..)?)? + skipped);
    match *part {
        "_" => behind(1),
        ".." => (0..=3).find_map(behind),
        "..." => (0..=8).find_map(behind),
        any_of => {
            let is_met =
                words.first().is_some_and(|word| alternatives(any_of).any(|it| fits(it, word)));
            let here = if is_met { behind(1) } else { None };
            here.or_else(|| if any_of.ends_with('?') { behind(0) } else { None })
        }
    }
}

pub(super) fn alternatives(part: &str) -> impl Iterator<Item = &str> {
    part.trim_end_matches('?').split('|')
}

fn fits(wanted: &str, word: &Word) -> bool {
    match wanted.strip_suffix('*') {
        Some(start) => word.text.starts_with(start),
        None => word.text == wanted,
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
