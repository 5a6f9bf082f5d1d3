//! What somebody changed of a record, where the reader of the format can't say which part of a kind it is. A
//! writer puts the parts of a memory one behind the other: what stands between them says where each is now.

use std::collections::BTreeMap;

use oldhand_core::codec::sections;
use oldhand_core::content::FieldValue;
use oldhand_core::draft::Draft;
use oldhand_core::kind::Kinds;
use oldhand_core::kind::schema::{FieldSpec, Place, main_field};
use oldhand_core::memory::Memory;
use oldhand_core::yaml::Yaml;

use crate::text;
use crate::write::markdown;

enum Slot<'a> {
    Title,
    Field(&'a FieldSpec),
    Section(&'a str),
    /// The items of all lists, each behind the name of its field.
    Items,
}

/// The parts of a memory that a piece of text says, as a draft of those that are another in the new one. Nothing
/// where it can't be told.
pub(super) fn changed(memory: &Memory, old: &str, new: &str, kinds: &Kinds) -> Option<Draft> {
    let (old, new) = (body(old), body(new));
    let spec = kinds.spec(&memory.kind);
    let main = main_field(&spec.fields);
    let is_main = |field: &&FieldSpec| main.is_some_and(|it| it.name == field.name);
    let others = spec.fields.iter().filter(|it| it.place != Place::Frontmatter && !is_main(it));
    let fields = main.into_iter().chain(others).filter_map(|field| {
        Some((Slot::Field(field), markdown::field(memory, &field.name, kinds)?))
    });
    let further = memory.sections.iter();
    let further = further.map(|(heading, text)| (Slot::Section(heading), text.trim().to_owned()));
    let title = std::iter::once((Slot::Title, markdown::title(memory)));
    let (mut slots, mut glue, mut end) = (Vec::new(), Vec::new(), 0);
    let items = std::iter::once((Slot::Items, observed(memory, &spec.fields)));
    for (slot, text) in title.chain(fields).chain(further).chain(items) {
        if let Some(start) = place_of(old, &text, end) {
            glue.push(&old[end..start]);
            end = start + text.len();
            slots.push((slot, text));
        }
    }
    glue.push(&old[end..]);
    let values = between(new, &glue)?;
    let mut draft = Draft::default();
    for ((slot, was), is) in slots.iter().zip(values).filter(|((_, was), is)| was != is) {
        match slot {
            Slot::Title if is.contains('\n') => return None,
            Slot::Title => draft.set("title", Yaml::text(is)),
            Slot::Section(heading) => draft.sections.push(((*heading).to_owned(), is.to_owned())),
            Slot::Items => {
                let mut lists = labelled(is)?;
                for name in labelled(was)?.into_keys() {
                    lists.entry(name).or_default();
                }
                for (name, items) in lists {
                    let value = FieldValue::List(items);
                    if memory.content.get(name) != Some(&value) {
                        draft.set_content(name, value);
                    }
                }
            }
            Slot::Field(field) => {
                // A heading that came with it begins a part of its own.
                if field.place != Place::Body && headings(is) > headings(was) {
                    return None;
                }
                draft.set_content(&field.name, sections::read(&field.shape, is));
            }
        }
    }
    (draft != Draft::default()).then_some(draft)
}

/// `- [steps] Stop it`, a line for each item.
fn observed(memory: &Memory, fields: &[FieldSpec]) -> String {
    let mut lines = Vec::new();
    for field in fields {
        if let Some(FieldValue::List(items)) = memory.content.get(&field.name) {
            lines.extend(items.iter().map(|item| format!("- [{}] {item}", field.name)));
        }
    }
    lines.join("\n")
}

fn labelled(lines: &str) -> Option<BTreeMap<&str, Vec<String>>> {
    let mut lists: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for line in lines.lines() {
        let (name, item) = line.strip_prefix("- [")?.split_once("] ")?;
        lists.entry(name).or_default().push(item.to_owned());
    }
    Some(lists)
}

fn body(text: &str) -> &str {
    let behind = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n"));
    behind.map_or(text, |(_, body)| body).trim()
}

fn headings(of: &str) -> usize {
    let lines = text::marked_lines(of);
    lines.filter(|(line, is_plain)| *is_plain && text::heading(line).is_some()).count()
}

/// Where a text ends a line, behind a blank or at the beginning of one.
fn place_of(text: &str, part: &str, from: usize) -> Option<usize> {
    let starts = text[from..].match_indices(part).map(|(at, _)| from + at);
    let mut starts = starts.filter(|_| !part.is_empty());
    starts.find(|start| {
        let end = start + part.len();
        (*start == 0 || text[..*start].ends_with([' ', '\n']))
            && (end == text.len() || text[end..].starts_with('\n'))
    })
}

/// What stands between these texts now; each of them is there once, in this order.
fn between<'t>(text: &'t str, glue: &[&str]) -> Option<Vec<&'t str>> {
    let (first, rest) = glue.split_first()?;
    let mut text = text.strip_prefix(*first)?;
    let mut values = Vec::new();
    for (at, glue) in rest.iter().enumerate() {
        let is_last = at + 1 == rest.len();
        if is_last {
            values.push(text.strip_suffix(*glue)?.trim());
            break;
        }
        let is_title = at == 0 && first.trim_start().starts_with('#');
        let (value, behind) = text.split_once(*glue)?;
        // A blank line says nothing of where a part ends, but behind a title it does.
        if !is_title && (glue.trim().is_empty() || behind.contains(*glue)) {
            return None;
        }
        values.push(value.trim());
        text = behind;
    }
    Some(values)
}

/// What a reader says of the parts of another kind, by the words that stood there before.
pub(super) fn mapped(memory: &Memory, was: &Draft, is: &Draft, kinds: &Kinds) -> Option<Draft> {
    let spec = kinds.spec(&memory.kind);
    let mut draft = Draft::default();
    for (name, value) in &is.content {
        let old = was.content.iter().find(|(known, _)| known == name).map(|(_, old)| old);
        if old == Some(value) {
            continue;
        }
        let words = old?.plain();
        let mut same = spec
            .fields
            .iter()
            .filter(|field| memory.content.get(&field.name).is_some_and(|it| it.plain() == words));
        match (same.next(), same.next(), value) {
            (Some(field), None, FieldValue::Text(text)) => {
                draft.set_content(&field.name, sections::read(&field.shape, text));
            }
            (Some(field), None, other) => draft.set_content(&field.name, other.clone()),
            // Several parts in one.
            (None, ..) => {
                let Some(parts) = changed(memory, &words, &value.plain(), kinds) else {
                    // The beginning of another part counts only there.
                    let holds =
                        |it: &&(String, FieldValue)| it.0 != *name && it.1.plain().contains(&words);
                    was.content.iter().find(holds)?;
                    continue;
                };
                parts.content.into_iter().for_each(|(name, it)| draft.set_content(&name, it));
                draft.sections.extend(parts.sections);
            }
            (Some(_), Some(_), _) => return None,
        }
    }
    let is_left_out =
        |(name, _): &&(String, FieldValue)| !is.content.iter().any(|it| it.0 == *name);
    let is_whole = !was.content.iter().any(|it| is_left_out(&it)) && was.sections == is.sections;
    (is_whole && draft != Draft::default()).then_some(draft)
}
