//! Reads Markdown files with YAML frontmatter, also those of other tools. A wrong value in a file
//! of ours is a `Problem` beside the memory.

use super::document::{Document, Section};
use super::fields;
use super::sections;
use crate::codec_error::{Cause, CodecError};
use crate::content::{Content, FieldValue};
use crate::kind::schema::{FieldSpec, Place, Shape};
use crate::kind::{Kind, KindSpec, Kinds};
use crate::memory::{CANDIDATES_FOLDER, Memory, MemoryId};
use crate::origin::Audience;
use crate::state::State;
use crate::yaml::{self, Yaml};
use oldhand_text::problem::Problem;
use oldhand_text::strings::{normalise_line, shorten, slug};
use oldhand_text::time::parse_instant;

mod rewrite;

pub use rewrite::{render, render_checked, rewrite};

/// The name and the folder of a file stand in for what its text leaves out.
#[derive(Debug, Clone, Copy)]
pub struct Origin<'a> {
    pub stem: &'a str,
    pub folder: &'a str,
}

#[derive(Debug, Clone)]
pub struct Parsed {
    pub memory: Memory,
    pub problems: Vec<Problem>,
    /// The `id` in the frontmatter.
    pub declared_id: Option<String>,
}

pub fn parse_bytes(bytes: &[u8], at: Origin<'_>, kinds: &Kinds) -> Result<Parsed, CodecError> {
    let source = std::str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].iter().filter(|b| **b == b'\n').count() + 1;
        CodecError::new(Cause::Encoding, line, "the file is not UTF-8")
    })?;
    if let Some(what) = emptied(source) {
        return Err(CodecError::new(Cause::Emptied, 1, what));
    }
    parse(source, at, kinds)
}

/// Why a file has lost its contents, by a power cut or by mistake.
pub fn emptied(source: &str) -> Option<&'static str> {
    // We never write NUL, and a file system fills lost blocks with it.
    let has_lost_block =
        source.contains("\0\0") || source.starts_with('\0') || source.ends_with('\0');
    if source.chars().all(char::is_whitespace) {
        Some("the file is empty")
    } else if source.chars().all(|c| c == '\0' || c.is_whitespace()) {
        Some("the file holds nothing but NUL bytes")
    } else if has_lost_block {
        Some("a part of the file is NUL bytes")
    } else {
        None
    }
}

pub fn parse(source: &str, at: Origin<'_>, kinds: &Kinds) -> Result<Parsed, CodecError> {
    let document = Document::parse(source)?;
    // The opening fence is a line of the file too.
    let map = yaml::parse_map(document.frontmatter_text())
        .map_err(|error| CodecError { line: error.line + 1, ..error })?;
    let map = Yaml::Map(map);
    let (kind, audience) = kind_of(&map, at, kinds);
    let spec = kinds.spec(&kind);
    let id = MemoryId::parse(at.stem).unwrap_or_else(|_| MemoryId::of_title(at.stem));
    let known = known_sections(&document, &spec);
    let mut reader =
        Reader { document: &document, map: &map, spec: &spec, known, problems: Vec::new() };
    let mut memory = Memory::new(id, kind, &reader.title(at.stem));
    memory.audience = audience;
    reader.front_fields(&mut memory);
    reader.state_by_default(&mut memory, at.folder);
    memory.content = reader.content();
    memory.extra = reader.extra();
    memory.sections = reader.unknown_sections();
    let declared_id = map.text_at("id").map(str::to_owned);
    Ok(Parsed { memory, problems: reader.problems, declared_id })
}

/// The kind by `type`, then by folder. Persistent-memory files of other tools use `type` for the
/// audience.
fn kind_of(map: &Yaml, at: Origin<'_>, kinds: &Kinds) -> (Kind, Option<Audience>) {
    let by_folder = kinds.of_folder(at.folder).map(|spec| spec.kind.clone());
    let declared = map.get("type").or_else(|| map.get("category")).and_then(Yaml::as_text);
    let (audience, kind) = match declared.map(str::trim) {
        None => return (by_folder.unwrap_or_default(), None),
        Some("feedback") => (Audience::Feedback, Kind::Preference),
        Some("user") => (Audience::User, Kind::Preference),
        Some("project") => (Audience::Project, Kind::Reference),
        Some(declared) => return (Kind::named(declared), None),
    };
    (by_folder.unwrap_or(kind), Some(audience))
}

struct Reader<'a> {
    document: &'a Document<'a>,
    map: &'a Yaml,
    spec: &'a KindSpec,
    /// The section of each field.
    known: Vec<Option<&'a Section>>,
    problems: Vec<Problem>,
}

/// Keys that are read here and not by the table of fields.
const OWN_KEYS: &[&str] = &["id", "type", "category", "name", "record_status"];

