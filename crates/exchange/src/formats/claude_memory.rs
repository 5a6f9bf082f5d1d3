//! claude-memory: one JSON object a file, in a folder for each of six categories. Its records are almost ours.

use oldhand_core::codec::json::content_of;
use oldhand_core::kind::Kind;
use oldhand_core::kind::schema::main_field;
use oldhand_core::memory::Change;
use oldhand_core::state::State;
use oldhand_core::yaml::Yaml;
use serde_json::{Map, Value};

use super::{Format, Root};
use crate::World;
use crate::files::{Files, SourceFile};
use crate::json::{self, Object};
use crate::record::{Ending, Foreign, Source};
use crate::text;

pub(super) const FORMAT: Format = Format { name: "claude-memory", find, read };

const FOLDERS: &[(&str, Kind)] = &[
    ("sessions", Kind::SessionSummary),
    ("decisions", Kind::Decision),
    ("runbooks", Kind::Runbook),
    ("constraints", Kind::Constraint),
    ("tech-debt", Kind::TechDebt),
    ("preferences", Kind::Preference),
];

/// The keys of a record that have a home here. The others are its rest.
const TAKEN: &[&str] = &[
    "schema_version",
    "category",
    "id",
    "title",
    "tags",
    "created_at",
    "updated_at",
    "times_updated",
    "changes",
    "related_files",
    "confidence",
    "record_status",
    "retired_at",
    "retired_reason",
    "archived_at",
    "archived_reason",
    "content",
];

fn find(files: &Files) -> Vec<Root> {
    let is_sure = |file: &&SourceFile| {
        let folder = file.folder().rsplit('/').next().unwrap_or_default();
        FOLDERS.iter().any(|(name, _)| *name == folder)
            && file.name().ends_with(".json")
            && json::begins_with_keys(file, &["category", "content"])
    };
    let above = |file: &SourceFile| {
        file.folder().rsplit_once('/').map_or("", |(above, _)| above).to_owned()
    };
    let mut folders: Vec<String> = files.iter().filter(is_sure).map(above).collect();
    folders.dedup();
    let is_ours = |path: &str| {
        let (folder, name) = path.split_once('/').unwrap_or(("", path));
        let is_json = name.ends_with(".json");
        matches!(path, "index.md" | "memory-config.json")
            || is_json
                && (folder == ".staging"
                    || folder == "logs"
                    || FOLDERS.iter().any(|(known, _)| *known == folder))
    };
    folders.iter().map(|folder| Root::of_folder(folder, files, is_ours)).collect()
}

fn read(root: &Root, files: &Files, world: &World<'_>) -> Source {
    let mut source = Source::new("claude-memory", root);
    for file in root.files(files) {
        let key = root.relative(&file.path);
        let folder = key.split('/').next().unwrap_or_default();
        let kind = FOLDERS.iter().find(|(name, _)| *name == folder).map(|(_, kind)| kind.clone());
        match (key, kind) {
            ("index.md", _) => source.skip(key, "derived"),
            ("memory-config.json", _) => {
                source.settings = settings(&json::object(file.bytes()).unwrap_or_default())
            }
            (_, Some(kind)) if !key.contains(".invalid.") => match json::object(file.bytes()) {
                Ok(object) => match record(key, &file.path, kind, &object, world) {
                    Ok(record) => source.take(record),
                    Err(why) => source.refuse(key, why),
                },
                Err(why) => source.refuse(key, why),
            },
            _ => source.skip(key, "the tool's own work"),
        }
    }
    source
}

fn record(
    key: &str,
    place: &str,
    folder: Kind,
    there: &Object,
    world: &World<'_>,
) -> Result<Foreign, String> {
    let kind =
        there.text("category").and_then(|word| world.kinds.parse(&word).ok()).unwrap_or(folder);
    let mut record = Foreign::new(key, place, kind, "");
    record.hash = there.hash(&[]);
    record.add_rest(there.rest(TAKEN));
    record.add_rest(there.only(&["record_status"]));
    take_content(&mut record, there, world);
    let spec = world.kinds.spec(&record.kind());
    let main = main_field(&spec.fields).map(|field| field.name.to_string()).unwrap_or_default();
    if record.value(&main).is_none() {
        return Err(format!("its main text is missing: `content.{main}`"));
    }
    record.draft.id = there.text("id").filter(|id| oldhand_text::strings::slug(id) == *id);
    let title = there.text("title").unwrap_or_else(|| {
        text::guessed_title(&record.value(&main).map(|value| value.plain()).unwrap_or_default())
    });
    record.set_title(&title);
    record.add_tags(there.texts("tags"));
    record.add_paths("related_files", &there.texts("related_files"));
    if let Some(confidence) = there.number("confidence") {
        record.set_confidence(confidence);
    }
    if let Some(times) = there.get("times_updated").as_u64() {
        record.draft.set("times_updated", Yaml::literal(times));
    }
    record.set_dates(there.date("created_at"), there.date("updated_at"), world.now);
    record.changes = there.objects("changes").iter().map(change).collect();
    record.ending = ending(there);
    record.kept_state = (record.ending.is_none()).then_some(State::Stable);
    Ok(record)
}

