//! Which words of a sentence are affirmed and which are denied. English only, by small lists; it
//! knows nothing of what the words mean.

use super::words::Word;

/// What a word does in its sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// Part of what is claimed or, in a negative sentence, of what is denied.
    Said,
    /// Set aside by the sentence itself: `without X`, `instead of X`, `, not X`.
    Denied,
    /// What the claim does not reach: `except X`, `unless X`.
    Exempt,
    /// A negator, a modal verb, or the reason at the end.
    Dropped,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Polarity {
    pub is_negative: bool,
    /// The verb behind `not` or `never`: what is denied without it is something else.
    pub predicate: Option<usize>,
    /// One for each word.
    pub marks: Vec<Mark>,
}

const CONTRACTED: &[&str] = &[
    "arent", "cannot", "cant", "couldnt", "didnt", "doesnt", "dont", "hadnt", "hasnt", "havent",
    "isnt", "mustnt", "neednt", "shouldnt", "wasnt", "werent", "wont", "wouldnt",
];
/// Deny wherever they stand, unless they tell a purpose (`to avoid`).
const DENYING: &[&str] = &[
    "avoid",
    "avoids",
    "avoided",
    "ban",
    "banned",
    "bans",
    "denied",
    "deny",
    "deprecated",
    "disable",
    "disabled",
    "disables",
    "disallow",
    "disallowed",
    "forbid",
    "forbidden",
    "forbids",
    "prohibit",
    "prohibited",
    "prohibits",
    "unsupported",
];
/// Deny as the order that a sentence begins with.
const ENDING: &[&str] = &[
    "abandon",
    "cancel",
    "deprecate",
    "discontinue",
    "drop",
    "dropping",
    "eliminate",
    "omit",
    "refrain",
    "remove",
    "removing",
    "retire",
    "skip",
    "stop",
    "stopping",
    "sunset",
    "undo",
];
/// What may stand before the verb of an order.
const LEADING: &[&str] = &[
    "always",
    "and",
    "and",
    "be",
    "can",
    "do",
    "it",
    "let",
    "lets",
    "must",
    "now",
    "please",
    "shall",
    "should",
    "the",
    "then",
    "therefore",
    "they",
    "to",
    "us",
    "we",
    "will",
    "you",
];
const REASON: &[&str] =
    &["although", "because", "hence", "since", "so", "therefore", "though", "thus", "whereas"];
/// A preposition behind a denied thing ends it: `without telemetry in production`.
pub(super) const PREPOSITIONS: &[&str] = &[
    "as", "at", "before", "after", "between", "by", "during", "for", "from", "in", "inside",
    "into", "of", "on", "over", "through", "to", "under", "until", "via", "when", "where", "while",
    "with", "within",
];

/// `without it` denies nothing that has a name.
const PRONOUNS: &[&str] =
    &["doing", "having", "it", "one", "that", "them", "these", "this", "which"];
/// A denied thing is short; what follows it is another thought.
const DENIED_WORDS_MAX: usize = 4;

pub(super) fn polarity(words: &[Word]) -> Polarity {
    let mut read =
        Reader { words, marks: vec![Mark::Said; words.len()], is_negative: false, predicate: None };
    let mut at = 0;
    while at < words.len() {
        at += read.step(at).max(1);
    }
    Polarity { is_negative: read.is_negative, predicate: read.predicate, marks: read.marks }
}

struct Reader<'a> {
    words: &'a [Word],
    marks: Vec<Mark>,
    is_negative: bool,
    predicate: Option<usize>,
}

