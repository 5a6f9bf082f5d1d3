//! The plain form of a choice, for things that no lexicon knows: `use X for Y`, `do Y with X`.

use std::ops::Range;

use oldhand_text::lexicon::polarity::Mark;
use oldhand_text::lexicon::words::{PREPOSITIONS, Word, until};

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
