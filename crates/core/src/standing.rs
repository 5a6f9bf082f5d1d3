//! Whether the log supports the state and origin that a file claims. A file can claim anything.

use crate::event::{Event, EventType, Verdict};
use crate::origin::Origin;
use crate::state::State;

#[derive(Debug, Clone, Copy, Default)]
pub struct Logged {
    /// The state that recorded acts have left it in.
    state: Option<State>,
    /// The highest that it ever had by them.
    highest: u8,
    /// Unknown before origins were recorded, and once a person has vouched for it as it is.
    origin: Option<Origin>,
}

impl Logged {
    /// The events of one memory, in the order of the log.
    pub fn take(&mut self, event: &Event) {
        // What somebody changed without the tool is noticed, not vouched for.
        let Some(to) = event.to.filter(|_| event.event_type != EventType::Adopted) else { return };
        let is_persons = !event.via.is_machine();
        let ceiling = match event.event_type {
            EventType::Created if is_persons => {
                self.origin = event.origin;
                u8::MAX
            }
            EventType::Created => {
                self.origin = event.origin.filter(|it| vouches(*it) < vouches(Origin::User));
                PROVISIONAL
            }
            EventType::Reviewed if is_persons => {
                self.origin = None;
                match event.decision {
                    // A look by one person; canonical takes two.
                    Some(Verdict::Keep) => self.highest.max(STABLE),
                    _ => u8::MAX,
                }
            }
            // By uses alone, as the rules allow it: one step up from what it has, and not the last.
            EventType::Reviewed if event.decision == Some(Verdict::Promote) => {
                let next = self.state.map_or(0, rank) + 1;
                self.highest.max(next.min(STABLE))
            }
            // What comes back is what it was: `prev_state` is only a line of the file.
            _ => self.highest.max(PROVISIONAL),
        };
        self.state = Some(to).filter(|to| rank(*to) <= ceiling).or(self.state);
        self.highest = self.highest.max(rank(to).min(ceiling));
    }

    /// Nothing in the file claims more than this.
    pub fn carries_claim(&self, state: State, origin: Origin) -> bool {
        if !state.is_served() {
            return true;
        }
        let has_state = self.state.is_some_and(|logged| rank(state) <= rank(logged));
        has_state && self.carries_origin(origin)
    }

    pub fn carries_origin(&self, origin: Origin) -> bool {
        self.origin.is_none_or(|logged| vouches(origin) <= vouches(logged))
    }
}

const PROVISIONAL: u8 = State::Provisional as u8;
const STABLE: u8 = State::Stable as u8;

/// The served states, in their order.
fn rank(state: State) -> u8 {
    if state.is_served() { state as u8 } else { 0 }
}

/// How much an origin lends to a memory.
fn vouches(origin: Origin) -> u8 {
    match origin {
        Origin::User | Origin::Gate => 2,
        Origin::Capture => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests;
