//! What contradicted what, and how it was settled: proposals that wait, and those that no longer do,
//! from the log and the versions that it keeps.

use crate::context::Gate;
use crate::pending::waiting_name;
use crate::prelude::*;

#[derive(Debug, Clone)]
pub struct SettledConflict {
    pub at: Timestamp,
    pub id: String,
    pub by: String,
    /// `follow`, `supersede` or `keep_both`, and the reason behind it.
    pub outcome: String,
    pub reason: String,
    /// The matter as it was; none where its text is no longer kept.
    pub pending: Option<Pending>,
}

impl Gate<'_> {
    /// The newest first.
    pub fn settled_conflicts(&self, limit: usize) -> Result<Vec<SettledConflict>> {
        let mut settled: Vec<Event> = Vec::new();
        let is_end = |event: &Event| {
            event.event_type == EventType::Conflict
                && event.after.is_none()
                && event.before.is_some()
        };
        self.vault.visit_events(&mut |event| {
            if waiting_name(&event.memory).is_some() && is_end(&event) {
                settled.push(event);
            }
        })?;
        settled.reverse();
        settled.truncate(limit);
        settled.into_iter().map(|event| self.settled(event)).collect()
    }

    fn settled(&self, event: Event) -> Result<SettledConflict> {
        let kept = match &event.before {
            Some(hash) => self.vault.kept(hash)?,
            None => None,
        };
        let id = waiting_name(&event.memory).unwrap_or(&event.memory).to_owned();
        let pending = kept.and_then(|text| Pending::parse(&id, &text).ok());
        let (outcome, reason) = match event.reason.split_once(": ") {
            Some((outcome, reason)) => (outcome.to_owned(), reason.to_owned()),
            None => (event.reason.clone(), String::new()),
        };
        Ok(SettledConflict {
            at: event.at,
            id,
            by: event.via.beside(&event.by),
            outcome,
            reason,
            pending,
        })
    }
}
