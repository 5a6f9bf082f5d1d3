//! Where words and compounds begin and end, and which class a character has.

use std::ops::Range;

use unicode_normalization::char::is_combining_mark;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Gap,
    Lower,
    Upper,
    Digit,
    /// A letter without case.
    Letter,
    /// Belongs to the character before it.
    Extend,
    /// May stand between the words of a compound.
    Joiner,
    Apostrophe,
    /// Of a script that puts no spaces between words.
    Unspaced,
}

impl Class {
    pub(super) fn is_word(self) -> bool {
        matches!(self, Class::Lower | Class::Upper | Class::Digit | Class::Letter)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Script {
    /// ASCII letters, lower-case but for the first, or ASCII digits alone: nothing to split.
    Word,
    Compound,
    Unspaced,
}

#[derive(Debug, Clone)]
pub(super) struct Span {
    pub(super) bytes: Range<usize>,
    pub(super) script: Script,
}

/// The next span that begins at or behind a byte offset.
pub(super) fn next(text: &str, from: usize) -> Option<Span> {
    text[from..].char_indices().find_map(|(offset, character)| {
        let at = from + offset;
        match class(character) {
            Class::Unspaced => {
                let end = end_of_unspaced(text, at);
                Some(Span { bytes: at..end, script: Script::Unspaced })
            }
            Class::Extend if character.is_alphanumeric() => Some(compound(text, at)),
            class => class.is_word().then(|| compound(text, at)),
        }
    })
}

fn compound(text: &str, start: usize) -> Span {
    let mut at = start;
    let (mut letters, mut digits, mut mixed) = (false, false, false);
    while let Some(character) = text[at..].chars().next() {
        let mut next = at + character.len_utf8();
        mixed |= !character.is_ascii();
        match class(character) {
            Class::Unspaced | Class::Gap => break,
            Class::Apostrophe | Class::Joiner => match end_of_joint(text, at) {
                Some(end) => (mixed, next) = (true, end),
                None => break,
            },
            Class::Lower => letters = true,
            Class::Digit => digits = true,
            Class::Upper if at == start => letters = true,
            _ => mixed = true,
        }
        at = next;
    }
    let plain = !mixed && letters != digits;
    let end = if at == start + 1 { end_of_language(text.as_bytes(), start) } else { at };
    let script = if plain && end == at { Script::Word } else { Script::Compound };
    Span { bytes: start..end, script }
}

/// `C++`, `C#` and `F#` are names, and the letter alone says nothing.
fn end_of_language(bytes: &[u8], start: usize) -> usize {
    let rest = &bytes[start + 1..];
    let mark = if rest.starts_with(b"++") { 2 } else { usize::from(rest.starts_with(b"#")) };
    let goes_on = rest.get(mark).is_some_and(|byte| byte.is_ascii_alphanumeric());
    let is_letter = bytes[start].is_ascii_alphabetic();
    if is_letter && !goes_on { start + 1 + mark } else { start + 1 }
}

/// Where the compound goes on behind the joiners at `at`, if they join.
fn end_of_joint(text: &str, at: usize) -> Option<usize> {
    let mut joint = [' '; 2];
    let mut marks = 0;
    for (offset, character) in text[at..].char_indices().take(JOINT_CHARS_MAX + 1) {
        match class(character) {
            Class::Apostrophe if offset == 0 => return end_of_contraction(text, at, character),
            Class::Joiner if character == '_' => {}
            Class::Joiner => {
                *joint.get_mut(marks)? = plain_joiner(character);
                marks += 1;
            }
            class if class.is_word() => return joins(&joint[..marks]).then_some(at + offset),
            _ => return None,
        }
    }
    None
}

/// Dunder names with an extension need three; more is a drawing.
const JOINT_CHARS_MAX: usize = 4;

fn joins(joint: &[char]) -> bool {
    match joint {
        // `main..topic`, `one--two` and `key:value` are two things each.
        [] => true,
        [single] => *single != ':',
        [':', ':'] | ['\\', '\\'] => true,
        ['/' | '\\', '.' | '@' | '-'] => true,
        _ => false,
    }
}

/// `don't` and `dog's` are one word; `l'eau` and `we're` are two.
fn end_of_contraction(text: &str, at: usize, apostrophe: char) -> Option<usize> {
    let behind = at + apostrophe.len_utf8();
    let mut rest = text[behind..].chars();
    let is_ending = matches!(rest.next(), Some('s' | 't' | 'S' | 'T'));
    let ends = rest.next().is_none_or(|next| {
        let class = class(next);
        !class.is_word() && class != Class::Extend
    });
    (is_ending && ends).then_some(behind)
}

fn end_of_unspaced(text: &str, start: usize) -> usize {
    let rest = &text[start..];
    let is_outside = |character: char| !matches!(class(character), Class::Unspaced | Class::Extend);
    start + rest.find(is_outside).unwrap_or(rest.len())
}

/// The ASCII joiner that a character stands for.
pub(super) fn plain_joiner(character: char) -> char {
    if matches!(character, '\u{2010}' | '\u{2011}') { '-' } else { character }
}

const ASCII: [Class; 128] = {
    let mut table = [Class::Gap; 128];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = match byte as u8 {
            b'a'..=b'z' => Class::Lower,
            b'A'..=b'Z' => Class::Upper,
            b'0'..=b'9' => Class::Digit,
            b'_' | b'-' | b'.' | b'/' | b'\\' | b'@' | b':' => Class::Joiner,
            b'\'' => Class::Apostrophe,
            _ => Class::Gap,
        };
        byte += 1;
    }
    table
};

pub(super) fn class(character: char) -> Class {
    if character.is_ascii() {
        return ASCII[character as usize];
    }
    match character {
        '\u{2019}' | '\u{2bc}' | '\u{ff07}' => Class::Apostrophe,
        '\u{2010}' | '\u{2011}' => Class::Joiner,
        '\u{ad}' | '\u{200c}' | '\u{200d}' | '\u{2060}' => Class::Extend,
        '\u{ff9e}' | '\u{ff9f}' => Class::Extend,
        _ if is_combining_mark(character) => Class::Extend,
        _ if !character.is_alphanumeric() => Class::Gap,
        _ if is_unspaced(character) => Class::Unspaced,
        _ if character.is_uppercase() => Class::Upper,
        _ if character.is_lowercase() => Class::Lower,
        _ if character.is_numeric() => Class::Digit,
        _ => Class::Letter,
    }
}

fn is_unspaced(character: char) -> bool {
    let is_digit = character.is_numeric() && character < '\u{3000}';
    !is_digit
        && (is_hangul(character)
            || matches!(character,
                // Thai, Lao, Myanmar, Khmer, and the Tai scripts of their neighbours
                '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
                | '\u{1950}'..='\u{19df}' | '\u{1a20}'..='\u{1aaf}' | '\u{a9e0}'..='\u{a9ff}'
                | '\u{aa60}'..='\u{aadf}'
                // Ideographs, kana, bopomofo, Yi, and half-width katakana
                | '\u{2e80}'..='\u{312f}' | '\u{3190}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}'
                | '\u{4e00}'..='\u{a4cf}' | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9f}'
                | '\u{16fe0}'..='\u{18cff}' | '\u{1aff0}'..='\u{1b2ff}'
                | '\u{20000}'..='\u{3ffff}'))
}

pub(super) fn is_hangul(character: char) -> bool {
    matches!(character,
        '\u{1100}'..='\u{11ff}' | '\u{3131}'..='\u{318e}' | '\u{a960}'..='\u{a97f}'
        | '\u{ac00}'..='\u{d7ff}' | '\u{ffa0}'..='\u{ffdc}')
}