/// Each field as ours; what does not fit stays in the rest, and the field has its default.
fn take_content(record: &mut Foreign, there: &Object, world: &World<'_>) {
    let spec = world.kinds.spec(&record.kind());
    for (key, value) in there.below("content").0 {
        if key == "expires" {
            take_expiry(record, &value, world);
            continue;
        }
        if is_nothing(&value) {
            continue;
        }
        let one = Value::Object([(key.clone(), value.clone())].into_iter().collect::<Map<_, _>>());
        // An item of nothing but blanks is lost in a list of Markdown.
        if has_blank_item(&value) {
            record.set_rest(&key, value.clone());
        }
        match content_of(&one, &spec) {
            Ok(fields) => {
                fields.into_iter().for_each(|(name, value)| record.set_value(&name, value))
            }
            Err(_) => record.set_rest(&key, value),
        }
    }
}

fn has_blank_item(value: &Value) -> bool {
    match value {
        Value::Array(items) => {
            items.iter().any(|item| item.as_str().is_some_and(|text| text.trim().is_empty()))
        }
        Value::Object(group) => group.values().any(has_blank_item),
        _ => false,
    }
}

/// What our own export writes where a text is required.
fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.len() == 1 && is_nothing(&items[0]),
        other => other.as_str() == Some(text::NOT_RECORDED),
    }
}

/// A date, `none`, or any words.
fn take_expiry(record: &mut Foreign, value: &Value, world: &World<'_>) {
    let words = value.as_str().unwrap_or_default().trim();
    match text::date(words) {
        Some(date) => record.set_text("expires", oldhand_text::time::format_day(date)),
        None if text::is_blank_word(words) => {}
        None => record.add_section("Expires", words, world.kinds),
    }
}

fn change(there: &Object) -> Change {
    let text = |key: &str| match there.get(key) {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    };
    Change {
        date: text("date").unwrap_or_default(),
        summary: text("summary").unwrap_or_default(),
        field: text("field"),
        old_value: text("old_value"),
        new_value: text("new_value"),
    }
}

fn ending(there: &Object) -> Option<Ending> {
    let (state, word) = match there.word("record_status").as_str() {
        "retired" => (State::Retired, "retired"),
        "archived" => (State::Archived, "archived"),
        _ => return None,
    };
    let at = there.date(&format!("{word}_at"));
    Some(Ending { state, at, reason: there.word(&format!("{word}_reason")) })
}

/// A key there, the key here, and the value that is the default of both.
const SETTINGS: &[(&str, &str, Value)] = &[
    ("max_memories_per_category", "limits.max_memories_per_kind", Value::Null),
    ("delete.grace_period_days", "gc.grace_period_days", Value::Null),
    ("delete.archive_retired", "gc.archive_retired", Value::Bool(true)),
    ("retrieval.max_inject", "recall.max_inject", Value::Null),
];

fn settings(config: &Object) -> Vec<String> {
    let mut commands = Vec::new();
    let mut tell = |key: &str, value: &Value| {
        let value = match value {
            Value::String(text) => oldhand_text::strings::typed(text),
            Value::Bool(_) | Value::Number(_) => value.to_string(),
            _ => return,
        };
        commands.push(format!("oldhand config set {key} {value}"));
    };
    let kinds = |there: Object| {
        there
            .0
            .into_iter()
            .filter(|(name, _)| FOLDERS.iter().any(|(_, kind)| kind.as_str() == name))
    };
    for (kind, there) in kinds(config.below("categories")) {
        for key in ["description", "enabled", "auto_capture", "max_retained", "retention_days"] {
            tell(&format!("kinds.{kind}.{key}"), &there[key]);
        }
    }
    for (there, here, default) in SETTINGS {
        let value = match there.split_once('.') {
            Some((group, key)) => config.below(group).get(key).clone(),
            None => config.get(there).clone(),
        };
        if value != *default {
            tell(here, &value);
        }
    }
    for (kind, threshold) in kinds(config.below("triage").below("thresholds")) {
        tell(&format!("capture.threshold.{kind}"), &threshold);
    }
    commands
}
