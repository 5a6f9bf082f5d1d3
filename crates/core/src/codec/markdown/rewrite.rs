//! Writes a memory as a new file, or replaces only the bytes of an old file that changed.

use std::ops::Range;

use super::super::document::{Document, Section};
use super::super::fields::{FIELDS, FrontField, HEAD_FIELDS};
use super::super::sections;
use super::{Origin, known_sections, parse};
use crate::codec_error::{Cause, CodecError};
use crate::content::FieldValue;
use crate::kind::schema::{FieldSpec, Place, Shape};
use crate::kind::{KindSpec, Kinds};
use crate::memory::Memory;
use crate::yaml::{Yaml, parse_map, write_entry};

pub fn render(memory: &Memory, kinds: &Kinds) -> String {
    let spec = kinds.spec(&memory.kind);
    format!("---\n{}---\n{}", render_frontmatter(memory, &spec), render_body(memory, &spec))
}

/// A new file, checked by reading it back.
pub fn render_checked(memory: &Memory, kinds: &Kinds) -> Result<String, CodecError> {
    let text = render(memory, kinds);
    let spec = kinds.spec(&memory.kind);
    let at = Origin { stem: memory.id.as_str(), folder: memory.folder(&spec.folder) };
    let mut read = parse(&text, at, kinds)?.memory;
    // Quotes around the value of an unknown key may come or go; its meaning may not.
    let meaning = |memory: &Memory| -> Vec<_> {
        memory.extra.iter().map(|(key, value)| (key.clone(), value.to_json())).collect()
    };
    if meaning(&read) == meaning(memory) {
        read.extra.clone_from(&memory.extra);
    }
    if read == *memory { Ok(text) } else { Err(changed_meaning()) }
}

fn changed_meaning() -> CodecError {
    let message = "the file can't be written without changing its meaning";
    CodecError::new(Cause::Frontmatter, 1, message)
}

/// The old file with what differs between the two memories, and nothing else, replaced.
pub fn rewrite(
    source: &str,
    old: &Memory,
    new: &Memory,
    kinds: &Kinds,
) -> Result<String, CodecError> {
    if old == new {
        return Ok(source.to_owned());
    }
    let document = Document::parse(source)?;
    let spec = kinds.spec(&new.kind);
    let mut rewrite = Rewrite { document: &document, old, new, spec: &spec, edits: Vec::new() };
    rewrite.frontmatter()?;
    rewrite.body();
    let result = apply(rewrite.edits, source);
    let at = Origin { stem: new.id.as_str(), folder: &spec.folder };
    match parse(&result, at, kinds) {
        Ok(read) if read.memory == *new => Ok(result),
        // What can't be read back is not written.
        _ => Err(changed_meaning()),
    }
}

/// Edits at the same position keep the order in which they were asked for.
fn apply(mut edits: Vec<Edit>, source: &str) -> String {
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let mut result = String::with_capacity(source.len() + 256);
    let mut at = 0;
    for (range, text) in edits {
        result.push_str(&source[at..range.start.max(at)]);
        result.push_str(&text);
        at = range.end.max(at);
    }
    result + &source[at..]
}

/// Every key in the order of the file; `None` is left out.
fn front_values(memory: &Memory, spec: &KindSpec) -> Vec<(String, Option<Yaml>)> {
    let common = |field: &FrontField| (field.key.to_owned(), (field.get)(memory));
    let (head, rest) = FIELDS.split_at(HEAD_FIELDS);
    let own = spec.fields.iter().filter(|field| field.place == Place::Frontmatter);
    let own = own.map(|it| (it.name.to_string(), memory.content.get(&it.name).map(front_content)));
    let extra = memory.extra.iter().map(|(key, value)| (key.clone(), Some(value.clone())));
    let mut values = vec![
        ("id".to_owned(), Some(Yaml::text(memory.id.as_str()))),
        ("type".to_owned(), Some(Yaml::text(memory.kind.as_str()))),
    ];
    values.extend(head.iter().map(common).chain(own).chain(rest.iter().map(common)).chain(extra));
    values
}

