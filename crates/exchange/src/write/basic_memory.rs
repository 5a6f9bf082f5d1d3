//! basic-memory: a note a memory, lists as observations.

use std::collections::BTreeSet;

use oldhand_core::content::FieldValue;
use oldhand_core::memory::Memory;
use oldhand_core::yaml::Yaml;
use oldhand_text::time::format_instant;

use super::{Out, Outgoing, markdown};

/// Keys that the tool gives a meaning.
const TAKEN: &[&str] =
    &["title", "type", "permalink", "tags", "created", "modified", "status", "state"];

pub(super) fn write(out: &mut Out<'_>, memories: &[Outgoing<'_>]) {
    let mut taken = BTreeSet::new();
    let title_of = |id: &String| {
        let found = memories.iter().find(|it| it.memory.id.as_str() == id);
        found.map_or_else(|| id.clone(), |it| markdown::title(it.memory))
    };
    for memory in memories.iter().map(|it| it.memory) {
        let folder = out.kinds.spec(&memory.kind).folder.clone();
        let name = file_name(memory);
        // Some disks don't tell capitals from small letters.
        let name = match taken.insert(format!("{folder}/{}", name.to_lowercase())) {
            true => name,
            false => format!("{name} ({})", memory.id),
        };
        let mut text = front(memory, &folder, out) + &format!("\n# {}\n", markdown::title(memory));
        text.push_str(&parts(memory, out));
        let relations = [
            ("supersedes", &memory.supersedes),
            ("relates_to", &memory.related_to),
            ("conflicts_with", &memory.conflicts_with),
        ];
        let lines = relations.into_iter().flat_map(|(word, all)| {
            all.iter()
                .map(move |id| (word, id))
                .map(|(word, id)| format!("- {word} [[{}]]\n", title_of(id)))
        });
        let lines: String = lines.collect();
        if !lines.is_empty() {
            text.push_str(&format!("\n## Relations\n\n{lines}"));
        }
        out.record(memory, &format!("{folder}/{name}.md"), &text, None);
    }
}

/// The title, without what a file can't be called.
fn file_name(memory: &Memory) -> String {
    let safe = |it: char| if it.is_control() || "/\\:*?\"<>|#^[]".contains(it) { '-' } else { it };
    let name: String = markdown::title(memory).chars().map(safe).take(100).collect();
    match name.trim_matches([' ', '.']) {
        "" => memory.id.to_string(),
        name => name.to_owned(),
    }
}

fn front(memory: &Memory, folder: &str, out: &Out<'_>) -> String {
    let text = |text: &str| Yaml::text(text);
    let mut all = vec![
        ("title".to_owned(), text(&markdown::title(memory))),
        ("type".to_owned(), text(memory.kind.as_str())),
        ("permalink".to_owned(), text(&format!("{folder}/{}", memory.id))),
    ];
    let mut put = |key: &str, value: Yaml| all.push((key.to_owned(), value));
    if !memory.tags.is_empty() {
        put("tags", Yaml::list(&memory.tags));
    }
    for (key, at) in [("created", memory.created_at), ("modified", memory.updated_at)] {
        at.into_iter().for_each(|at| put(key, text(&format_instant(at))));
    }
    put("state", text(memory.state.as_str()));
    let spec = out.kinds.spec(&memory.kind);
    for field in spec.fields.iter().filter(|it| markdown::heading(it).is_none()) {
        match memory.content.get(&field.name) {
            Some(FieldValue::Flag(flag)) => put(&field.name, Yaml::literal(flag)),
            Some(FieldValue::List(items)) => put(&field.name, Yaml::list(items)),
            Some(value) => put(&field.name, text(&value.plain())),
            None => {}
        }
    }
    markdown::extra(memory, TAKEN).into_iter().for_each(|(key, value)| put(&key, value));
    let entries: Vec<(&str, Yaml)> =
        all.iter().map(|(key, value)| (key.as_str(), value.clone())).collect();
    markdown::front(&entries)
}

fn parts(memory: &Memory, out: &Out<'_>) -> String {
    let spec = out.kinds.spec(&memory.kind);
    let (mut text, mut observations) = (String::new(), String::new());
    for field in spec.fields.iter() {
        let (Some(heading), Some(value)) =
            (markdown::heading(field), memory.content.get(&field.name))
        else {
            continue;
        };
        let items: Vec<String> = match value {
            FieldValue::List(items) => items.clone(),
            FieldValue::Alternatives(items) => {
                items.iter().map(|it| format!("{}: {}", it.option, it.rejected_reason)).collect()
            }
            other if heading.is_empty() => {
                text.push_str(&format!("\n{}\n", other.plain().trim_end()));
                continue;
            }
            other => {
                text.push_str(&format!("\n## {heading}\n\n{}\n", other.plain().trim_end()));
                continue;
            }
        };
        let lines =
            items.iter().map(|item| format!("- [{}] {}\n", field.name, item.replace('\n', "\n  ")));
        observations.extend(lines);
    }
    for (heading, part) in &memory.sections {
        let heading = if heading.is_empty() { "Notes" } else { heading };
        text.push_str(&format!("\n## {heading}\n\n{}\n", part.trim_end()));
    }
    if !observations.is_empty() {
        text.push_str(&format!("\n## Observations\n\n{observations}"));
    }
    text
}
