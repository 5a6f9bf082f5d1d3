//! Which sentences are worth remembering, and as what. Words decide, nothing is learned and
//! nothing is asked: the same text gives the same hits, whole or in pieces.

mod cues;
mod english;
mod judge;
mod languages;
mod veto;
mod words;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use crate::capture::sentence::{self, Sentence};
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
    /// Its number among the sentences of the turns.
    pub sentence: usize,
    pub turn: usize,
    /// The line of the transcript.
    pub line: usize,
    pub voice: Voice,
    pub text: String,
    /// The neighbour that says why, where one does.
    pub reason: Option<String>,
    /// The words that decided it.
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
    let mut judge = judge::Judge::new(&sentences);
    let mut best: BTreeMap<Kind, f64> = BTreeMap::new();
    let mut hits: Vec<Hit> = Vec::new();
    for (at, sentence) in sentences.iter().enumerate() {
        let Some(verdict) = judge.judge(at) else { continue };
        let Some(rule) = rules.rule(&verdict.kind).filter(|rule| rule.enabled) else { continue };
        let score = best.entry(verdict.kind.clone()).or_default();
        *score = score.max(verdict.score);
        let is_said_already = hits.iter().any(|hit| hit.text == sentence.text);
        if verdict.score >= rule.threshold && !is_said_already {
            hits.push(hit(at, sentence, verdict));
        }
    }
    let scores = rules.iter().filter_map(|rule| Some((rule.kind.clone(), *best.get(&rule.kind)?)));
    Triage { scores: scores.collect(), hits }
}

/// What a person who says this means it as, whether or not it lasts: the kind of its loudest cue, and
/// its words.
pub(crate) fn cued_kind(text: &str) -> Option<(Kind, String)> {
    let turns = [Turn {
        line: 1,
        voice: Voice::Person,
        text: text.to_owned(),
        uses: Vec::new(),
        results: Vec::new(),
        is_sidechain: false,
    }];
    let sentences = sentence::sentences(&turns);
    let mut judge = judge::Judge::new(&sentences);
    (0..sentences.len()).find_map(|at| judge.cued(at))
}

fn hit(at: usize, sentence: &Sentence<'_>, verdict: judge::Verdict<'_>) -> Hit {
    Hit {
        kind: verdict.kind,
        score: verdict.score,
        explicit: verdict.is_explicit,
        sentence: at,
        turn: sentence.turn,
        line: sentence.line,
        voice: sentence.voice,
        text: sentence.text.to_owned(),
        reason: verdict.reason.map(str::to_owned),
        because: verdict.because.to_owned(),
    }
}
