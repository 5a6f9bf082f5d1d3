//! Which sentences are worth remembering, and as what. Words decide, nothing is learned and
//! nothing is asked: the same text gives the same hits, whole or in pieces.

mod judge;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use crate::capture::sentence;
use oldhand_core::kind::{Kind, Kinds};
use oldhand_core::policy::CapturePolicy;
use oldhand_transcripts::{Turn, Voice};

/// What a store wants to be captured.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    pub kind: Kind,
    pub enabled: bool,
    /// Between 0 and 1; a score that reaches it is a hit.
    pub threshold: f64,
    pub description: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Rules(Vec<Rule>);

impl Rules {
    /// A category that is switched off, or that is not captured by itself, gives no hits (R289).
    pub fn of(kinds: &Kinds, thresholds: &BTreeMap<Kind, f64>) -> Self {
        let rule = |(kind, default): &(Kind, f64)| {
            let spec = kinds.spec(kind);
            Rule {
                kind: kind.clone(),
                enabled: spec.enabled && spec.auto_capture,
                threshold: thresholds.get(kind).copied().unwrap_or(*default).clamp(0.0, 1.0),
                description: spec.told.clone(),
            }
        };
        Self(CapturePolicy::THRESHOLDS.iter().map(rule).collect())
    }

    pub fn rule(&self, kind: &Kind) -> Option<&Rule> {
        self.0.iter().find(|rule| rule.kind == *kind)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Rule> {
        self.0.iter()
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self::of(&Kinds::default(), &BTreeMap::new())
    }
}

/// A sentence that is worth remembering.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    pub kind: Kind,
    pub score: f64,
    /// Somebody said that it is to be remembered, or that it is settled.
    pub explicit: bool,
    pub sentence: usize,
    pub turn: usize,
    /// The line of the transcript.
    pub line: usize,
    pub voice: Voice,
    pub text: String,
    /// The neighbour that says why, where one does.
    pub reason: Option<String>,
    pub because: String,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Triage {
    /// In the order of the text, each sentence once, as what it is most.
    pub hits: Vec<Hit>,
    /// The best of each category that scored, also below its threshold.
    pub scores: Vec<(Kind, f64)>,
}

pub fn triage(turns: &[Turn], rules: &Rules) -> Triage {
    let sentences = sentence::sentences(turns);
    let mut best: BTreeMap<Kind, f64> = BTreeMap::new();
    let mut hits: Vec<Hit> = Vec::new();
    for hit in (0..sentences.len()).filter_map(|at| judge::judge(&sentences, at)) {
        let Some(rule) = rules.rule(&hit.kind).filter(|rule| rule.enabled) else { continue };
        let score = best.entry(hit.kind.clone()).or_default();
        *score = score.max(hit.score);
        if hit.score >= rule.threshold && !hits.iter().any(|known| known.text == hit.text) {
            hits.push(hit);
        }
    }
    let scores = rules.iter().filter_map(|rule| Some((rule.kind.clone(), *best.get(&rule.kind)?)));
    Triage { scores: scores.collect(), hits }
}
