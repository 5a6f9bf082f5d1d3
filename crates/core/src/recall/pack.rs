//! Filling the budget: whole memories only, in the order of their rank, cautions apart, the same
//! thing once, nothing twice in a session. What does not fit is named. Deterministic.

use std::collections::BTreeSet;

use super::card::Card;
use crate::policy::RecallPolicy;
use oldhand_text::term_set::TermSet;

/// What is served of a memory: the whole text of a durable one, and of an ephemeral one the summary
/// that it has itself (R20 to R23).
pub fn served_text(text: String, summary: Option<&str>, durable: bool) -> String {
    match summary.map(str::trim) {
        Some(summary) if !durable && !summary.is_empty() => format!("{summary}\n"),
        _ => text,
    }
}

/// A memory that wants to be served.
#[derive(Debug, Clone)]
pub struct Item {
    pub card: Card,
    pub text: String,
    /// What it costs with everything around it.
    pub tokens: usize,
}

pub const SERVED_BEFORE: &str = "served before in this session";

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Left {
    Budget { needs: usize, left: usize },
    Limit { limit: usize },
    AlreadyServed,
    SameAs { id: String },
}

impl Left {
    pub fn reason(&self) -> String {
        match self {
            Self::Budget { needs, left } => format!("over budget: {needs} tokens, {left} left"),
            Self::Limit { limit } => format!("below the first {limit}"),
            Self::AlreadyServed => SERVED_BEFORE.to_owned(),
            Self::SameAs { id } => format!("says the same as `{id}`"),
        }
    }
}

#[derive(Debug, Clone, Default)]
pub struct Packed {
    /// Positions in the items, in their order.
    pub memories: Vec<usize>,
    pub cautions: Vec<usize>,
    pub left: Vec<(usize, Left)>,
    pub used_tokens: usize,
}

impl Packed {
    /// How many are served.
    pub fn len(&self) -> usize {
        self.memories.len() + self.cautions.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// How much fits.
#[derive(Debug, Clone, Copy)]
pub struct Room {
    pub tokens: usize,
    pub items: usize,
}

pub fn pack(
    items: &[Item],
    served_before: &BTreeSet<String>,
    room: Room,
    policy: &RecallPolicy,
) -> Packed {
    let mut packed = Packed::default();
    let mut sets: Vec<(usize, TermSet)> = Vec::new();
    for (at, item) in items.iter().enumerate() {
        let left = room.tokens.saturating_sub(packed.used_tokens);
        if served_before.contains(&item.card.id) {
            packed.left.push((at, Left::AlreadyServed));
            continue;
        }
        if packed.len() >= room.items {
            // Whether it says the same as another is not worth the look any more.
            packed.left.push((at, Left::Limit { limit: room.items }));
            continue;
        }
        let terms = TermSet::of(&item.text);
        let twin = sets.iter().find(|(_, known)| known.likeness(&terms) >= policy.near_duplicate);
        if let Some((twin, _)) = twin {
            packed.left.push((at, Left::SameAs { id: items[*twin].card.id.clone() }));
        } else if item.tokens > left {
            packed.left.push((at, Left::Budget { needs: item.tokens, left }));
        } else {
            packed.used_tokens += item.tokens;
            sets.push((at, terms));
            let is_caution = is_caution(&item.card, policy);
            let list = if is_caution { &mut packed.cautions } else { &mut packed.memories };
            list.push(at);
        }
    }
    packed
}

/// Not settled: to be weighed, not followed.
pub fn is_caution(card: &Card, policy: &RecallPolicy) -> bool {
    card.trust < policy.caution_trust || card.contradictions > 0 || !card.state.is_served()
}

#[cfg(test)]
mod tests;
