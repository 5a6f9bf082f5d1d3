//! A foreign record becomes the memory that an import would write: with its dates, its source, and what has no
//! home with us.

use oldhand_core::imported::{self, HELD, Imported, REST_BYTES_MAX, REST_HEADING};
use oldhand_core::kind::schema::Place;
use oldhand_core::lifecycle::{self, Transition};
use oldhand_core::memory::Change;
use oldhand_core::policy::{CHANGE_SUMMARY_CHARS_MAX, CHANGES_MAX};
use oldhand_core::write::Created;
use oldhand_exchange::held;
use oldhand_exchange::record::{Ending, Foreign, Link, Use};
use oldhand_text::secrets;
use serde_json::Value;

use super::shelf::{TextKey, text_key};
use crate::context::Exchange;
use crate::prelude::*;

/// A record on its way into the store.
#[derive(Debug, Clone)]
pub(super) struct Arriving {
    /// Which of the run's sources it is of.
    pub source: usize,
    pub key: String,
    pub memory: Memory,
    pub links: Vec<Link>,
    pub ending: Option<Ending>,
    pub kept_state: Option<State>,
    pub held: Option<String>,
    pub uses: Vec<Use>,
    pub evidence: Vec<String>,
    pub text: TextKey,
    /// The memory that it is already.
    pub known_as: Option<MemoryId>,
    /// A person vouches for it.
    pub is_accepted: bool,
}

impl Arriving {
    /// Its own id, or that of the memory that it is already.
    pub(super) fn id(&self) -> &MemoryId {
        self.known_as.as_ref().unwrap_or(&self.memory.id)
    }

    pub(super) fn from(&self) -> &str {
        self.memory.imported.as_ref().map_or("", |it| it.from.as_str())
    }

    pub(super) fn hash(&self) -> &str {
        self.memory.imported.as_ref().map_or("", |it| it.hash.as_str())
    }

    /// Its state when it arrives: a source may have ended it, or a person vouches for it.
    pub(super) fn settle_state(
        &mut self,
        now: Timestamp,
        review_after: impl Fn(State) -> Option<Timestamp>,
    ) {
        let memory = &mut self.memory;
        let ended = self.ending.take().filter(|it| it.state != State::Superseded);
        let (to, reason, at) = match (ended, &memory.superseded_by) {
            (Some(ending), _) => (ending.state, ending.reason, ending.at),
            (None, Some(by)) => (State::Superseded, format!("superseded by {by}"), None),
            (None, None) if self.held.is_some() => {
                memory.state_reason = self.held.as_ref().map(|why| format!("{HELD}{why}"));
                return;
            }
            (None, None) if self.is_accepted => {
                let from = memory.imported.as_ref().map_or("", |it| it.from.as_str());
                let to = self.kept_state.unwrap_or(State::Provisional);
                (to, format!("accepted with {from}"), None)
            }
            (None, None) => return,
        };
        let due = memory.review_after.or_else(|| review_after(to));
        let review_after = due.filter(|_| to.is_active());
        let transition = Transition { from: State::Candidate, to, reason, review_after };
        // What the source ended has left it then, and not today.
        let at = at.or(memory.updated_at).unwrap_or(now).min(now);
        lifecycle::apply(memory, &transition, at);
        self.is_accepted &= to.is_active();
    }

    /// What the import writes is what it will be compared with.
    pub(super) fn seal(&mut self) {
        let wrote = write::wrote(&self.memory);
        if let Some(imported) = &mut self.memory.imported {
            imported.wrote = wrote;
        }
    }
}

/// How records are read into memories.
pub(super) struct Arrival<'o> {
    pub from: &'o str,
    pub source: usize,
    pub redacts: bool,
    /// The line of a record's own source on which a rule finds a secret.
    pub line_of: &'o dyn Fn(&str, &str) -> Option<usize>,
}

