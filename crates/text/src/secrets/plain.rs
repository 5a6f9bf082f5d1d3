//! A text without what hides in it: characters that nobody sees, letters that only look like ASCII,
//! and line breaks that a backslash takes back. A token that is split by them is still a token.

use unicode_normalization::UnicodeNormalization;

use crate::strings::may_hide;

/// The plain text, and where each of its bytes stands in the text that it was made of.
pub(super) struct Plain {
    pub(super) bytes: Vec<u8>,
    origins: Vec<usize>,
}

impl Plain {
    /// The plain form of `text`; none if it is plain already.
    pub(super) fn of(text: &str) -> Option<Self> {
        let is_joined = text.contains("\\\n") || text.contains("\\\r\n");
        // Most texts are plain, and bytes tell that faster than characters.
        let is_plain = |b: u8| matches!(b, b' '..=b'~') || b.is_ascii_whitespace();
        if !is_joined && (text.bytes().all(is_plain) || !text.chars().any(hides)) {
            return None;
        }
        let mut plain =
            Self { bytes: Vec::with_capacity(text.len()), origins: Vec::with_capacity(text.len()) };
        let mut characters = text.char_indices().peekable();
        while let Some((at, character)) = characters.next() {
            let rest = || text[at + 1..].trim_start_matches('\r');
            if character == '\\' && is_joined && rest().starts_with('\n') {
                while characters.next_if(|(_, next)| next.is_whitespace()).is_some() {}
            } else if !is_hidden(character) {
                plain.push(folded(character), at);
            }
        }
        Some(plain)
    }

    fn push(&mut self, character: char, at: usize) {
        let mut buffer = [0; 4];
        for byte in character.encode_utf8(&mut buffer).bytes() {
            self.bytes.push(byte);
            self.origins.push(at);
        }
    }

    /// Where the byte at `at` stands in the original; the end of the text for what is behind it.
    pub(super) fn origin(&self, at: usize, text: &str) -> usize {
        self.origins.get(at).copied().unwrap_or(text.len())
    }
}

fn hides(character: char) -> bool {
    is_hidden(character) || folded(character) != character
}

fn is_hidden(character: char) -> bool {
    may_hide(character) && !(character.is_control() && character.is_whitespace())
}

/// The ASCII character that a full-width or mathematical letter stands for, or itself.
fn folded(character: char) -> char {
    if character.is_ascii() {
        return character;
    }
    let mut forms = std::iter::once(character).nfkc();
    match (forms.next(), forms.next()) {
        (Some(form), None) if form.is_ascii_graphic() => form,
        _ => character,
    }
}
