//! Finds phrases in a sentence: one pass over its words, each looked up once. A phrase is words
//! with alternatives and gaps; which phrases there are is not known here.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

/// The number of a word that no phrase has.
const UNKNOWN: u16 = 0;
/// Code and quotes stand in a sentence like a word, and say nothing themselves.
const OPAQUE: u16 = 1;

const ASCII_WORD_BYTES_MAX: usize = 24;

/// One word of a sentence.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word {
    number: u16,
    start: u32,
    end: u32,
}

/// One place of a phrase.
#[derive(Debug)]
enum Place {
    Words {
        any_of: Vec<u16>,
        is_optional: bool,
    },
    /// Any one word.
    Any,
    /// Up to so many words.
    Gap(usize),
}

#[derive(Debug)]
struct Phrase {
    places: Vec<Place>,
    /// It opens the sentence, but for words such as `ok` and `please`.
    is_first: bool,
    cue: usize,
}

/// All phrases, by the words that they begin with.
#[derive(Debug, Default)]
pub(super) struct Phrases {
    numbers: HashMap<&'static [u8], u16, BuildHasherDefault<ShortHash>>,
    phrases: Vec<Phrase>,
    /// By number: the phrases that begin with that word.
    by_first: Vec<Vec<usize>>,
    openers: Vec<u16>,
}

/// A phrase that a sentence has.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) cue: usize,
    /// Bytes of the sentence.
    pub(super) span: Range<usize>,
}

impl Phrases {
    /// `^` opens a sentence, `a|b` is either, `a?` may be left out, `_` is any word, `..` are up
    /// to three, `...` up to eight.
    pub(super) fn add(&mut self, cue: usize, pattern: &'static str) {
        let is_first = pattern.starts_with('^');
        let mut places = Vec::new();
        for part in pattern.trim_start_matches('^').split(' ').filter(|part| !part.is_empty()) {
            places.push(match part {
                "_" => Place::Any,
                ".." => Place::Gap(3),
                "..." => Place::Gap(8),
                words => {
                    let is_optional = words.ends_with('?');
                    let words = words.trim_end_matches('?').split('|');
                    Place::Words { any_of: words.map(|w| self.number(w)).collect(), is_optional }
                }
            });
        }
        if let Some(Place::Words { any_of, .. }) = places.first() {
            for number in any_of {
                let at = usize::from(*number);
                self.by_first.resize_with(self.by_first.len().max(at + 1), Vec::new);
                self.by_first[at].push(self.phrases.len());
            }
        }
        self.phrases.push(Phrase { places, is_first, cue });
    }

    /// Words that may stand before a sentence without being its beginning.
    pub(super) fn add_openers(&mut self, words: &'static str) {
        for word in words.split_whitespace() {
            let number = self.number(word);
            self.openers.push(number);
        }
    }

    fn number(&mut self, word: &'static str) -> u16 {
        let next = u16::try_from(self.numbers.len()).unwrap_or(u16::MAX - 2) + 2;
        *self.numbers.entry(word.as_bytes()).or_insert(next)
    }

    /// The words of a sentence; `words` is reused from one to the next.
    pub(super) fn read(&self, text: &str, words: &mut Vec<Word>) {
        words.clear();
        let mut at = 0;
        while let Some(byte) = text.as_bytes().get(at) {
            if matches!(byte, b' ' | b',' | b'(' | b')' | b'*' | b'.') {
                at += 1;
                continue;
            }
            let start = at;
            let Some(character) = text[at..].chars().next() else { break };
            at += character.len_utf8();
            if let Some(close) = closing(character, text, start) {
                at = close;
                words.push(word(OPAQUE, start..at));
            } else if is_letter(character) {
                let rest = &text[start..];
                let length = rest.find(|c| !is_letter(c) && !joins(c)).unwrap_or(rest.len());
                let bare = rest[..length].trim_end_matches(joins);
                at = start + length;
                words.push(word(self.lookup(bare), start..start + bare.len()));
            } else if character == ':' {
                words.push(word(self.lookup(":"), start..at));
            }
        }
    }

