//! Writing a memory: a new file in the one order of keys and sections, or an old file with only
//! those bytes replaced that changed.

use std::ops::Range;

use super::super::document::{Document, Edits};
use super::super::fields::{FIELDS, HEAD_KEYS};
use super::super::sections;
use super::{Origin, known_sections, parse};
use crate::codec_error::{Cause, CodecError};
use crate::content::FieldValue;
use crate::kind::schema::{FieldSpec, Place, Shape};
use crate::kind::{KindSpec, Kinds};
use crate::memory::Memory;
use crate::yaml::{Yaml, parse_map, write_entry};

/// A new file.
pub fn render(memory: &Memory, kinds: &Kinds) -> String {
    let spec = kinds.spec(&memory.kind);
    let mut out = String::from("---\n");
    out.push_str(&render_frontmatter(memory, &spec, "\n"));
    out.push_str("---\n");
    out.push_str(&render_body(memory, &spec));
    out
}

/// A new file that is read back as what was meant, or why there is none.
pub fn render_checked(memory: &Memory, kinds: &Kinds) -> Result<String, CodecError> {
    let text = render(memory, kinds);
    let spec = kinds.spec(&memory.kind);
    let at = Origin { stem: memory.id.as_str(), folder: memory.folder(&spec.folder) };
    let mut read = parse(&text, at, kinds)?.memory;
    // Quotes around a value of somebody else's key may come or go; what it says may not.
    let said = |memory: &Memory| -> Vec<_> {
        memory.extra.iter().map(|(key, value)| (key.clone(), value.to_json())).collect()
    };
    if said(&read) == said(memory) {
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
    let mut edits = Edits::default();
    rewrite_frontmatter(&document, old, new, &spec, &mut edits)?;
    rewrite_body(&document, old, new, &spec, &mut edits);
    let result = edits.apply(source);
    let at = Origin { stem: new.id.as_str(), folder: &spec.folder };
    match parse(&result, at, kinds) {
        Ok(read) if read.memory == *new => Ok(result),
        // The pair of every write: what can't be read back as it was meant is not written.
        _ => Err(changed_meaning()),
    }
}

/// Every key in the order of the file; `None` is left out.
fn front_values(memory: &Memory, spec: &KindSpec) -> Vec<(String, Option<Yaml>)> {
    let mut values = vec![
        ("id".to_owned(), Some(Yaml::text(memory.id.as_str()))),
        ("type".to_owned(), Some(Yaml::text(memory.kind.as_str()))),
    ];
    let (head, rest): (Vec<_>, Vec<_>) =
        FIELDS.iter().partition(|field| HEAD_KEYS.contains(&field.key));
    values.extend(head.iter().map(|field| (field.key.to_owned(), (field.get)(memory))));
    for field in spec.fields.iter().filter(|field| field.place == Place::Frontmatter) {
        values.push((field.name.to_string(), memory.content.get(&field.name).map(front_content)));
    }
    values.extend(rest.iter().map(|field| (field.key.to_owned(), (field.get)(memory))));
    values.extend(memory.extra.iter().map(|(key, value)| (key.clone(), Some(value.clone()))));
    values
}

fn front_content(value: &FieldValue) -> Yaml {
    match value {
        FieldValue::Flag(flag) => Yaml::literal(flag),
        FieldValue::List(items) => Yaml::list(items),
        other => Yaml::text(other.plain()),
    }
}

fn render_frontmatter(memory: &Memory, spec: &KindSpec, newline: &str) -> String {
    let mut out = String::new();
    for (key, value) in front_values(memory, spec) {
        if let Some(value) = value {
            out.push_str(&write_entry(&key, &value, newline));
        }
    }
    out
}

fn render_body(memory: &Memory, spec: &KindSpec) -> String {
    let mut out = String::new();
    for (heading, text) in memory.sections.iter().filter(|(heading, _)| heading.is_empty()) {
        debug_assert!(heading.is_empty());
        out.push_str(&format!("\n{}\n", sections::write_text(text)));
    }
    for field in spec.fields.iter() {
        let Some(value) = memory.content.get(&field.name) else { continue };
        match &field.place {
            Place::Section { heading, .. } => {
                let text = sections::write(&field.shape, value);
                out.push_str(&format!("\n## {heading}\n{text}"));
            }
            Place::Body => out.push_str(&format!("\n{}", body_text(value))),
            Place::Frontmatter => {}
        }
    }
    for (heading, text) in memory.sections.iter().filter(|(heading, _)| !heading.is_empty()) {
        let heading = sections::write_heading(heading);
        out.push_str(&format!("\n{heading}\n{}\n", sections::write_text(text)));
    }
    out
}

/// A body has no sections of ours, so its headings are its own; only what could open a fence for
/// ever is of no concern either, because nothing follows it.
fn body_text(value: &FieldValue) -> String {
    let text = sections::guard_body(&value.plain());
    format!("{text}\n")
}

fn rewrite_frontmatter(
    document: &Document<'_>,
    old: &Memory,
    new: &Memory,
    spec: &KindSpec,
    edits: &mut Edits,
) -> Result<(), CodecError> {
    let Some(range) = document.frontmatter.clone() else {
        let text = render_frontmatter(new, spec, document.newline);
        let nl = document.newline;
        let start = document.body.start;
        edits.replace(start..start, format!("---{nl}{text}---{nl}{nl}"));
        return Ok(());
    };
    let before = front_values(old, spec);
    let after = front_values(new, spec);
    if before == after {
        return Ok(());
    }
    if !is_line_oriented(document)? {
        edits.replace(range, render_frontmatter(new, spec, document.newline));
        return Ok(());
    }
    for (at, (key, value)) in after.iter().enumerate() {
        let was =
            before.iter().find(|(known, _)| known == key).and_then(|(_, value)| value.as_ref());
        if was == value.as_ref() {
            continue;
        }
        let text = value.as_ref().map(|value| write_entry(key, value, document.newline));
        match (document.entry(key), text) {
            (Some(entry), text) => edits.replace(entry.range.clone(), text.unwrap_or_default()),
            (None, Some(text)) => {
                let place = insertion_point(document, &after[..at], &range);
                edits.replace(place..place, text);
            }
            (None, None) => {}
        }
    }
    for (key, _) in &before {
        if !after.iter().any(|(known, _)| known == key)
            && let Some(entry) = document.entry(key)
        {
            edits.replace(entry.range.clone(), String::new());
        }
    }
    Ok(())
}

/// Frontmatter whose keys each begin a line, as all but a few are.
fn is_line_oriented(document: &Document<'_>) -> Result<bool, CodecError> {
    let map = parse_map(document.frontmatter_text())?;
    Ok(map.len() == document.entries.len()
        && map.iter().zip(&document.entries).all(|((key, _), entry)| *key == entry.key))
}

/// Behind the nearest key that stands before it in our order and is in the file.
fn insertion_point(
    document: &Document<'_>,
    before: &[(String, Option<Yaml>)],
    frontmatter: &Range<usize>,
) -> usize {
    before
        .iter()
        .rev()
        .find_map(|(key, _)| document.entry(key))
        .map_or(frontmatter.start, |entry| entry.range.end)
}

fn rewrite_body(
    document: &Document<'_>,
    old: &Memory,
    new: &Memory,
    spec: &KindSpec,
    edits: &mut Edits,
) {
    for (at, field) in spec.fields.iter().enumerate() {
        let (was, is) = (old.content.get(&field.name), new.content.get(&field.name));
        if was == is {
            continue;
        }
        match &field.place {
            Place::Frontmatter => {}
            Place::Body => {
                let text = is.map(body_text).unwrap_or_default();
                let core = core_of(document.source, document.body.clone());
                edits.replace(core, with_newline(text.trim_end_matches('\n'), document.newline));
            }
            Place::Section { heading, .. } => {
                rewrite_section(document, Target { spec, at, field, heading }, was, is, edits);
            }
        }
    }
    if old.sections != new.sections {
        rewrite_unknown(document, old, new, edits);
    }
}

/// One field of the kind and the heading it stands under.
struct Target<'a> {
    spec: &'a KindSpec,
    at: usize,
    field: &'a FieldSpec,
    heading: &'a str,
}

