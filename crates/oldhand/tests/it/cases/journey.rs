//! Runs a case with our commands in a scratch repository, and tells what was seen in the words of
//! the case. It judges nothing.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use oldhand_store::disk::RealDisk;
use serde_json::{Map, Value, json};

use super::records::{Case, Cases, days_ago, markdown_of};
use crate::scratch::Scratch;

type Facts = Map<String, Value>;

pub(super) fn run(case: &Case, cases: &Cases) -> Facts {
    let mut scratch = Scratch::new();
    match case.kind.as_str() {
        "write" => write(&case.input, cases, &scratch),
        "sanitise" => sanitise(&case.input, cases, &scratch),
        "slug" => slug(&case.input, cases, &scratch),
        "rolling" => rolling(&case.input, cases, &mut scratch),
        "gc" => gc(&case.input, cases, &scratch),
        other => panic!("unknown kind of case: {other}"),
    }
}

fn write(input: &Value, cases: &Cases, scratch: &Scratch) -> Facts {
    let records = input["records"].as_array().unwrap();
    seed(scratch, records.iter().map(|record| cases.record(record)));
    let mut facts = Facts::new();
    for step in input["steps"].as_array().unwrap() {
        if let Some(path) = step["touch"].as_str() {
            let path = scratch.repository().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
            continue;
        }
        let so_far = facts.get("last").is_none_or(|last| last == "ok");
        assert!(so_far, "only the last step may be refused: {}", facts["said"]);
        let before = files(scratch);
        let answer = take_step(step, cases, scratch);
        if answer.code != "ok" && files(scratch) != before {
            facts.insert("changed_by_refusal".into(), step.clone());
        }
        facts.insert("status".into(), json!(status(&answer.object)));
        facts.insert("last".into(), json!(answer.code));
        facts.insert("said".into(), json!(answer.object.to_string()));
        facts.insert("record".into(), show(scratch, &id_of(&step["target"])));
    }
    facts.insert("index".into(), index(scratch));
    facts
}

/// The reference's staging area is standard input here, except where the case gives a file.
fn take_step(step: &Value, cases: &Cases, scratch: &Scratch) -> Answer {
    let text = |key: &str| step[key].as_str();
    let id = id_of(&step["target"]);
    let record = match &step["record"] {
        Value::Null => Value::Null,
        asked => cases.record(asked),
    };
    let outside = scratch.repository().with_file_name("outside.json").display().to_string();
    let mut args = match step["action"].as_str().unwrap() {
        "create" => vec!["add", text("category").unwrap(), "--id", &id],
        "update" => vec!["update", &id],
        "retire" => vec!["retire", &id, "--reason", text("reason").unwrap_or_default()],
        "restore" => vec!["restore", &id],
        other => panic!("unknown action: {other}"),
    };
    if text("input_path").is_some() {
        let record = cases.fixture(text("category").unwrap(), &Value::Null);
        std::fs::write(&outside, record.to_string()).unwrap();
        args.extend(["--from", &outside]);
    } else if !record.is_null() {
        args.extend(["--from", "-"]);
    }
    if let Some(hash) = text("hash") {
        args.extend(["--if-match", hash]);
    }
    ask(scratch, &args, &record)
}

fn sanitise(input: &Value, cases: &Cases, scratch: &Scratch) -> Facts {
    let field = input["field"].as_str().unwrap();
    let record = cases.fixture("decision", &json!({ field: input["value"] }));
    let id = add(scratch, &["add", "--from", "-"], &record);
    let stored = show(scratch, &id)[field].clone();
    Facts::from_iter([("stored".into(), stored), ("index".into(), index(scratch))])
}

fn slug(input: &Value, cases: &Cases, scratch: &Scratch) -> Facts {
    let record = cases.fixture("decision", &json!({ "id": null, "title": input["text"] }));
    let id = add(scratch, &["add", "--from", "-"], &record);
    Facts::from_iter([("slug".into(), json!(id))])
}

/// Ours runs the window when a summary is created: the youngest one is, the others are there.
fn rolling(input: &Value, cases: &Cases, scratch: &mut Scratch) -> Facts {
    assert_eq!(input["args"], json!([]), "flags of the reference have no counterpart");
    let ages: BTreeMap<&str, Option<i64>> = input["created_days_ago"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(id, age)| (id.as_str(), age.as_i64()))
        .collect();
    let dated = ages.iter().filter_map(|(id, age)| age.map(|age| (age, *id)));
    let (age, youngest) = dated.min().unwrap();
    let session = |id: &str, age: Option<i64>| {
        let created_at = age.map(|age| days_ago(age).to_string());
        cases.fixture("session_summary", &json!({ "id": id, "created_at": created_at }))
    };
    scratch.now = days_ago(age);
    let others = ages.iter().filter(|(id, _)| **id != youngest);
    seed(scratch, others.map(|(id, age)| session(id, *age)));
    let limit = input["config_max"].as_u64();
    let limit = limit.map(|max| format!("kinds.session_summary.max_retained={max}"));
    let mut args = vec!["add", "--from", "-"];
    args.extend(limit.iter().flat_map(|limit| ["--config", limit]));
    add(scratch, &args, &session(youngest, Some(age)));
    let retired = with_status("retired", ages.into_keys(), scratch);
    Facts::from_iter([("retired".into(), json!(retired))])
}

