//! From a text to its words with what is known of each: how it is written, and whether its clause
//! affirms or denies it.

use std::ops::Range;

use super::profile::{Marks, Profile, Word};
use super::words::{self, Turn};
use oldhand_core::kind::Kind;
use oldhand_text::terms::{self, Form, Terms};

/// The order is compared up to here: until then a text has shown whether it is a copy.
pub(super) const ORDER_WORDS_MAX: usize = 64;
/// An odd number without pattern: each word moves every bit of what was read before it.
const WHOLE_MIX: u64 = 0x9e37_79b9_7f4a_7c15;
/// Each is compared with each.
const DIRECTIONS_MAX: usize = 16;

#[derive(Default)]
pub(super) struct Reader {
    words: Vec<Word>,
    order: Vec<u64>,
    title_words: usize,
    whole: u64,
    is_cut: bool,
    directions: Vec<(u64, u64)>,
    terms: Terms,
}

impl Reader {
    pub(super) fn title(&mut self, title: &str) {
        self.read(title, Clause::of_title(title));
        self.title_words = self.order.len();
    }

    pub(super) fn text(&mut self, text: &str) {
        self.read(text, Clause::default());
    }

    pub(super) fn finish(mut self, kind: &Kind) -> Profile {
        self.words.sort_unstable_by_key(|word| word.key);
        self.words.dedup_by(|later, first| {
            let is_same = later.key == first.key;
            if is_same {
                first.marks.add(later.marks);
            }
            is_same
        });
        Profile {
            kind: kind.clone(),
            lesson_type: None,
            words: self.words,
            order: self.order,
            title_words: self.title_words,
            whole: self.whole,
            is_cut: self.is_cut,
            directions: self.directions,
        }
    }

    fn read(&mut self, text: &str, mut clause: Clause) {
        let Self { words, order, whole, is_cut, directions, terms, .. } = self;
        clause.first = words.len();
        let mut name_end = 0;
        terms.each_span(text, &mut |term, form, span| {
            let is_part = span.start < name_end;
            match form {
                Form::Exact => return,
                Form::Whole if is_part => return,
                Form::Whole => name_end = span.end,
                Form::Stem => {}
            }
            if !is_part {
                clause.advance(text, &span, words);
            }
            let plain = if form == Form::Whole { term } else { words::plain(term) };
            let mut word = word_of(plain);
            if !is_part {
                clause.turn(term, plain, words);
                let shape = Shape { text, span };
                word.marks.add(Marks::NAME.when(shape.is_name(clause.is_start)));
                let is_code = clause.is_code || shape.is_tagged();
                word.marks
                    .add(Marks::CODE.when(is_code || (form == Form::Whole && shape.is_code())));
                if let Some(direction) = clause.directed(term, &word)
                    && directions.len() < DIRECTIONS_MAX
                {
                    directions.push((direction, word.key));
                }
                *whole = (whole.rotate_left(5) ^ word.key).wrapping_mul(WHOLE_MIX);
                if order.len() < ORDER_WORDS_MAX {
                    order.push(word.key);
                } else {
                    *is_cut = true;
                }
            }
            words.push(word);
        });
        clause.close(words);
    }
}

fn word_of(plain: &str) -> Word {
    let mut marks = Marks::NUMBER.when(plain.bytes().all(|byte| byte.is_ascii_digit()));
    marks.add(Marks::COMMON.when(terms::is_common(plain) || words::turn(plain).is_some()));
    marks.add(Marks::EVERYDAY.when(terms::is_everyday(plain)));
    // One form for all: a name in a sentence and the same name in backticks are one word.
    Word { key: terms::key(plain, Form::Stem), marks, group: words::group(plain) }
}

/// Where the reader is within a sentence.
#[derive(Default)]
struct Clause {
    in_title: bool,
    /// Every word of a headline is capitalised, which makes none of them a name.
    is_headline: bool,
    /// Behind the last word.
    end: usize,
    /// A word is capitalised here anyway.
    is_start: bool,
    /// Between backticks.
    is_code: bool,
    is_denied: bool,
    prefers: bool,
    /// The key of a word like `from`, until a word follows that it can be about.
    direction: Option<u64>,
    /// The first word of the clause, among all of the reader.
    first: usize,
}

impl Clause {
    fn of_title(title: &str) -> Self {
        let mut words = title.split_whitespace().skip(1).filter(|word| word.len() > 3).peekable();
        let is_headline = words.peek().is_some()
            && words.all(|word| word.starts_with(|first: char| !first.is_lowercase()));
        Self { in_title: true, is_headline, ..Self::default() }
    }

    /// Over what stands between two words.
    fn advance(&mut self, text: &str, span: &Range<usize>, words: &mut [Word]) {
        let gap = text.get(self.end..span.start).unwrap_or_default();
        let ends_sentence = gap.contains(['.', '!', '?', ':', ';', '(', '"', '\n']);
        self.is_start = self.end == 0 || self.is_headline || ends_sentence;
        if ends_sentence || gap.contains([',', ')']) {
            self.close(words);
        }
        if gap.bytes().filter(|byte| *byte == b'`').count() % 2 == 1 {
            self.is_code = !self.is_code;
        }
        self.end = span.end;
    }

    /// What the word at hand does to its clause.
    fn turn(&mut self, stem: &str, plain: &str, words: &mut [Word]) {
        match words::turn(stem) {
            Some(Turn::Clause) => self.is_denied = true,
            Some(Turn::RestOfPreference) if !self.prefers => {}
            Some(Turn::Rest | Turn::RestOfPreference) => {
                self.close(words);
                self.is_denied = true;
            }
            Some(Turn::New) => self.close(words),
            None => self.prefers |= words::prefers(plain),
        }
    }

    /// The word of direction that this word belongs to.
    fn directed(&mut self, stem: &str, word: &Word) -> Option<u64> {
        if words::directs(stem) {
            self.direction = Some(word.key);
            return None;
        }
        // Articles are passed over.
        self.direction.take_if(|_| word.weight() > 0.0)
    }

    /// Says of each word of the clause whether it was denied.
    fn close(&mut self, words: &mut [Word]) {
        let stance = match (self.in_title, self.is_denied) {
            (false, false) => [Marks::AFFIRMED; 2],
            (false, true) => [Marks::DENIED; 2],
            (true, false) => [Marks::AFFIRMED, Marks::TITLE_AFFIRMED],
            (true, true) => [Marks::DENIED, Marks::TITLE_DENIED],
        };
        for word in &mut words[self.first..] {
            stance.into_iter().for_each(|mark| word.marks.add(mark));
        }
        self.first = words.len();
        (self.is_denied, self.prefers) = (false, false);
    }
}

/// How a word is written.
struct Shape<'a> {
    text: &'a str,
    span: Range<usize>,
}

impl Shape<'_> {
    fn raw(&self) -> &str {
        &self.text[self.span.clone()]
    }

    fn is_code(&self) -> bool {
        let raw = self.raw();
        let has_letter = raw.bytes().any(|byte| byte.is_ascii_alphabetic());
        raw.contains(['_', '/', '\\', '@']) || (has_letter && raw.contains(['.', ':']))
    }

    /// `#channel`, `@person`, `$VARIABLE`, `--flag`.
    fn is_tagged(&self) -> bool {
        let before = &self.text[..self.span.start];
        before.ends_with(['#', '@', '$']) || before.ends_with("--")
    }

    fn is_name(&self, is_start: bool) -> bool {
        let mut characters = self.raw().chars();
        let is_capital = characters.next().is_some_and(char::is_uppercase);
        (is_capital && !is_start) || characters.any(char::is_uppercase)
    }
}
