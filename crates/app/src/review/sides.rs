//! The two sides of a conflict, with the words that clash.

use std::collections::BTreeSet;

use oldhand_core::pending::Against;
use oldhand_judge::gate::named_terms;
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
    /// Marks the words that the gate's verdict names, and no others: a word that only one side has
    /// need not be what they clash about.
    pub fn of(against: &Against) -> Self {
        let named: BTreeSet<String> = named_terms(&against.why).flat_map(stems).collect();
        let side = |text: &str| marked(text, |stem| named.contains(stem));
        Self { decided: side(&against.theirs), proposed: side(&against.ours) }
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
    use oldhand_judge::gate::{Statement, judge};

    use super::*;

    fn against(ours: &str, theirs: &str, why: &str) -> Against {
        let text = |it: &str| it.to_owned();
        let (id, title, date) = (text("a"), text("A"), text("2026-01-01"));
        Against { id, title, date, why: text(why), ours: text(ours), theirs: text(theirs) }
    }

    fn words(pieces: &[Piece]) -> Vec<&str> {
        pieces.iter().filter(|(_, clashes)| *clashes).map(|(word, _)| word.as_str()).collect()
    }

    /// What is marked where the gate finds these to clash, decided and proposed.
    #[track_caller]
    fn check(theirs: &str, ours: &str, want: (&[&str], &[&str])) {
        let (decided, proposed) = (Statement::of_text(theirs), Statement::of_text(ours));
        let clashes = judge(&proposed, &decided, None);
        let clash = clashes.first().unwrap_or_else(|| panic!("no clash: {ours} / {theirs}"));
        let one = against(&clash.ours, &clash.theirs, &clash.sentence());
        let sides = Sides::of(&one);
        assert_eq!((&*words(&sides.decided), &*words(&sides.proposed)), want, "{}", one.why);
        let whole: String = sides.decided.iter().map(|(piece, _)| piece.as_str()).collect();
        assert_eq!(whole, one.theirs);
    }

    /// R364
    #[test]
    fn the_words_of_the_verdict_are_marked() {
        check("Use PostgreSQL for all", "Use MySQL for all", (&["PostgreSQL"], &["MySQL"]));
        check("Retry uploads 3 times", "Retry uploads 5 times", (&["3", "times"], &["5", "times"]));
    }

    /// R364: words that only one side has say nothing about the clash.
    #[test]
    fn a_negation_marks_what_is_denied() {
        check(
            "We always store amounts as integer cents",
            "We never store amounts as integer cents",
            (&["store", "amounts", "integer", "cents"], &["store", "amounts", "integer", "cents"]),
        );
    }

    /// R364
    #[test]
    fn a_verdict_that_names_no_word_marks_none() {
        for why in ["both settle the same matter, and in different words", "one ` alone", ""] {
            let sides = Sides::of(&against("Deploy on Fridays", "Deploy on Mondays", why));
            assert!(words(&sides.decided).is_empty() && words(&sides.proposed).is_empty(), "{why}");
        }
    }
}
