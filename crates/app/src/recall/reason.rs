//! Why a memory is in an answer, or is not, in words and numbers.

use oldhand_core::recall::rank::Scored;

use crate::prelude::*;

#[derive(Debug, Clone)]
pub struct Explained {
    pub id: String,
    /// Its place among the candidates, from 1.
    pub rank: Option<usize>,
    pub scored: Option<Scored>,
    pub is_served: bool,
    pub why: String,
}

/// The words that it has of the query, and how near its meaning is.
pub(super) fn reason(scored: &Scored) -> String {
    let mut parts = Vec::new();
    let candidate = &scored.candidate;
    parts.extend(candidate.replaces.iter().map(|old| format!("replaces `{old}`")));
    if !candidate.matched.is_empty() {
        let mut seen = BTreeSet::new();
        let words = candidate.matched.iter().map(String::as_str).filter(|word| seen.insert(*word));
        parts.push(format!("words {}", words.collect::<Vec<_>>().join(", ")));
    }
    if let Some(dense) = candidate.features.dense
        && scored.parts.dense > 0.0
    {
        parts.push(format!("meaning {dense:.2}"));
    }
    if scored.parts.proximity > 0.0 {
        parts.push("near the paths at hand".to_owned());
    }
    if parts.is_empty() { "about the paths at hand".to_owned() } else { parts.join("; ") }
}

pub(super) fn why_left(scored: &Scored, best: Option<f64>, floor: f64) -> String {
    match best {
        Some(best) if scored.confidence >= floor => {
            format!("weak beside the best: {:.2} against {best:.2}", scored.relevance)
        }
        _ if floor.is_finite() => {
            format!("below the floor: {:.2} of {floor:.2}", scored.confidence)
        }
        _ => "the task names nothing in particular".to_owned(),
    }
}

impl super::Recalled {
    /// What happened to one memory.
    pub fn explain(&self, id: &str) -> Explained {
        let at = self.ranked.iter().position(|scored| scored.candidate.card.id == id);
        let mut told = self.bundle.memories.iter().chain(&self.bundle.cautions);
        let served = told.find(|entry| entry.card.id == id);
        let dropped = self.bundle.dropped.iter().find(|one| one.id == id);
        let scored = at.map(|at| self.ranked[at].clone());
        let why = match (served, dropped, &scored) {
            (Some(entry), ..) => format!("served: {}", entry.reason),
            (None, Some(one), _) => format!("not served: {}", one.reason),
            (None, None, Some(it)) => {
                format!("not served: relevance {:.2} is too low", it.relevance)
            }
            (None, None, None) => match self.successor_of(id) {
                Some(successor) => format!("not served: superseded, `{successor}` stands for it"),
                None => "not served: it is no candidate, by filter, by state or for want of any \
                         likeness"
                    .to_owned(),
            },
        };
        let (id, rank, is_served) = (id.to_owned(), at.map(|at| at + 1), served.is_some());
        Explained { id, rank, scored, is_served, why }
    }

    /// What took its place among the candidates.
    fn successor_of(&self, id: &str) -> Option<&str> {
        let replaces = |scored: &&Scored| scored.candidate.replaces.iter().any(|old| old == id);
        self.ranked.iter().find(replaces).map(|scored| scored.candidate.card.id.as_str())
    }
}