fn rewrite_section(
    document: &Document<'_>,
    target: Target<'_>,
    was: Option<&FieldValue>,
    is: Option<&FieldValue>,
    edits: &mut Edits,
) {
    let known = known_sections(document, target.spec);
    let found = known.iter().find(|(field, _)| *field == target.at).map(|(_, section)| *section);
    let text = is.map(|value| sections::write(&target.field.shape, value)).unwrap_or_default();
    match (found, is) {
        (Some(section), None) => {
            edits.replace(document.sections[section].range.clone(), String::new())
        }
        (Some(section), Some(is)) => {
            let core = core_of(document.source, document.sections[section].text.clone());
            match was.and_then(|was| appended(&target.field.shape, was, is)) {
                Some(more) if !core.is_empty() => {
                    let more = format!("\n{}", more.trim_end_matches('\n'));
                    edits.replace(core.end..core.end, with_newline(&more, document.newline));
                }
                _ => {
                    let text = text.trim_end_matches('\n');
                    edits.replace(core, with_newline(text, document.newline));
                }
            }
        }
        (None, Some(_)) => {
            let section = format!("## {}\n{text}", target.heading);
            let place = section_place(document, &known, target.at);
            insert_section(document, place, &section, edits);
        }
        (None, None) => {}
    }
}

