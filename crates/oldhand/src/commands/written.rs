//! What is said about a write, the same for every command that writes one memory.

use oldhand_app::create::{Action, Written};
use oldhand_app::{Done, Engine};
use oldhand_text::strings::visible_line;
use serde_json::{Map, Value, json};

use crate::desk::{Desk, acknowledge};
use crate::failure::{DONE, Outcome};
use crate::format::facts;
use crate::printer::Io;

/// Stands for the id of what was written, in a hint that can be typed as it is.
pub(super) const ID: &str = "<the id>";

/// How a command names what it did, and what it adds.
pub(super) struct Words<'a> {
    /// The name of the JSON schema.
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
}

pub(super) fn tell(
    engine: &Engine<'_>,
    desk: &Desk<'_>,
    io: &mut Io<'_>,
    done: Done<'_, Written>,
    words: &Words<'_>,
) -> Outcome {
    let json = desk.flags.json;
    acknowledge(engine, io, done, |written, io| {
        if json { io.json(words.schema, to_json(written)) } else { tell_text(written, words, io) }
    })?;
    Ok(DONE)
}

fn tell_text(written: &Written, words: &Words<'_>, io: &mut Io<'_>) -> std::io::Result<()> {
    let memory = &written.memory;
    let verb = match written.action {
        Action::Unchanged => "unchanged",
        Action::Noted => "noted in the session",
        // What was to be new was there already.
        Action::Updated if matches!(words.schema, "add" | "remember") => "updated",
        Action::Strengthened => "strengthened",
        _ => words.verb,
    };
    io.text(&format!("{verb}: {}\n", visible_line(&memory.title)))?;
    let mut lines = vec![
        ("id", memory.id.to_string()),
        ("kind", memory.kind.to_string()),
        ("state", format!("{}, scope {}", memory.state, memory.scope)),
        ("file", written.path.clone()),
    ];
    lines.extend(words.more.iter().cloned());
    io.text(&facts(&lines))?;
    for one in &written.related {
        io.text(&format!("related: {} ({})\n", visible_line(&one.title), one.id))?;
    }
    for warning in &written.warnings {
        io.note("warning", warning);
    }
    if let Some(hint) = words.hint.as_ref().filter(|_| written.action != Action::Unchanged) {
        io.text(&format!("hint: {}\n", hint.replace(ID, memory.id.as_str())))?;
    }
    Ok(())
}

pub(super) fn to_json(written: &Written) -> Map<String, Value> {
    let memory = &written.memory;
    let mut object = Map::new();
    object.insert("action".into(), json!(written.action.as_str()));
    object.insert("id".into(), json!(memory.id.as_str()));
    object.insert("category".into(), json!(memory.kind.as_str()));
    object.insert("title".into(), json!(memory.title));
    object.insert("state".into(), json!(memory.state));
    object.insert("record_status".into(), json!(memory.record_status()));
    object.insert("scope".into(), json!(memory.scope.to_string()));
    object.insert("path".into(), json!(written.path));
    object.insert("hash".into(), json!(written.hash.map(|hash| hash.to_string())));
    object.insert("times_updated".into(), json!(memory.times_updated));
    object.insert("warnings".into(), json!(written.warnings));
    if !written.related.is_empty() {
        let related = written.related.iter().map(|one| json!({"id": one.id, "title": one.title}));
        object.insert("related".into(), related.collect());
    }
    object
}
