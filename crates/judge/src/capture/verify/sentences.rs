//! Sentences that were put together from words that nobody said. Wording is free, so that this is
//! advice and never blocks.

use super::Class;
use super::heard::Heard;
use oldhand_text::strings::shorten;

/// Less of the telling words than this, and the sentence is not supported.
const SUPPORT_MIN: f64 = 0.4;
/// A shorter sentence says too little to be measured.
const WORDS_MIN: usize = 4;
const SHOWN_CHARS: usize = 100;

pub(super) fn check(heard: &Heard, text: &str, take: &mut dyn FnMut(Class, &'static str, &str)) {
    for sentence in split(text) {
        let (part, count) = heard.support(sentence);
        if count >= WORDS_MIN && part < SUPPORT_MIN {
            take(Class::Advisory, "sentence", &shorten(sentence, SHOWN_CHARS));
        }
    }
}

/// At line ends, and at full stops that a space follows.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let by_stop =
        |line: &'_ str| line.split_inclusive(['.', '!', '?']).map(str::len).collect::<Vec<usize>>();
    text.lines().flat_map(move |line| {
        let mut sentences = Vec::new();
        let (mut from, mut to) = (0, 0);
        for length in by_stop(line) {
            to += length;
            if line[to..].starts_with(char::is_whitespace) || to == line.len() {
                sentences.push(line[from..to].trim());
                from = to;
            }
        }
        sentences
    })
}
