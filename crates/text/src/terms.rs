//! What a text is found by: its words, its identifiers, and the parts of these. Index, query and
//! similarity all ask here, so that they agree on every byte.

mod fold;
mod scan;
mod split;
mod stem;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use self::scan::{Script, Span};
use self::split::Splitter;
use self::stem::Stems;
use crate::lexicon::stop;

/// Changes with the terms of any text or their keys: an index of another version is rebuilt.
pub const TERMS_VERSION: u32 = 2;

/// A longer term is cut here. What differs only behind it is the same term.
pub const TERM_BYTES_MAX: usize = 64;

/// How a term came out of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// The stem of a word or of a part of an identifier: the main term.
    Stem,
    /// The word itself, when its stem is another.
    Exact,
    /// An identifier, path or version as it was written, when it was split.
    Whole,
}

/// Finds terms, and remembers stems from one text to the next.
#[derive(Debug, Default)]
pub struct Terms {
    stems: Stems,
    folded: String,
}

impl Terms {
    /// Gives each term with its form and the byte offset where it begins.
    pub fn each_term(&mut self, text: &str, take: &mut dyn FnMut(&str, Form, usize)) {
        self.each_span(text, &mut |term, form, span| take(term, form, span.start));
    }

    /// Gives each term with its form and the bytes of the text that it stands for.
    pub fn each_span(&mut self, text: &str, take: &mut dyn FnMut(&str, Form, Range<usize>)) {
        let mut splitter =
            Splitter { text, stems: &mut self.stems, folded: &mut self.folded, take };
        let mut from = 0;
        while let Some(Span { bytes, script }) = scan::next(text, from) {
            from = bytes.end;
            match script {
                Script::Word => splitter.plain_word(bytes),
                Script::Compound => splitter.compound(bytes),
                Script::Unspaced => splitter.unspaced(bytes),
            }
        }
    }
}

/// The terms of one text; [`Terms`] is faster for many.
pub fn each_term(text: &str, take: &mut dyn FnMut(&str, Form, usize)) {
    Terms::default().each_term(text, take);
}

/// What an index knows a term by. Each form has keys of its own, so that `run` as a stem is not
/// `run` as a word.
pub fn key(term: &str, form: Form) -> u64 {
    // Written out and not taken from the order of the enum: a stored index depends on the numbers.
    let seed = match form {
        Form::Stem => 1,
        Form::Exact => 2,
        Form::Whole => 3,
    };
    xxh3_64_with_seed(term.as_bytes(), seed)
}

/// A text in one spelling: without case, accents and compatibility forms.
pub fn folded(text: &str) -> Cow<'_, str> {
    fold::folded(text)
}

/// The stem of a folded English word; another word as it is.
pub fn stem(word: &str) -> String {
    Stems::default().stem(word).to_owned()
}

/// An English function word or the filler of a request. `word` is lower-cased, or a stem.
pub fn is_common(word: &str) -> bool {
    stop::is(word, stop::COMMON)
}

/// A word that every piece of work is full of: `test`, `commit`, `rename`. `word` is lower-cased.
pub fn is_everyday(word: &str) -> bool {
    let is_listed = |word: &str| stop::is(word, stop::EVERYDAY);
    // Its plural, past and progress are no more of a subject: changes, changed, running.
    let endings = ["s", "d", "ed", "es", "ing", "ning"];
    is_listed(word) || endings.iter().any(|ending| word.strip_suffix(ending).is_some_and(is_listed))
}
