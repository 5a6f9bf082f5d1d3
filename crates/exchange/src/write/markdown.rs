//! Pieces of Markdown that several writers make.

use oldhand_core::codec::sections;
use oldhand_core::kind::Kinds;
use oldhand_core::kind::schema::{FieldSpec, Place, main_field};
use oldhand_core::memory::Memory;
use oldhand_core::yaml::{Yaml, write_entry};
use oldhand_text::strings::normalise_line;

pub(super) fn front(entries: &[(&str, Yaml)]) -> String {
    let lines: String = entries.iter().map(|(key, value)| write_entry(key, value)).collect();
    format!("---\n{lines}---\n")
}

pub(super) fn optional<'k>(key: &'k str, text: Option<&str>) -> Option<(&'k str, Yaml)> {
    text.map(|text| (key, Yaml::text(text)))
}

/// The text of a field as Markdown, without a line end behind it; nothing where it was not said.
pub(crate) fn field(memory: &Memory, name: &str, kinds: &Kinds) -> Option<String> {
    let spec = kinds.spec(&memory.kind);
    let (field, value) = (spec.field(name)?, memory.content.get(name)?);
    Some(sections::write(&field.shape, value).trim_end().to_owned())
}

/// What the kind is mainly about.
pub(super) fn main_text(memory: &Memory, kinds: &Kinds) -> String {
    let spec = kinds.spec(&memory.kind);
    main_field(&spec.fields).and_then(|it| field(memory, &it.name, kinds)).unwrap_or_default()
}

pub(super) fn heading(field: &FieldSpec) -> Option<&str> {
    match &field.place {
        Place::Section { heading, .. } => Some(heading),
        Place::Body => Some(""),
        Place::Frontmatter => None,
    }
}

/// The whole body below a title: the main text, then every other part below a heading of this level.
pub(super) fn body(memory: &Memory, level: &str, kinds: &Kinds) -> String {
    let spec = kinds.spec(&memory.kind);
    let main = main_field(&spec.fields).map(|field| field.name.clone());
    let mut text = main_text(memory, kinds);
    let known = spec.fields.iter().filter(|it| Some(&it.name) != main.as_ref());
    let known =
        known.filter_map(|it| Some((heading(it)?.to_owned(), field(memory, &it.name, kinds)?)));
    for (heading, part) in known.chain(memory.sections.iter().cloned()) {
        text.push_str(&match heading.is_empty() {
            true => format!("\n\n{}", part.trim_end()),
            false => format!("\n\n{level} {heading}\n\n{}", part.trim_end()),
        });
    }
    text.trim_start_matches('\n').trim_end().to_owned()
}

pub(crate) fn title(memory: &Memory) -> String {
    normalise_line(&memory.title)
}

/// Foreign frontmatter and unknown keys of ours that this format has no word for.
pub(super) fn extra(memory: &Memory, taken: &[&str]) -> Vec<(String, Yaml)> {
    memory.extra.iter().filter(|(key, _)| !taken.contains(&key.as_str())).cloned().collect()
}

/// What an import found no home for.
pub(super) fn rest(memory: &Memory, key: &str) -> Option<Yaml> {
    let extra =
        || memory.extra.iter().find(|(known, _)| known == key).map(|(_, value)| value.clone());
    let rest = memory.imported.as_ref().and_then(|it| it.rest.get(key)).map(Yaml::from_json);
    rest.or_else(extra).filter(|value| !value.is_null())
}
