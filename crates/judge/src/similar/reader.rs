//! Reads the words of a text: how each is written, and whether its clause affirms or denies it.

use std::ops::Range;

use super::profile::{Marks, Profile, Word};
use oldhand_core::kind::Kind;
use oldhand_text::lexicon::polarity::{Stance, Stances};
use oldhand_text::lexicon::{choices, same};
use oldhand_text::table;
use oldhand_text::terms::{self, Form, Terms};

/// Each is compared with each.
const DIRECTIONS_MAX: usize = 16;
/// Say where something comes from or goes to: a text that turns the two around says something else.
const DIRECTIONS: &str = "from to into onto befor after over than with by replac";

impl Profile {
    pub(super) fn of_texts(kind: &Kind, title: &str, texts: &[String]) -> Self {
        let (kind, lesson_type) = (kind.clone(), None);
        let (words, order, directions) = (Vec::new(), Vec::new(), Vec::new());
        let mut profile = Self { kind, lesson_type, words, order, title_words: 0, directions };
        profile.read(title, Position::of_title(title));
        profile.title_words = profile.order.len();
        texts.iter().for_each(|text| profile.read(text, Position::default()));
        profile.words.sort_unstable_by_key(|word| word.key);
        profile.words.dedup_by(|later, first| {
            let is_same = later.key == first.key;
            first.marks |= if is_same { later.marks } else { 0 };
            is_same
        });
        profile
    }

    fn read(&mut self, text: &str, mut position: Position) {
        let stances = Stances::of(text);
        let profile = self;
        let mut name_end = 0;
        Terms::default().each_span(text, &mut |term, form, span| {
            let is_part = span.start < name_end;
            match form {
                Form::Exact => return,
                Form::Whole if is_part => return,
                Form::Whole => name_end = span.end,
                Form::Stem => {}
            }
            let plain = match form {
                Form::Whole => term,
                _ => same::plain(&text[span.clone()].to_ascii_lowercase(), term),
            };
            let mut word = word_of(plain, stances.at(span.start), position.in_title);
            if !is_part {
                position.advance(text, &span);
                word.marks |= position.marks(text, span, form);
                if let Some(direction) = position.directed(term, &word)
                    && profile.directions.len() < DIRECTIONS_MAX
                {
                    profile.directions.push((direction, word.key));
                }
                profile.order.push(word.key);
            }
            profile.words.push(word);
        });
    }
}

fn word_of(plain: &str, stance: Stance, in_title: bool) -> Word {
    let is_denied = stance != Stance::Affirmed;
    let marks = Marks::all(&[
        (Marks::NUMBER, plain.bytes().all(|byte| byte.is_ascii_digit())),
        (Marks::COMMON, terms::is_common(plain) || stance == Stance::Denying),
        (Marks::EVERYDAY, terms::is_everyday(plain)),
        (Marks::AFFIRMED, !is_denied),
        (Marks::DENIED, is_denied),
        (Marks::TITLE_AFFIRMED, in_title && !is_denied),
        (Marks::TITLE_DENIED, in_title && is_denied),
    ]);
    // One form for all: a name in a sentence and the same name in backticks are one word.
    Word { key: terms::key(plain, Form::Stem), marks, choices: choices::members_of(plain) }
}

#[derive(Default)]
struct Position {
    in_title: bool,
    /// Every word of a headline is capitalised, which makes none of them a name.
    is_headline: bool,
    end: usize,
    /// A word is capitalised here anyway.
    is_start: bool,
    is_code: bool,
    /// The key of a word like `from`, until a word follows that it can be about.
    direction: Option<u64>,
}

impl Position {
    fn of_title(title: &str) -> Self {
        let mut words = title.split_whitespace().skip(1).filter(|word| word.len() > 3).peekable();
        let is_headline = words.peek().is_some()
            && words.all(|word| word.starts_with(|first: char| !first.is_lowercase()));
        Self { in_title: true, is_headline, ..Self::default() }
    }

    /// Over what is between two words.
    fn advance(&mut self, text: &str, span: &Range<usize>) {
        let gap = text.get(self.end..span.start).unwrap_or_default();
        let ends_sentence = gap.contains(['.', '!', '?', ':', ';', '(', '"', '\n']);
        self.is_start = self.end == 0 || self.is_headline || ends_sentence;
        self.is_code ^= gap.bytes().filter(|byte| *byte == b'`').count() % 2 == 1;
        self.end = span.end;
    }

    /// What the way a word is written says of it.
    fn marks(&self, text: &str, span: Range<usize>, form: Form) -> u16 {
        let (before, written) = (&text[..span.start], &text[span]);
        let has_letter = written.bytes().any(|byte| byte.is_ascii_alphabetic());
        let is_identifier =
            written.contains(['_', '/', '\\', '@']) || has_letter && written.contains(['.', ':']);
        // `#channel`, `@person`, `$VARIABLE`, `--flag`.
        let is_tagged = before.ends_with(['#', '@', '$']) || before.ends_with("--");
        let mut characters = written.chars();
        let is_capital = characters.next().is_some_and(char::is_uppercase);
        let is_name = is_capital && !self.is_start || characters.any(char::is_uppercase);
        let is_code = self.is_code || is_tagged || form == Form::Whole && is_identifier;
        Marks::all(&[(Marks::NAME, is_name), (Marks::CODE, is_code)])
    }

    /// The word of direction that this word belongs to.
    fn directed(&mut self, stem: &str, word: &Word) -> Option<u64> {
        if table::has(DIRECTIONS, stem) {
            self.direction = Some(word.key);
            return None;
        }
        // Articles are skipped.
        self.direction.take_if(|_| word.weight() > 0.0)
    }
}
