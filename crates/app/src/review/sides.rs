//! The two sides of a conflict, with the words that clash.

use std::collections::BTreeSet;

use oldhand_core::pending::Against;
use oldhand_text::terms::{self, Form};

/// A piece of a sentence, and whether it is one of the words that clash.
pub type Piece = (String, bool);

/// What was decided and what is proposed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sides {
    pub decided: Vec<Piece>,
    pub proposed: Vec<Piece>,
}

impl Sides {
    /// The words that the cause names; on a side that has none of them, the words that the other
    /// side does not have.
    pub fn of(against: &Against) -> Self {
        let named: BTreeSet<String> =
            against.why.split('`').skip(1).step_by(2).flat_map(stems).collect();
        let side = |text: &str, other: &str| {
            let pieces = marked(text, |stem| named.contains(stem));
            if pieces.iter().any(|(_, clashes)| *clashes) {
                return pieces;
            }
            let there = stems(other);
            marked(text, |stem| !terms::is_common(stem) && !there.contains(stem))
        };
        Self {
            decided: side(&against.theirs, &against.ours),
            proposed: side(&against.ours, &against.theirs),
        }
    }
}

fn stems(text: &str) -> BTreeSet<String> {
    let mut stems = BTreeSet::new();
    terms::each_term(text, &mut |term, form, _| {
        if form == Form::Stem {
            stems.insert(term.to_owned());
        }
    });
    stems
}

fn marked(text: &str, clashes: impl Fn(&str) -> bool) -> Vec<Piece> {
    let mut spans: Vec<std::ops::Range<usize>> = Vec::new();
    terms::Terms::default().each_span(text, &mut |term, form, span| {
        if form == Form::Stem && clashes(term) {
            spans.push(span);
        }
    });
    let (mut pieces, mut from) = (Vec::new(), 0);
    for span in spans {
        if span.start < from {
            continue;
        }
        pieces.push((text[from..span.start].to_owned(), false));
        pieces.push((text[span.clone()].to_owned(), true));
        from = span.end;
    }
    pieces.push((text[from..].to_owned(), false));
    pieces.retain(|(piece, _)| !piece.is_empty());
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn against(ours: &str, theirs: &str, why: &str) -> Against {
        let text = |it: &str| it.to_owned();
        let (id, title, date) = (text("a"), text("A"), text("2026-01-01"));
        Against { id, title, date, why: text(why), ours: text(ours), theirs: text(theirs) }
    }

    fn words(pieces: &[Piece]) -> Vec<&str> {
        pieces.iter().filter(|(_, clashes)| *clashes).map(|(word, _)| word.as_str()).collect()
    }

    #[test]
    fn the_words_of_the_cause_are_marked() {
        let one = against(
            "Use MySQL",
            "Use PostgreSQL for all",
            "`MySQL` is chosen where `PostgreSQL` was chosen before",
        );
        let sides = Sides::of(&one);
        assert_eq!(
            (words(&sides.decided), words(&sides.proposed)),
            (vec!["PostgreSQL"], vec!["MySQL"])
        );
        let whole: String = sides.decided.iter().map(|(piece, _)| piece.as_str()).collect();
        assert_eq!(whole, one.theirs);
    }

    #[test]
    fn without_a_named_word_the_difference_is_marked() {
        let one = against("Deploy on Fridays", "Deploy on Mondays", "both settle the same matter");
        let sides = Sides::of(&one);
        assert_eq!(
            (words(&sides.decided), words(&sides.proposed)),
            (vec!["Mondays"], vec!["Fridays"])
        );
    }
}
