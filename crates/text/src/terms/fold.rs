//! One spelling for what readers take as the same: case, accents, and compatibility forms.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

use super::TERM_BYTES_MAX;
use super::scan::plain_joiner;

/// More of a raw span is not looked at: its term is cut long before.
const RAW_BYTES_MAX: usize = 4 * TERM_BYTES_MAX;

/// What a folded text may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    Letters,
    Joiners,
}

/// Replaces `folded` with the folded form of `raw`, at most `TERM_BYTES_MAX` bytes and not empty.
pub(super) fn fold_into(raw: &str, keep: Keep, folded: &mut String) {
    let raw = cut(raw, RAW_BYTES_MAX);
    folded.clear();
    if raw.is_ascii() && (keep == Keep::Joiners || !raw.contains('\'')) {
        return fold_ascii_into(raw, folded);
    }
    let base = if keep == Keep::Letters { without_possessive(raw) } else { raw };
    let plain: String = base.chars().filter(|it| !is_stripped(*it)).flat_map(folded_case).collect();
    let marked = plain.nfkd().filter(|it| !is_stripped(*it)).flat_map(folded_case);
    let unmarked = marked.filter(|it| !is_stripped(*it)).map(plain_joiner).nfc();
    folded.extend(unmarked.filter(|it| keep == Keep::Joiners || is_letter(*it)));
    if folded.is_empty() {
        folded.push_str(raw);
    }
    folded.truncate(cut(folded, TERM_BYTES_MAX).len());
}

/// A whole text, each of its characters by itself.
pub(super) fn folded(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return match text.bytes().any(|it| it.is_ascii_uppercase()) {
            true => Cow::Owned(text.to_ascii_lowercase()),
            false => Cow::Borrowed(text),
        };
    }
    let plain = text.chars().filter(|it| !is_stripped(*it)).flat_map(folded_case);
    let marked = plain.nfkd().filter(|it| !is_stripped(*it)).flat_map(folded_case);
    Cow::Owned(marked.filter(|it| !is_stripped(*it)).nfc().collect())
}

/// The same for ASCII without an apostrophe.
pub(super) fn fold_ascii_into(raw: &str, folded: &mut String) {
    folded.clear();
    folded.push_str(cut(raw, TERM_BYTES_MAX));
    folded.make_ascii_lowercase();
}

fn is_letter(character: char) -> bool {
    character.is_alphanumeric() || unicode_normalization::char::is_combining_mark(character)
}

fn without_possessive(word: &str) -> &str {
    let Some(rest) = word.strip_suffix(['s', 'S']) else { return word };
    rest.strip_suffix(['\'', '\u{2019}', '\u{2bc}', '\u{ff07}']).unwrap_or(word)
}

fn cut(text: &str, bytes_max: usize) -> &str {
    &text[..text.floor_char_boundary(bytes_max)]
}

/// Accents of Latin, Greek and Cyrillic, and the points of Hebrew and Arabic. The vowel signs of
/// Indic scripts and the voicing marks of kana make other words, and stay.
fn is_stripped(character: char) -> bool {
    matches!(character,
        '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}' | '\u{5c2}'
        | '\u{5c4}' | '\u{5c5}' | '\u{5c7}' | '\u{640}' | '\u{64b}'..='\u{65f}' | '\u{670}'
        | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}'
        | '\u{fe20}'..='\u{fe2f}' | '\u{ad}' | '\u{200c}' | '\u{200d}' | '\u{2060}')
}

/// Lower case, with the letters that have no decomposition but are typed without their stroke.
fn folded_case(character: char) -> impl Iterator<Item = char> {
    let replaced = match character {
        'ß' | 'ẞ' => "ss",
        'æ' | 'Æ' => "ae",
        'œ' | 'Œ' => "oe",
        'ø' | 'Ø' => "o",
        'ł' | 'Ł' => "l",
        'đ' | 'Đ' | 'ð' | 'Ð' => "d",
        'þ' | 'Þ' => "th",
        'ħ' | 'Ħ' => "h",
        'ŧ' | 'Ŧ' => "t",
        'ı' => "i",
        'ς' => "σ",
        _ => "",
    };
    let lowered = character.to_lowercase().filter(|_| replaced.is_empty());
    replaced.chars().chain(lowered)
}
