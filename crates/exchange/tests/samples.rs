//! The sample of every format, found and read as an import does it, against its `expected.json`. What a store
//! decides later (ids, candidates, what is held or joined) is tested with the program.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use oldhand_core::content::FieldValue;
use oldhand_core::kind::Kinds;
use oldhand_core::kind::schema::FieldSpec;
use oldhand_exchange::files::{Content, Files, SourceFile};
use oldhand_exchange::record::{Foreign, Relation, Source};
use oldhand_exchange::{With, World, formats};
use oldhand_text::strings::slug;
use oldhand_text::time::format_instant;
use serde_json::{Map, Value, json};

/// Samples whose format is not read yet.
const NOT_YET: &[&str] = &[];

/// Samples that are not the root of a repository: a folder of it, and the path that it has there.
const PLACES: &[(&str, &[(&str, &str)])] = &[
    ("adr", &[("nygard", ""), ("madr", ""), ("log4brains", "")]),
    ("basic-memory", &[("", "basic-memory/")]),
    ("beads", &[("", ".beads/")]),
];

/// No format: tested elsewhere.
const OTHERS: &[&str] = &["merge"];

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/samples/imports")
}

#[test]
fn every_sample_is_read_as_expected() {
    let mut failed = String::new();
    let mut folders: Vec<PathBuf> =
        fs::read_dir(samples()).unwrap().map(|it| it.unwrap().path()).collect();
    folders.sort();
    for folder in folders.iter().filter(|it| it.is_dir()) {
        let name = folder.file_name().unwrap().to_str().unwrap();
        if OTHERS.contains(&name) {
            continue;
        }
        let problems = check(name, folder);
        if NOT_YET.contains(&name) {
            if problems.is_empty() {
                failed += &format!("{name} is read: take it out of the list\n");
            }
        } else {
            failed += &problems.iter().map(|it| format!("{name}: {it}\n")).collect::<String>();
        }
    }
    assert!(failed.is_empty(), "\n{failed}");
}

/// What differs from the expected result of a sample.
fn check(name: &str, folder: &Path) -> Vec<String> {
    let expected: Value =
        serde_json::from_slice(&fs::read(folder.join("expected.json")).unwrap()).unwrap();
    let mut problems = Vec::new();
    if let Some(files) = expected["files"].as_object() {
        for (file, expected) in files {
            let files = read_files(&folder.join(file), file);
            compare(expected, &read(&files, expected, With::default()), &mut problems);
        }
        return problems;
    }
    let whole: &[(&str, &str)] = &[("", "")];
    let places = PLACES.iter().find(|it| it.0 == name).map_or(whole, |it| it.1);
    let sources = |with: With| -> Vec<Source> {
        let read_one = |place: &(&str, &str)| {
            read(&read_files(&folder.join(place.0), place.1), &expected, with)
        };
        places.iter().flat_map(read_one).collect()
    };
    compare(&expected, &sources(With::default()), &mut problems);
    if let Some(more) = expected["with_issues"].as_array() {
        let sources = sources(With { issues: true, ..With::default() });
        let records: Vec<(&str, &Foreign)> = records_of(&sources);
        more.iter().for_each(|wanted| compare_record(wanted, &records, &mut problems));
    }
    problems
}

fn read(files: &Files, expected: &Value, with: With) -> Vec<Source> {
    let kinds = Kinds::default();
    let world = World {
        kinds: &kinds,
        now: "2026-11-16T12:00:00Z".parse::<Timestamp>().unwrap(),
        project: expected["options"]["project"].as_str().unwrap_or("shop"),
        worktree: "/home/ada/shop",
        with,
    };
    formats::find(files, None)
        .iter()
        .map(|(format, root)| format.read(root, files, &world))
        .collect()
}

fn read_files(path: &Path, name: &str) -> Files {
    let mut files = Vec::new();
    let mut open = vec![(path.to_owned(), name.to_owned())];
    while let Some((path, name)) = open.pop() {
        if path.is_dir() {
            let parent = name.trim_end_matches('/');
            for entry in fs::read_dir(&path).unwrap() {
                let entry = entry.unwrap();
                let below = entry.file_name().to_str().unwrap().to_owned();
                let below = if parent.is_empty() { below } else { format!("{parent}/{below}") };
                open.push((entry.path(), below));
            }
        } else if !name.ends_with("expected.json") && !name.ends_with(".sql") {
            let content = match name.ends_with(".db") {
                true => Content::Tables(oldhand_sqlite::read(&path).unwrap()),
                false => Content::Bytes(fs::read(&path).unwrap()),
            };
            files.push(SourceFile { path: name, content, dated: None });
        }
    }
    Files::new(files)
}

fn records_of(sources: &[Source]) -> Vec<(&str, &Foreign)> {
    sources.iter().flat_map(|it| it.records.iter().map(|one| (it.from.as_str(), one))).collect()
}

