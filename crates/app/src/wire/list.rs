//! Answers with many memories: lists, searches, the registry, numbers about the store.

use oldhand_store::port::index::IndexFacts;

use crate::list::Listing;
use crate::prelude::*;
use crate::registry::Registry;
use crate::search::{Found, Match};

answers! {
    /// `list`
    List<'a>(listing: &'a Listing) {
        memories: Vec<ListedMemory<'a>> = listing.stored.iter().map(ListedMemory::of).collect(),
        total: usize = listing.total,
    }

    ListedMemory<'a>(stored: &'a Stored) {
        id: &'a str = stored.memory.id.as_str(),
        aliases: &'a [String] = &stored.memory.aliases,
        r#type: &'a str = stored.memory.kind.as_str(),
        title: &'a str = &stored.memory.title,
        state: &'a str = stored.memory.state.as_str(),
        record_status: &'a str = stored.memory.record_status().as_str(),
        scope: String = stored.memory.scope.to_string(),
        origin: &'a str = stored.memory.origin.as_str(),
        domain: Option<&'a str> = stored.memory.domain.as_deref(),
        level: Option<&'a str> = stored.memory.level.as_deref(),
        tags: &'a [String] = &stored.memory.tags,
        updated_at: Option<String> = stored.memory.updated_at.map(format_instant),
        path: &'a str = &stored.path,
        /// Short.
        hash: String = stored.hash.short(),
    }

    /// `search`
    Search<'a>(found: &'a Found) {
        memories: Vec<MatchingMemory<'a>> = found.matches.iter().map(MatchingMemory::of).collect(),
        total: usize = found.total,
    }

    MatchingMemory<'a>(found: &'a Match) {
        id: &'a str = &found.candidate.card.id,
        r#type: &'a str = &found.candidate.card.kind,
        title: &'a str = &found.candidate.card.title,
        state: &'a str = found.candidate.card.state.as_str(),
        superseded_by: Option<&'a str> = found.candidate.card.superseded_by.as_deref(),
        /// The line or the link that matched.
        place: &'a str = &found.place,
    }

    /// `index`
    RegistryPage<'a>(registry: &'a Registry) {
        memories: Vec<RegisteredMemory<'a>> =
            registry.shown.iter().map(|one| RegisteredMemory::of(&one.card)).collect(),
        total: usize = registry.total,
        tokens: usize = registry.tokens,
    }

    RegisteredMemory<'a>(card: &'a Card) {
        id: &'a str = &card.id,
        r#type: &'a str = &card.kind,
        domain: Option<&'a str> = card.domain.as_deref(),
        level: Option<&'a str> = card.level.as_deref(),
        title: &'a str = &card.title,
        state: &'a str = card.state.as_str(),
        scope: &'a str = &card.scope,
        tags: &'a [String] = &card.tags,
        tokens: u32 = card.tokens,
    }

    /// `reindex`
    Reindexed<'a>(facts: &'a IndexFacts, notes: &'a [String]) {
        memories: usize = facts.memories,
        embedded: usize = facts.embedded,
        model: &'a str = &facts.model,
        bytes: u64 = facts.bytes,
        is_kept: bool = facts.is_kept,
        notes: &'a [String] = notes,
    }
}
