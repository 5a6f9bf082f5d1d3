//! Warnings about freshness: data with one line of text each.

use serde::Serialize;

use super::PathVerdict;
use crate::memory::Memory;
use oldhand_text::agent_text::AgentText;
use oldhand_text::strings::visible_line;
use oldhand_text::time::format_instant;
use oldhand_text::word::words;

words! {
    #[derive(Default)]
    WarningKind, "kind" {
        /// The code that a memory rests on is not what it was.
        Changed = "changed",
        /// A memory that it rests on no longer holds.
        RestsOn = "rests_on",
        /// Something could not be checked.
        #[default]
        Note = "note",
    }
}

/// About one memory, or with an empty `memory` about the whole check.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Warning {
    pub kind: WarningKind,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub memory: String,
    /// The memory's file below the store.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refresh_tier: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<String>,
    /// The path, or the id of the memory, that it rests on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dependency: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commits: Option<u32>,
    pub uncommitted: bool,
    /// Where the path went, or the memory's successor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub renamed_to: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<&'static str>,
    pub text: String,
}

/// It names a file, a path and where that went.
const WARNING_CHARS_MAX: usize = 600;
const ACTION: &str = "verify before relying on it";

impl Warning {
    fn new(kind: WarningKind, text: String) -> Self {
        Self { kind, text: visible_line(&text), ..Self::default() }
    }

    fn about(mut self, memory: &Memory, file: &str) -> Self {
        self.memory = memory.id.to_string();
        self.file = file.to_owned();
        self.refresh_tier = memory.refresh_tier;
        self.updated_at = memory.updated_at.map(format_instant);
        self
    }

    fn stale(kind: WarningKind, memory: &Memory, file: &str, on: &str, why: &str) -> Self {
        let text = format!("{} may be stale: {why}; {ACTION}", named(memory, file));
        let (dependency, action) = (Some(on.to_owned()), Some(ACTION));
        Self { dependency, action, ..Self::new(kind, text).about(memory, file) }
    }

    /// R37: the file, its tier and date, what changed and how often, and what to do.
    pub(super) fn changed(memory: &Memory, file: &str, path: &PathVerdict) -> Self {
        Self {
            commits: path.commits,
            uncommitted: path.uncommitted,
            ..Self::stale(WarningKind::Changed, memory, file, &path.path, &path.reason)
        }
    }

    /// R33: the path, and where it went when that is known.
    pub(super) fn absent(memory: &Memory, file: &str, path: &PathVerdict) -> Self {
        let text = format!("Freshness check skipped: {} ({file})", path.reason);
        Self {
            dependency: Some(path.path.clone()),
            renamed_to: path.renamed_to.clone(),
            ..Self::new(WarningKind::Note, text).about(memory, file)
        }
    }

    /// R32.
    pub(super) fn undated(memory: &Memory, file: &str) -> Self {
        let text = format!("Freshness check skipped: {file} has no usable `updated_at`");
        Self::new(WarningKind::Note, text).about(memory, file)
    }

    pub(super) fn rests_on(memory: &Memory, file: &str, other: &str, why: &str) -> Self {
        let why = format!("it rests on `{other}`, {why}");
        Self::stale(WarningKind::RestsOn, memory, file, other, &why)
    }

    pub fn line(&self) -> String {
        match self.kind {
            WarningKind::Note => self.text.clone(),
            _ => format!("warning: {}", self.text),
        }
    }
}

/// R27, R28: one note for everything that could not be asked.
pub fn skipped(why: &str) -> Warning {
    Warning::new(WarningKind::Note, format!("Freshness check skipped: {why}"))
}

pub fn incomplete(why: &str) -> Warning {
    Warning::new(WarningKind::Note, format!("Freshness check incomplete: {why}"))
}

/// A line each; nothing at all without warnings (R38).
pub fn render_section(warnings: &[Warning]) -> AgentText {
    let line = |warning: &Warning| AgentText::line_of(&warning.line(), WARNING_CHARS_MAX);
    warnings.iter().map(|warning| AgentText::of("{}\n", &[line(warning)])).collect()
}

fn named(memory: &Memory, file: &str) -> String {
    let mut facts = Vec::new();
    facts.extend(memory.refresh_tier.map(|tier| format!("tier {tier}")));
    facts.extend(memory.updated_at.map(|at| format!("updated {}", format_instant(at))));
    if memory.verified_at > memory.updated_at {
        facts.extend(memory.verified_at.map(|at| format!("verified {}", format_instant(at))));
    }
    if facts.is_empty() { file.to_owned() } else { format!("{file} ({})", facts.join(", ")) }
}
