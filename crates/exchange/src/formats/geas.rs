//! Geas: one JSON object a memory, with reviews and logs of use beside it.

use std::collections::BTreeMap;

use oldhand_core::kind::Kind;
use oldhand_core::kind::schema::LESSON_TYPES;
use oldhand_core::scope::Scope;
use oldhand_core::state::State;
use oldhand_core::yaml::Yaml;
use oldhand_text::time::format_instant;
use serde_json::{Value, json};

use super::{Format, Root, sections};
use crate::World;
use crate::files::{Files, SourceFile};
use crate::json::{self, Object};
use crate::page::{self, Page};
use crate::record::{Ending, Foreign, Relation, Source, Use};
use crate::topic::Topic;

pub(super) const FORMAT: Format = Format { name: "geas", find, read };

const INDEX: &str = "state/memory-index.json";
/// The keys of a record that have a home here. The others are its rest.
const TAKEN: &[&str] = &[
    "meta",
    "memory_id",
    "memory_type",
    "title",
    "summary",
    "body",
    "evidence_refs",
    "source_artifacts",
    "candidate_reason",
    "review_after",
    "tags",
    "supersedes",
    "superseded_by",
    "scope",
];

fn find(files: &Files) -> Vec<Root> {
    let folder = |file: &SourceFile| {
        let inner = [
            "/memory/entries/",
            "/memory/candidates/",
            "/memory/logs/",
            "/state/memory-index.json",
        ];
        let at = inner.iter().find_map(|part| file.path.find(part))?;
        let folder = &file.path[..at];
        (folder == ".geas" || folder.ends_with("/.geas")).then(|| folder.to_owned())
    };
    let mut folders: Vec<String> = files.iter().filter_map(folder).collect();
    folders.dedup();
    let root = |folder: &String| Root {
        path: format!("{folder}/memory"),
        ..Root::of_folder(folder, files, |path| path == INDEX || path.starts_with("memory/"))
    };
    folders.iter().map(root).collect()
}

fn read(root: &Root, files: &Files, world: &World<'_>) -> Source {
    let mut source = Source::new("geas", root);
    let mut records: BTreeMap<String, Foreign> = BTreeMap::new();
    let mut reviews = Vec::new();
    let mut logs = Vec::new();
    for file in root.files(files) {
        let key = root.relative(&file.path);
        if file.path.ends_with(INDEX) {
            source.skip(&*file.path, "derived");
        } else if file.name().ends_with(".md") {
            source.take_all(lessons(key, file, world));
        } else {
            match json::object(file.bytes()) {
                Ok(object) if key.starts_with("logs/") => logs.push(object),
                Ok(object) if file.name().ends_with("-review.json") => reviews.push(object),
                Ok(object) => {
                    let record = record(&object, file, world);
                    let is_entry = key.starts_with("entries/");
                    // An entry is what became of its candidate.
                    if is_entry || !records.contains_key(&record.key) {
                        records.insert(record.key.clone(), record);
                    }
                }
                Err(why) => source.refuse(key, why),
            }
        }
    }
    add_reviews(&mut records, &reviews);
    logs.sort_by_key(|log| (log.below("meta").date("created_at"), log.word("task_id")));
    for log in &logs {
        if let Some(record) = records.get_mut(&log.word("memory_id")) {
            record.uses.extend(used(log));
        } else {
            source.notes.push(format!("a log of use names no memory: `{}`", log.word("memory_id")));
        }
    }
    records.into_values().for_each(|record| source.take(record));
    source
}