fn front_content(value: &FieldValue) -> Yaml {
    match value {
        FieldValue::Flag(flag) => Yaml::literal(flag),
        FieldValue::List(items) => Yaml::list(items),
        other => Yaml::text(other.plain()),
    }
}

fn render_frontmatter(memory: &Memory, spec: &KindSpec) -> String {
    let values = front_values(memory, spec).into_iter();
    values.filter_map(|(key, value)| Some(write_entry(&key, &value?))).collect()
}

fn render_body(memory: &Memory, spec: &KindSpec) -> String {
    let unknown = |(heading, text): &(String, String)| match heading.as_str() {
        "" => format!("\n{}\n", sections::write_text(text)),
        _ => format!("\n{}\n{}\n", sections::write_heading(heading), sections::write_text(text)),
    };
    let known = |field: &FieldSpec| {
        let value = memory.content.get(&field.name)?;
        match &field.place {
            Place::Section { heading, .. } => {
                Some(format!("\n## {heading}\n{}", sections::write(&field.shape, value)))
            }
            Place::Body => Some(format!("\n{}", body_text(value))),
            Place::Frontmatter => None,
        }
    };
    let preamble = memory.sections.iter().filter(|(heading, _)| heading.is_empty());
    let others = memory.sections.iter().filter(|(heading, _)| !heading.is_empty());
    let fields = spec.fields.iter().filter_map(known);
    preamble.map(unknown).chain(fields).chain(others.map(unknown)).collect()
}

fn body_text(value: &FieldValue) -> String {
    sections::guard_body(&value.plain()) + "\n"
}

/// Bytes of the old file, and what takes their place.
type Edit = (Range<usize>, String);

struct Rewrite<'a> {
    document: &'a Document<'a>,
    old: &'a Memory,
    new: &'a Memory,
    spec: &'a KindSpec,
    edits: Vec<Edit>,
}

impl Rewrite<'_> {
    /// Replaces bytes, with the line breaks of the file.
    fn replace(&mut self, range: Range<usize>, text: &str) {
        self.edits.push((range, text.replace('\n', self.document.newline)));
    }

    fn frontmatter(&mut self) -> Result<(), CodecError> {
        let document = self.document;
        let Some(range) = document.frontmatter.clone() else {
            let text = render_frontmatter(self.new, self.spec);
            self.replace(document.body.start..document.body.start, &format!("---\n{text}---\n\n"));
            return Ok(());
        };
        let before = front_values(self.old, self.spec);
        let mut after = front_values(self.new, self.spec);
        if before == after {
            return Ok(());
        }
        if !is_line_oriented(document)? {
            self.replace(range, &render_frontmatter(self.new, self.spec));
            return Ok(());
        }
        let is_gone = |key: &str| !after.iter().any(|(known, _)| known == key);
        let gone: Vec<_> = before.iter().filter(|(key, _)| is_gone(key)).collect();
        after.extend(gone.into_iter().map(|(key, _)| (key.clone(), None)));
        for (at, (key, value)) in after.iter().enumerate() {
            let was = before.iter().find(|(known, _)| known == key);
            if was.and_then(|(_, value)| value.as_ref()) == value.as_ref() {
                continue;
            }
            let entry = document.entry(key).map(|entry| entry.range.clone());
            let place = entry.unwrap_or_else(|| {
                // Behind the nearest key that stands before it in our order and is in the file.
                let near = after[..at].iter().rev().find_map(|(key, _)| document.entry(key));
                let end = near.map_or(range.start, |entry| entry.range.end);
                end..end
            });
            let text = value.as_ref().map(|value| write_entry(key, value));
            self.replace(place, &text.unwrap_or_default());
        }
        Ok(())
    }

    fn body(&mut self) {
        let known = known_sections(self.document, self.spec);
        for (at, field) in self.spec.fields.iter().enumerate() {
            let [was, is] = [self.old, self.new].map(|memory| memory.content.get(&field.name));
            match &field.place {
                _ if was == is => {}
                Place::Frontmatter => {}
                Place::Body => {
                    let text = is.map(body_text).unwrap_or_default();
                    self.replace_core(self.document.body.clone(), &text);
                }
                Place::Section { heading, .. } => {
                    let more = was.zip(is).and_then(|(was, is)| appended(&field.shape, was, is));
                    let core = known[at].map(|it| core_of(self.document.source, it.text.clone()));
                    if let Some((more, core)) = more.zip(core.filter(|core| !core.is_empty())) {
                        let more = format!("\n{}", more.trim_end_matches('\n'));
                        self.replace(core.end..core.end, &more);
                        continue;
                    }
                    let text = is.map(|is| sections::write(&field.shape, is));
                    let place = section_place(self.document, &known, at);
                    self.section(known[at], place, &format!("## {heading}"), text);
                }
            }
        }
        self.unknown_sections();
    }

    /// Sections that the kind does not know change only when a whole record replaces the old one.
    fn unknown_sections(&mut self) {
        let (document, old, new) = (self.document, &self.old.sections, &self.new.sections);
        let gone = old.iter().filter(|(heading, _)| text_under(heading, new).is_none());
        for (heading, _) in new.iter().chain(gone) {
            let is = text_under(heading, new);
            if text_under(heading, old) == is {
                continue;
            }
            let text = is.map(sections::write_text);
            if heading.is_empty() {
                self.replace_core(document.preamble(), &text.unwrap_or_default());
                continue;
            }
            let found = document.sections.iter().find(|it| it.heading == *heading);
            self.section(found, document.body.end, &sections::write_heading(heading), text);
        }
    }

    /// Changes the section that was found, adds it at a place, or takes it out.
    fn section(&mut self, found: Option<&Section>, place: usize, head: &str, text: Option<String>) {
        match (found, text) {
            (Some(section), Some(text)) => self.replace_core(section.text.clone(), &text),
            (Some(section), None) => self.replace(section.range.clone(), ""),
            (None, Some(text)) => {
                let (before, after) = self.document.source.split_at(place);
                let last = before.bytes().rev().filter(|byte| *byte != b'\r').take(2);
                let lead = "\n".repeat(2 - last.take_while(|byte| *byte == b'\n').count());
                let tail = if after.trim().is_empty() { "" } else { "\n" };
                let text = text.trim_end_matches('\n');
                self.replace(place..place, &format!("{lead}{head}\n{text}\n{tail}"));
            }
            (None, None) => {}
        }
    }

    fn replace_core(&mut self, range: Range<usize>, text: &str) {
        self.replace(core_of(self.document.source, range), text.trim_end_matches('\n'));
    }
}

