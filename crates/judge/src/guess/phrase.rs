//! Finds phrases in a text: one pass over its words, each looked up once. A phrase is words with
//! alternatives and gaps; which phrases there are is not known here.

use std::collections::HashMap;
use std::ops::Range;

const UNKNOWN: u16 = 0;
/// Code and quotes stand in a sentence like a word, and say nothing themselves.
const OPAQUE: u16 = 1;

#[derive(Debug, Clone, Copy)]
pub(super) struct Word {
    /// Its own number, and that of the beginning `word*` that it has.
    numbers: [u16; 2],
    start: usize,
    end: usize,
}

#[derive(Debug)]
enum Slot {
    Words {
        any_of: Vec<u16>,
        is_optional: bool,
    },
    Any,
    /// Up to so many words.
    Gap(usize),
}

#[derive(Debug)]
struct Phrase {
    slots: Vec<Slot>,
    /// It opens the sentence, but for words such as `ok` and `please`.
    is_first: bool,
    cue: usize,
}

/// All phrases, by the words that they begin with.
#[derive(Debug, Default)]
pub(super) struct Phrases {
    numbers: HashMap<&'static str, u16>,
    /// The beginnings of words that phrases have as `word*`.
    prefixes: Vec<(&'static str, u16)>,
    phrases: Vec<Phrase>,
    /// By number: the phrases that begin with that word.
    by_first: Vec<Vec<usize>>,
    openers: Vec<u16>,
}

impl Phrases {
    /// `^` opens a sentence, `a|b` is either, `a?` may be left out, `a*` is any word that begins
    /// like this, `_` is any word, `..` are up to three, `...` up to eight.
    pub(super) fn add(&mut self, cue: usize, pattern: &'static str) {
        let is_first = pattern.starts_with('^');
        let slot = |part: &'static str| match part {
            "_" => Slot::Any,
            ".." => Slot::Gap(3),
            "..." => Slot::Gap(8),
            words => {
                let is_optional = words.ends_with('?');
                let words = words.trim_end_matches('?').split('|');
                Slot::Words { any_of: words.map(|w| self.number(w)).collect(), is_optional }
            }
        };
        let parts = pattern.trim_start_matches('^').split_whitespace();
        let slots: Vec<Slot> = parts.map(slot).collect();
        if let Some(Slot::Words { any_of, .. }) = slots.first() {
            for number in any_of {
                let at = usize::from(*number);
                self.by_first.resize_with(self.by_first.len().max(at + 1), Vec::new);
                self.by_first[at].push(self.phrases.len());
            }
        }
        self.phrases.push(Phrase { slots, is_first, cue });
    }

    /// Words that may stand before a sentence without being its beginning.
    pub(super) fn add_openers(&mut self, words: &'static str) {
        self.openers = words.split_whitespace().map(|word| self.number(word)).collect();
    }

    fn number(&mut self, word: &'static str) -> u16 {
        let next = u16::try_from(self.numbers.len()).unwrap_or(u16::MAX - 2) + 2;
        let number = *self.numbers.entry(word).or_insert(next);
        if let Some(start) = word.strip_suffix('*').filter(|_| number == next) {
            self.prefixes.push((start, number));
        }
        number
    }

    pub(super) fn read(&self, text: &str) -> Vec<Word> {
        let mut words = Vec::new();
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
                words.push(Word { numbers: [OPAQUE, UNKNOWN], start, end: at });
            } else if is_letter(character) {
                let rest = &text[start..];
                let length = rest.find(|c| !is_letter(c) && !joins(c)).unwrap_or(rest.len());
                let bare = rest[..length].trim_end_matches(joins);
                at = start + length;
                // The name of a flag, such as `--limit`, is no word of the sentence.
                let is_flag = text[..start].ends_with('-');
                let numbers = if is_flag { [UNKNOWN; 2] } else { self.lookup(bare) };
                words.push(Word { numbers, start, end: start + bare.len() });
            } else if character == ':' {
                words.push(Word { numbers: self.lookup(":"), start, end: at });
            }
        }
        words
    }

    fn lookup(&self, bare: &str) -> [u16; 2] {
        let word = bare.to_lowercase().replace('’', "'");
        let number = self.numbers.get(word.as_str()).copied().unwrap_or(UNKNOWN);
        let prefix = self.prefixes.iter().find(|(start, _)| word.starts_with(start));
        [number, prefix.map_or(UNKNOWN, |(_, number)| *number)]
    }

    /// Gives the cue and the bytes of every phrase that the words have. What opens the sentence is
    /// looked for from the byte `start` on.
    pub(super) fn find(
        &self,
        words: &[Word],
        start: usize,
        mut take: impl FnMut(usize, Range<usize>),
    ) {
        let first = words.iter().take_while(|word| word.start < start).count();
        let is_opener = |word: &&Word| self.openers.contains(&word.numbers[0]);
        let last = first + words[first..].iter().take_while(is_opener).count();
        for (at, word) in words.iter().enumerate() {
            for number in word.numbers.into_iter().filter(|number| *number > OPAQUE) {
                let phrases = self.by_first.get(usize::from(number)).into_iter().flatten();
                for phrase in phrases.map(|phrase| &self.phrases[*phrase]) {
                    let is_here = !phrase.is_first || (first..=last).contains(&at);
                    let length = length(&phrase.slots, &words[at..]).filter(|_| is_here);
                    if let Some(length) = length {
                        take(phrase.cue, word.start..words[at + length.max(1) - 1].end);
                    }
                }
            }
        }
    }
}

/// How many words the slots take from here.
fn length(slots: &[Slot], words: &[Word]) -> Option<usize> {
    let Some((slot, rest)) = slots.split_first() else { return Some(0) };
    match slot {
        Slot::Any => {
            let (_, behind) = words.split_first()?;
            length(rest, behind).map(|length| length + 1)
        }
        Slot::Words { any_of, is_optional } => {
            let taken =
                words.first().filter(|word| word.numbers.iter().any(|it| any_of.contains(it)));
            let here = taken.and_then(|_| length(rest, &words[1..])).map(|length| length + 1);
            here.or_else(|| if *is_optional { length(rest, words) } else { None })
        }
        Slot::Gap(most) => (0..=(*most).min(words.len()))
            .find_map(|gap| length(rest, &words[gap..]).map(|length| length + gap)),
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
