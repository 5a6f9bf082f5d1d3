//! The measures, as pure functions of rankings and gold. They follow the usual definitions with a
//! cut at ten; a shorter ranking is scored as it is.

use serde::ser::{SerializeMap, Serializer};

use super::{Answer, Question};

use crate::prelude::*;

/// MRR and nDCG look no deeper.
const CUT: usize = 10;

/// The names of the scores: the share of the gold within the first 1, 5 and 10; whether all of it is
/// within 5 and 10; and the two measures of order.
pub const MEASURES: [&str; 7] =
    ["recall_at_1", "recall_at_5", "recall_at_10", "all_at_5", "all_at_10", "mrr", "ndcg_at_10"];

/// One question's scores in the order of `MEASURES`, or their means over many questions.
pub type Scores = [f64; MEASURES.len()];

/// Milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Latency {
    pub p50: f64,
    pub p95: f64,
    pub max: f64,
}

/// The scores of many questions. `None` could not be measured, which is not zero.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Group {
    pub category: String,
    pub answerable: usize,
    pub unanswerable: usize,
    /// Over the answerable ones.
    #[serde(flatten, serialize_with = "named_scores")]
    pub scores: Option<Scores>,
    /// The share of the unanswerable ones that got nothing, as they should.
    #[serde(serialize_with = "four_digits")]
    pub abstained: Option<f64>,
    /// The share of the answerable ones that got nothing.
    #[serde(serialize_with = "four_digits")]
    pub silenced: Option<f64>,
    /// A silent answer counts as zero. Only recall counts tokens and stale memories.
    #[serde(serialize_with = "one_digit")]
    pub tokens_mean: Option<f64>,
    pub stale_served: Option<usize>,
    pub latency_ms: Latency,
}

impl Group {
    pub fn of(category: &str, rows: &[(&Question, &Answer)], is_recall: bool) -> Self {
        let (answerable, unanswerable): (Vec<_>, Vec<_>) =
            rows.iter().copied().partition(|(question, _)| !question.gold.is_empty());
        let each: Vec<Scores> = answerable
            .iter()
            .map(|(question, answer)| score(&answer.ranking, &question.gold))
            .collect();
        let tokens: usize = rows.iter().map(|(_, answer)| answer.tokens).sum();
        let stale = rows.iter().map(|(_, answer)| answer.stale).sum();
        Self {
            category: category.to_owned(),
            answerable: answerable.len(),
            unanswerable: unanswerable.len(),
            scores: mean_scores(&each),
            abstained: silent_share(&unanswerable),
            silenced: silent_share(&answerable),
            tokens_mean: is_recall.then(|| tokens as f64 / rows.len().max(1) as f64),
            stale_served: is_recall.then_some(stale),
            latency_ms: latency(rows.iter().map(|(_, answer)| answer.micros).collect()),
        }
    }
}

/// `ranking` is clean; `gold` has each id once and is not empty.
fn score(ranking: &[String], gold: &[String]) -> Scores {
    let is_gold: BTreeSet<&str> = gold.iter().map(String::as_str).collect();
    let hits: Vec<bool> =
        ranking.iter().take(CUT).map(|id| is_gold.contains(id.as_str())).collect();
    let found = |depth: usize| hits.iter().take(depth).filter(|hit| **hit).count();
    let share = |depth: usize| found(depth) as f64 / is_gold.len() as f64;
    let all = |depth: usize| if found(depth) == is_gold.len() { 1.0 } else { 0.0 };
    // From 0.0: the empty sum of floats is -0.0, which would be shown.
    let gained =
        hits.iter().enumerate().fold(0.0, |sum, (at, hit)| if *hit { sum + gain(at) } else { sum });
    let best: f64 = (0..is_gold.len().min(CUT)).map(gain).sum();
    let mrr = hits.iter().position(|hit| *hit).map_or(0.0, |at| 1.0 / (at + 1) as f64);
    [share(1), share(5), share(10), all(5), all(10), mrr, gained / best]
}

/// What a hit is worth at a position from 0.
fn gain(at: usize) -> f64 {
    1.0 / ((at + 2) as f64).log2()
}

fn mean_scores(each: &[Scores]) -> Option<Scores> {
    let mean = |at| each.iter().map(|scores| scores[at]).sum::<f64>() / each.len() as f64;
    (!each.is_empty()).then(|| std::array::from_fn(mean))
}

fn silent_share(rows: &[(&Question, &Answer)]) -> Option<f64> {
    let silent = rows.iter().filter(|(_, answer)| answer.silent).count();
    (!rows.is_empty()).then(|| silent as f64 / rows.len() as f64)
}

fn latency(mut micros: Vec<u64>) -> Latency {
    micros.sort_unstable();
    // The nearest rank: a time that was really taken, not one between two.
    let at = |percent: usize| {
        let rank = (micros.len() * percent).div_ceil(100).max(1);
        micros.get(rank - 1).map_or(0.0, |micros| *micros as f64 / 1000.0)
    };
    Latency { p50: at(50), p95: at(95), max: at(100) }
}

pub fn digits(value: f64, count: i32) -> f64 {
    let shift = 10_f64.powi(count);
    (value * shift).round() / shift
}

fn four_digits<S: Serializer>(value: &Option<f64>, to: S) -> Result<S::Ok, S::Error> {
    value.map(|value| digits(value, 4)).serialize(to)
}

fn one_digit<S: Serializer>(value: &Option<f64>, to: S) -> Result<S::Ok, S::Error> {
    value.map(|value| digits(value, 1)).serialize(to)
}

fn named_scores<S: Serializer>(scores: &Option<Scores>, to: S) -> Result<S::Ok, S::Error> {
    let mut map = to.serialize_map(Some(MEASURES.len()))?;
    for (at, name) in MEASURES.iter().enumerate() {
        map.serialize_entry(name, &scores.map(|scores| digits(scores[at], 4)))?;
    }
    map.end()
}

#[cfg(test)]
mod tests;
