//! What a cue is, and all of them in one place for the search.

use std::sync::LazyLock;

use super::words::Phrases;
use super::{english, languages, veto};

/// What a sentence with a cue is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    Decision,
    Constraint,
    Preference,
    Runbook,
    TechDebt,
    /// To be remembered, as whatever its content is.
    Memory,
    /// The same as a request: a question mark takes nothing from it.
    Request,
    /// Makes another cue of the sentence more likely.
    Booster(Boost),
    /// Makes what was said no statement.
    Veto(Veto),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Boost {
    /// Why: because, since, otherwise.
    Reason,
    /// Over what: instead of, rather than.
    Contrast,
    /// It lasts: everywhere, in this repo, by default.
    Lasting,
    /// It broke, and it works again.
    Mended,
    /// Nobody here can change it.
    Given,
    /// It is known to be unfinished.
    Unfinished,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Veto {
    /// A question without its mark, or a request.
    Asked,
    /// Not settled: maybe, could, whether, if we.
    Open,
    /// An agent about its own next step.
    Narrated,
    /// Not even what was to be remembered: `I don't remember`, `remember when`.
    Denied,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Who {
    Person,
    Agent,
    Anyone,
}

/// Phrases of one meaning.
pub(super) struct Cues {
    pub(super) sign: Sign,
    pub(super) who: Who,
    /// From 0 to 1; 1 is explicit.
    pub(super) weight: f64,
    /// Separated by commas, in the language of `words`.
    pub(super) phrases: &'static str,
}

/// One phrase and what it stands for.
pub(super) struct Cue {
    pub(super) sign: Sign,
    pub(super) who: Who,
    pub(super) weight: f64,
}

pub(super) struct Book {
    pub(super) phrases: Phrases,
    pub(super) cues: Vec<Cue>,
}

pub(super) static BOOK: LazyLock<Book> = LazyLock::new(|| {
    let mut book = Book { phrases: Phrases::default(), cues: Vec::new() };
    book.phrases.add_openers(veto::OPENERS);
    let tables = [english::CUES, languages::CUES, veto::CUES];
    for cues in tables.into_iter().flatten() {
        for phrase in cues.phrases.split(", ") {
            book.phrases.add(book.cues.len(), phrase);
            book.cues.push(Cue { sign: cues.sign, who: cues.who, weight: cues.weight });
        }
    }
    book
});
