//! Ranks candidates by words and meaning, then recency, trust and path proximity; ties by id.

use super::card::{Card, ancestors};
use super::query::Query;
use crate::policy::{RankWeights, RecallPolicy};

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Features {
    /// Fielded BM25.
    pub lexical: f32,
    /// The share of the query's words that it has, weighed by their rarity; and in its title.
    pub coverage: f32,
    pub title_coverage: f32,
    /// The same of the words that name something in particular.
    pub telling_coverage: f32,
    /// Cosine of its nearest passage.
    pub dense: Option<f32>,
}

/// A memory that may answer, and where it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    pub card: Card,
    pub store: usize,
    pub path: String,
    pub features: Features,
    pub matched: Vec<String>,
    /// Superseded memories that fit and that it replaces.
    pub replaces: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Parts {
    pub lexical: f64,
    pub names: f64,
    pub dense: f64,
    pub neighbour: f64,
    pub recency: f64,
    pub trust: f64,
    pub proximity: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Scored {
    pub candidate: Candidate,
    /// By words and meaning alone, beside the other candidates.
    pub relevance: f64,
    /// The chance that it answers the request; compared with the floor. By words alone, their share.
    pub confidence: f64,
    pub score: f64,
    pub parts: Parts,
    pub is_relevant: bool,
}

#[derive(Clone, Copy)]
pub struct Ranking<'a> {
    pub query: &'a Query,
    pub policy: &'a RecallPolicy,
    /// Seconds since the epoch.
    pub now: i64,
    /// Meaning was measured, so that its absence says something.
    pub semantic: bool,
    /// Meaning was measured at a level above, and nothing was near enough.
    pub doubted: bool,
    /// Nobody asked: a hook looks whether a prompt needs something.
    pub unasked: bool,
    /// How near this request is to memories that have nothing to do with it: see `background`.
    pub background: f64,
}

impl RankWeights {
    /// What the parts of a relevance add up to at most.
    fn whole(&self) -> f64 {
        self.words + self.names + self.likeness + self.likeness_squared
    }

    /// By the length that is usual among them: each weighs words alike, or long ones would win.
    fn words_among(&self, candidates: &[Candidate]) -> f64 {
        let mut passages: Vec<u32> = candidates.iter().map(|it| it.card.passages).collect();
        passages.sort_unstable();
        let usual = passages.get(passages.len() / 2).map_or(0.0, |it| f64::from(*it));
        self.words + self.words_per_passages * (usual / 2.0).max(1.0).ln()
    }
}

/// Best first, ties by id; the relevant ones are marked.
pub fn rank(candidates: Vec<Candidate>, ranking: Ranking<'_>) -> Vec<Scored> {
    let weights = &ranking.policy.weights;
    let best = candidates.iter().map(|it| f64::from(it.features.lexical)).fold(0.0, f64::max);
    let words = weights.words_among(&candidates);
    let mut scored: Vec<Scored> =
        candidates.into_iter().map(|candidate| weigh(candidate, (best, words), ranking)).collect();
    lend_to_neighbours(&mut scored, weights);
    for item in &mut scored {
        let (relevance, card) = (item.relevance + item.parts.neighbour, &item.candidate.card);
        item.relevance = relevance;
        // Shares of the relevance: nothing irrelevant becomes relevant by being new or near.
        item.parts.recency = relevance * weights.recency * recency_weight(card, false, ranking);
        item.parts.trust = relevance * weights.trust * (card.trust - 0.5);
        item.parts.proximity =
            relevance * weights.proximity * proximity(card, &ranking.query.paths);
        let parts = &item.parts;
        item.score = relevance + parts.recency + parts.trust + parts.proximity;
    }
    scored.sort_by(|a, b| {
        let ids = || a.candidate.card.id.cmp(&b.candidate.card.id);
        b.score.total_cmp(&a.score).then_with(ids)
    });
    let floor = floor(ranking);
    let best = scored.iter().map(|item| item.relevance).fold(0.0, f64::max);
    let is_crowded = ranking.unasked && scored.len() >= weights.crowd;
    for item in &mut scored {
        item.is_relevant = item.confidence >= floor
            && item.relevance >= best * weights.share_of_best
            && (!is_crowded || is_certain(item, words, ranking));
    }
    scored
}

/// Where nobody asked and much is known, likeness alone must be clear; otherwise words or a path speak
/// for it too.
fn is_certain(item: &Scored, words: f64, ranking: Ranking<'_>) -> bool {
    let weights = &ranking.policy.weights;
    let words = item.parts.lexical * weights.whole() / words;
    !ranking.semantic
        || item.confidence >= weights.unasked_sure
        || words >= weights.unasked_words
        || proximity(&item.candidate.card, &ranking.query.paths) >= 1.0
}

pub fn floor(ranking: Ranking<'_>) -> f64 {
    let weights = &ranking.policy.weights;
    match ranking.semantic {
        true if ranking.unasked => weights.unasked_floor,
        true => weights.floor,
        // Words of everyday work alone lead nowhere.
        false if !ranking.query.is_specific() => f64::INFINITY,
        false if ranking.doubted => weights.doubted_floor,
        false => weights.keyword_floor,
    }
}

