//! Recall as of an earlier day: what was there then, in the state it had then.

use oldhand_core::recall::rank::Candidate;

use crate::context::Memories;
use crate::prelude::*;

impl Memories<'_> {
    pub(super) fn as_they_were(
        &self,
        candidates: Vec<Candidate>,
        as_of: Timestamp,
    ) -> Result<Vec<Candidate>> {
        let events = self.vault.events()?;
        let mut kept = Vec::new();
        for mut candidate in candidates {
            let created = candidate.card.created_at.or(candidate.card.updated_at);
            if created.is_some_and(|created| created > as_of.as_second()) {
                continue;
            }
            if let Some(state) = state_at(&candidate.card.id, &events, as_of) {
                candidate.card.state = state;
            }
            kept.push(candidate);
        }
        Ok(kept)
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
