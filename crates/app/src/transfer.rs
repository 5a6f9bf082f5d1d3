//! Import: memories as JSON lines or Markdown, without losing a byte on the way.

mod arrive;
mod batch;
pub mod companion;
mod decide;
mod gone;
mod links;
pub mod report;
mod rivals;
pub mod run;
mod shelf;

use std::collections::HashSet;

use oldhand_core::codec::document::Document;
use oldhand_core::codec::markdown::Origin as At;
use oldhand_core::codec_error::CodecError;
use oldhand_core::draft;
use oldhand_core::draft::json as draft_json;
use oldhand_core::imported::DECLINED;
use oldhand_store::failure::Stop;
use serde_json::Value;

use crate::context::Exchange;
use crate::prelude::*;
use crate::record::json_refusal;
use report::{Fate, Item, SourceReport};

/// One record of an import, with where it came from.
#[derive(Debug, Clone)]
pub struct Incoming {
    pub source: String,
    pub record: Record,
}

#[derive(Debug, Clone)]
pub enum Record {
    /// A whole memory of ours: it keeps its id, dates and state.
    Own { text: String, id: MemoryId },
    /// Anything else: a draft that passes the rules of a new memory.
    Draft(Box<Draft>),
}

#[derive(Debug, Clone, Default)]
pub struct Imported {
    pub created: Vec<String>,
    pub unchanged: Vec<String>,
    /// What was not taken; the rest was.
    pub refused: Vec<RefusedRecord>,
}

#[derive(Debug, Clone)]
pub struct RefusedRecord {
    pub source: String,
    pub reason: String,
}

impl Imported {
    pub fn refuse(&mut self, source: &str, reason: String) {
        self.refused.push(RefusedRecord { source: source.to_owned(), reason });
    }

    /// As the report of a source.
    pub fn report(self, from: String) -> SourceReport {
        let taken = |fate, ids: Vec<String>| {
            ids.into_iter().map(move |id| Item { id: Some(id), ..Item::new(fate, "", "") })
        };
        let refused =
            self.refused.iter().map(|it| Item::new(Fate::Refused, &it.source, &*it.reason));
        let refused: Vec<Item> = refused.collect();
        let items =
            taken(Fate::Created, self.created).chain(taken(Fate::Unchanged, self.unchanged));
        let items: Vec<Item> = items.chain(refused).collect();
        SourceReport { from, records: items.len(), items, ..SourceReport::default() }
    }

    pub fn extend(&mut self, more: Self) {
        self.created.extend(more.created);
        self.unchanged.extend(more.unchanged);
        self.refused.extend(more.refused);
    }
}

