//! Import: memories as JSON lines or Markdown, without losing a byte on the way.

use oldhand_core::codec::document::Document;
use oldhand_core::codec::json;
use oldhand_core::codec::markdown::{self, Origin as At};
use oldhand_core::codec_error::CodecError;
use oldhand_core::content::FieldValue;
use oldhand_core::draft::json as draft_json;
use oldhand_core::draft::{self, Draft};
use oldhand_core::event::EventType;
use oldhand_core::kind::{Kind, Kinds};
use oldhand_core::memory::{Memory, MemoryId};
use oldhand_core::origin::Origin;
use oldhand_core::refusal::{Code, Refusal};
use oldhand_core::write;
use oldhand_core::yaml::{self, Yaml};
use oldhand_text::problem::Problem;
use serde::Serialize;
use serde_json::Value;

use crate::{Done, Engine, chain, refuse_large};
use oldhand_store::failure::Failure;
use oldhand_store::port::{FileWrite, Plan};

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

#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Imported {
    pub created: Vec<String>,
    pub unchanged: Vec<String>,
    /// What was not taken; the rest was.
    pub refused: Vec<RefusedRecord>,
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RefusedRecord {
    pub source: String,
    pub reason: String,
}

impl Imported {
    pub fn refuse(&mut self, source: &str, reason: String) {
        self.refused.push(RefusedRecord { source: source.to_owned(), reason });
    }

    pub fn extend(&mut self, more: Self) {
        self.created.extend(more.created);
        self.unchanged.extend(more.unchanged);
        self.refused.extend(more.refused);
    }
}

impl<'a> Engine<'a> {
    /// One batch as one unit. What a rule refuses is named; the others are written.
    pub fn import(&self, batch: &[Incoming]) -> Result<Done<'a, Imported>, Failure> {
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
                        let base = stop.pending.id.clone();
                        let is_taken = |id: &MemoryId| plan.files.iter().any(|it| it.id == *id);
                        for number in 2.. {
                            if !is_taken(&stop.pending.id) {
                                break;
                            }
                            stop.pending.id = base.numbered(number);
                        }
                        let more = self.plan_stop(&stop)?;
                        plan.extend(more);
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

    fn decide_import(
        &self,
        incoming: &Incoming,
        beside: &[FileWrite],
    ) -> Result<(String, Plan), Failure> {
        match &incoming.record {
            Record::Own { text, id } => self.import_own(id, text, beside),
            Record::Draft(draft) => {
                let mut draft = (**draft).clone();
                if let Some(kind) = &draft.kind {
                    self.refuse_example_only(kind)?;
                }
                let source = Yaml::list(&[format!("file:{}", incoming.source)]);
                for key in ["evidence", "sources"] {
                    if draft.get(key).is_none() {
                        draft.set(key, source.clone());
                    }
                }
                let (written, plan) = self.decide_create_beside(&draft, Origin::Import, beside)?;
                Ok((written.memory.id.to_string(), plan))
            }
        }
    }

    /// Our own memory comes back byte for byte; a different one of that id is not replaced.
    fn import_own(
        &self,
        id: &MemoryId,
        text: &str,
        beside: &[FileWrite],
    ) -> Result<(String, Plan), Failure> {
        let memory = self.read_own(id, text)?;
        let spec = self.settings.kinds.spec(&memory.kind);
        let path = format!("{}/{id}.md", memory.folder(&spec.folder));
        let planned = beside.iter().any(|file| file.id == *id);
        match self.vault.find(id)? {
            Some(there) if there.text == text => return Ok((id.to_string(), Plan::default())),
            None if !planned => {}
            _ => {
                let message = format!("`{id}` is there already and says something else");
                return Err(Refusal::new(Code::Overwrite, message)
                    .with_hint(format!(
                        "compare with `oldhand show {id}`, then `oldhand update {id}`"
                    ))
                    .into());
            }
        }
        let file = FileWrite {
            path: path.clone(),
            id: id.clone(),
            before: None,
            after: Some(text.to_owned()),
            memory: Some(memory.clone()),
        };
        let mut event = self.event(EventType::Created, &memory, &path);
        event.reason = "imported".to_owned();
        chain(&mut event, &file);
        Ok((id.to_string(), Plan::one(file, event)))
    }

    fn read_own(&self, id: &MemoryId, text: &str) -> Result<Memory, Failure> {
        refuse_large(text)?;
        let at = At { stem: id.as_str(), folder: "" };
        let parsed = markdown::parse(text, at, &self.settings.kinds).map_err(|error| {
            Refusal::new(Code::Validation, error.to_string()).with_hint(error.hint())
        })?;
        if !parsed.problems.is_empty() {
            return Err(Refusal::invalid(parsed.problems).into());
        }
        write::refuse_secret("text", text)?;
        let problems = write::check(&parsed.memory, &self.settings.kinds);
        if !problems.is_empty() {
            return Err(Refusal::invalid(problems).into());
        }
        write::refuse_secrets(&Draft::of_memory(&parsed.memory))?;
        write::refuse_newer(&parsed.memory)?;
        Ok(parsed.memory)
    }

