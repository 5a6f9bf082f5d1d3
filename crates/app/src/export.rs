//! Memories for the outside, without losing a byte on the way.

use oldhand_core::codec::json;

use crate::context::Exchange;
use crate::prelude::*;
use crate::wire::memory::WholeMemory;

impl Exchange<'_> {
    /// A memory with its exact text and what it has earned.
    pub fn export<'s>(&self, stored: &'s Stored) -> Result<WholeMemory<'s>> {
        let events = self.vault.events_of(stored.memory.id.as_str())?;
        Ok(self.export_with(stored, &events))
    }

    /// Many at once: the log is read once for all.
    pub fn export_all<'s>(&self, stored: &'s [Stored]) -> Result<Vec<WholeMemory<'s>>> {
        let by_memory = self.upkeep().events_by_memory()?;
        let events = |it: &Stored| by_memory.get(it.memory.id.as_str()).map_or(&[][..], |it| it);
        Ok(stored.iter().map(|stored| self.export_with(stored, events(stored))).collect())
    }

    fn export_with<'s>(&self, stored: &'s Stored, events: &[Event]) -> WholeMemory<'s> {
        let signals = Signals::fold(&stored.memory, events, &self.settings.trust);
        let memory = json::to_json(&stored.memory, &self.settings.kinds);
        WholeMemory::of(memory, &signals, stored)
    }
}