impl<'a> Exchange<'a> {
    /// One batch as one unit. What a rule refuses is named; the others are written.
    pub fn import(&self, batch: &[Incoming]) -> WriteResult<'a, Imported> {
        self.write(&mut || {
            let mut imported = Imported::default();
            let mut plan = Plan::default();
            for incoming in batch {
                let decided = self.decide_import(incoming, &plan.files);
                let decided = decided.and_then(|one| self.refuse_secrets(&one.1).map(|()| one));
                match decided {
                    Ok((id, more)) if more.files.is_empty() => imported.unchanged.push(id),
                    Ok((id, more)) => {
                        imported.created.push(id);
                        plan.extend(more);
                    }
                    Err(Failure::Refused(refusal)) => {
                        imported.refuse(&incoming.source, reason_of(&refusal));
                    }
                    Err(Failure::Stopped(mut stop)) => {
                        rename_taken(&mut stop, &plan);
                        plan.extend(self.gate().plan_stop(&stop)?);
                        let pending = &stop.pending;
                        let why = format!("{}; it waits as `{}`", pending.headline(), pending.id);
                        imported.refuse(&incoming.source, why);
                    }
                    Err(other) => return Err(other),
                }
            }
            Ok((imported, plan))
        })
    }

    fn decide_import(&self, incoming: &Incoming, beside: &[FileWrite]) -> Decided<String> {
        match &incoming.record {
            Record::Own { text, id } => self.import_own(id, text, beside),
            Record::Draft(draft) => {
                let mut draft = (**draft).clone();
                if let Some(kind) = &draft.kind {
                    self.life().refuse_example_only(kind)?;
                }
                let source = Yaml::list(&[format!("file:{}", incoming.source)]);
                for key in ["evidence", "sources"] {
                    if draft.get(key).is_none() {
                        draft.set(key, source.clone());
                    }
                }
                let (written, plan) =
                    self.writing().decide_create_beside(&draft, Origin::Import, beside)?;
                Ok((written.memory.id.to_string(), plan))
            }
        }
    }

    /// Our own memory comes back byte for byte; a different one of that id is not replaced.
    fn import_own(&self, id: &MemoryId, text: &str, beside: &[FileWrite]) -> Decided<String> {
        let memory = self.read_own(id, text)?;
        let spec = self.settings.kinds.spec(&memory.kind);
        let path = format!("{}/{id}.md", memory.folder(&spec.folder));
        let planned = beside.iter().any(|file| file.id == *id);
        match self.vault.find(id)? {
            Some(there) if there.text == text => return Ok((id.to_string(), Plan::default())),
            None if !planned => {}
            _ => {
                let message = format!("`{id}` is there already and says something else");
                let steps = [NextStep::Show(id.to_string()), NextStep::Update(id.to_string())];
                let hint = Hint::with_steps("compare with {}, then {}", steps);
                return refuse(Code::Overwrite, message, hint);
            }
        }
        let file = file_of(&path, memory.clone(), None, text.to_owned());
        let mut event = self.file_event(EventType::Created, &memory, &file);
        event.reason = "imported".to_owned();
        Ok((id.to_string(), Plan::one(file, event)))
    }

    fn read_own(&self, id: &MemoryId, text: &str) -> Result<Memory> {
        refuse_large(text)?;
        let at = At { stem: id.as_str(), folder: "" };
        let parsed = markdown::parse(text, at, &self.settings.kinds).map_err(unreadable)?;
        refuse_invalid(parsed.problems)?;
        write::refuse_secret("text", text)?;
        refuse_invalid(write::check(&parsed.memory, &self.settings.kinds))?;
        write::refuse_secrets(&Draft::of_memory(&parsed.memory))?;
        write::refuse_newer(&parsed.memory)?;
        Ok(parsed.memory)
    }

    /// What a person did not want, as the log has it.
    fn declined(&self) -> Result<HashSet<String>> {
        let mut declined = HashSet::new();
        self.vault.visit_events(&mut |event| {
            declined.extend(event.fields.into_iter().filter(|it| it.starts_with(DECLINED)));
        })?;
        Ok(declined)
    }

    /// A JSON record: ours when it carries its Markdown, a draft otherwise.
    pub fn record_of_json(&self, value: &Value) -> Result<Record> {
        if let Some(text) = value["markdown"].as_str() {
            let id = MemoryId::parse(value["id"].as_str().unwrap_or_default())?;
            return Ok(Record::Own { text: text.to_owned(), id });
        }
        let draft = draft_json::draft_of(value, &self.settings.kinds).map_err(json_refusal)?;
        Ok(Record::Draft(Box::new(draft)))
    }

    /// A Markdown file: ours when it has an id and a state, a draft otherwise.
    pub fn record_of_markdown(&self, stem: &str, text: &str) -> Result<Record> {
        let at = At { stem, folder: "" };
        let parsed = markdown::parse(text, at, &self.settings.kinds).map_err(unreadable)?;
        let is_ours = parsed.declared_id.as_deref() == Some(parsed.memory.id.as_str())
            && text.contains("\nstate:")
            && parsed.memory.created_at.is_some();
        if is_ours {
            return Ok(Record::Own { text: text.to_owned(), id: parsed.memory.id });
        }
        let typed = as_decision(text, &parsed.memory);
        let text = typed.as_deref().unwrap_or(text);
        let (mut draft, problems) =
            draft::from_markdown(text, &self.settings.kinds).map_err(unreadable)?;
        refuse_invalid(problems)?;
        if draft.title().is_none() {
            draft.set("title", Yaml::text(parsed.memory.title.clone()));
        }
        draft.dated = date_of(&draft);
        soften_superseded(&mut draft);
        if !draft.kind.as_ref().is_some_and(|kind| self.settings.kinds.is_declared(kind)) {
            // A document of a kind that nobody declared is kept as a reference, text and all.
            if let Kind::Custom(name) = parsed.memory.kind {
                draft.extra.push(("original_type".to_owned(), Yaml::text(name)));
            }
            draft.kind = Some(Kind::Reference);
        }
        Ok(Record::Draft(Box::new(draft)))
    }
}

