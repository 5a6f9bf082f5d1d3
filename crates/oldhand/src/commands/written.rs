//! What is said about a write, the same for every command that writes one memory.

use oldhand_app::Done;
use oldhand_app::written::{Action, Written};
use wire::memory::WrittenMemory;

use super::prelude::*;

/// Stands for the id of what was written, in a hint that can be typed as it is.
pub(super) const ID: &str = "<the id>";

pub(super) struct Words<'a> {
    pub schema: &'a str,
    /// `remembered`, `retired` …
    pub verb: &'a str,
    pub more: Vec<(&'a str, String)>,
    pub hint: Option<String>,
}

impl<'a> Words<'a> {
    pub(super) fn new(schema: &'a str, verb: &'a str) -> Self {
        Self { schema, verb, more: Vec::new(), hint: None }
    }

    pub(super) fn with_hint(self, hint: String) -> Self {
        Self { hint: Some(hint), ..self }
    }
}

pub(super) fn tell(
    engine: &Engine<'_>,
    desk: &Desk<'_>,
    io: &mut Io<'_>,
    done: Done<'_, Written>,
    words: &Words<'_>,
) -> Outcome {
    acknowledge(engine, io, done, |written, io| {
        let answer = WrittenMemory::of(&written);
        deed(&written, words).tell((words.schema, answer), desk, io)?;
        desk.remark(io, "warning", &written.warnings);
        Ok(DONE)
    })
}

fn deed<'a>(written: &'a Written, words: &Words<'a>) -> Deed<'a> {
    let memory = &written.memory;
    let verb = match written.action {
        Action::Unchanged => "unchanged",
        Action::Noted => "noted in the session",
        // What was to be new was there already.
        Action::Updated if matches!(words.schema, "add" | "remember") => "updated",
        Action::Strengthened => "strengthened",
        _ => words.verb,
    };
    let mut facts = vec![
        ("id", memory.id.to_string()),
        ("kind", memory.kind.to_string()),
        ("state", format!("{}, scope {}", memory.state, memory.scope)),
        ("file", written.path.clone()),
    ];
    facts.extend(words.more.iter().cloned());
    let hint = words.hint.as_ref().filter(|_| written.action != Action::Unchanged);
    let hint = hint.map(|hint| hint.replace(ID, memory.id.as_str()));
    Deed { facts, hint, related: &written.related, ..Deed::of(verb, memory) }
}
