//! What the words for the status of a decision mean here.

use oldhand_core::state::State;
use oldhand_text::{sentence, table};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Status {
    /// A word of ours. What was superseded is `deprecated` until its successor is found.
    pub word: &'static str,
    /// The source ended it.
    pub state: Option<State>,
    /// Its words are those of something superseded.
    pub is_superseded: bool,
    /// Whom they name as the successor, as written.
    pub successor: Option<String>,
}

const WORDS: &[(&str, &str, Option<State>)] = &[
    ("superseded superceded replaced amended", "deprecated", None),
    ("rejected declined cancelled canceled retracted", "deprecated", Some(State::Rejected)),
    ("deprecated obsolete stale", "deprecated", None),
    ("proposed draft open pending candidate rfc deferred", "proposed", None),
    ("accepted active adopted approved implemented done confirmed", "accepted", None),
];

/// The first known word decides; a status without one is accepted.
pub fn read(text: &str) -> Status {
    let folded = sentence::folded(text);
    let row = folded
        .split_whitespace()
        .find_map(|word| WORDS.iter().find(|(words, ..)| table::has(words, word)));
    let (words, word, state) = row.copied().unwrap_or(("", "accepted", None));
    let is_superseded = table::has(words, "superseded");
    let successor = is_superseded.then(|| named_successor(text)).flatten();
    Status { word, state, is_superseded, successor }
}

/// Whether a text is nothing but a status: a known word at its beginning.
pub fn begins(text: &str) -> bool {
    let folded = sentence::folded(text);
    let first = folded.split_whitespace().next().unwrap_or_default();
    WORDS.iter().any(|(words, ..)| table::has(words, first))
}

/// What stands behind `by` or `into`: the target of a link, else the words.
fn named_successor(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let at = [" by ", " by: ", " into ", " with "]
        .iter()
        .filter_map(|word| Some(lower.find(word)? + word.len()))
        .min()?;
    let rest = text.get(at..)?;
    Some(
        link_target(rest)
            .unwrap_or(rest)
            .trim()
            .trim_end_matches(['.', '*', ')'])
            .trim()
            .to_owned(),
    )
    .filter(|it| !it.is_empty())
}

/// Where the first Markdown link of a text leads.
pub fn link_target(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("](")?;
    let target = rest.split_once(')')?.0.trim();
    (!target.is_empty()).then_some(target)
}
