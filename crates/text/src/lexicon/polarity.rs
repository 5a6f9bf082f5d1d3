//! Which words of an English sentence are affirmed and which are denied, by small lists.

use super::words::{PREPOSITIONS, Word, opening, until, words_of};

/// What a word does in its sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mark {
    /// Part of what is claimed or, in a negative sentence, of what is denied.
    #[default]
    Said,
    /// Set aside by the sentence itself: `without X`, `instead of X`, `, not X`.
    Denied,
    /// What the claim does not reach: `except X`, `unless X`.
    Exempt,
    /// Turns the sentence, or sets something aside: `not`, `instead of`.
    Negator,
    /// Part of a reason, or emphasis.
    Dropped,
}

/// What each word does in a sentence or a clause.
pub struct Polarity<'a> {
    words: &'a [Word],
    reach: Reach,
    negations: usize,
    /// The verb behind `not` or `never`: what is denied without it is something else.
    pub predicate: Option<usize>,
    /// One for each word.
    pub marks: Vec<Mark>,
}

/// What a clause does with a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stance {
    Affirmed,
    Denied,
    /// Denies others.
    Denying,
}

/// The stance of each word of a text, by the byte where it begins.
#[derive(Debug)]
pub struct Stances(Vec<(usize, Stance)>);

impl Stances {
    /// Clause by clause: a denial reaches to the next comma or conjunction.
    pub fn of(text: &str) -> Self {
        let words = words_of(text);
        let joins = |word: &Word| word.is(REASON) || word.is("but if when which while");
        let mut stances = Vec::with_capacity(words.len());
        for clause in words.chunk_by(|_, next| !next.is_after_break && !joins(next)) {
            let (conjunction, rest) = clause.split_at(usize::from(joins(&clause[0])));
            stances.extend(conjunction.iter().map(|word| (word.start, Stance::Affirmed)));
            let Polarity { marks, negations, .. } = Polarity::read(rest, Reach::Clause);
            stances.extend(rest.iter().zip(marks).map(|(word, mark)| match mark {
                Mark::Negator => (word.start, Stance::Denying),
                Mark::Denied => (word.start, Stance::Denied),
                _ if negations > 0 => (word.start, Stance::Denied),
                _ => (word.start, Stance::Affirmed),
            }));
        }
        Self(stances)
    }

    pub fn at(&self, byte: usize) -> Stance {
        let behind = self.0.partition_point(|(start, _)| *start <= byte);
        behind.checked_sub(1).map_or(Stance::Affirmed, |at| self.0[at].1)
    }
}

const CONTRACTED: &str = "arent cannot cant couldnt didnt doesnt dont hadnt hasnt havent isnt \
     mustnt neednt shouldnt wasnt werent wont wouldnt";
/// Stems that deny wherever they stand, unless they tell a purpose (`to avoid`).
const DENYING: &str = "avoid ban deni disabl disallow forbid forbidden prohibit unsupport";
/// Stems that deny as the order that a sentence begins with.
const ENDING: &str = "abandon cancel deprec discontinu drop elimin omit refrain remov retir skip \
     stop sunset undo";
/// What may come before the verb of an order.
const LEADING: &str = "always and be can do it let lets must now please shall should the then \
     therefore they to us we will you";
const REASON: &str = "although because hence since so therefore though thus whereas";
const SETTING_ASIDE: &str = "without|instead of|rather than|opposed to|place of|free of";
/// `without it` denies nothing that has a name.
const PRONOUNS: &str = "doing having it one that them these this which";
/// `no more than` is a limit, no denial.
const COMPARING: &str = "more less fewer later longer earlier larger shorter greater";
/// A denied thing is short; what follows it is another thought.
const DENIED_WORDS_MAX: usize = 4;

/// How far a denial goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// The thing that is named next. An order to end something denies it: `drop X`.
    Thing,
    /// The rest of the clause. An order to end something is a deed like any other.
    Clause,
}

impl<'a> Polarity<'a> {
    /// Of one sentence.
    pub fn of(words: &'a [Word]) -> Self {
        Self::read(words, Reach::Thing)
    }

    pub fn is_negative(&self) -> bool {
        self.negations % 2 == 1
    }

    fn read(words: &'a [Word], reach: Reach) -> Self {
        let marks = vec![Mark::Said; words.len()];
        let mut polarity = Self { words, reach, marks, negations: 0, predicate: None };
        let mut at = 0;
        while at < words.len() {
            at += polarity.step(at).max(1);
        }
        polarity
    }

