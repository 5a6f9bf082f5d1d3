//! Answers of recall: what it serves, how it weighed, and why a memory was served or not.

use oldhand_core::fresh::Warning;
use oldhand_core::recall::chain::Step;
use oldhand_core::recall::rank::{Parts, Scored};
use serde_json::Value;

use super::agent::LeftOut;
use super::memory::EarnedSignals;
use super::rounded;
use crate::prelude::*;
use crate::recall::{Explained, Recalled};
use crate::story::Story;

/// Candidates that an explanation shows.
pub const EXPLAINED_MAX: usize = 15;

answers! {
    /// `recall`
    Recall<'a>(bundle: &'a Bundle, explained: Option<&'a [Scored]>) {
        level: u8 = bundle.level.number(),
        method: &'a str = bundle.level.method(),
        memories: Vec<ServedMemory<'a>> = bundle.memories.iter().map(ServedMemory::of).collect(),
        cautions: Vec<ServedMemory<'a>> = bundle.cautions.iter().map(ServedMemory::of).collect(),
        warnings: Vec<String> = {
            let freshness = bundle.freshness.iter().map(Warning::line);
            freshness.chain(bundle.warnings.iter().cloned()).collect()
        },
        #[serde(skip_serializing_if = "<[_]>::is_empty")]
        #[cfg_attr(feature = "schema", schemars(with = "Vec<Value>"))]
        freshness_warnings: &'a [Warning] = &bundle.freshness,
        dropped: Vec<DroppedMemory<'a>> = bundle.dropped.iter().map(DroppedMemory::of).collect(),
        budget: TokenBudget = TokenBudget::of(bundle),
        steps: Vec<String> = bundle.steps.iter().map(Step::line).collect(),
        /// With `--explain`.
        #[serde(skip_serializing_if = "Option::is_none")]
        explained: Option<Vec<WeighedMemory<'a>>> = explained
            .map(|ranked| ranked.iter().take(EXPLAINED_MAX).map(WeighedMemory::of).collect()),
    }

    ServedMemory<'a>(entry: &'a Entry) {
        id: &'a str = &entry.card.id,
        aliases: &'a [String] = &entry.card.aliases,
        r#type: &'a str = &entry.card.kind,
        title: &'a str = &entry.card.title,
        state: &'a str = entry.card.told_standing().0,
        scope: &'a str = &entry.card.scope,
        origin: &'a str = entry.card.told_standing().1,
        trust: f64 = entry.card.trust,
        score: f64 = rounded(entry.score),
        reason: &'a str = &entry.reason,
        tokens: usize = entry.tokens,
        freshness: &'a str = &entry.freshness,
        text: &'a str = &entry.text,
        /// `own` for a memory of the user's own store; the name of another store, such as a team's.
        #[serde(skip_serializing_if = "Option::is_none")]
        store: Option<&'a str> = entry.card.store(),
    }

    /// What was served when, to whom and why.
    RecallReceipt<'a> {
        at: String,
        session: Option<&'a str>,
        task: Option<&'a str>,
        by: String,
        query: String,
        paths: Vec<String>,
        /// `index` if only ids were shown, else `full`.
        disclosure: &'static str,
        level: u8,
        method: &'a str,
        steps: Vec<String>,
        served: Vec<ReceiptEntry<'a>>,
        dropped: Vec<LeftOut<'a>>,
        tokens: usize,
        budget: usize,
    }

    ReceiptEntry<'a>(entry: &'a Entry) {
        id: &'a str = &entry.card.id,
        score: f64 = rounded(entry.score),
        reason: &'a str = &entry.reason,
        tokens: usize = entry.tokens,
        freshness: &'a str = &entry.freshness,
    }

    DroppedMemory<'a>(dropped: &'a Dropped) {
        id: &'a str = &dropped.id,
        title: &'a str = &dropped.title,
        reason: &'a str = &dropped.reason,
    }

    TokenBudget(bundle: &Bundle) {
        limit: usize = bundle.budget_tokens,
        used: usize = bundle.used_tokens,
    }

    /// How a candidate was weighed.
    WeighedMemory<'a>(scored: &'a Scored) {
        id: &'a str = &scored.candidate.card.id,
        score: f64 = rounded(scored.score),
        relevance: f64 = rounded(scored.relevance),
        confidence: f64 = rounded(scored.confidence),
        is_relevant: bool = scored.is_relevant,
        words: &'a [String] = &scored.candidate.matched,
        bm25: f64 = rounded(scored.candidate.features.lexical.into()),
        coverage: f64 = rounded(scored.candidate.features.coverage.into()),
        title_coverage: f64 = rounded(scored.candidate.features.title_coverage.into()),
        telling_coverage: f64 = rounded(scored.candidate.features.telling_coverage.into()),
        passages: u32 = scored.candidate.card.passages,
        cosine: Option<f64> = scored.candidate.features.dense.map(|dense| rounded(dense.into())),
        parts: WeighedParts = WeighedParts::of(&scored.parts),
    }

    WeighedParts(parts: &Parts) {
        words: f64 = rounded(parts.lexical),
        names: f64 = rounded(parts.names),
        meaning: f64 = rounded(parts.dense),
        neighbour: f64 = rounded(parts.neighbour),
        recency: f64 = rounded(parts.recency),
        trust: f64 = rounded(parts.trust),
        proximity: f64 = rounded(parts.proximity),
    }

    /// `why` with a question: what recall makes of it now.
    WhyServed<'a>(explained: &'a Explained, recalled: &'a Recalled) {
        id: &'a str = &explained.id,
        is_served: bool = explained.is_served,
        why: &'a str = &explained.why,
        rank: Option<usize> = explained.rank,
        steps: Vec<String> = recalled.bundle.steps.iter().map(Step::line).collect(),
        weighed: Option<WeighedMemory<'a>> = explained.scored.as_ref().map(WeighedMemory::of),
    }

    /// `why` without a question: the life of a memory.
    LifeStory<'a>(story: &'a Story, answers: &'a [Mention]) {
        id: &'a str = story.stored.memory.id.as_str(),
        state: &'a str = story.stored.memory.state.as_str(),
        story: &'a [String] = &story.sentences,
        history: Vec<String> = {
            let line = |it: &Event| format!("{} {}", format_instant(it.at), crate::history::describe(it));
            story.events.iter().map(line).collect()
        },
        signals: EarnedSignals = EarnedSignals::of(&story.signals),
        answers: &'a [Mention] = answers,
    }

    /// An answer on this machine that had to do with a memory.
    Mention {
        at: Value,
        /// `served` or `left out`.
        what: &'static str,
        reason: Value,
        query: Value,
        paths: Value,
    }
}

impl Mention {
    /// What a receipt says about the memory, if anything.
    pub fn of(receipt: &Value, id: &str) -> Option<Self> {
        let find = |list: &str| receipt[list].as_array()?.iter().find(|one| one["id"] == id);
        let (what, one) = match find("served") {
            Some(one) => ("served", one),
            None => ("left out", find("dropped")?),
        };
        let value = |key: &str| receipt[key].clone();
        let (at, query, paths) = (value("at"), value("query"), value("paths"));
        Some(Self { at, what, reason: one["reason"].clone(), query, paths })
    }
}
