//! A linear classifier of notes: words, pairs of words and, where it is known, the meaning of the
//! text speak for each kind. `assets/judge/kinds.py` makes the weights and says what they come from.

use std::collections::BTreeSet;

use oldhand_core::kind::Kind;
use oldhand_text::terms::is_common;

/// In the order of the file.
const KINDS: [Kind; 7] = [
    Kind::Decision,
    Kind::Constraint,
    Kind::Preference,
    Kind::Runbook,
    Kind::TechDebt,
    Kind::Lesson,
    Kind::Reference,
];
const DIMENSIONS: usize = 384;
const START: usize = 8;
/// Words and pairs that must be known, the mark of the beginning among them.
const KNOWN_MIN: usize = 3;

static FILE: &[u8] = include_bytes!("../../../../assets/judge/kinds.bin");

/// The likeliest kind of a note, its chance from 0 to 1, and the words that speak for it most.
pub(super) fn likeliest(text: &str, meaning: Option<&[f32]>) -> (Kind, f64, String) {
    let file = Weights::new();
    let features = features(text);
    let rows: Vec<(&str, &[u8])> =
        features.iter().filter_map(|it| Some((it.as_str(), file.row(it)?))).collect();
    let spread = file.scale / (rows.len().max(1) as f32).sqrt();
    let score = |kind: usize| {
        let words: i32 = rows.iter().map(|(_, row)| i32::from(row[kind].cast_signed())).sum();
        let near = meaning.map_or(0.0, |vector| {
            vector.iter().enumerate().map(|(at, it)| it * file.meaning(kind, at)).sum::<f32>()
        });
        f64::from(file.bias(kind) + words as f32 * spread + near)
    };
    let scores: Vec<f64> = (0..KINDS.len()).map(score).collect();
    let best = (0..KINDS.len()).max_by(|a, b| scores[*a].total_cmp(&scores[*b])).unwrap_or(0);
    let all: f64 = scores.iter().map(|it| (it - scores[best]).exp()).sum();
    // Small words help to decide, and explain nothing to a reader.
    let says_more = |words: &str| words.split(' ').any(|word| word.len() > 2 && !is_common(word));
    let telling =
        rows.iter().filter(|(words, row)| row[best].cast_signed() > 0 && says_more(words));
    let telling = telling.max_by_key(|(_, row)| row[best].cast_signed());
    let because = telling.map_or("", |(words, _)| words);
    // Of a language that it doesn't know, it knows nothing.
    let chance = if rows.len() < KNOWN_MIN { 0.0 } else { 1.0 / all };
    (KINDS[best].clone(), chance, because.trim_matches(['^', ' ', '`']).to_owned())
}

/// Views into the file; its length is checked where it is made, in a test.
struct Weights {
    scale: f32,
    keys: &'static [u8],
    rows: &'static [u8],
}

impl Weights {
    fn new() -> Self {
        let count = u32::from_le_bytes(four(START)) as usize;
        let keys = START + 8 + 4 * KINDS.len() * (1 + DIMENSIONS);
        let (keys, rows) = FILE[keys..].split_at(4 * count);
        Self { scale: f32::from_le_bytes(four(START + 4)), keys, rows }
    }

    fn bias(&self, kind: usize) -> f32 {
        f32::from_le_bytes(four(START + 8 + 4 * kind))
    }

    fn meaning(&self, kind: usize, at: usize) -> f32 {
        f32::from_le_bytes(four(START + 8 + 4 * (KINDS.len() + kind * DIMENSIONS + at)))
    }

    fn row(&self, feature: &str) -> Option<&'static [u8]> {
        let (keys, []) = self.keys.as_chunks::<4>() else { return None };
        let at = keys.binary_search_by_key(&fnv(feature), |key| u32::from_le_bytes(*key)).ok()?;
        self.rows.get(at * KINDS.len()..(at + 1) * KINDS.len())
    }
}

fn four(at: usize) -> [u8; 4] {
    [FILE[at], FILE[at + 1], FILE[at + 2], FILE[at + 3]]
}

/// Words and pairs of neighbours, each once; `^` is the beginning, and code is only seen to be there.
fn features(text: &str) -> BTreeSet<String> {
    let text = text.to_lowercase().replace('’', "'");
    // An odd mark opens nothing.
    let pieces: Vec<&str> = text.split('`').collect();
    let is_code = |at: usize| at % 2 == 1 && at + 1 < pieces.len();
    let mut words = vec!["^".to_owned()];
    for (at, piece) in pieces.iter().enumerate() {
        if at % 2 == 1 {
            words.push("`".to_owned());
        }
        if !is_code(at) {
            push_words(piece, &mut words);
        }
    }
    let pairs = words.windows(2).map(|pair| pair.join(" ")).collect::<Vec<_>>();
    words.into_iter().chain(pairs).collect()
}

fn push_words(text: &str, words: &mut Vec<String>) {
    let is_inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '\'';
    for piece in text.split_inclusive(|c: char| !is_inner(c)) {
        let word = piece.trim_end_matches(|c: char| !is_inner(c));
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            words.push("0".to_owned());
        } else if !word.is_empty() {
            words.push(word.to_owned());
        }
        words.extend(piece[word.len()..].chars().filter(|c| ":/!?".contains(*c)).map(String::from));
    }
}

fn fnv(text: &str) -> u32 {
    text.bytes()
        .fold(0x811c_9dc5, |state, byte| (state ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_whole_and_sorted() {
        let weights = Weights::new();
        assert!(FILE.starts_with(b"OHKINDS1"));
        assert_eq!(weights.rows.len(), weights.keys.len() / 4 * KINDS.len());
        let keys = weights.keys.as_chunks::<4>().0;
        assert!(keys.is_sorted_by_key(|key| u32::from_le_bytes(*key)));
    }

    #[test]
    fn words_are_cut_as_in_training() {
        let found: Vec<String> = features("Run `make x`: 12 times!").into_iter().collect();
        let want = [
            "!", "0", "0 times", ": 0", ":", "^", "^ run", "`", "` :", "run", "run `", "times",
            "times !",
        ];
        let want: BTreeSet<&str> = want.into_iter().collect();
        assert_eq!(found, want.into_iter().collect::<Vec<_>>());
    }
}