    /// Reads what begins at this word and says how many words that were.
    fn step(&mut self, at: usize) -> usize {
        let word = &self.words[at];
        let clause_end = until(self.words, at + 1, |word| word.is_after_break);
        if self.is_reason(at) {
            let end = if at == 0 { clause_end } else { self.words.len() };
            return self.mark(at, end, Mark::Dropped);
        }
        if self.phrase(at, "except|unless|excluding|besides|apart from").is_some() {
            return self.mark(at, clause_end, Mark::Exempt);
        }
        if let Some(length) = self.setting_aside(at) {
            let from = at + length;
            let end = match self.words.get(from) {
                Some(next) if next.is(PRONOUNS) => from,
                _ if self.reach == Reach::Clause => clause_end,
                _ => self.phrase_end(from),
            };
            self.mark(at, from, Mark::Negator);
            return length + self.mark(from, end, Mark::Denied);
        }
        if let Some(length) = self.no_negation(at) {
            return self.mark(at, at + length, Mark::Dropped);
        }
        // `use spaces, not tabs`: the rest of the clause is set aside, the sentence stays as it is.
        if at > 0 && word.is_after_break && word.is("not no never") {
            self.mark(at, at + 1, Mark::Negator);
            return 1 + self.mark(at + 1, clause_end, Mark::Denied);
        }
        if let Some(length) = self.negator(at) {
            self.negations += 1;
            self.predicate = self.predicate_of(at);
            return self.mark(at, at + length, Mark::Negator);
        }
        1
    }

    fn mark(&mut self, from: usize, end: usize, mark: Mark) -> usize {
        let end = end.min(self.words.len());
        self.marks[from.min(end)..end].fill(mark);
        end.saturating_sub(from)
    }

    fn phrase(&self, at: usize, phrases: &'static str) -> Option<usize> {
        opening(&self.words[at..], phrases)
    }

    fn next_is(&self, at: usize, words: &str) -> bool {
        self.words.get(at + 1).is_some_and(|word| word.is(words))
    }

    /// `because ...`, `in order to ...`: why, not what.
    fn is_reason(&self, at: usize) -> bool {
        let word = &self.words[at];
        if word.is("so") {
            return self.next_is(at, "that") || word.is_after_break;
        }
        word.is(REASON)
            || self.phrase(at, "in order to|due to|even though").is_some()
            || (word.is("to") && self.next_is(at, "avoid prevent keep") && at > 2)
    }

    fn setting_aside(&self, at: usize) -> Option<usize> {
        let prefers = |word: &Word| word.has_stem("prefer choos favor");
        let is_over = || self.words[at].is("over") && self.words[..at].iter().any(prefers);
        self.phrase(at, SETTING_ASIDE).or_else(|| is_over().then_some(1))
    }

    /// Words that look like a negation and are none: limits, and emphasis.
    fn no_negation(&self, at: usize) -> Option<usize> {
        let word = &self.words[at];
        if word.is("no not") && self.next_is(at, COMPARING) {
            return self.next_is(at + 1, "than").then_some(3);
        }
        let is_emphasis = word.is("not") && self.next_is(at, "only just even necessarily yet")
            || word.is("nothing none no") && self.next_is(at, "but matter");
        is_emphasis.then_some(2)
    }

    fn negator(&self, at: usize) -> Option<usize> {
        let word = &self.words[at];
        if word.is("no") && self.next_is(at, "longer") {
            return Some(2);
        }
        let tells_purpose = at > 0 && self.words[at - 1].is("to");
        if word.is("not never no nobody none neither nothing deprecated")
            || word.is(CONTRACTED)
            || word.has_stem(DENYING) && !tells_purpose
        {
            return Some(1);
        }
        if self.phrase(at, "out of").is_some() {
            let keeps = self.words[..at].iter().any(|word| word.has_stem("keep stay"));
            return keeps.then_some(2);
        }
        if self.reach == Reach::Clause || !self.leads(at) {
            return None;
        }
        let phrase = self.phrase(at, "get rid of|turn off|phase out");
        phrase.or_else(|| word.has_stem(ENDING).then_some(1))
    }

    fn predicate_of(&self, at: usize) -> Option<usize> {
        let word = &self.words[at];
        if !word.is("not never") && !word.is(CONTRACTED) {
            return None;
        }
        let is_verb = |word: &Word| !word.is("be been get ever have to");
        Some(until(self.words, at + 1, is_verb)).filter(|at| *at < self.words.len())
    }

    /// The sentence is an order and this is its verb.
    fn leads(&self, at: usize) -> bool {
        let is_said = |mark: &Mark| matches!(mark, Mark::Negator | Mark::Dropped);
        let before = self.words.iter().zip(&self.marks).take(at);
        before.into_iter().all(|(word, mark)| word.is(LEADING) || is_said(mark))
    }

    fn phrase_end(&self, from: usize) -> usize {
        // One more preposition may come first: `rather than by X`.
        let first = from + usize::from(self.words.get(from).is_some_and(|it| it.is(PREPOSITIONS)));
        let end = until(self.words, first, |word| word.is_after_break || word.is(PREPOSITIONS));
        end.min(from + DENIED_WORDS_MAX)
    }
}
