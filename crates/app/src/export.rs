//! Memories for the outside: whole, without losing a byte on the way, or as another tool keeps them.

use oldhand_core::codec::json;
use oldhand_exchange::companion::Line;
use oldhand_exchange::record::Passed;
use oldhand_exchange::write::{Outgoing, Writer};
use serde_json::Value;

use crate::context::Exchange;
use crate::prelude::*;
use crate::wire::memory::WholeMemory;

/// What an export in another format made, before anything is written.
#[derive(Debug, Clone, Default)]
pub struct ExportedAs {
    pub files: BTreeMap<String, String>,
    /// The text of the companion.
    pub companion: String,
    /// The memories that are written by kind.
    pub same: BTreeMap<String, usize>,
    /// Those that the format has no such kind for, with what they became.
    pub instead: BTreeMap<(String, &'static str), usize>,
    /// What the format has no place for.
    pub left_out: Vec<Passed>,
    /// What must not leave.
    pub refused: Vec<Passed>,
}

impl ExportedAs {
    pub fn written(&self) -> usize {
        self.same.values().chain(self.instead.values()).sum()
    }
}

impl Exchange<'_> {
    /// Memories in the format of another tool. One with a secret is left out by name.
    pub fn export_as(&self, writer: &Writer, stored: &[Stored]) -> Result<ExportedAs> {
        let by_memory = self.upkeep().events_by_memory()?;
        let mut exported = ExportedAs::default();
        let mut clean = Vec::new();
        for one in stored {
            match write::refuse_secret("text", &one.text) {
                Ok(()) => clean.push(one),
                Err(refusal) => exported.refused.push(Passed {
                    source: one.memory.id.to_string(),
                    reason: refusal.to_string(),
                }),
            }
        }
        let events = |it: &Stored| by_memory.get(it.memory.id.as_str()).map_or(&[][..], |it| it);
        let fold = |it: &&Stored| Signals::fold(&it.memory, events(it), &self.settings.trust);
        let signals: Vec<Signals> = clean.iter().map(fold).collect();
        let outgoing = clean.iter().zip(&signals);
        let outgoing: Vec<Outgoing<'_>> = outgoing
            .map(|(it, signals)| Outgoing { memory: &it.memory, signals, events: events(it) })
            .collect();
        let made = writer.write(&outgoing, &self.settings.kinds);
        let by_id: BTreeMap<&str, &Stored> =
            clean.iter().map(|it| (it.memory.id.as_str(), *it)).collect();
        for placed in &made.placed {
            let Some(one) = by_id.get(placed.id.as_str()).copied() else { continue };
            let kind = one.memory.kind.to_string();
            match placed.instead {
                Some(instead) => *exported.instead.entry((kind, instead)).or_default() += 1,
                None => *exported.same.entry(kind).or_default() += 1,
            }
            let mut memory =
                serde_json::to_value(self.export_with(one, events(one))).unwrap_or_default();
            memory["schema"] = Value::from("oldhand.memory/1");
            let (path, hash) = (placed.path.clone(), placed.hash.clone());
            let line = Line { path, hash, format: writer.name.to_owned(), memory };
            exported.companion.push_str(&line.to_text());
        }
        exported.files = made.files;
        exported.left_out.extend(made.left_out);
        Ok(exported)
    }

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