impl Reader<'_> {
    /// Reads what begins at this word and says how many words that were.
    fn step(&mut self, at: usize) -> usize {
        let word = &self.words[at];
        if self.is_reason(at) {
            let until = if at == 0 { self.clause_end(at + 1) } else { self.words.len() };
            return self.mark(at, until, Mark::Dropped);
        }
        if word.is(&["except", "unless", "excluding", "besides"])
            || self.is_phrase(at, &["apart", "from"])
        {
            let until = self.clause_end(at + 1);
            return self.mark(at, until, Mark::Exempt);
        }
        if let Some(length) = self.setting_aside(at) {
            let is_named = self.words.get(at + length).is_some_and(|word| !word.is(PRONOUNS));
            let until = if is_named { self.phrase_end(at + length) } else { at };
            self.mark(at, at + length, Mark::Dropped);
            return length + self.mark(at + length, until, Mark::Denied);
        }
        if let Some(length) = self.no_negation(at) {
            return self.mark(at, at + length, Mark::Dropped);
        }
        if self.is_aside(at) {
            let until = self.clause_end(at + 1);
            self.mark(at, at + 1, Mark::Dropped);
            return 1 + self.mark(at + 1, until, Mark::Denied);
        }
        if let Some(length) = self.negator(at) {
            self.is_negative = !self.is_negative;
            self.predicate = self.predicate_of(at);
            return self.mark(at, at + length, Mark::Dropped);
        }
        1
    }

    fn mark(&mut self, from: usize, until: usize, mark: Mark) -> usize {
        let until = until.min(self.words.len());
        self.marks[from.min(until)..until].fill(mark);
        until.saturating_sub(from)
    }

    fn is_phrase(&self, at: usize, phrase: &[&str]) -> bool {
        self.words.len() >= at + phrase.len()
            && self.words[at..].iter().zip(phrase).all(|(word, wanted)| word.text == *wanted)
    }

    fn next_is(&self, at: usize, words: &[&str]) -> bool {
        self.words.get(at + 1).is_some_and(|word| word.is(words))
    }

    /// `because ...`, `in order to ...`: why, not what.
    fn is_reason(&self, at: usize) -> bool {
        let word = &self.words[at];
        if word.is(&["so"]) {
            return self.next_is(at, &["that"]) || word.is_after_break;
        }
        word.is(REASON)
            || self.is_phrase(at, &["in", "order", "to"])
            || self.is_phrase(at, &["due", "to"])
            || self.is_phrase(at, &["even", "though"])
            || (word.is(&["to"]) && self.next_is(at, &["avoid", "prevent", "keep"]) && at > 2)
    }

    fn setting_aside(&self, at: usize) -> Option<usize> {
        let word = &self.words[at];
        if word.is(&["without"]) {
            return Some(1);
        }
        let pairs = [
            ["instead", "of"],
            ["rather", "than"],
            ["opposed", "to"],
            ["place", "of"],
            ["free", "of"],
        ];
        if pairs.iter().any(|pair| self.is_phrase(at, pair)) {
            return Some(2);
        }
        let prefers =
            |word: &Word| word.stem == "prefer" || word.stem == "choos" || word.stem == "favor";
        (word.is(&["over"]) && self.words[..at].iter().any(prefers)).then_some(1)
    }

    /// Words that look like a negation and are none: limits, and emphasis.
    fn no_negation(&self, at: usize) -> Option<usize> {
        let word = &self.words[at];
        let comparing =
            ["more", "less", "fewer", "later", "longer", "earlier", "larger", "shorter", "greater"];
        if word.is(&["no", "not"]) && self.next_is(at, &comparing) {
            return self.words.get(at + 2).is_some_and(|word| word.is(&["than"])).then_some(3);
        }
        if word.is(&["not"]) && self.next_is(at, &["only", "just", "even", "necessarily", "yet"]) {
            return Some(2);
        }
        (word.is(&["nothing", "none", "no"]) && self.next_is(at, &["but", "matter", "one's"]))
            .then_some(2)
    }

    /// `use spaces, not tabs`: the rest of the clause is set aside, the sentence stays as it is.
    fn is_aside(&self, at: usize) -> bool {
        let word = &self.words[at];
        at > 0 && word.is_after_break && word.is(&["not", "no", "never"])
    }

    fn negator(&self, at: usize) -> Option<usize> {
        let word = &self.words[at];
        if word.is(&["no"]) && self.next_is(at, &["longer"]) {
            return Some(2);
        }
        if word.is(&["not", "never", "no", "nobody", "none", "neither", "nothing"])
            || word.is(CONTRACTED)
        {
            return Some(1);
        }
        let tells_purpose = at > 0 && self.words[at - 1].is(&["to"]);
        if word.is(DENYING) && !tells_purpose {
            return Some(1);
        }
        if self.is_phrase(at, &["out", "of"]) && at > 0 {
            let keeps =
                self.words[..at].iter().any(|word| word.stem == "keep" || word.stem == "stay");
            return keeps.then_some(2);
        }
        if word.is(&["fails", "failed", "fail"]) && self.next_is(at, &["to"]) {
            return Some(2);
        }
        if !self.leads(at) {
            return None;
        }
        if self.is_phrase(at, &["get", "rid", "of"]) {
            return Some(3);
        }
        if self.is_phrase(at, &["turn", "off"]) || self.is_phrase(at, &["phase", "out"]) {
            return Some(2);
        }
        word.is(ENDING).then_some(1)
    }

    fn predicate_of(&self, at: usize) -> Option<usize> {
        let word = &self.words[at];
        if !word.is(&["not", "never"]) && !word.is(CONTRACTED) {
            return None;
        }
        let rest = self.words.iter().enumerate().skip(at + 1);
        let mut rest =
            rest.skip_while(|(_, word)| word.is(&["be", "been", "get", "ever", "have", "to"]));
        rest.next().map(|(at, _)| at)
    }

    /// The sentence is an order and this is its verb.
    fn leads(&self, at: usize) -> bool {
        self.words[..at]
            .iter()
            .enumerate()
            .all(|(before, word)| word.is(LEADING) || self.marks[before] == Mark::Dropped)
    }

    fn clause_end(&self, from: usize) -> usize {
        let rest = self.words.iter().enumerate().skip(from);
        rest.into_iter()
            .find(|(_, word)| word.is_after_break)
            .map_or(self.words.len(), |(at, _)| at)
    }

    fn phrase_end(&self, from: usize) -> usize {
        let rest = self.words.iter().enumerate().skip(from);
        let end = rest
            .into_iter()
            .find(|(_, word)| word.is_after_break || word.is(PREPOSITIONS))
            .map_or(self.words.len(), |(at, _)| at);
        end.min(from + DENIED_WORDS_MAX)
    }
}
