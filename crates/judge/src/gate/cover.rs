//! How far the words of two claims cover each other.

use super::claims::{Claim, Term};

/// Weights of the words that both have, and of those that only one has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cover {
    pub shared: f64,
    pub only_ours: f64,
    pub only_theirs: f64,
}

impl Cover {
    /// Of what two claims say about a subject.
    pub(super) fn of(ours: &Claim, theirs: &Claim) -> Self {
        Self::beside(ours, theirs, |_, _| false)
    }

    /// The same without the words of some part.
    pub(super) fn beside(
        ours: &Claim,
        theirs: &Claim,
        is_part: impl Fn(&Claim, &Term) -> bool,
    ) -> Self {
        let rest = |claim| Claim::said(claim).filter(|term| !is_part(claim, term));
        Self::between(rest(ours), rest(theirs), subject_weight)
    }

    pub(super) fn between<'a>(
        ours: impl Iterator<Item = &'a Term>,
        theirs: impl Iterator<Item = &'a Term>,
        weigh: impl Fn(&Term) -> f64,
    ) -> Self {
        let (ours, theirs) = (Vec::from_iter(ours), Vec::from_iter(theirs));
        let sum = |terms: &[&Term], others: &[&Term], is_shared: bool| -> f64 {
            let has = |term: &Term| others.iter().any(|other| other.stem == term.stem);
            terms.iter().filter(|term| has(term) == is_shared).map(|term| weigh(term)).sum()
        };
        Self {
            shared: sum(&ours, &theirs, true),
            only_ours: sum(&ours, &theirs, false),
            only_theirs: sum(&theirs, &ours, false),
        }
    }

    /// The share of ours that theirs has too.
    pub(super) fn ours(&self) -> f64 {
        share(self.shared, self.only_ours)
    }

    pub(super) fn theirs(&self) -> f64 {
        share(self.shared, self.only_theirs)
    }

    pub(super) fn most(&self) -> f64 {
        self.ours().max(self.theirs())
    }

    pub(super) fn both(&self) -> f64 {
        share(self.shared, self.only_ours + self.only_theirs)
    }
}

fn share(part: f64, rest: f64) -> f64 {
    if part + rest == 0.0 { 0.0 } else { part / (part + rest) }
}

/// A verb that every decision uses says little about the subject.
pub(super) fn subject_weight(term: &Term) -> f64 {
    if term.is_light { 0.2 * term.weight } else { term.weight }
}

/// Stems that name a part of a system: many things are chosen for one.
pub(super) const COMPONENTS: &str = "agent api applic backend cli client cluster compon \
     dashboard frontend gateway job librari modul page platform project repositori sdk server \
     servic site system team ui web websit worker workspac";

/// The words that both claims have, as each wrote them.
pub(super) fn shared_terms(ours: &Claim, theirs: &Claim) -> Vec<(String, String)> {
    let pairs = ours.said().filter(|term| term.weight >= 1.0).filter_map(|mine| {
        let other = theirs.said().find(|other| other.stem == mine.stem)?;
        Some((mine.text.clone(), other.text.clone()))
    });
    pairs.take(4).collect()
}
