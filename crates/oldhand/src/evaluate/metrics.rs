//! The measures, as pure functions of rankings and gold. They follow the usual definitions with a
//! cut at ten; a ranking that is shorter is scored as it is.

use std::collections::BTreeSet;

use super::{Answer, Question};

/// MRR and nDCG look no deeper.
const CUT: usize = 10;

/// One question's measures, or their means over many.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Scores {
    /// The share of the gold within the first 1, 5 and 10.
    pub recall_at_1: f64,
    pub recall_at_5: f64,
    pub recall_at_10: f64,
    /// All of the gold is within the first 5 and 10.
    pub all_at_5: f64,
    pub all_at_10: f64,
    pub mrr: f64,
    pub ndcg_at_10: f64,
}

/// Milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Latency {
    pub p50: f64,
    pub p95: f64,
    pub max: f64,
}

/// What many questions come to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Summary {
    pub answerable: usize,
    pub unanswerable: usize,
    /// Over the answerable ones.
    pub scores: Option<Scores>,
    /// The share of the unanswerable ones that got nothing, as they should.
    pub abstained: Option<f64>,
    /// The share of the answerable ones that got nothing.
    pub silenced: Option<f64>,
    /// A silent answer counts as none.
    pub tokens_mean: f64,
    pub stale: usize,
    pub latency: Latency,
}

/// Each id once, without the excluded ones, no more than `k`.
pub(crate) fn clean(ranking: &[String], exclude: &[String], k: usize) -> Vec<String> {
    let mut seen: BTreeSet<&str> = exclude.iter().map(String::as_str).collect();
    ranking.iter().filter(|id| seen.insert(id)).take(k).cloned().collect()
}

/// `ranking` is clean; `gold` has each id once and is not empty.
pub(crate) fn score(ranking: &[String], gold: &[String]) -> Scores {
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
    Scores {
        recall_at_1: share(1),
        recall_at_5: share(5),
        recall_at_10: share(10),
        all_at_5: all(5),
        all_at_10: all(10),
        mrr: hits.iter().position(|hit| *hit).map_or(0.0, |at| 1.0 / (at + 1) as f64),
        ndcg_at_10: gained / best,
    }
}

/// What a hit is worth at a position from 0.
fn gain(at: usize) -> f64 {
    1.0 / ((at + 2) as f64).log2()
}

pub(crate) fn summarise(rows: &[(&Question, &Answer)]) -> Summary {
    let (answerable, unanswerable): (Vec<_>, Vec<_>) =
        rows.iter().copied().partition(|(question, _)| !question.gold.is_empty());
    let each: Vec<Scores> = answerable
        .iter()
        .map(|(question, answer)| score(&answer.ranking, &question.gold))
        .collect();
    let tokens: usize = rows.iter().map(|(_, answer)| answer.tokens).sum();
    Summary {
        answerable: answerable.len(),
        unanswerable: unanswerable.len(),
        scores: mean_scores(&each),
        abstained: silent_share(&unanswerable),
        silenced: silent_share(&answerable),
        tokens_mean: if rows.is_empty() { 0.0 } else { tokens as f64 / rows.len() as f64 },
        stale: rows.iter().map(|(_, answer)| answer.stale).sum(),
        latency: latency(rows.iter().map(|(_, answer)| answer.micros).collect()),
    }
}

fn mean_scores(each: &[Scores]) -> Option<Scores> {
    if each.is_empty() {
        return None;
    }
    let mean = |field: fn(&Scores) -> f64| each.iter().map(field).sum::<f64>() / each.len() as f64;
    Some(Scores {
        recall_at_1: mean(|scores| scores.recall_at_1),
        recall_at_5: mean(|scores| scores.recall_at_5),
        recall_at_10: mean(|scores| scores.recall_at_10),
        all_at_5: mean(|scores| scores.all_at_5),
        all_at_10: mean(|scores| scores.all_at_10),
        mrr: mean(|scores| scores.mrr),
        ndcg_at_10: mean(|scores| scores.ndcg_at_10),
    })
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

#[cfg(test)]
mod tests;
