//! Answers about one memory: what a write did to it, and everything that is known of it.

use serde_json::{Map, Value};

use crate::moves::Superseded;
use crate::prelude::*;
use crate::usage::Used;
use crate::written::Written;

answers! {
    /// A memory by its name.
    NamedMemory<'a>(id: &'a str, title: &'a str) {
        id: &'a str = id,
        title: &'a str = title,
    }

    /// What every command answers that writes one memory.
    WrittenMemory<'a>(written: &'a Written) {
        action: &'a str = written.action.as_str(),
        id: &'a str = written.memory.id.as_str(),
        category: &'a str = written.memory.kind.as_str(),
        title: &'a str = &written.memory.title,
        state: &'a str = written.memory.state.as_str(),
        record_status: &'a str = written.memory.record_status().as_str(),
        scope: String = written.memory.scope.to_string(),
        path: &'a str = &written.path,
        /// What `--if-match` compares with; null for a file that is gone.
        hash: Option<String> = written.hash.map(|hash| hash.to_string()),
        times_updated: u32 = written.memory.times_updated,
        warnings: &'a [String] = &written.warnings,
        /// Others that speak of the same matter.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        related: Vec<NamedMemory<'a>> =
            written.related.iter().map(|one| NamedMemory::of(&one.id, &one.title)).collect(),
    }

    /// What a memory has earned (R184); `confidence` is its trust.
    EarnedSignals(signals: &Signals) {
        evidence_count: u32 = signals.evidence_count,
        reuse_count: u32 = signals.reuse_count,
        successful_reuses: u32 = signals.successful_reuses,
        failed_reuses: u32 = signals.failed_reuses,
        contradiction_count: u32 = signals.contradiction_count,
        confidence: f64 = signals.trust,
    }

    /// A memory with its exact text and what it has earned.
    WholeMemory<'a>(memory: Map<String, Value>, signals: &Signals, stored: &'a Stored) {
        #[serde(flatten)]
        memory: Map<String, Value> = memory,
        signals: EarnedSignals = EarnedSignals::of(signals),
        hash: String = stored.hash.to_string(),
        path: &'a str = &stored.path,
        markdown: &'a str = &stored.text,
    }

    /// `forget` without a yes: what would be forgotten, and the command that does it.
    ForgetQuestion<'a>(memory: WholeMemory<'a>, name: &str) {
        #[serde(flatten)]
        memory: WholeMemory<'a> = memory,
        action: &'static str = "asked",
        confirm: String = format!("oldhand forget {name} --yes"),
    }

    SupersededMemory<'a>(superseded: &'a Superseded) {
        superseded: &'a str = superseded.old.id.as_str(),
        by: &'a str = superseded.new.id.as_str(),
        title: &'a str = &superseded.new.title,
    }

    /// One use of a memory.
    UsedMemory<'a>(used: &'a Used) {
        id: &'a str = used.memory.id.as_str(),
        effect: &'a str = used.effect.as_str(),
        state: &'a str = used.memory.state.as_str(),
        moved_from: Option<&'a str> = used.moved_from.map(|state| state.as_str()),
        signals: EarnedSignals = EarnedSignals::of(&used.signals),
    }

    /// `apply`: a use, and the other side of a contradiction.
    Applied<'a> {
        #[serde(flatten)]
        used: Option<UsedMemory<'a>>,
        task: &'a str,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        others: Vec<UsedMemory<'a>>,
    }
}

impl<'a> Applied<'a> {
    pub fn of(used: &'a [Used], task: &'a str) -> Self {
        let mut used = used.iter().map(UsedMemory::of);
        Self { used: used.next(), task, others: used.collect() }
    }
}

impl<'a> From<&'a Memory> for NamedMemory<'a> {
    fn from(memory: &'a Memory) -> Self {
        Self::of(memory.id.as_str(), &memory.title)
    }
}
