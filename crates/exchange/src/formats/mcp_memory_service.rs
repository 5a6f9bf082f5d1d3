//! mcp-memory-service: notes with a hash and a type, and a graph of likeness; its database or its JSON.

use std::collections::BTreeMap;

use oldhand_core::kind::Kind;
use oldhand_text::table;
use oldhand_text::time::format_day;
use serde_json::{Value, json};

use super::{Format, Root};
use crate::World;
use crate::files::{Files, SourceFile};
use crate::json::{self, Lists, Object};
use crate::record::{Foreign, Relation, Source};
use crate::{text, topic};

pub(super) const FORMAT: Format = Format { name: "mcp-memory-service", find, read };

const VOLATILE: &[&str] =
    &["id", "last_accessed", "metadata", "export_source", "created_at_iso", "updated_at_iso"];
const DECISIONS: &str = "decision architecture tool_choice approach configuration";
const LESSONS: &str = "learning insight best_practice anti_pattern gotcha error bug failure pattern lesson \
    code_pattern error_pattern failure_pattern success_pattern root_cause bug_fix debugging troubleshooting solution fix";
const FAILURES: &str =
    "anti_pattern gotcha error bug failure error_pattern failure_pattern root_cause bug_fix";
const CONSTRAINTS: &str = "constraint risk";
const SESSIONS: &str = "session conversation minutes session_summary meeting_minutes";

fn find(files: &Files) -> Vec<Root> {
    let is_ours = |file: &&SourceFile| {
        json::has_table(file, "memories", &["content_hash", "content"])
            || json::begins_with_keys(file, &["export_metadata", "memories"])
    };
    files.iter().filter(is_ours).map(Root::of_file).collect()
}

fn read(root: &Root, files: &Files, world: &World<'_>) -> Source {
    let mut source = Source::new("mcp-memory-service", root);
    for file in root.files(files) {
        let Some(lists) = Lists::of(file) else {
            source.refuse(&*file.path, "not JSON");
            continue;
        };
        let mut graph: BTreeMap<String, Vec<&Object>> = BTreeMap::new();
        for edge in lists.get(&["memory_graph"]) {
            graph.entry(edge.word("source_hash")).or_default().push(edge);
        }
        for there in lists.get(&["memories"]) {
            let key = there.word("content_hash");
            if let Some(at) = there.date("deleted_at") {
                source.skip(key, format!("deleted there on {}", format_day(at)));
                continue;
            }
            let edges = graph.remove(&key).unwrap_or_default();
            let mut record = record(&key, there, world);
            record.place.clone_from(&file.path);
            add_graph(&mut record, edges);
            source.take(record);
        }
        for there in lists.get(&["beliefs"]) {
            let mut record = belief(there, world);
            record.place.clone_from(&file.path);
            source.take(record);
        }
    }
    source
}

fn begin(key: &str, kind: Kind, there: &Object, world: &World<'_>) -> Foreign {
    let mut record = Foreign::new(key, "", kind, "");
    record.hash = there.hash(VOLATILE);
    record.add_alias(&format!("mms-{key}"));
    record.set_title(&text::guessed_title(&there.word("content")));
    record.set_dates(there.date("created_at"), there.date("updated_at"), world.now);
    record
}

fn record(key: &str, there: &Object, world: &World<'_>) -> Foreign {
    let content = there.word("content");
    let type_ = there.word("memory_type").to_lowercase().replace(['-', ' ', '/'], "_");
    let kind = kind_of(&type_, &content);
    let mut record = begin(key, kind.clone(), there, world);
    match kind {
        Kind::Lesson if table::has(FAILURES, &type_) => {
            record.set_text("lesson_type", "failure_lesson")
        }
        Kind::SessionSummary => record.set_text("outcome", "partial"),
        _ => {}
    }
    if kind == Kind::SessionSummary {
        record.set_text("goal", text::guessed_title(&content));
        record.add_section("Notes", &content, world.kinds);
    } else {
        topic::fill_kind(&mut record, kind, &content, world.kinds);
    }
    record.add_tags(there.comma_texts("tags").iter().filter(|tag| *tag != "untagged"));
    if there.has("superseded_by") || there.has("version") {
        set_confidence(&mut record, there);
    }
    record.add_rest(there.only(&["memory_type", "parent_id"]));
    match there.inner("metadata") {
        Value::String(text) => record.set_rest("metadata_text", json!(text)),
        Value::Object(entries) if !entries.is_empty() => {
            record.set_rest("metadata", Value::Object(entries))
        }
        _ => {}
    }
    record.add_link(Relation::SupersededBy, "superseded_by", &there.word("superseded_by"));
    record
}

/// Every row without a number of its own has 1.
fn set_confidence(record: &mut Foreign, there: &Object) {
    if let Some(confidence) = there.number("confidence").filter(|number| *number < 1.0) {
        record.set_confidence(confidence);
    }
}

fn kind_of(type_: &str, content: &str) -> Kind {
    match type_ {
        it if table::has(DECISIONS, it) => Kind::Decision,
        it if table::has(LESSONS, it) => Kind::Lesson,
        it if table::has(CONSTRAINTS, it) => Kind::Constraint,
        it if table::has(SESSIONS, it) => Kind::SessionSummary,
        "workflow" if topic::Steps::read(content).is_some() => Kind::Runbook,
        _ => Kind::Reference,
    }
}

/// What it found alike, the nearest first. That something contradicts is only claimed.
fn add_graph(record: &mut Foreign, mut edges: Vec<&Object>) {
    edges.sort_by(|one, other| {
        let nearness = |edge: &Object| edge.number("similarity").unwrap_or_default();
        nearness(other).total_cmp(&nearness(one))
    });
    let mut told = Vec::new();
    for edge in edges {
        let word = edge.text("relationship_type").unwrap_or_else(|| "related".to_owned());
        if word != "contradicts" {
            record.add_link(Relation::Related, &word, &edge.word("target_hash"));
        }
        told.push(json!({"to": edge.get("target_hash"), "type": word, "similarity": edge.get("similarity")}));
    }
    record.set_rest("graph", Value::Array(told));
}

fn belief(there: &Object, world: &World<'_>) -> Foreign {
    let mut record = begin(&there.word("belief_hash"), Kind::Lesson, there, world);
    let content = there.word("content");
    topic::fill_kind(&mut record, Kind::Lesson, &content, world.kinds);
    set_confidence(&mut record, there);
    record.add_rest(there.only(&["status"]));
    for from in there.texts("derived_from") {
        record.add_source(&format!("mms-{from}"));
        record.add_link(Relation::Related, "derived_from", &from);
    }
    record
}