/// Two proposals of one plan wait under two names.
fn rename_taken(stop: &mut Stop, plan: &Plan) {
    let base = stop.pending.id.clone();
    let is_taken = |id: &MemoryId| plan.files.iter().any(|it| it.id == *id);
    let mut names = (2..).map(|number| base.numbered(number));
    if is_taken(&base) {
        stop.pending.id = names.find(|id| !is_taken(id)).unwrap_or(base);
    }
}

fn unreadable(error: CodecError) -> Refusal {
    Refusal::new(Code::Validation, error.to_string()).with_hint(error.hint())
}

/// A refusal in one line, with its hint.
pub fn reason_of(refusal: &Refusal) -> String {
    if refusal.hint.is_empty() {
        refusal.to_string()
    } else {
        format!("{refusal} ({})", refusal.hint)
    }
}

/// A record without a `type` that has a decision's headings is one: as records of decisions have
/// been written since before there was frontmatter.
fn as_decision(text: &str, memory: &Memory) -> Option<String> {
    let document = Document::parse(text).ok()?;
    if document.entry("type").is_some()
        || document.entry("category").is_some()
        || memory.kind != Kind::Reference
    {
        return None;
    }
    let has = |names: &[&str]| {
        let is_one = |heading: &str| names.iter().any(|name| heading.eq_ignore_ascii_case(name));
        document.sections.iter().any(|section| is_one(&section.heading))
    };
    let decides = has(&["Decision", "Decision Outcome"]);
    let is_record = has(&["Context", "Context and Problem Statement", "Status", "Consequences"]);
    if !decides || !is_record {
        return None;
    }
    Some(match &document.frontmatter {
        Some(range) => format!("{}type: decision\n{}", &text[..range.start], &text[range.start..]),
        None => format!("---\ntype: decision\n---\n{text}"),
    })
}

/// When a record says it was made: `date` above, or a `Date:` line in its beginning.
fn date_of(draft: &Draft) -> Option<jiff::Timestamp> {
    let front = draft.extra.iter().find(|(key, _)| key == "date");
    let preamble = draft.sections.iter().find(|(heading, _)| heading.is_empty());
    let line = preamble.and_then(|(_, text)| {
        let mut lines = text.lines().map(|line| line.trim_start_matches(['*', '-', ' ']));
        lines.find_map(|line| line.strip_prefix("Date:").map(str::trim))
    });
    front
        .and_then(|(_, value)| value.as_text())
        .or(line)
        .and_then(oldhand_text::time::parse_instant)
}

/// A record that was superseded elsewhere has no successor here yet: it no longer binds.
fn soften_superseded(draft: &mut Draft) {
    for (name, value) in &mut draft.content {
        if name == "status" && *value == FieldValue::Text("superseded".to_owned()) {
            *value = FieldValue::Text("deprecated".to_owned());
            draft.extra.push(("original_status".to_owned(), Yaml::text("superseded")));
        }
    }
}
