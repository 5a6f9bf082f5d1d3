//! Answers about the map of modules.

use oldhand_sessions::architecture::SECTIONS;
use oldhand_sessions::architecture::drift::Drift;
use serde_json::{Map, Value, json};

use super::memory::WrittenMemory;
use crate::architecture::{DraftedMap, MapChange, MapStanding, MapUpdate, MapVerdict};
use crate::prelude::*;

answers! {
    MovedModule<'a>(from: &'a str, to: &'a str) {
        from: &'a str = from,
        to: &'a str = to,
    }

    /// How the tree differs from the map.
    MapDrift<'a>(drift: &'a Drift) {
        new: &'a [String] = &drift.new,
        moved: Vec<MovedModule<'a>> =
            drift.moved.iter().map(|(from, to)| MovedModule::of(from, to)).collect(),
        removed: &'a [String] = &drift.removed,
    }

    /// The map as it is stored.
    StoredMap<'a>(stored: &'a Stored) {
        title: &'a str = &stored.memory.title,
        state: &'static str = stored.memory.state.as_str(),
        path: &'a str = &stored.path,
        sections: Map<String, Value> = sections_of(&stored.memory),
    }

    /// `architecture` and `architecture check`.
    Architecture<'a>(standing: &'a MapStanding) {
        verdict: MapVerdict = standing.verdict(),
        id: Option<&'a str> = standing.stored.as_ref().map(|it| it.memory.id.as_str()),
        #[serde(flatten)]
        stored: Option<StoredMap<'a>> = standing.stored.as_ref().map(StoredMap::of),
        modules: usize = standing.modules,
        drift: MapDrift<'a> = MapDrift::of(&standing.drift),
        #[serde(skip_serializing_if = "Option::is_none")]
        hint: Option<&'static str> = standing.verdict().hint(),
    }

    /// `architecture draft`.
    ArchitectureDraft(drafted: &DraftedMap) {
        modules: usize = drafted.modules,
        sections: Map<String, Value> = {
            let known = SECTIONS.iter().filter_map(|(name, _)| Some((*name, drafted.section(name)?)));
            known.map(|(name, text)| (name.to_owned(), json!(text))).collect()
        },
        /// Sections for somebody who knows the code.
        open: Vec<&'static str> = {
            let names = SECTIONS.iter().map(|(name, _)| *name);
            names.filter(|name| drafted.section(name).is_none()).collect()
        },
    }

    /// `architecture update --dry-run`.
    ArchitectureChange<'a>(change: &'a MapChange) {
        action: &'static str = match (&change.stored, change.changed.is_empty()) {
            (_, true) => "unchanged",
            (Some(_), false) => "update",
            (None, false) => "create",
        },
        id: Option<&'a str> = change.stored.as_ref().map(|it| it.memory.id.as_str()),
        title: &'a str = &change.title,
        drift: MapDrift<'a> = MapDrift::of(&change.drift),
        /// By section, what it says before and after.
        changed: Map<String, Value> = {
            let changed = change.changed.iter();
            changed
                .map(|(name, before, after)| (name.clone(), json!({"before": before, "after": after})))
                .collect()
        },
    }

    /// `architecture update`.
    UpdatedArchitecture<'a>(update: &'a MapUpdate) {
        #[serde(flatten)]
        written: Option<WrittenMemory<'a>> = update.written.as_ref().map(WrittenMemory::of),
        #[serde(skip_serializing_if = "Option::is_none")]
        action: Option<&'static str> = update.written.is_none().then_some("unchanged"),
        drift: MapDrift<'a> = MapDrift::of(&update.drift),
    }
}

fn sections_of(memory: &Memory) -> Map<String, Value> {
    let section = |(name, _): &(&str, &str)| ((*name).to_owned(), json!(memory.content.text(name)));
    SECTIONS.iter().map(section).collect()
}
