//! The plain form of a choice, for things that no lexicon knows: `use X for Y`, `do Y with X`.

use std::ops::Range;

use super::negation::Mark;
use super::words::Word;

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

const CHOOSING: &[&str] = &["adopt", "choos", "pick", "select", "use"];
const ENDS: &[&str] = &[
    "as", "at", "before", "between", "by", "for", "from", "in", "into", "of", "on", "over", "per",
    "through", "to", "under", "when", "where", "while", "with",
];

pub(super) fn frame_of(words: &[Word], marks: &[Mark]) -> Option<Frame> {
    let chosen = words.iter().position(|word| CHOOSING.contains(&word.stem.as_str()));
    let (link, from) = match chosen {
        Some(at) => {
            let end = object_end(words, at + 1);
            let is_role = words.get(end).is_some_and(|word| word.is(&["as"]));
            (if is_role { Link::Role } else { Link::Use }, at + 1)
        }
        None => {
            let at = words.iter().position(|word| link_of(word).is_some())?;
            (link_of(&words[at])?, at + 1)
        }
    };
    let object = from..object_end(words, from);
    let is_said = object.clone().all(|at| marks[at] == Mark::Said);
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

fn object_end(words: &[Word], from: usize) -> usize {
    let rest = words.iter().enumerate().skip(from);
    rest.into_iter()
        .find(|(at, word)| word.is_after_break && *at > from || word.is(ENDS))
        .map_or(words.len(), |(at, _)| at)
}