    /// A JSON record: ours when it carries its Markdown, a draft otherwise.
    pub fn incoming_json(&self, source: &str, value: &Value) -> Result<Incoming, Failure> {
        if let Some(text) = value.get("markdown").and_then(Value::as_str) {
            let id = value.get("id").and_then(Value::as_str).unwrap_or_default();
            let record = Record::Own { text: text.to_owned(), id: MemoryId::parse(id)? };
            return Ok(Incoming { source: source.to_owned(), record });
        }
        let draft = draft_json::draft_of(value, &self.settings.kinds).map_err(json_refusal)?;
        Ok(Incoming { source: source.to_owned(), record: Record::Draft(Box::new(draft)) })
    }

    /// A Markdown file: ours when it has an id and a state, a draft otherwise.
    pub fn incoming_markdown(
        &self,
        source: &str,
        stem: &str,
        text: &str,
    ) -> Result<Incoming, Failure> {
        let at = At { stem, folder: "" };
        let refused = |error: CodecError| {
            Refusal::new(Code::Validation, error.to_string()).with_hint(error.hint())
        };
        let parsed = markdown::parse(text, at, &self.settings.kinds).map_err(refused)?;
        let is_ours = parsed.declared_id.as_deref() == Some(parsed.memory.id.as_str())
            && text.contains("\nstate:")
            && parsed.memory.created_at.is_some();
        if is_ours {
            let record = Record::Own { text: text.to_owned(), id: parsed.memory.id };
            return Ok(Incoming { source: source.to_owned(), record });
        }
        let typed = as_decision(text, &parsed.memory);
        let text = typed.as_deref().unwrap_or(text);
        let (mut draft, problems) =
            draft::from_markdown(text, &self.settings.kinds).map_err(refused)?;
        if !problems.is_empty() {
            return Err(Refusal::invalid(problems).into());
        }
        if draft.title().is_none() {
            draft.set("title", Yaml::text(parsed.memory.title.clone()));
        }
        draft.dated = date_of(&draft);
        soften_superseded(&mut draft);
        if !draft.kind.as_ref().is_some_and(|kind| self.settings.kinds.is_declared(kind)) {
            draft = as_reference(draft, parsed.memory);
        }
        Ok(Incoming { source: source.to_owned(), record: Record::Draft(Box::new(draft)) })
    }
}

/// A refusal in one line, with the way on.
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
        document
            .sections
            .iter()
            .any(|s| names.iter().any(|name| s.heading.eq_ignore_ascii_case(name)))
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
    let front =
        draft.extra.iter().find(|(key, _)| key == "date").and_then(|(_, value)| value.as_text());
    let preamble = draft
        .sections
        .iter()
        .find(|(heading, _)| heading.is_empty())
        .map(|(_, text)| text.as_str());
    let line = preamble.unwrap_or_default().lines().find_map(|line| {
        line.trim_start_matches(['*', '-', ' ']).strip_prefix("Date:").map(str::trim)
    });
    front.or(line).and_then(oldhand_text::time::parse_instant)
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

/// A document of a kind that nobody declared is kept as a reference, text and all.
fn as_reference(mut draft: Draft, memory: Memory) -> Draft {
    if let Kind::Custom(name) = &memory.kind {
        draft.extra.push(("original_type".to_owned(), Yaml::text(name.clone())));
    }
    draft.kind = Some(Kind::Reference);
    draft
}

/// One record, whatever it is written in: Markdown, JSON or YAML, told apart by how it begins.
pub fn parse_record(text: &str, kinds: &Kinds) -> Result<Draft, Refusal> {
    let unreadable = |error: CodecError| {
        Refusal::new(Code::Validation, format!("the record can't be read: {error}"))
            .with_hint(error.hint())
    };
    let trimmed = text.trim_start_matches('\u{FEFF}').trim_start();
    if trimmed.is_empty() {
        let expected = "a record in Markdown, JSON or YAML";
        return Err(Problem::new("record", expected, "nothing").into());
    }
    if trimmed.starts_with(['{', '[']) {
        return draft_json::parse_draft(trimmed, kinds).map_err(json_refusal);
    }
    if !trimmed.starts_with("---") && !trimmed.starts_with('#') && looks_like_yaml(trimmed) {
        let value = yaml::parse(trimmed).map_err(unreadable)?;
        let value = value.map_or(Value::Null, |value| value.to_json());
        return draft_json::draft_of(&value, kinds).map_err(json_refusal);
    }
    let (draft, problems) = draft::from_markdown(text, kinds).map_err(unreadable)?;
    if problems.is_empty() { Ok(draft) } else { Err(Refusal::invalid(problems)) }
}

/// A mapping whose first line is one of a record's own keys.
fn looks_like_yaml(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#'));
    first.and_then(|line| line.split_once(':')).is_some_and(|(key, _)| {
        matches!(key, "category" | "type" | "title" | "id" | "tags" | "content" | "schema_version")
    })
}

pub fn json_refusal(error: json::JsonError) -> Refusal {
    match error {
        json::JsonError::Field(problem) => problem.into(),
        json::JsonError::Syntax(error) => {
            let problem = Problem::new("record", "JSON", &error.to_string()).with_fix(error.hint());
            problem.into()
        }
    }
}
