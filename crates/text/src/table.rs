//! Tables of words, each in one text: words are separated by blanks, phrases by bars.

use memchr::memmem;

/// Whether the table has this word.
pub fn has(words: &str, word: &str) -> bool {
    words.split_ascii_whitespace().any(|it| it == word)
}

/// The phrases of a table.
pub fn phrases(table: &'static str) -> impl Iterator<Item = &'static str> {
    table.split('|')
}

/// Whether the text begins with one of the phrases.
pub fn begins(table: &'static str, text: &str) -> bool {
    let text = text.as_bytes();
    let mut phrases = table.as_bytes().split(|byte| *byte == b'|');
    phrases.any(|it| it.first() == text.first() && text.starts_with(it))
}

/// Whether one of the phrases is somewhere in the text.
pub fn holds(table: &'static str, text: &str) -> bool {
    phrases(table).any(|it| memmem::find(text.as_bytes(), it.as_bytes()).is_some())
}

/// Whether a word stands on its own in the text; `-` and `_` belong to words.
pub fn has_word(text: &str, word: &str) -> bool {
    has_apart(text, word, |c| c.is_alphanumeric() || c == '-' || c == '_')
}

/// Whether a part stands in the text with no inner character right before or behind it.
pub fn has_apart(text: &str, part: &str, is_inner: impl Fn(char) -> bool) -> bool {
    text.match_indices(part).any(|(at, _)| {
        !text[..at].ends_with(&is_inner) && !text[at + part.len()..].starts_with(&is_inner)
    })
}
