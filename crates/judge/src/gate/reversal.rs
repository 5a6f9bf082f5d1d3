//! Sentences that give something up: `replace X by Y`, `move from X to Y`, `stop using X`.

use std::ops::Range;

use super::negation::{Mark, PREPOSITIONS};
use super::words::Word;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct GivenUp {
    /// The words of X.
    pub what: Range<usize>,
    /// Where the words begin that say for what: behind X and what takes its place.
    pub context: usize,
    /// Said in passing, of another choice: `Y instead of X`.
    pub is_aside: bool,
}

/// None when nothing is given up, or when the sentence says that it is not.
pub(super) fn given_up(words: &[Word], marks: &[Mark]) -> Option<GivenUp> {
    let is_denied = words.iter().take(4).any(|word| {
        word.is(&["not", "never", "dont", "wont", "doesnt", "no"]) && !word.is(&["longer"])
    });
    let with_successor = |what: Range<usize>| {
        let context = phrase_end(words, (what.end + 1).min(words.len()));
        GivenUp { what, context, is_aside: false }
    };
    let found = leaving(words).or_else(|| replacing(words)).map(with_successor).or_else(|| {
        ending(words, marks).map(|what| GivenUp {
            context: what.end,
            is_aside: is_aside(words),
            what,
        })
    });
    found.filter(|it| !it.what.is_empty() && (!is_denied || says_no_longer(words)))
}

fn is_aside(words: &[Word]) -> bool {
    words.iter().any(|word| word.is(&["instead", "rather"]))
}

fn says_no_longer(words: &[Word]) -> bool {
    words.windows(2).any(|pair| pair[0].is(&["no"]) && pair[1].is(&["longer"]))
}

/// `migrate from X to Y`, `move away from X`.
fn leaving(words: &[Word]) -> Option<Range<usize>> {
    const STEMS: &[&str] = &["migrat", "move", "switch", "transit", "convert", "away", "chang"];
    let from = words.iter().position(|word| word.is(&["from"]))?;
    let verb = words[..from].iter().rposition(|word| STEMS.contains(&word.stem.as_str()))?;
    let is_pair = words[from..].iter().any(|word| word.is(&["to", "into", "onto", "towards"]));
    (from - verb <= 5 && (is_pair || words[verb].is(&["away"])))
        .then(|| from + 1..phrase_end(words, from + 1))
}

/// `replace X by Y`, `swap X for Y`.
fn replacing(words: &[Word]) -> Option<Range<usize>> {
    let verb = words.iter().position(|word| word.stem == "replac" || word.stem == "swap")?;
    // `X is replaced by Y` names it before the verb.
    if words[verb].is(&["replaced", "swapped"]) {
        let be = verb.checked_sub(1)?;
        return words[be].is(&["is", "are", "be", "was", "been"]).then_some(0..be);
    }
    Some(verb + 1..phrase_end(words, verb + 1))
}

/// `drop support for X`, `no longer use X`, `X instead of Z` gives up Z.
fn ending(words: &[Word], marks: &[Mark]) -> Option<Range<usize>> {
    const VERBS: &[&str] = &[
        "abandon",
        "deprecate",
        "discontinue",
        "drop",
        "eliminate",
        "remove",
        "retire",
        "rid",
        "stop",
        "sunset",
        "longer",
    ];
    if let Some(at) = words.iter().position(|word| word.is(&["instead", "rather"])) {
        let denied =
            marks.iter().skip(at).position(|mark| *mark == Mark::Denied).map(|by| at + by)?;
        return Some(denied..phrase_end(words, denied));
    }
    let verb = words.iter().take(6).position(|word| word.is(VERBS))?;
    if marks[verb] != Mark::Dropped {
        return None;
    }
    let rest = words[verb + 1..].iter();
    let skipped = rest.take_while(|word| {
        word.is(&[
            "using",
            "use",
            "uses",
            "support",
            "supports",
            "supporting",
            "for",
            "of",
            "the",
            "out",
        ])
    });
    let from = verb + 1 + skipped.count();
    Some(from..phrase_end(words, from))
}

fn phrase_end(words: &[Word], from: usize) -> usize {
    let ends = |word: &Word| {
        word.is_after_break || word.is(PREPOSITIONS) || word.is(&["and", "onto", "towards"])
    };
    let rest = words.iter().enumerate().skip(from);
    rest.into_iter().find(|(at, word)| *at > from && ends(word)).map_or(words.len(), |(at, _)| at)
}