/// The text of the first section with this heading.
fn text_under<'s>(heading: &str, sections: &'s [(String, String)]) -> Option<&'s str> {
    sections.iter().find(|(known, _)| known == heading).map(|(_, text)| text.as_str())
}

/// Frontmatter whose keys each begin a line, as all but a few are.
fn is_line_oriented(document: &Document<'_>) -> Result<bool, CodecError> {
    let map = parse_map(document.frontmatter_text())?;
    Ok(map.iter().map(|(key, _)| key).eq(document.entries.iter().map(|entry| &entry.key)))
}

/// The further items, when a list only grew: a diff of just those lines.
fn appended(shape: &Shape, was: &FieldValue, is: &FieldValue) -> Option<String> {
    let (FieldValue::List(old), FieldValue::List(new)) = (was, is) else { return None };
    let kept = sections::write(shape, was);
    new.starts_with(old)
        .then(|| sections::write(shape, is).strip_prefix(&kept).map(str::to_owned))?
}

/// Behind the last section that comes before this field in our order, else before the first that
/// comes after it, else at the end.
fn section_place(document: &Document<'_>, known: &[Option<&Section>], field: usize) -> usize {
    let before = known[..field].iter().flatten().map(|section| section.range.end).max();
    let after = known[field..].iter().flatten().map(|section| section.range.start).min();
    before.or(after).unwrap_or(document.body.end)
}

/// A range without the blank lines around it; they are spacing, not content.
fn core_of(source: &str, range: Range<usize>) -> Range<usize> {
    let text = &source[range.clone()];
    let end = range.start + text.trim_end().len();
    let first = text.len() - text.trim_start().len();
    let line_start = text[..first].rfind('\n').map_or(0, |at| at + 1);
    (range.start + line_start).min(end)..end
}
