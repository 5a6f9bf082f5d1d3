//! Fills the budget with whole memories in the order of their rank: cautions apart, the same thing
//! once, nothing twice in a session. The others are dropped with a reason.

use std::collections::BTreeSet;

use super::card::Card;
use crate::policy::RecallPolicy;
use oldhand_text::term_set::TermSet;

/// The whole text of a durable memory, the own summary of an ephemeral one (R20 to R23).
pub fn served_text(text: String, summary: Option<&str>, durable: bool) -> String {
    match summary.map(str::trim) {
        Some(summary) if !durable && !summary.is_empty() => format!("{summary}\n"),
        _ => text,
    }
}

#[derive(Debug, Clone)]
pub struct Item {
    pub card: Card,
    pub text: String,
    /// What it costs with everything around it.
    pub tokens: usize,
}

pub const SERVED_BEFORE: &str = "served before in this session";

pub fn over_budget(needs: usize, room: usize) -> String {
    format!("over budget: {needs} tokens, {room} left")
}

pub fn below_the_first(limit: usize) -> String {
    format!("below the first {limit}")
}

#[derive(Debug, Clone, Default)]
pub struct Packed {
    /// Positions in the items, in their order.
    pub memories: Vec<usize>,
    pub cautions: Vec<usize>,
    /// The others, with the reason.
    pub dropped: Vec<(usize, String)>,
    pub used_tokens: usize,
}

impl Packed {
    pub fn served(&self) -> usize {
        self.memories.len() + self.cautions.len()
    }
}

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
        let room_left = room.tokens.saturating_sub(packed.used_tokens);
        let is_full = packed.served() >= room.items;
        let mut leave_out = |reason: String| packed.dropped.push((at, reason));
        if served_before.contains(&item.card.id) {
            leave_out(SERVED_BEFORE.to_owned());
            continue;
        }
        if is_full {
            leave_out(below_the_first(room.items));
            continue;
        }
        let terms = TermSet::of(&item.text);
        let twin = sets.iter().find(|(_, known)| known.likeness(&terms) >= policy.near_duplicate);
        if let Some((twin, _)) = twin {
            leave_out(format!("says the same as `{}`", items[*twin].card.id));
        } else if item.tokens > room_left {
            leave_out(over_budget(item.tokens, room_left));
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