/// The further items, when a list only grew: a diff of just those lines.
fn appended(shape: &Shape, was: &FieldValue, is: &FieldValue) -> Option<String> {
    let (FieldValue::List(was), FieldValue::List(is)) = (was, is) else { return None };
    if is.len() <= was.len() || is[..was.len()] != was[..] {
        return None;
    }
    let all = sections::write(shape, &FieldValue::List(is.clone()));
    let kept = sections::write(shape, &FieldValue::List(was.clone()));
    all.strip_prefix(&kept).map(str::to_owned)
}

/// Behind the last section that comes before this field in our order, else before the first that
/// comes after it, else at the end.
fn section_place(document: &Document<'_>, known: &[(usize, usize)], field: usize) -> usize {
    let before = known.iter().filter(|(at, _)| *at < field).map(|(_, section)| *section).max();
    if let Some(section) = before {
        return document.sections[section].range.end;
    }
    let after = known.iter().filter(|(at, _)| *at > field).map(|(_, section)| *section).min();
    after.map_or(document.body.end, |section| document.sections[section].range.start)
}

fn insert_section(document: &Document<'_>, place: usize, section: &str, edits: &mut Edits) {
    let (before, after) = document.source.split_at(place);
    let before = before.replace('\r', "");
    let lead = match () {
        () if before.ends_with("\n\n") => "",
        () if before.ends_with('\n') => "\n",
        () => "\n\n",
    };
    let tail = if after.trim().is_empty() { "" } else { "\n" };
    let text = format!("{lead}{section}{tail}");
    edits.replace(place..place, with_newline(&text, document.newline));
}

/// Sections that the kind does not know change only when a whole record is given anew.
fn rewrite_unknown(document: &Document<'_>, old: &Memory, new: &Memory, edits: &mut Edits) {
    for (heading, text) in &new.sections {
        let was = old.sections.iter().find(|(known, _)| known == heading);
        if was.is_some_and(|(_, was)| was == text) {
            continue;
        }
        let written = sections::write_text(text);
        match document.sections.iter().find(|section| section.heading == *heading) {
            Some(section) => {
                let core = core_of(document.source, section.text.clone());
                edits.replace(core, with_newline(&written, document.newline));
            }
            None if heading.is_empty() => {
                let core = core_of(document.source, document.preamble());
                edits.replace(core, with_newline(&written, document.newline));
            }
            None => {
                let section = format!("{}\n{written}\n", sections::write_heading(heading));
                insert_section(document, document.body.end, &section, edits);
            }
        }
    }
    for (heading, _) in &old.sections {
        if new.sections.iter().any(|(known, _)| known == heading) {
            continue;
        }
        if heading.is_empty() {
            edits.replace(core_of(document.source, document.preamble()), String::new());
        } else if let Some(section) = document.sections.iter().find(|s| s.heading == *heading) {
            edits.replace(section.range.clone(), String::new());
        }
    }
}

/// A range without the blank lines around it; they are spacing, not content.
fn core_of(source: &str, range: Range<usize>) -> Range<usize> {
    let text = &source[range.clone()];
    let end = range.start + text.trim_end().len();
    let first = text.len() - text.trim_start().len();
    let line_start = text[..first].rfind('\n').map_or(0, |at| at + 1);
    let start = (range.start + line_start).min(end.max(range.start));
    if end <= start { start..start } else { start..end }
}

fn with_newline(text: &str, newline: &str) -> String {
    if newline == "\n" { text.to_owned() } else { text.replace('\n', newline) }
}
