//! The graph of the MCP memory server: an entity a memory, its fields by label.

use oldhand_core::content::FieldValue;
use oldhand_core::memory::Memory;
use oldhand_text::time::format_instant;
use serde_json::json;

use super::{Out, Outgoing, markdown};

pub(super) fn write(out: &mut Out<'_>, memories: &[Outgoing<'_>]) {
    let mut lines = Vec::new();
    for memory in memories.iter().map(|it| it.memory) {
        let entity = json!({
            "type": "entity",
            "name": memory.id.as_str(),
            "entityType": memory.kind.as_str(),
            "observations": observations(memory, out),
        });
        lines.push((Some(memory), entity.to_string()));
    }
    for memory in memories.iter().map(|it| it.memory) {
        let relations = [
            ("supersedes", &memory.supersedes),
            ("relates_to", &memory.related_to),
            ("conflicts_with", &memory.conflicts_with),
        ];
        for (word, to) in
            relations.into_iter().flat_map(|(word, all)| all.iter().map(move |to| (word, to)))
        {
            let from = memory.id.as_str();
            let relation =
                json!({"type": "relation", "from": from, "to": to, "relationType": word});
            lines.push((None, relation.to_string()));
        }
    }
    // The server writes no newline at the end.
    for (at, (memory, line)) in lines.into_iter().enumerate() {
        if at > 0 {
            out.text("", "\n");
        }
        match memory {
            Some(memory) => out.record(memory, "", &line, None),
            None => out.text("", &line),
        }
    }
}

fn observations(memory: &Memory, out: &Out<'_>) -> Vec<String> {
    let mut all =
        vec![format!("title: {}", markdown::title(memory)), format!("state: {}", memory.state)];
    if !memory.tags.is_empty() {
        all.push(format!("tags: {}", memory.tags.join(", ")));
    }
    for (label, at) in [("created", memory.created_at), ("updated", memory.updated_at)] {
        all.extend(at.map(|at| format!("{label}: {}", format_instant(at))));
    }
    let spec = out.kinds.spec(&memory.kind);
    for field in spec.fields.iter() {
        let items = match memory.content.get(&field.name) {
            None => continue,
            Some(FieldValue::List(items)) => items.clone(),
            Some(FieldValue::Alternatives(items)) => {
                let each = items.iter().map(|it| match it.rejected_reason.as_str() {
                    "" => it.option.clone(),
                    why => format!("**{}**: {why}", it.option),
                });
                each.collect()
            }
            Some(value) => vec![value.plain()],
        };
        all.extend(items.iter().map(|item| format!("{}: {item}", field.name)));
    }
    all
}