/// How near a request is to the candidates behind the first few: more than that speaks for an answer.
pub fn background(candidates: &[Candidate], weights: &RankWeights) -> f64 {
    const FIRST: usize = 3;
    const MANY: usize = 20;
    let mut near: Vec<f64> = candidates.iter().filter_map(|it| likeness(it, weights)).collect();
    near.sort_by(|a, b| b.total_cmp(a));
    let far: Vec<f64> = near.into_iter().skip(FIRST).take(MANY).collect();
    let evidence = &weights.evidence;
    let usual = evidence.background * evidence.background_weight;
    (far.iter().sum::<f64>() + usual) / (far.len() as f64 + evidence.background_weight)
}

/// The cosine of its nearest passage; of many, one is near by chance.
fn likeness(candidate: &Candidate, weights: &RankWeights) -> Option<f64> {
    let passages = f64::from(candidate.card.passages.max(1));
    let chance = weights.dense_per_passages * passages.ln();
    candidate.features.dense.map(|dense| f64::from(dense) - chance)
}

/// With the best score by words, and what words weigh.
fn weigh(candidate: Candidate, (best, weight): (f64, f64), ranking: Ranking<'_>) -> Scored {
    let weights = &ranking.policy.weights;
    let likeness = likeness(&candidate, weights).filter(|_| ranking.semantic);
    let telling = f64::from(candidate.features.telling_coverage);
    // A memory about the very file at hand is meant, whatever the words are.
    let near = proximity(&candidate.card, &ranking.query.paths).powi(2);
    let confidence = match likeness {
        Some(likeness) => {
            let evidence = &weights.evidence;
            let is_specific = f64::from(u8::from(ranking.query.is_specific()));
            let logit = evidence.base
                + evidence.likeness * likeness
                + evidence.above * (likeness - ranking.background)
                + evidence.names * telling
                + evidence.specific * is_specific
                + evidence.path * near;
            1.0 / (1.0 + (-logit).exp())
        }
        // Not embedded yet: its words alone must do, measured on the same scale.
        None if ranking.semantic => {
            let share = telling / weights.keyword_floor.max(f64::MIN_POSITIVE);
            ((share + near) * floor(ranking)).min(1.0)
        }
        None => telling + weights.path_share * near,
    };
    let near = likeness.unwrap_or_default().max(0.0);
    // Few words of little weight don't outvote a clear meaning: what is best by words counts by how
    // much it has of them.
    let words = f64::from(candidate.features.lexical) / (best + weights.words_half);
    let whole = weights.whole();
    let parts = Parts {
        lexical: weight * words / whole,
        names: weights.names * telling / whole,
        dense: (weights.likeness * near + weights.likeness_squared * near * near) / whole,
        ..Parts::default()
    };
    Scored {
        relevance: parts.lexical + parts.names + parts.dense,
        confidence,
        score: 0.0,
        parts,
        is_relevant: false,
        candidate,
    }
}

/// 2^(-age / half-life). Global, evergreen and referenced memories do not age (R139, R141 to R143).
pub fn recency_weight(card: &Card, is_referenced: bool, ranking: Ranking<'_>) -> f64 {
    if card.scope == "global" || card.evergreen || (card.has_constraints && is_referenced) {
        return 1.0;
    }
    let age_seconds = ranking.now.saturating_sub(card.instant()).max(0);
    let age_days = age_seconds as f64 / 86_400.0;
    (-age_days / ranking.policy.half_life_days as f64).exp2()
}

/// The plain score of the selective read: 1 for a keyword match, and how new it is (R138).
pub fn selective_score(scored: &Scored, is_referenced: bool, ranking: Ranking<'_>) -> f64 {
    let keyword = if scored.candidate.features.lexical > 0.0 { 1.0 } else { 0.0 };
    keyword + recency_weight(&scored.candidate.card, is_referenced, ranking)
}

/// How near its paths are to those at hand: 1 for the same file, less for folders above, or 0.
fn proximity(card: &Card, at_hand: &[String]) -> f64 {
    let component = card.scope.strip_prefix("component:");
    let own = card.paths.iter().map(String::as_str).chain(component);
    let nearness = |own: &str, path: &str| {
        let shared = ancestors(path).filter(|above| ancestors(own).any(|it| it == *above)).count();
        shared as f64 / ancestors(path).count().max(1) as f64
    };
    let nearness = |own| at_hand.iter().map(move |path| nearness(own, path));
    own.flat_map(nearness).fold(0.0, f64::max)
}

/// Neighbours were written within this time of each other.
const NEIGHBOUR_SECONDS: i64 = 90;

/// Memories of one session explain each other: each lends a share to the one before and after it.
fn lend_to_neighbours(scored: &mut [Scored], weights: &RankWeights) {
    let mut order: Vec<usize> =
        (0..scored.len()).filter(|at| scored[*at].candidate.card.session.is_some()).collect();
    order.sort_by_cached_key(|at| {
        let card = &scored[*at].candidate.card;
        (card.session.clone(), card.created_at, card.id.clone())
    });
    for pair in order.windows(2) {
        let [one, other] = [pair[0], pair[1]];
        let cards = [one, other].map(|at| &scored[at].candidate.card);
        let apart = cards[0].created_at.zip(cards[1].created_at).map(|(a, b)| b - a);
        let is_near = apart.is_some_and(|seconds| seconds <= NEIGHBOUR_SECONDS);
        if is_near && cards[0].session == cards[1].session {
            scored[one].parts.neighbour += weights.neighbour * scored[other].relevance;
            scored[other].parts.neighbour += weights.neighbour * scored[one].relevance;
        }
    }
}

#[cfg(test)]
mod tests;
