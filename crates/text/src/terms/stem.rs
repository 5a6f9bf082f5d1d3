//! Stems of English words, remembered: a text repeats its words.

use rust_stemmers::{Algorithm, Stemmer};

/// A word and its stem share a slot, each as its length and its bytes.
const SLOT_BYTES: usize = 32;
const HALF: usize = SLOT_BYTES / 2;
/// Half a megabyte holds the words of a usual store; a power of two, for the mask.
const SLOTS: usize = 16 * 1024;
const WORD_BYTES_MIN: usize = 3;

#[derive(Default)]
pub(super) struct Stems {
    slots: Vec<[u8; SLOT_BYTES]>,
    long: String,
}

impl std::fmt::Debug for Stems {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stems").field("slots", &self.slots.len()).finish_non_exhaustive()
    }
}

impl Stems {
    pub(super) fn remembering() -> Stems {
        Stems { slots: vec![[0; SLOT_BYTES]; SLOTS], long: String::new() }
    }

    /// The stem of a folded word; the word itself if it is not made of Latin letters.
    pub(super) fn stem<'a>(&'a mut self, word: &'a str) -> &'a str {
        let is_latin = word.bytes().all(|byte| byte.is_ascii_lowercase());
        if !is_latin || word.len() < WORD_BYTES_MIN {
            return word;
        }
        if self.slots.is_empty() || word.len() >= HALF {
            self.long = english(word);
            return &self.long;
        }
        let mut wanted = [0; HALF];
        write_half(&mut wanted, word);
        let slot = &mut self.slots[place(wanted)];
        if slot[..HALF] != wanted {
            let stem = english(word);
            if stem.len() >= HALF {
                self.long = stem;
                return &self.long;
            }
            slot[..HALF].copy_from_slice(&wanted);
            slot[HALF..].fill(0);
            write_half(&mut slot[HALF..], &stem);
        }
        let length = usize::from(slot[HALF]);
        // A slot holds what `write_half` took from a text, so that this never falls back.
        std::str::from_utf8(&slot[HALF + 1..HALF + 1 + length]).unwrap_or(word)
    }
}

fn english(word: &str) -> String {
    Stemmer::create(Algorithm::English).stem(word).into_owned()
}

fn write_half(half: &mut [u8], text: &str) {
    half[0] = text.len() as u8;
    half[1..=text.len()].copy_from_slice(text.as_bytes());
}

fn place(half: [u8; HALF]) -> usize {
    let number = u128::from_le_bytes(half);
    let mixed = (number as u64 ^ 0x9e37_79b9_7f4a_7c15)
        .wrapping_mul(((number >> 64) as u64 ^ 0xc2b2_ae3d_27d4_eb4f) | 1);
    (mixed ^ (mixed >> 32)) as usize & (SLOTS - 1)
}