impl Reader<'_> {
    /// The frontmatter's title, the first level-1 heading, or the file's name.
    fn title(&self, stem: &str) -> String {
        let declared = self.map.get("title").or_else(|| self.map.get("name"));
        if let Some(title) = declared.and_then(Yaml::as_text) {
            return title.to_owned();
        }
        let heading = self.document.title();
        let title = heading.map_or_else(|| stem.replace(['-', '_'], " "), normalise_line);
        shorten(&title, crate::policy::TITLE_CHARS_MAX)
    }

    fn front_fields(&mut self, memory: &mut Memory) {
        let Yaml::Map(entries) = self.map else { return };
        for (key, value) in entries {
            let Some(field) = fields::find(key) else { continue };
            if value.is_null() && key != "title" {
                continue;
            }
            if let Err(problem) = (field.set)(memory, value)
                && !self.is_foreign()
            {
                self.problems.push(problem);
            }
        }
        memory.tags.retain(|tag| !tag.trim().is_empty());
    }

    /// Without a state the origin decides.
    fn state_by_default(&self, memory: &mut Memory, folder: &str) {
        if self.map.get("state").is_some() {
            return;
        }
        memory.state = match self.map.text_at("record_status") {
            Some("retired") => State::Retired,
            Some("archived") => State::Archived,
            _ if folder == CANDIDATES_FOLDER => State::Candidate,
            _ => memory.origin.entry_state(),
        };
    }

    /// Without an id and a state it is another tool's document, and its values are not checked.
    fn is_foreign(&self) -> bool {
        self.map.get("id").is_none() && self.map.get("state").is_none()
    }

    fn content(&mut self) -> Content {
        let mut content = Content::default();
        for (at, field) in self.spec.fields.iter().enumerate() {
            let value = match &field.place {
                Place::Frontmatter => self.front_content(field),
                Place::Body => {
                    let body = &self.document.source[self.document.body.clone()];
                    Some(FieldValue::Text(sections::read_text(body)))
                }
                Place::Section { .. } => self.known[at]
                    .map(|section| sections::read(&field.shape, self.document.text_of(section))),
            };
            if let Some(value) = value {
                content.set(&field.name, value);
            }
        }
        content
    }

    fn front_content(&mut self, field: &FieldSpec) -> Option<FieldValue> {
        let Some(value) = self.map.get(&field.name).filter(|value| !value.is_null()) else {
            return self.status_in_body(field);
        };
        match read_front(field, value) {
            Ok(value) => Some(value),
            Err(_) if self.is_foreign() => lenient_choice(field, &value.describe()),
            Err(problem) => {
                self.problems.push(problem);
                None
            }
        }
    }

    /// Older decision records keep the status below a heading or in a list above the first one.
    fn status_in_body(&self, field: &FieldSpec) -> Option<FieldValue> {
        if field.name != "status" {
            return None;
        }
        let listed = || {
            self.document.source[self.document.preamble()].lines().find_map(|line| {
                let line = line.trim_start_matches(['*', '-', ' ']);
                line.strip_prefix("Status:").or_else(|| line.strip_prefix("status:"))
            })
        };
        let section = section_of(self.document, "Status", &[]);
        let text = section.map(|it| self.document.text_of(it)).or_else(listed)?;
        lenient_choice(field, text)
    }

    fn extra(&self) -> Vec<(String, Yaml)> {
        let Yaml::Map(entries) = self.map else { return Vec::new() };
        let is_known = |key: &str| {
            OWN_KEYS.contains(&key)
                || fields::find(key).is_some()
                || self.spec.field(key).is_some_and(|field| field.place == Place::Frontmatter)
        };
        entries.iter().filter(|(key, _)| !is_known(key)).cloned().collect()
    }

    fn unknown_sections(&self) -> Vec<(String, String)> {
        if self.spec.fields.iter().any(|field| field.place == Place::Body) {
            return Vec::new();
        }
        let preamble = sections::read_text(&self.document.source[self.document.preamble()]);
        let preamble = Some((String::new(), preamble)).filter(|(_, text)| !text.is_empty());
        let unknown = self.document.sections.iter().filter(|it| !self.known.contains(&Some(it)));
        let read =
            |it: &Section| (it.heading.clone(), sections::read_text(self.document.text_of(it)));
        preamble.into_iter().chain(unknown.map(read)).collect()
    }
}

/// The section that holds each field of the kind.
fn known_sections<'d>(document: &'d Document<'_>, spec: &KindSpec) -> Vec<Option<&'d Section>> {
    let section = |field: &FieldSpec| match &field.place {
        Place::Section { heading, also } => section_of(document, heading, also),
        Place::Frontmatter | Place::Body => None,
    };
    spec.fields.iter().map(section).collect()
}

/// The section under one of these headings, the first of them before the others.
fn section_of<'d>(document: &'d Document<'_>, heading: &str, also: &[&str]) -> Option<&'d Section> {
    let named = |name| document.sections.iter().find(|it| it.heading.eq_ignore_ascii_case(name));
    std::iter::once(heading).chain(also.iter().copied()).find_map(named)
}

/// A frontmatter value of the kind's own fields, checked.
pub fn read_front(field: &FieldSpec, value: &Yaml) -> Result<FieldValue, Problem> {
    let text = value.as_text();
    let (read, expected) = match &field.shape {
        Shape::Choice(words) if !text.is_some_and(|text| words.contains(&text)) => {
            return Err(oldhand_text::word::unknown(&field.name, words, &value.describe()));
        }
        Shape::Flag => (value.as_bool().map(FieldValue::Flag), "`true` or `false`"),
        Shape::List => (value.as_texts().map(FieldValue::List), "a list of words"),
        Shape::Date => {
            let date = text.filter(|text| parse_instant(text).is_some());
            (date.map(FieldValue::text), "a date such as `2026-12-31`")
        }
        _ => (text.map(FieldValue::text), "a line of text"),
    };
    read.ok_or_else(|| Problem::new(&field.name, expected, &value.describe()))
}

/// "Superseded by [ADR-7](…)" and "Accepted" mean one of our words.
fn lenient_choice(field: &FieldSpec, text: &str) -> Option<FieldValue> {
    let Shape::Choice(words) = &field.shape else { return None };
    let first = slug(text.split_whitespace().next()?);
    words.iter().find(|word| **word == first).map(|word| FieldValue::text(*word))
}
