//! Which sentences are worth remembering, and as what. The same text always gives the same hits.

mod judge;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use crate::capture::harvest::names_code;
use crate::capture::sentence;
use oldhand_core::kind::{Kind, Kinds};
use oldhand_core::policy::CapturePolicy;
use oldhand_text::table;
use oldhand_transcripts::{Turn, Voice};

/// The kinds that a store captures by itself, each with the score that makes a sentence a hit.
#[derive(Debug, Clone, PartialEq)]
pub struct Rules(Vec<(Kind, f64)>);

impl Rules {
    /// A category that is switched off, or that is not captured by itself, gives no hits (R289).
    pub fn of(kinds: &Kinds, thresholds: &BTreeMap<Kind, f64>) -> Self {
        let is_captured = |kind: &Kind| {
            let spec = kinds.spec(kind);
            spec.enabled && spec.auto_capture
        };
        let rules = CapturePolicy::THRESHOLDS.iter().filter(|(kind, _)| is_captured(kind));
        let threshold = |(kind, default): &(Kind, f64)| {
            (kind.clone(), thresholds.get(kind).unwrap_or(default).clamp(0.0, 1.0))
        };
        Self(rules.map(threshold).collect())
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
    /// Sentences that were looked at.
    pub heard: usize,
}

/// Words that stand for something that was said before.
const POINTING: &str = "this that it it's that's they them these those he she here there confirmed \
     same which";

/// Words that answer something: what follows is about it.
const ANSWERING: &str = "but and or yep yeah yes ok okay hmm so stop now log";
/// It holds for more than what was answered.
const LASTING: &str = "never|always|from now on|every|rule|decided|convention";

/// Unintelligible alone, unless somebody says that it is to be remembered. An answer must name what
/// it is about, whoever says so.
fn is_fragment(hit: &Hit) -> bool {
    let mut words = hit.text.split(|c: char| !c.is_alphanumeric() && c != '\'');
    let first = words.find(|word| !word.is_empty()).unwrap_or_default().to_lowercase();
    let is_answer = table::has(ANSWERING, &first)
        && !table::holds(LASTING, &hit.text.to_lowercase())
        && !names_code(&hit.text);
    is_answer || !(hit.explicit && hit.voice == Voice::Person) && table::has(POINTING, &first)
}

pub fn triage(turns: &[Turn], rules: &Rules) -> Triage {
    let sentences = sentence::sentences(turns);
    let mut best: BTreeMap<Kind, f64> = BTreeMap::new();
    let mut hits: Vec<Hit> = Vec::new();
    for hit in (0..sentences.len()).filter_map(|at| judge::judge(&sentences, at)) {
        let Some((_, threshold)) = rules.0.iter().find(|(kind, _)| *kind == hit.kind) else {
            continue;
        };
        let score = best.entry(hit.kind.clone()).or_default();
        *score = score.max(hit.score);
        if hit.score >= *threshold
            && !is_fragment(&hit)
            && !hits.iter().any(|known| known.text == hit.text)
        {
            hits.push(hit);
        }
    }
    let scores = rules.0.iter().filter_map(|(kind, _)| Some((kind.clone(), *best.get(kind)?)));
    Triage { scores: scores.collect(), hits, heard: sentences.len() }
}