fn record(there: &Object, file: &SourceFile, world: &World<'_>) -> Foreign {
    let stem = file.name().trim_end_matches(".json");
    let id = there.text("memory_id").unwrap_or_else(|| stem.to_owned());
    let mut record = Foreign::new(&id, &file.path, Kind::Lesson, "");
    record.hash = there.hash(&[]);
    record.add_rest(there.rest(TAKEN));
    record.add_alias(&id);
    record.set_title(&there.text("title").unwrap_or_else(|| id.clone()));
    match there.word("memory_type") {
        word if LESSON_TYPES.contains(&word.as_str()) => record.set_text("lesson_type", word),
        word => record.set_rest("memory_type", json!(word)),
    }
    record.set_field("summary", &there.word("summary"), world.kinds);
    record.set_field("guidance", &there.texts("body").join("\n\n"), world.kinds);
    for source in there.texts("evidence_refs").iter().chain(&there.texts("source_artifacts")) {
        record.add_source(source);
    }
    record.evidence = there.texts("evidence_refs");
    record.add_tags(there.texts("tags"));
    set_scope(&mut record, there, &id);
    if let Some(reason) = there.text("candidate_reason") {
        record.draft.set("state_reason", Yaml::text(reason));
    }
    if let Some(at) = there.date("review_after") {
        record.draft.set("review_after", Yaml::text(format_instant(at)));
    }
    let meta = there.below("meta");
    record.set_dates(meta.date("created_at").or(file.dated), meta.date("updated_at"), world.now);
    for to in there.texts("supersedes") {
        record.add_link(Relation::Supersedes, "supersedes", &to);
    }
    record.add_link(Relation::SupersededBy, "superseded_by", &there.word("superseded_by"));
    set_state(&mut record, &there.word("state"));
    record
}

/// The words are ours; what lived there waits here, unless somebody keeps its state.
fn set_state(record: &mut Foreign, word: &str) {
    let Ok(state) = State::parse(word) else { return };
    match state {
        State::Superseded | State::Archived | State::Rejected | State::Retired => {
            record.ending =
                Some(Ending { state, at: record.updated_at, reason: format!("{state} in Geas") });
        }
        State::Candidate => {}
        State::Canonical => record.kept_state = Some(State::Stable),
        other => record.kept_state = Some(other),
    }
}

fn set_scope(record: &mut Foreign, there: &Object, id: &str) {
    let task = || id.strip_prefix("mem-")?.rsplit_once('-').map(|(task, _)| task.to_owned());
    let mission = || {
        let paths = there.texts("source_artifacts");
        let after = paths.iter().find_map(|path| path.split_once("missions/"))?.1;
        after.split('/').next().map(str::to_owned)
    };
    let scope = match there.word("scope").as_str() {
        "task" => task().map(Scope::Task),
        "mission" => mission().map(Scope::Mission),
        "global" => return record.make_personal(),
        "project" | "" => Some(Scope::Project),
        _ => None,
    };
    match scope {
        Some(scope) => record.set_scope(&scope),
        None => record.set_rest("scope", there.get("scope").clone()),
    }
}

fn add_reviews(records: &mut BTreeMap<String, Foreign>, reviews: &[Object]) {
    let mut of: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for review in reviews {
        let mut kept = review.rest(&["meta", "memory_id"]);
        kept.extend(review.below("meta").only(&["created_at"]));
        of.entry(review.word("memory_id")).or_default().push(Value::Object(kept));
    }
    for (id, reviews) in of {
        if let Some(record) = records.get_mut(&id) {
            record.set_rest("reviews", Value::Array(reviews));
        }
    }
}

const SURFACES: &[(&str, &str)] = &[
    ("task_packet", "implementation"),
    ("session_summary", "session_start"),
    ("review_context", "review"),
    ("gate_context", "review"),
    ("recovery_context", "recovery"),
    ("decision_context", "planning"),
];

/// A use whose effect is known.
fn used(log: &Object) -> Option<Use> {
    let effect = match log.word("effect").as_str() {
        "neutral_but_risky" => "negative",
        "positive" => "positive",
        "negative" => "negative",
        "neutral" => "neutral",
        _ => return None,
    };
    let surface = log.word("usage_surface");
    let surface = SURFACES.iter().find(|(there, _)| *there == surface).map_or("", |(_, here)| here);
    let followup = match log.word("followup_action") {
        word if matches!(word.as_str(), "strengthen" | "weaken" | "none" | "") => word,
        _ => "review".to_owned(),
    };
    Some(Use {
        at: log.below("meta").date("created_at"),
        task: log.word("task_id"),
        role: log.word("applied_by_type"),
        effect: effect.to_owned(),
        surface: surface.to_owned(),
        followup,
        reason: log.word("notes"),
    })
}

/// Since April 2026 it keeps Markdown: pages whose sections are lessons.
fn lessons(key: &str, file: &SourceFile, world: &World<'_>) -> page::Read {
    let text = file.text();
    let page = Page { path: key, text: &text, scope: Scope::Project };
    sections::alike(&page, Topic::Trouble, world)
}