fn compare(expected: &Value, sources: &[Source], problems: &mut Vec<String>) {
    let mut records = records_of(sources);
    // A second file may hold the same record.
    records.sort_by_key(|it| expected["from"] != it.0);
    let list = |key: &str| expected[key].as_array().cloned().unwrap_or_default();
    for wanted in list("records") {
        compare_record(&wanted, &records, problems);
    }
    for wanted in list("held") {
        let record = records.iter().find(|it| it.1.key == text(&wanted["key"]));
        let found = record.and_then(|it| oldhand_exchange::held::reason(it.1));
        if found.as_deref() != wanted["why"].as_str() {
            problems.push(format!("wanted held {wanted}, found {found:?}"));
        }
    }
    let names = ["records", "joined", "held", "refused"];
    let known: BTreeSet<String> =
        names.iter().flat_map(|it| list(it)).map(|it| text(&it["key"])).collect();
    for (from, record) in records.iter().filter(|it| !known.contains(&it.1.key)) {
        problems.push(format!("{from}: `{}` is not expected", record.key));
    }
    let froms: Vec<Value> = sources.iter().map(|it| json!(it.from)).collect();
    let wanted = list("sources").into_iter().chain(expected.get("from").cloned());
    for from in wanted.filter(|it| !froms.contains(it)) {
        problems.push(format!("no source {from} among {froms:?}"));
    }
    let passed =
        |of: fn(&Source) -> &Vec<oldhand_exchange::record::Passed>| -> Vec<(String, String)> {
            sources.iter().flat_map(of).map(|it| (it.source.clone(), it.reason.clone())).collect()
        };
    let (skipped, refused) = (passed(|it| &it.skipped), passed(|it| &it.refused));
    let is_ours = |it: &Value| !text(&it["why"]).starts_with("SECRET_ERROR");
    let told = list("skipped").into_iter().map(|it| (it, &skipped));
    for (it, found) in
        told.chain(list("refused").into_iter().filter(is_ours).map(|it| (it, &refused)))
    {
        let wanted = (text(&it["key"]), text(&it["why"]));
        if !found.contains(&wanted) {
            problems.push(format!("not told: {wanted:?}, but {found:?}"));
        }
    }
    let notes: Vec<Value> = sources.iter().flat_map(|it| &it.notes).map(|it| json!(it)).collect();
    let settings: Vec<Value> =
        sources.iter().flat_map(|it| &it.settings).map(|it| json!(it)).collect();
    for note in list("notes").iter().filter(|it| !notes.contains(it)) {
        problems.push(format!("no note {note} among {notes:?}"));
    }
    for setting in list("settings").iter().filter(|it| !settings.contains(&it["command"])) {
        problems.push(format!("no setting {setting} among {settings:?}"));
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn compare_record(wanted: &Value, records: &[(&str, &Foreign)], problems: &mut Vec<String>) {
    let key = text(&wanted["key"]);
    let fits = |it: &&(&str, &Foreign)| {
        it.1.key == key && wanted.get("from").is_none_or(|from| from == it.0)
    };
    let Some((_, record)) = records.iter().find(fits) else {
        let keys: Vec<&str> = records.iter().map(|it| it.1.key.as_str()).collect();
        problems.push(format!("no record `{key}` among {keys:?}"));
        return;
    };
    for (name, value) in wanted.as_object().unwrap() {
        if let Some(found) = difference(name, value, wanted, record, records) {
            problems.push(format!("{key}: {name}: wanted {value}, found {found}"));
        }
    }
}

/// What a record has instead of the expected value.
fn difference(
    name: &str,
    value: &Value,
    wanted: &Value,
    record: &Foreign,
    records: &[(&str, &Foreign)],
) -> Option<Value> {
    let draft = &record.draft;
    let front = |key: &str| draft.get(key).map_or(Value::Null, |it| it.to_json());
    let instant = |at: Option<Timestamp>| at.map_or(Value::Null, |at| json!(format_instant(at)));
    let ending = record.ending.as_ref();
    let found = match name {
        "key" | "from" | "kind_by" | "title_by" | "note" | "notes" | "dropped_section" => {
            return None;
        }
        "kind" => json!(record.kind().as_str()),
        "id" => json!(draft.id.clone().unwrap_or_else(|| slug(draft.title().unwrap_or_default()))),
        "state" => match ending {
            Some(ending) => json!(ending.state.as_str()),
            None if value == "superseded" => {
                let is_linked = record.links.iter().any(|it| it.relation == Relation::SupersededBy)
                    || records.iter().any(|it| leads(it.1, record, Relation::Supersedes));
                json!(if is_linked { "superseded" } else { "candidate" })
            }
            None => json!("candidate"),
        },
        "state_kept" => record.kept_state.map_or(Value::Null, |it| json!(it.as_str())),
        "uses_when_accepted" => return compare_uses(value, record),
        "fields" => return compare_fields(value, wanted, record),
        "sections" => {
            let has =
                |it: &Value| draft.sections.contains(&(text(&it["heading"]), text(&it["text"])));
            return (!value.as_array().unwrap().iter().all(has)).then(|| json!(draft.sections));
        }
        "rest" => return subset(value, &Value::Object(record.rest.clone())),
        "created_at" => instant(record.created_at),
        "updated_at" => instant(record.updated_at),
        "archived_at" | "retired_at" => instant(ending.and_then(|it| it.at)),
        "archived_reason" | "retired_reason" => json!(ending.map(|it| it.reason.as_str())),
        "supersedes" | "superseded_by" | "related_to" => {
            return compare_links(name, value, record, records);
        }
        "changes" if value.is_number() => json!(record.changes.len()),
        "changes" => {
            let has = |it: &Value| {
                let same = |key: &str, found: Option<&String>| {
                    it.get(key).is_none_or(|it| it.as_str() == found.map(String::as_str))
                };
                record.changes.iter().any(|change| {
                    same("old_value", change.old_value.as_ref())
                        && same("new_value", change.new_value.as_ref())
                        && same("field", change.field.as_ref())
                        && it.get("summary").is_none_or(|it| *it == json!(change.summary))
                })
            };
            let found = record.changes.iter().map(|it| format!("{it:?}")).collect();
            return (!value.as_array().unwrap().iter().all(has)).then_some(found);
        }
        "scope" if draft.get("scope").is_none() => json!("project"),
        "tags" if draft.get("tags").is_none() => json!(["untagged"]),
        "review_after" | "verified_at" => {
            let at = front(name).as_str().and_then(oldhand_text::time::parse_instant);
            instant(at)
        }
        "depends_on" => return subset(value, &front(name)),
        _ => front(name),
    };
    (found != *value).then_some(found)
}

fn compare_uses(value: &Value, record: &Foreign) -> Option<Value> {
    let one = |it: &oldhand_exchange::record::Use| json!({"task": it.task, "effect": it.effect, "role": it.role, "surface": it.surface, "followup": it.followup});
    let found: Vec<Value> = record.uses.iter().map(one).collect();
    (*value != json!(found)).then(|| json!(found))
}

/// The fields of the kind; one at its default need not be there.
fn compare_fields(value: &Value, wanted: &Value, record: &Foreign) -> Option<Value> {
    let kinds = Kinds::default();
    let spec = kinds.spec(&record.kind());
    let mut found: Map<String, Value> = spec
        .fields
        .iter()
        .filter_map(|it: &FieldSpec| Some((it.name.to_string(), json!(it.default?))))
        .collect();
    for (name, value) in &record.draft.content {
        let value = match value {
            FieldValue::Text(text) => json!(text.trim_end()),
            FieldValue::List(items) => json!(items),
            FieldValue::Flag(flag) => json!(flag),
            FieldValue::Alternatives(items) => json!(items),
        };
        found.insert(name.clone(), value);
    }
    // The status follows the state once the successor is found.
    if wanted["state"] == "superseded" && found.get("status") == Some(&json!("deprecated")) {
        found.insert("status".to_owned(), json!("superseded"));
    }
    let mut value = value.clone();
    for text in value.as_object_mut().unwrap().values_mut() {
        if let Some(trimmed) = text.as_str().map(str::trim_end) {
            *text = json!(trimmed);
        }
    }
    subset(&value, &Value::Object(found))
}

/// Every key of the wanted object has its value; `null` is not there.
fn subset(wanted: &Value, found: &Value) -> Option<Value> {
    let fits = |(key, value): (&String, &Value)| found.get(key).unwrap_or(&Value::Null) == value;
    (!wanted.as_object().unwrap().iter().all(fits)).then(|| found.clone())
}

/// Each id is that of a record to which, or from which, a link leads.
fn compare_links(
    name: &str,
    value: &Value,
    record: &Foreign,
    records: &[(&str, &Foreign)],
) -> Option<Value> {
    let (own, back) = match name {
        "supersedes" => (Relation::Supersedes, Relation::SupersededBy),
        "superseded_by" => (Relation::SupersededBy, Relation::Supersedes),
        _ => (Relation::Related, Relation::Related),
    };
    let is_linked = |id: &Value| {
        let mut named =
            records.iter().filter(|it| *id == json!(slug(it.1.draft.title().unwrap_or_default())));
        named.any(|(_, other)| leads(record, other, own) || leads(other, record, back))
    };
    let ids = value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
    let found = record.links.iter().map(|it| format!("{:?} {}", it.relation, it.to)).collect();
    (!ids.iter().all(is_linked)).then_some(found)
}

fn leads(from: &Foreign, to: &Foreign, relation: Relation) -> bool {
    from.links.iter().filter(|it| it.relation == relation).any(|link| {
        link.to == to.key
            || to.list("aliases").contains(&link.to)
            || to.draft.title() == Some(&link.to)
    })
}
