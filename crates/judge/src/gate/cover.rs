//! How far the words of two claims cover each other.

use super::claims::{Claim, Term};
use super::negation::Mark;

/// Weights of the words that both have, and of those that only one has.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Cover {
    pub shared: f64,
    pub only_ours: f64,
    pub only_theirs: f64,
}

impl Cover {
    /// Of what two claims say.
    pub(super) fn of(ours: &Claim, theirs: &Claim, weigh: impl Fn(&Term) -> f64) -> Self {
        Self::between(ours.said(), theirs.said(), weigh)
    }

    pub(super) fn between<'a>(
        ours: impl Iterator<Item = &'a Term>,
        theirs: impl Iterator<Item = &'a Term>,
        weigh: impl Fn(&Term) -> f64,
    ) -> Self {
        let ours: Vec<&Term> = ours.collect();
        let theirs: Vec<&Term> = theirs.collect();
        let has = |terms: &[&Term], stem: &str| terms.iter().any(|term| term.stem == stem);
        let mut cover = Self::default();
        for term in &ours {
            let weight = weigh(term);
            if has(&theirs, &term.stem) {
                cover.shared += weight;
            } else {
                cover.only_ours += weight;
            }
        }
        cover.only_theirs =
            theirs.iter().filter(|term| !has(&ours, &term.stem)).map(|term| weigh(term)).sum();
        cover
    }

    /// The share of ours that theirs has too.
    pub(super) fn ours(&self) -> f64 {
        share(self.shared, self.only_ours)
    }

    pub(super) fn theirs(&self) -> f64 {
        share(self.shared, self.only_theirs)
    }

    /// Of all words of both.
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

/// A part of a system: many things are chosen for one.
pub(super) fn is_component(term: &Term) -> bool {
    const STEMS: &[&str] = &[
        "agent",
        "api",
        "applic",
        "backend",
        "cli",
        "client",
        "cluster",
        "compon",
        "dashboard",
        "frontend",
        "gateway",
        "job",
        "librari",
        "modul",
        "page",
        "platform",
        "project",
        "repositori",
        "sdk",
        "server",
        "servic",
        "site",
        "system",
        "team",
        "ui",
        "web",
        "websit",
        "worker",
        "workspac",
    ];
    STEMS.contains(&term.stem.as_str())
}

/// The words that both claims have, as each wrote them.
pub(super) fn shared_terms(ours: &Claim, theirs: &Claim) -> Vec<(String, String)> {
    let pairs = ours.said().filter(|term| term.weight >= 1.0).filter_map(|mine| {
        let other = theirs.said().find(|other| other.stem == mine.stem)?;
        Some((mine.text.clone(), other.text.clone()))
    });
    pairs.take(4).collect()
}

/// The words that one sets aside and the other affirms.
pub(super) fn denied_terms(ours: &Claim, theirs: &Claim) -> Vec<(String, String)> {
    let met = |from: &Claim, to: &Claim| -> Vec<String> {
        let denied = from.terms.iter().filter(|term| term.mark == Mark::Denied);
        denied
            .filter(|term| to.said().any(|said| said.stem == term.stem))
            .map(|term| term.text.clone())
            .collect()
    };
    let mut words = met(ours, theirs);
    words.extend(met(theirs, ours));
    words.into_iter().map(|word| (word.clone(), word)).collect()
}
