//! claude-memory: an object a file, closed schemas. What they have no room for is in the companion.

use oldhand_core::codec::json::content_to_json;
use oldhand_core::kind::Kind;
use oldhand_core::memory::{Change, Memory};
use oldhand_core::state::State;
use oldhand_text::time::format_instant;
use serde_json::{Map, Value, json};

use super::{Out, Outgoing, markdown};

/// A kind there, its folder, and the fields that its schema knows. `!` marks one that must be there.
const KINDS: &[(Kind, &str, &[&str])] = &[
    (
        Kind::SessionSummary,
        "sessions",
        &[
            "!goal",
            "!outcome",
            "!completed",
            "in_progress",
            "blockers",
            "!next_actions",
            "key_changes",
        ],
    ),
    (
        Kind::Decision,
        "decisions",
        &["!status", "!context", "!decision", "alternatives", "!rationale", "consequences"],
    ),
    (
        Kind::Runbook,
        "runbooks",
        &["!trigger", "symptoms", "!steps", "!verification", "root_cause", "environment"],
    ),
    (
        Kind::Constraint,
        "constraints",
        &["!kind", "!rule", "!impact", "workarounds", "!severity", "!active", "expires"],
    ),
    (
        Kind::TechDebt,
        "tech-debt",
        &[
            "!status",
            "!priority",
            "!description",
            "!reason_deferred",
            "impact",
            "suggested_fix",
            "acceptance_criteria",
        ],
    ),
    (Kind::Preference, "preferences", &["!topic", "!value", "reason", "!strength", "examples"]),
];

/// What stands for a text that is required there and not here.
const NOTHING: &str = crate::text::NOT_RECORDED;

pub(super) fn write(out: &mut Out<'_>, memories: &[Outgoing<'_>]) {
    let mut index = Vec::new();
    for memory in memories.iter().map(|it| it.memory) {
        let known = KINDS.iter().find(|(kind, ..)| *kind == memory.kind);
        let (kind, folder, content, instead) = match known {
            Some((kind, folder, fields)) => (kind, folder, content(memory, fields, out), None),
            None => {
                (&Kind::Preference, &"preferences", as_preference(memory, out), Some("preference"))
            }
        };
        let path = format!("{folder}/{}.json", memory.id);
        let object = record(memory, kind, content);
        let text = serde_json::to_string_pretty(&object).unwrap_or_default() + "\n";
        out.record(memory, &path, &text, instead);
        if memory.is_active() {
            let tags = tags(memory).join(",");
            let category = kind.as_str().to_uppercase();
            let title = markdown::title(memory);
            index.push(format!("- [{category}] {title} -> .claude/memory/{path} #tags:{tags}\n"));
        }
    }
    index.sort();
    out.text("index.md", &index.concat());
}

fn tags(memory: &Memory) -> Vec<String> {
    if memory.tags.is_empty() { vec!["untagged".to_owned()] } else { memory.tags.clone() }
}

fn record(memory: &Memory, kind: &Kind, content: Map<String, Value>) -> Value {
    let created = memory.created_at.or(memory.updated_at).unwrap_or_default();
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
    put("schema_version", json!("1.0"));
    put("category", json!(kind.as_str()));
    put("id", json!(memory.id.as_str()));
    put("title", json!(markdown::title(memory)));
    put("created_at", json!(format_instant(created)));
    put("updated_at", json!(format_instant(memory.updated_at.unwrap_or(created))));
    put("tags", json!(tags(memory)));
    if !memory.related_files.is_empty() {
        put("related_files", json!(memory.related_files));
    }
    let limit = if memory.state == State::Candidate { 0.5 } else { 1.0 };
    if let Some(confidence) = memory.confidence {
        put("confidence", json!(confidence.min(limit)));
    }
    put("record_status", json!(memory.record_status()));
    let ended = |reason: &Option<String>, other: String| reason.clone().unwrap_or(other);
    match memory.state {
        State::Retired | State::Rejected => {
            let at = memory.retired_at.or(memory.updated_at).unwrap_or(created);
            put("retired_at", json!(format_instant(at)));
            let reason = memory.retired_reason.clone().or(memory.state_reason.clone());
            put("retired_reason", json!(ended(&reason, memory.state.to_string())));
        }
        State::Archived | State::Superseded => {
            let at = memory.archived_at.or(memory.updated_at).unwrap_or(created);
            put("archived_at", json!(format_instant(at)));
            let by = memory.superseded_by.as_ref().map(|by| format!("superseded by {by}"));
            let reason = by.or(memory.archived_reason.clone());
            put("archived_reason", json!(ended(&reason, memory.state.to_string())));
        }
        _ => {}
    }
    put("times_updated", json!(memory.times_updated));
    put("changes", memory.changes.iter().map(change).collect());
    put("content", Value::Object(content));
    Value::Object(object)
}

fn change(change: &Change) -> Value {
    let mut object = json!({"date": change.date, "summary": change.summary});
    for (key, value) in [
        ("field", &change.field),
        ("old_value", &change.old_value),
        ("new_value", &change.new_value),
    ] {
        if let Some(value) = value {
            object[key] = json!(value);
        }
    }
    object
}

fn content(memory: &Memory, fields: &[&str], out: &Out<'_>) -> Map<String, Value> {
    let spec = out.kinds.spec(&memory.kind);
    let mut said = content_to_json(&memory.content, &spec);
    if memory.kind == Kind::Decision {
        let constraints = memory.content.list("constraints").iter();
        let lines: Vec<Value> = constraints.map(|it| json!(format!("Constraint: {it}"))).collect();
        let all = said.entry("consequences").or_insert(json!([]));
        all.as_array_mut().into_iter().for_each(|all| all.extend(lines.clone()));
    }
    let mut content = Map::new();
    for field in fields {
        let (name, is_required) =
            field.strip_prefix('!').map_or((*field, false), |name| (name, true));
        let value = said.remove(name).filter(|it| it.as_array().is_none_or(|all| !all.is_empty()));
        let value = value.or_else(|| is_required.then(|| missing(name, &spec)));
        content.extend(value.map(|value| (name.to_owned(), value)));
    }
    content
}

fn missing(name: &str, spec: &oldhand_core::kind::KindSpec) -> Value {
    use oldhand_core::kind::schema::Shape;
    let field = spec.field(name);
    match (name, field.map(|it| &it.shape), field.and_then(|it| it.default)) {
        (_, _, Some(word)) => json!(word),
        ("active", ..) => json!(true),
        ("completed" | "next_actions", ..) => json!([]),
        (_, Some(Shape::List | Shape::Steps), _) => json!([NOTHING]),
        _ => json!(NOTHING),
    }
}

/// The kinds that are not known there.
fn as_preference(memory: &Memory, out: &Out<'_>) -> Map<String, Value> {
    let mut content = Map::new();
    let text = match memory.kind {
        Kind::Lesson => markdown::main_text(memory, out.kinds),
        _ => markdown::body(memory, "###", out.kinds),
    };
    content.insert("topic".to_owned(), json!(memory.kind.as_str()));
    content.insert("value".to_owned(), json!(text));
    if let Some(guidance) = memory.content.text("guidance") {
        content.insert("reason".to_owned(), json!(guidance));
    }
    content.insert("strength".to_owned(), json!("soft"));
    content
}
