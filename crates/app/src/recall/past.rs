//! Recall as of an earlier day: what was there then, in the state it had then.

use oldhand_core::recall::rank::Candidate;

use crate::context::Memories;
use crate::prelude::*;

impl Memories<'_> {
    /// Those that were there and in one of the states.
    pub(super) fn in_force(
        &self,
        mut candidates: Vec<Candidate>,
        as_of: Timestamp,
        narrow: &Narrow,
    ) -> Result<Vec<Candidate>> {
        let events = self.vault.events()?;
        candidates.retain_mut(|Candidate { card, .. }| {
            card.state = state_at(&card.id, &events, as_of).unwrap_or(card.state);
            let created = card.created_at.or(card.updated_at);
            created.is_none_or(|created| created <= as_of.as_second())
                && narrow.states.contains(&card.state)
        });
        Ok(candidates)
    }
}

/// The state that the first move after that instant left; `None` when nothing moved since.
fn state_at(id: &str, events: &[Event], as_of: Timestamp) -> Option<State> {
    events
        .iter()
        .filter(|event| event.memory == id && event.at > as_of)
        .filter(|event| matches!(event.event_type, EventType::Moved | EventType::Reviewed))
        .find_map(|event| event.from)
}
