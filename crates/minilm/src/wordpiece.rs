//! Text to word pieces, as the uncased BERT tokenizer does it. The vocabulary is a hash table made
//! by `convert.py`, looked up in place. Marks such as `[SEP]` in a text are text, not control.

use unicode_normalization::UnicodeNormalization;

pub(crate) const SLOTS: usize = 1 << 16;
const UNKNOWN: u16 = 100;
const START: u16 = 101;
const END: u16 = 102;
/// The longest entry of the vocabulary.
const PIECE_BYTES: usize = 18;
/// A longer word is one unknown piece, as in the original.
const WORD_CHARS: usize = 100;

pub(crate) struct Vocabulary<'a> {
    /// Token id + 1 by hash with linear probing; 0 is an empty slot.
    pub(crate) slots: &'a [u16],
    /// Where each token starts in `bytes`, and the end of the last.
    pub(crate) ends: &'a [u32],
    pub(crate) bytes: &'a [u8],
    /// Inclusive ranges of code points above ASCII: accents, punctuation, and what is left out.
    pub(crate) marks: &'a [[u32; 2]],
    pub(crate) punctuation: &'a [[u32; 2]],
    pub(crate) controls: &'a [[u32; 2]],
}

impl Vocabulary<'_> {
    /// The ids with start and end, at most `limit` of them; work stops at the limit.
    pub(crate) fn pieces(&self, text: &str, limit: usize) -> Vec<u16> {
        let kept = text.chars().filter(|&letter| !self.is_dropped(letter));
        let mut splitter = Splitter { vocabulary: self, ids: vec![START], word: String::new() };
        if text.is_ascii() {
            splitter.split(kept.map(|letter| letter.to_ascii_lowercase()), limit);
        } else {
            let plain = kept.nfd().filter(|&letter| !contains(self.marks, letter));
            splitter.split(plain.flat_map(char::to_lowercase), limit);
        }
        let mut ids = splitter.ids;
        ids.truncate(limit.saturating_sub(1));
        ids.push(END);
        ids
    }

    fn is_dropped(&self, letter: char) -> bool {
        match letter {
            '\t' | '\n' | '\r' => false,
            '\u{fffd}' => true,
            _ if letter.is_ascii() => letter.is_ascii_control(),
            _ => contains(self.controls, letter),
        }
    }

    fn stands_alone(&self, letter: char) -> bool {
        if letter.is_ascii() {
            return letter.is_ascii_punctuation();
        }
        is_chinese(letter) || contains(self.punctuation, letter)
    }

    /// The longest piece at the start of `rest`: its id and its length in bytes.
    fn longest(&self, rest: &str, continues: bool) -> Option<(u16, usize)> {
        let mut hashes = [0_u32; PIECE_BYTES + 1];
        hashes[0] = 0x811c_9dc5 ^ if continues { 0x5bd1_e995 } else { 0 };
        let most = rest.len().min(PIECE_BYTES);
        for (at, &byte) in rest.as_bytes()[..most].iter().enumerate() {
            hashes[at + 1] = (hashes[at] ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        }
        (1..=most).rev().filter(|&end| rest.is_char_boundary(end)).find_map(|end| {
            let id = self.find(hashes[end], &rest.as_bytes()[..end], continues)?;
            Some((id, end))
        })
    }

    fn find(&self, hash: u32, piece: &[u8], continues: bool) -> Option<u16> {
        let first = (hash ^ (hash >> 16)) as usize;
        for step in 0..SLOTS {
            let id = self.slots[(first + step) % SLOTS].checked_sub(1)?;
            let token = self.token(id)?;
            let found = if continues { token.strip_prefix(b"##") } else { Some(token) };
            if found == Some(piece) {
                return Some(id);
            }
        }
        None
    }

    fn token(&self, id: u16) -> Option<&[u8]> {
        let start = *self.ends.get(usize::from(id))?;
        let end = *self.ends.get(usize::from(id) + 1)?;
        self.bytes.get(start as usize..end as usize)
    }
}

/// Collects the letters of one word and the ids of those before it.
struct Splitter<'a> {
    vocabulary: &'a Vocabulary<'a>,
    ids: Vec<u16>,
    word: String,
}

impl Splitter<'_> {
    fn split(&mut self, letters: impl Iterator<Item = char>, limit: usize) {
        for letter in letters {
            if self.ids.len() >= limit {
                return;
            }
            if letter.is_whitespace() {
                self.finish_word();
            } else if self.vocabulary.stands_alone(letter) {
                self.finish_word();
                self.word.push(letter);
                self.finish_word();
            } else if self.word.len() <= 4 * WORD_CHARS {
                // A word that is already too long stays so: there is no need to keep the rest.
                self.word.push(letter);
            }
        }
        self.finish_word();
    }

    fn finish_word(&mut self) {
        let before = self.ids.len();
        let mut rest = self.word.as_str();
        if self.word.chars().count() > WORD_CHARS {
            self.ids.push(UNKNOWN);
            rest = "";
        }
        while !rest.is_empty() {
            let continues = rest.len() < self.word.len();
            let Some((id, bytes)) = self.vocabulary.longest(rest, continues) else {
                self.ids.truncate(before);
                self.ids.push(UNKNOWN);
                break;
            };
            self.ids.push(id);
            rest = &rest[bytes..];
        }
        self.word.clear();
    }
}

fn contains(ranges: &[[u32; 2]], letter: char) -> bool {
    let code = u32::from(letter);
    let after = ranges.partition_point(|range| range[0] <= code);
    after > 0 && code <= ranges[after - 1][1]
}

/// The blocks of ideographs that the original splits; kana and hangul are words.
fn is_chinese(letter: char) -> bool {
    matches!(u32::from(letter),
        0x4e00..=0x9fff | 0x3400..=0x4dbf | 0x20000..=0x2a6df | 0x2a700..=0x2b73f
        | 0x2b740..=0x2b81f | 0x2b920..=0x2ceaf | 0xf900..=0xfaff | 0x2f800..=0x2fa1f)
}