/// Of a durable kind and with our settings, except where the case says otherwise.
fn gc(input: &Value, cases: &Cases, scratch: &Scratch) -> Facts {
    let kind = input["kind"].as_str().unwrap_or("decision");
    let records = input["records"].as_object().unwrap();
    seed(
        scratch,
        records.iter().map(|(id, standing)| {
            let since = standing[1].as_i64().map(|days| days_ago(days).to_string());
            let date = match standing[0].as_str().unwrap() {
                "active" => "updated_at",
                "retired" => "retired_at",
                "archived" => "archived_at",
                other => panic!("unknown record_status: {other}"),
            };
            cases.fixture(kind, &json!({ "id": id, "record_status": standing[0], date: since }))
        }),
    );
    let grace = format!("gc.grace_period_days={}", input["grace"]);
    let mut args = vec!["gc", "--config", &grace];
    args.extend(input["config"].as_str().into_iter().flat_map(|config| ["--config", config]));
    assert_eq!(ask(scratch, &args, &Value::Null).code, "ok");
    let ids = || records.keys().map(String::as_str);
    let were_archived = |id: &&str| records[*id][0] == "archived";
    let archived = with_status("archived", ids().filter(|id| !were_archived(id)), scratch);
    let deleted: Vec<&str> = ids().filter(|id| show(scratch, id).is_null()).collect();
    Facts::from_iter([("archived".into(), json!(archived)), ("deleted".into(), json!(deleted))])
}

fn with_status<'a>(
    status: &str,
    ids: impl Iterator<Item = &'a str>,
    scratch: &Scratch,
) -> Vec<&'a str> {
    ids.filter(|id| show(scratch, id)["record_status"] == status).collect()
}

/// What one command answered: `ok` or the code of its refusal, and all of it.
struct Answer {
    code: String,
    object: Value,
}

fn ask(scratch: &Scratch, args: &[&str], stdin: &Value) -> Answer {
    let args: Vec<&str> = args.iter().copied().chain(["--json"]).collect();
    let ran = scratch.run_on(&RealDisk, &args, stdin.to_string().as_bytes());
    let object: Value = serde_json::from_slice(&ran.stdout)
        .unwrap_or_else(|_| panic!("{args:?}: {}", String::from_utf8_lossy(&ran.stderr)));
    let code = if ran.code == 0 { "ok" } else { object["code"].as_str().unwrap() };
    Answer { code: code.to_owned(), object }
}

fn add(scratch: &Scratch, args: &[&str], record: &Value) -> String {
    let answer = ask(scratch, args, record);
    assert_eq!(answer.code, "ok", "{}", answer.object);
    answer.object["id"].as_str().unwrap().to_owned()
}

/// Records that are there before the first step.
fn seed(scratch: &Scratch, records: impl Iterator<Item = Value>) {
    let records: Vec<Value> = records
        .map(|record| json!({ "id": record["id"], "markdown": markdown_of(&record) }))
        .collect();
    if !records.is_empty() {
        let answer = ask(scratch, &["import", "-"], &Value::Array(records));
        assert_eq!(answer.code, "ok", "{}", answer.object);
    }
}

/// The memory as JSON, or nothing.
fn show(scratch: &Scratch, id: &str) -> Value {
    let answer = ask(scratch, &["show", id], &Value::Null);
    if answer.code == "ok" { answer.object } else { Value::Null }
}

/// What our answer calls an action, in the words of the reference.
fn status(answer: &Value) -> &'static str {
    let text = |key: &str| answer[key].as_str().unwrap_or_default();
    match (text("action"), text("record_status")) {
        ("created", "active") => "created",
        ("updated", "active") => "updated",
        ("moved", "retired") => "retired",
        ("moved", "archived") => "archived",
        ("moved", "active") => "restored",
        _ => "none",
    }
}

/// `.claude/memory/decisions/use-cents.json` is `use-cents`; what is no folder and name stays whole.
fn id_of(target: &Value) -> String {
    let path = target.as_str().unwrap().strip_prefix(".claude/memory/").unwrap();
    let path = path.strip_suffix(".json").unwrap();
    let is_folder = |name: &str| name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
    match path.split_once('/') {
        Some((folder, stem)) if is_folder(folder) => stem.to_owned(),
        _ => path.to_owned(),
    }
}

/// Id and title of each row of `index.md`, below the table of kinds.
fn index(scratch: &Scratch) -> Value {
    let page = std::fs::read_to_string(scratch.store().join("index.md")).unwrap();
    let rows = page.split_once("\n## ").map_or("", |(_, rows)| rows);
    rows.lines()
        .filter(|line| !line.starts_with("| id |") && !line.starts_with("|---"))
        .filter_map(|line| {
            let row = line.strip_prefix("| ")?.strip_suffix(" |")?;
            let cells: Vec<&str> = row.split(" | ").collect();
            Some(json!([cells.first()?, cells.last()?]))
        })
        .collect()
}

/// Every file of the repository and beside it, but what a command keeps for itself.
fn files(scratch: &Scratch) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let top = scratch.repository().parent().unwrap().to_owned();
    collect_files(&top, &scratch.store().join("local"), &mut files);
    files
}

fn collect_files(folder: &Path, skip: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path == skip {
            continue;
        }
        if path.is_dir() {
            collect_files(&path, skip, files);
        } else {
            files.insert(path.clone(), std::fs::read(&path).unwrap());
        }
    }
}
