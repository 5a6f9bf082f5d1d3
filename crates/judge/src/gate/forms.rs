//! Two forms of sentences. A plain choice of something that no lexicon knows: `use X for Y`, `do Y
//! with X`. And giving something up: `replace X by Y`, `move from X to Y`, `stop using X`.

use std::ops::Range;

use oldhand_text::lexicon::polarity::Mark;
use oldhand_text::lexicon::words::{PREPOSITIONS, Word, has_phrase, until};

/// How the object hangs on the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    /// `use X for Y`: much can be used for one thing.
    Use,
    /// `with`, `by`, `through`.
    Means,
    /// `in`, `on`, `under`.
    Place,
    /// `use X as Y`: there is one of it.
    Role,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Frame {
    pub link: Link,
    /// The words of what was chosen; all others say for what.
    pub object: Range<usize>,
}

pub(super) fn frame_of(words: &[Word], marks: &[Mark]) -> Option<Frame> {
    let chosen = words.iter().position(|word| word.has_stem("adopt choos pick select use"));
    let verb = chosen.or_else(|| words.iter().position(|word| link_of(word).is_some()))?;
    let ends = |word: &Word| word.is(PREPOSITIONS) || word.is("per");
    let breaks = until(words, verb + 2, |word| word.is_after_break);
    let object = verb + 1..until(words, verb + 1, ends).min(breaks);
    let is_role = || words.get(object.end).is_some_and(|word| word.is("as"));
    let link = match chosen {
        Some(_) if is_role() => Link::Role,
        Some(_) => Link::Use,
        None => link_of(&words[verb])?,
    };
    let is_said = marks[object.clone()].iter().all(|mark| *mark == Mark::Said);
    (is_said && !object.is_empty()).then_some(Frame { link, object })
}

fn link_of(word: &Word) -> Option<Link> {
    match word.text.as_str() {
        "by" | "through" | "using" | "via" | "with" => Some(Link::Means),
        "in" | "on" | "under" => Some(Link::Place),
        "as" => Some(Link::Role),
        _ => None,
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct GivenUp {
    /// The words of X.
    pub what: Range<usize>,
    /// Where the words begin that say for what: behind X and what takes its place.
    pub context: usize,
    /// Said in passing, of another choice: `Y instead of X`.
    pub is_aside: bool,
}

const ENDING: &str = "abandon deprecate discontinue drop eliminate remove retire rid stop sunset \
     longer";
/// Between the verb and what is given up.
const SKIPPED: &str = "using use uses support supports supporting for of the out";

/// None when nothing is given up, or when the sentence says that it is not.
pub(super) fn given_up(words: &[Word], marks: &[Mark]) -> Option<GivenUp> {
    let denies = |word: &Word| word.is("not never dont wont doesnt no");
    let is_denied = words.iter().take(4).any(denies);
    let with_successor = |what: Range<usize>| {
        let context = phrase_end(words, (what.end + 1).min(words.len()));
        GivenUp { what, context, is_aside: false }
    };
    let found = leaving(words).or_else(|| replacing(words)).map(with_successor);
    let found = found.or_else(|| {
        let what = ending(words, marks)?;
        let is_aside = aside(words).is_some();
        Some(GivenUp { context: what.end, is_aside, what })
    });
    found.filter(|it| !it.what.is_empty() && (!is_denied || has_phrase(words, "no longer")))
}

fn aside(words: &[Word]) -> Option<usize> {
    words.iter().position(|word| word.is("instead rather"))
}

/// `migrate from X to Y`, `move away from X`.
fn leaving(words: &[Word]) -> Option<Range<usize>> {
    const STEMS: &str = "migrat move switch transit convert away chang";
    let from = words.iter().position(|word| word.is("from"))?;
    let verb = words[..from].iter().rposition(|word| word.has_stem(STEMS))?;
    let is_pair = words[from..].iter().any(|word| word.is("to into onto towards"));
    (from - verb <= 5 && (is_pair || words[verb].is("away")))
        .then(|| from + 1..phrase_end(words, from + 1))
}

/// `replace X by Y`, `swap X for Y`.
fn replacing(words: &[Word]) -> Option<Range<usize>> {
    let verb = words.iter().position(|word| word.has_stem("replac swap"))?;
    // `X is replaced by Y` names it before the verb.
    if words[verb].is("replaced swapped") {
        let be = verb.checked_sub(1)?;
        return words[be].is("is are be was been").then_some(0..be);
    }
    Some(verb + 1..phrase_end(words, verb + 1))
}

/// `drop support for X`, `no longer use X`, `X instead of Z` gives up Z.
fn ending(words: &[Word], marks: &[Mark]) -> Option<Range<usize>> {
    if let Some(at) = aside(words) {
        let denied = at + marks.iter().skip(at).position(|mark| *mark == Mark::Denied)?;
        return Some(denied..phrase_end(words, denied));
    }
    let verb = words.iter().take(6).position(|word| word.is(ENDING))?;
    if marks[verb] != Mark::Negator {
        return None;
    }
    let from = until(words, verb + 1, |word| !word.is(SKIPPED));
    Some(from..phrase_end(words, from))
}

fn phrase_end(words: &[Word], from: usize) -> usize {
    until(words, from + 1, |word| {
        word.is_after_break || word.is(PREPOSITIONS) || word.is("and onto towards")
    })
}