    fn lookup(&self, bare: &str) -> u16 {
        let known = |word: &[u8]| self.numbers.get(word).copied().unwrap_or(UNKNOWN);
        if !bare.is_ascii() {
            return known(bare.to_lowercase().replace('’', "'").as_bytes());
        }
        // Longer words are names; no phrase has one.
        let mut lowered = [0; ASCII_WORD_BYTES_MAX];
        let Some(lowered) = lowered.get_mut(..bare.len()) else { return UNKNOWN };
        lowered.copy_from_slice(bare.as_bytes());
        lowered.make_ascii_lowercase();
        known(lowered)
    }

    /// Every phrase that the words have, of the cues that are wanted.
    pub(super) fn find(
        &self,
        words: &[Word],
        is_wanted: impl Fn(usize) -> bool,
        found: &mut Vec<Found>,
    ) {
        found.clear();
        let opening = words.iter().take_while(|word| self.openers.contains(&word.number)).count();
        for (at, word) in words.iter().enumerate() {
            if word.number <= OPAQUE {
                continue;
            }
            let Some(phrases) = self.by_first.get(usize::from(word.number)) else { continue };
            for phrase in phrases.iter().map(|phrase| &self.phrases[*phrase]) {
                if phrase.is_first && at > opening || !is_wanted(phrase.cue) {
                    continue;
                }
                if let Some(length) = length(&phrase.places, &words[at..]) {
                    let end = words[at + length.max(1) - 1].end as usize;
                    found.push(Found { cue: phrase.cue, span: word.start as usize..end });
                }
            }
        }
    }
}

/// For short words of a fixed table nobody can choose collisions, so speed is all that counts.
#[derive(Debug, Default)]
struct ShortHash(u64);

impl Hasher for ShortHash {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0.rotate_left(5) ^ u64::from(*byte)).wrapping_mul(0x517c_c1b7_2722_0a95);
        }
    }

    // The length of a word is in its bytes already.
    fn write_usize(&mut self, _length: usize) {}

    fn finish(&self) -> u64 {
        // The best bits of a product are its upper ones; a table takes the lower ones.
        self.0.rotate_left(26)
    }
}

fn word(number: u16, span: Range<usize>) -> Word {
    // A sentence of more than 4 GB does not come out of a transcript.
    let short = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Word { number, start: short(span.start), end: short(span.end) }
}

/// How many words the places take from here.
fn length(places: &[Place], words: &[Word]) -> Option<usize> {
    let Some((place, rest)) = places.split_first() else { return Some(0) };
    match place {
        Place::Any => {
            let (_, behind) = words.split_first()?;
            length(rest, behind).map(|length| length + 1)
        }
        Place::Words { any_of, is_optional } => {
            let taken = words.first().filter(|word| any_of.contains(&word.number));
            let here = taken.and_then(|_| length(rest, &words[1..])).map(|length| length + 1);
            here.or_else(|| if *is_optional { length(rest, words) } else { None })
        }
        Place::Gap(most) => (0..=(*most).min(words.len()))
            .find_map(|gap| length(rest, &words[gap..]).map(|length| length + gap)),
    }
}

fn is_letter(character: char) -> bool {
    character.is_ascii_alphanumeric()
        || !character.is_ascii() && character.is_alphanumeric()
        || character == '_'
        || character == '$'
        || character == '@'
}

/// Inside of a word: `don't`, `trade-off`, `foo.rs`, `a/b`.
fn joins(character: char) -> bool {
    matches!(character, '\'' | '’' | '-' | '.' | '/')
}

/// The end of the code or the quote that opens here; quotes end on their line by nature.
fn closing(character: char, text: &str, start: usize) -> Option<usize> {
    let close = match character {
        '`' => '`',
        '"' => '"',
        '“' => '”',
        '„' => '“',
        '«' => '»',
        _ => return None,
    };
    let from = start + character.len_utf8();
    text[from..].find(close).map(|at| from + at + close.len_utf8())
}
