//! Stems of English words, remembered: a text repeats its words.

use foldhash::HashMap;

use crate::lexicon::same::{english, is_stemmed};

/// More words than a usual store has; then it starts over.
const WORDS_MAX: usize = 16 * 1024;

#[derive(Debug, Default)]
pub(super) struct Stems(HashMap<String, String>);

impl Stems {
    /// The stem of a folded word; the word itself if it is not made of Latin letters.
    pub(super) fn stem<'a>(&'a mut self, word: &'a str) -> &'a str {
        if !is_stemmed(word) {
            return word;
        }
        if self.0.len() >= WORDS_MAX {
            self.0.clear();
        }
        if !self.0.contains_key(word) {
            self.0.insert(word.to_owned(), english(word));
        }
        &self.0[word]
    }
}
