//! One claim: a sentence with what it affirms, denies, picks, measures and gives up.

use std::ops::Range;

use super::forms::{self, Frame, GivenUp};
use super::numbers::{self, Amount};
use oldhand_text::lexicon::choices::{self, Mention};
use oldhand_text::lexicon::polarity::{Mark, Polarity};
use oldhand_text::lexicon::words::{PREPOSITIONS, Word, has_phrase, until, words_of};

/// A longer sentence is prose, not a claim; what follows is not read.
const WORDS_MAX: usize = 80;

/// A word of the claim that says something.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Term {
    pub stem: String,
    pub text: String,
    /// 0 for a word that only stands for another (`http` for `network`).
    pub weight: f64,
    pub is_light: bool,
    pub is_name: bool,
    /// One of several in a list: a prohibition holds for each of them.
    pub is_listed: bool,
    pub mark: Mark,
    pub at: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Claim {
    pub text: String,
    /// Its words in lower case; ranges of all that follows count them.
    words: Vec<String>,
    pub is_negative: bool,
    /// The verb that is denied, by its position.
    pub predicate: Option<usize>,
    /// Something comes beside what is there: no choice against it.
    pub is_additive: bool,
    pub terms: Vec<Term>,
    /// Those that the claim affirms, or denies as a whole when it is negative.
    pub picks: Vec<Mention>,
    /// Those that it sets aside.
    pub picks_denied: Vec<Mention>,
    pub poles: Vec<Mention>,
    pub amounts: Vec<Amount>,
    pub given_up: Option<GivenUp>,
    pub frame: Option<Frame>,
}

const ADDING: &str = "accept accepts add adds additionally alongside also beside besides both \
     mirror offer offers provide provided provides support supports too";
const ADDING_PHRASES: &str = "addition to|next to|as well|top of|front of";
/// They mean the network without naming it.
const NETWORKED: &str = "download downloads fetch fetches http https internet remote socket";
/// Words of a limit: the amount says it already.
const LIMITING: &str = "least limit limited limits max maximum min minimum most than up";

impl Claim {
    /// Nothing for a sentence without a word that says something.
    pub(super) fn of(sentence: &str) -> Option<Self> {
        let mut words = words_of(sentence);
        words.truncate(WORDS_MAX);
        let polarity = Polarity::of(&words);
        let is_negative = polarity.is_negative();
        let Polarity { predicate, mut marks, .. } = polarity;
        let given_up = forms::given_up(&words, &marks);
        // A negative claim denies it already: `stop using X`.
        if let Some(given_up) = given_up.as_ref().filter(|_| !is_negative) {
            marks[given_up.what.clone()].fill(Mark::Denied);
        }
        let is_said =
            |words: &Range<usize>| marks[words.clone()].iter().all(|it| *it == Mark::Said);
        let mut amounts = numbers::amounts_of(&words);
        amounts.retain(|amount| is_said(&amount.words));
        let mut poles = choices::poles_of(&words);
        poles.retain(|pole| is_said(&pole.words));
        let (picks, picks_denied) = choices::picks_of(&words)
            .into_iter()
            .filter(|pick| matches!(marks[pick.words.start], Mark::Said | Mark::Denied))
            .partition(|pick| marks[pick.words.start] == Mark::Said);
        let terms = terms(&words, &marks, &amounts);
        let frame = if is_negative { None } else { forms::frame_of(&words, &marks) };
        let is_additive =
            words.iter().any(|word| word.is(ADDING)) || has_phrase(&words, ADDING_PHRASES);
        (!terms.is_empty()).then(|| Self {
            text: sentence.trim().to_owned(),
            words: words.into_iter().map(|word| word.text).collect(),
            is_negative,
            predicate,
            is_additive,
            terms,
            picks,
            picks_denied,
            poles,
            amounts,
            given_up,
            frame,
        })
    }

    pub(super) fn said(&self) -> impl Iterator<Item = &Term> {
        self.marked(Mark::Said)
    }

    pub(super) fn marked(&self, mark: Mark) -> impl Iterator<Item = &Term> {
        self.terms.iter().filter(move |term| term.mark == mark)
    }

    /// It affirms the word of another claim.
    pub(super) fn says(&self, term: &Term) -> bool {
        self.said().any(|said| said.stem == term.stem)
    }

    /// It affirms words that another claim marks in this way.
    pub(super) fn says_what(&self, other: &Self, mark: Mark) -> bool {
        other.marked(mark).any(|term| self.says(term))
    }

    /// The words of a range, as they were written in lower case.
    pub(super) fn words(&self, range: &Range<usize>) -> String {
        self.words.get(range.clone()).unwrap_or_default().join(" ")
    }
}

fn terms(words: &[Word], marks: &[Mark], amounts: &[Amount]) -> Vec<Term> {
    let listed = listed(words);
    let mut terms: Vec<Term> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let is_measured = amounts.iter().any(|amount| amount.words.contains(&at));
        let is_limit = !amounts.is_empty() && word.is(LIMITING);
        let is_empty = word.weight == 0.0 || matches!(marks[at], Mark::Negator | Mark::Dropped);
        let is_known = |term: &Term| term.stem == word.stem && term.mark == marks[at];
        if is_empty || is_measured || is_limit || terms.iter().any(is_known) {
            continue;
        }
        terms.push(Term {
            stem: word.stem.clone(),
            text: word.text.clone(),
            weight: word.weight,
            is_light: word.is_light(),
            is_name: word.is_all_capitals || word.is_capital && at > 0,
            is_listed: listed.contains(&at),
            mark: marks[at],
            at,
        });
    }
    let network = words.iter().position(|word| word.is(NETWORKED));
    terms.extend(network.filter(|at| marks[*at] == Mark::Said).map(|at| Term {
        stem: "network".to_owned(),
        text: words[at].text.clone(),
        at,
        ..Term::default()
    }));
    terms
}

/// The words of `a b, c d and e f`: up to three on each side of a comma or a conjunction.
fn listed(words: &[Word]) -> Range<usize> {
    const SIDE_WORDS_MAX: usize = 3;
    let is_conjunction = |word: &Word| word.is("or and");
    let Some(last) = words.iter().rposition(is_conjunction) else { return 0..0 };
    let ends = |word: &Word| word.weight == 0.0 || word.is(PREPOSITIONS);
    let first = until(words, last + 1, |word| !word.is("a an any the"));
    let end = until(words, first, ends).min(first + SIDE_WORDS_MAX);
    let is_break = |at: &usize| words[*at].is_after_break || is_conjunction(&words[*at]);
    let mut start = last;
    while start > 0 && is_break(&start) {
        let side = (start.saturating_sub(SIDE_WORDS_MAX)..start).rev();
        let side: Vec<usize> = side.take_while(|at| !ends(&words[*at])).collect();
        let Some(from) = side.iter().copied().find(is_break).or(side.last().copied()) else {
            break;
        };
        start = from;
    }
    start..end
}
