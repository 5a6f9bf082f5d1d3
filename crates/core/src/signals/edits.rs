//! Whether a text is as the tool left it, by the versions that the log names.

use std::collections::BTreeSet;

use crate::event::{Event, EventType, MERGED};

#[derive(Debug, Default)]
pub(super) struct Edits<'e> {
    /// Versions that nothing was written over: one for each branch.
    tips: Vec<&'e str>,
    known: BTreeSet<&'e str>,
    /// Somebody changed it without the tool, and no person has looked since.
    pub is_edited: bool,
}

impl<'e> Edits<'e> {
    /// The events of one memory, in the order of the log; not `is_whole` if they begin in its middle.
    pub(super) fn of(events: &[&'e Event], is_whole: bool) -> Self {
        let mut edits = Self::default();
        let first = events.iter().find(|it| it.before.is_some() || it.after.is_some());
        if let Some(before) = first.filter(|_| !is_whole).and_then(|it| it.before.as_deref()) {
            edits.tips.push(before);
            edits.known.insert(before);
        }
        events.iter().for_each(|event| edits.take(event));
        edits
    }

    fn take(&mut self, event: &'e Event) {
        let (before, after) = (event.before.as_deref(), event.after.as_deref());
        let is_found = event.event_type == EventType::Adopted;
        let is_merge = is_found && event.reason == MERGED;
        if is_merge {
            self.tips.clear();
        } else if is_found || before.is_some_and(|it| !self.known.contains(it)) {
            // What was found, or what a write found and replaced, is a version that nobody recorded.
            self.is_edited = true;
            self.tips.clear();
        }
        if let Some(after) = after {
            self.tips.retain(|tip| Some(*tip) != before);
            self.tips.push(after);
        }
        self.known.extend(before.into_iter().chain(after));
        let is_look = matches!(event.event_type, EventType::Reviewed | EventType::Updated);
        if is_look && !event.via.is_machine() {
            self.is_edited = false;
        }
    }

    /// The version that the tool left, unless branches left several.
    pub(super) fn left_as(&self) -> Option<&'e str> {
        match self.tips.as_slice() {
            [only] => Some(only),
            _ => None,
        }
    }
}