impl Exchange<'_> {
    pub(super) fn arriving(
        &self,
        mut record: Foreign,
        how: &Arrival<'_>,
    ) -> Result<Arriving, String> {
        let held = held::reason(&record);
        if how.redacts {
            redact_all(&mut record);
        }
        let place = record.place.clone();
        self.arrived(record, how, held).map_err(|refusal| match refusal.code {
            Code::Secret => {
                let rule = refusal.message.rsplit('`').nth(1).unwrap_or_default();
                let line = (how.line_of)(&place, rule).map(|line| format!(", line {line}"));
                let line = line.unwrap_or_default();
                format!("{}: {rule}{line}; `--redact` takes it without", Code::Secret)
            }
            _ => super::reason_of(&refusal),
        })
    }

    fn arrived(
        &self,
        record: Foreign,
        how: &Arrival<'_>,
        held: Option<String>,
    ) -> Result<Arriving, Refusal> {
        let reference = imported::reference(how.from, &record.key);
        let mut memory = self.memory_of(&record, &reference)?;
        let text = text_key(&memory);
        memory.changes = changes_of(record.changes);
        let imported = Imported {
            from: how.from.to_owned(),
            key: record.key.clone(),
            hash: record.hash,
            wrote: String::new(),
            // The log knows when; in the file it would be all that two branches' imports differ in.
            at: None,
            rest: record.rest,
        };
        memory.imported = Some(imported);
        write::refuse_secret("key", &record.key)?;
        self.place_rest(&mut memory);
        Ok(Arriving {
            source: how.source,
            key: record.key,
            memory,
            links: record.links,
            ending: record.ending,
            kept_state: record.kept_state.map(at_most_stable),
            held,
            uses: record.uses,
            evidence: record.evidence,
            text,
            known_as: None,
            is_accepted: false,
        })
    }

    fn memory_of(&self, record: &Foreign, reference: &str) -> Result<Memory, Refusal> {
        let mut draft = record.draft.clone();
        let mut sources = draft.get("sources").and_then(Yaml::as_texts).unwrap_or_default();
        crate::twin::add_new(&mut sources, &record.evidence);
        if sources.is_empty() && draft.kind == Some(Kind::Lesson) {
            sources.push(reference.to_owned());
        }
        draft.set("sources", Yaml::list(&sources));
        draft.set("evidence", Yaml::list(&[reference]));
        // Whether a successor is here is known when all records are.
        for (name, value) in &mut draft.content {
            if name == "status" && *value == FieldValue::text("superseded") {
                *value = FieldValue::text("deprecated");
            }
        }
        let created = write::create(&draft, self.writer(Origin::Import), &|_| Ok(None))?;
        let Created::New(mut memory) = created else {
            return refuse(Code::State, "it is there already", "");
        };
        let not_later = |at: Timestamp| whole_seconds(at.min(self.now));
        let created = record.created_at.or(record.updated_at).unwrap_or(self.now);
        let updated = record.updated_at.unwrap_or(created);
        // The file may be younger than what it holds.
        memory.created_at = Some(not_later(created.min(updated)));
        memory.updated_at = Some(not_later(updated));
        memory.state_reason =
            draft.get("state_reason").map(Yaml::plain).filter(|it| !it.is_empty());
        let times = draft.get("times_updated").and_then(Yaml::as_text);
        memory.times_updated = times.and_then(|it| it.parse().ok()).unwrap_or_default();
        Ok(*memory)
    }

    /// What is too much for the frontmatter, or can't be said there, goes below a heading.
    fn place_rest(&self, memory: &mut Memory) {
        let Some(imported) = &mut memory.imported else { return };
        let text = Value::Object(imported.rest.clone()).to_string();
        let fits = text.len() <= REST_BYTES_MAX && depth(&imported.rest.clone().into()) <= 8;
        if imported.rest.is_empty() || fits {
            return;
        }
        imported.rest = serde_json::Map::new();
        let fence = format!("```json\n{}\n```", text.replace("```", "`\\u0060`"));
        let spec = self.settings.kinds.spec(&memory.kind);
        let body = spec.fields.iter().find(|field| field.place == Place::Body);
        match body {
            Some(field) => {
                let there = memory.content.text(&field.name).unwrap_or_default();
                let text = format!("{there}\n\n## {REST_HEADING}\n\n{fence}");
                memory.content.set(&field.name, FieldValue::text(text));
            }
            None => memory.sections.push((REST_HEADING.to_owned(), fence)),
        }
    }
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(entries) => 1 + entries.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

/// What a source calls canonical took no two people here.
fn at_most_stable(state: State) -> State {
    if state == State::Canonical { State::Stable } else { state }
}

/// The newest, on lines that fit.
fn changes_of(mut changes: Vec<Change>) -> Vec<Change> {
    let excess = changes.len().saturating_sub(CHANGES_MAX);
    changes.drain(..excess);
    for change in &mut changes {
        change.summary = shorten(&change.summary, CHANGE_SUMMARY_CHARS_MAX);
    }
    changes
}

/// Every text that has a secret gets its rule instead. What stays is refused as ever.
fn redact_all(record: &mut Foreign) {
    let text = |text: &mut String| {
        if let Some(redacted) = secrets::redact(text) {
            *text = redacted;
        }
    };
    for (_, value) in record.draft.front.iter_mut().chain(&mut record.draft.extra) {
        redact_yaml(value);
    }
    for (_, value) in &mut record.draft.content {
        match value {
            FieldValue::Text(it) => text(it),
            FieldValue::List(items) => items.iter_mut().for_each(text),
            FieldValue::Alternatives(items) => items.iter_mut().for_each(|item| {
                text(&mut item.option);
                text(&mut item.rejected_reason);
            }),
            FieldValue::Flag(_) => {}
        }
    }
    for (heading, body) in &mut record.draft.sections {
        text(heading);
        text(body);
    }
    record.rest.values_mut().for_each(redact_json);
    record.evidence.iter_mut().for_each(text);
    for change in &mut record.changes {
        text(&mut change.summary);
        change.old_value.iter_mut().chain(&mut change.new_value).for_each(text);
    }
}

fn redact_yaml(value: &mut Yaml) {
    match value {
        Yaml::Scalar { text, .. } => {
            if let Some(redacted) = secrets::redact(text) {
                *value = Yaml::text(redacted);
            }
        }
        Yaml::List(items) => items.iter_mut().for_each(redact_yaml),
        Yaml::Map(entries) => entries.iter_mut().for_each(|(_, value)| redact_yaml(value)),
    }
}

fn redact_json(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Some(redacted) = secrets::redact(text) {
                *text = redacted;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(redact_json),
        Value::Object(entries) => entries.values_mut().for_each(redact_json),
        _ => {}
    }
}
