//! What happened to a memory, from the log; edits that nobody told the tool about show as gaps in
//! the chain of hashes.

use oldhand_core::event::{Event, EventType};
use oldhand_core::refusal::Code;

use crate::Engine;
use oldhand_store::failure::Failure;
use oldhand_store::port::Stored;

#[derive(Debug, Clone)]
pub struct Step {
    pub event: Event,
    /// The file was not what the event before had left: somebody changed it in between.
    pub edited_before: bool,
}

#[derive(Debug, Clone)]
pub struct History {
    pub stored: Option<Stored>,
    pub steps: Vec<Step>,
    /// The file is there, and no memory as it stands.
    pub is_unreadable: bool,
    /// The file is not what the last event left.
    pub edited_since: bool,
}

impl Engine<'_> {
    pub fn history(&self, name: &str) -> Result<History, Failure> {
        let mut is_unreadable = false;
        let (stored, events) = match self.get(name) {
            Ok(stored) => {
                let events = self.vault.events_of(stored.memory.id.as_str())?;
                (Some(stored), events)
            }
            Err(Failure::Refused(refusal)) if refusal.code == Code::Ambiguous => {
                return Err(refusal.into());
            }
            // What was collected is gone, and its history is not.
            Err(error) => {
                is_unreadable =
                    matches!(&error, Failure::Refused(it) if it.code == Code::Unreadable);
                let events = self.vault.events_of(name)?;
                if events.is_empty() {
                    return Err(error);
                }
                (None, events)
            }
        };
        let steps = steps_of(events);
        let last = last_hash(&steps);
        let now = stored.as_ref().map(|stored| stored.hash.to_string());
        let edited_since = stored.is_some() && last != now;
        Ok(History { is_unreadable, edited_since, stored, steps })
    }
}

fn steps_of(events: Vec<Event>) -> Vec<Step> {
    let mut last: Option<String> = None;
    let mut steps = Vec::with_capacity(events.len());
    for event in events {
        let writes = event.before.is_some() || event.after.is_some();
        let edited_before = writes
            && last.is_some()
            && event.before != last
            && event.event_type != EventType::Adopted;
        if writes {
            last.clone_from(&event.after);
        }
        steps.push(Step { event, edited_before });
    }
    steps
}

fn last_hash(steps: &[Step]) -> Option<String> {
    steps
        .iter()
        .rev()
        .find(|step| step.event.before.is_some() || step.event.after.is_some())
        .and_then(|step| step.event.after.clone())
}
