//! The samples of every format through the program: what the store has afterwards, and what a second run does.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::scratch::{Scratch, copy_tree};

/// Samples that are not the root of a repository: the folders of it, and where they belong.
const PLACES: &[(&str, &[(&str, &str)])] = &[
    ("adr", &[("nygard", ""), ("madr", ""), ("log4brains", "")]),
    ("basic-memory", &[("", "basic-memory")]),
    ("beads", &[("", ".beads")]),
];

/// No format: tested elsewhere.
const OTHERS: &[&str] = &["merge"];

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/samples/imports")
}

/// A repository with a sample in it, and what names it to the program.
struct Case {
    store: Scratch,
    args: Vec<String>,
}

impl Case {
    fn new(from: &Path, to: &str, expected: &Value) -> Self {
        let store = Scratch::new();
        git(&store, &["init", "-q"]);
        let target = store.repository().join(to);
        if from.is_dir() {
            copy_tree(from, &target);
        } else {
            std::fs::copy(from, &target).unwrap();
        }
        for left in ["expected.json", "README.md"] {
            drop(std::fs::remove_file(target.join(left)));
        }
        let project = expected["options"]["project"].as_str().unwrap_or("shop");
        let args = ["import", "--user", "--project", project].map(str::to_owned).to_vec();
        Self { store, args }
    }

    fn import(&self, more: &[&str]) -> Value {
        let args: Vec<&str> =
            self.args.iter().map(String::as_str).chain(more.iter().copied()).collect();
        let args = [&args, &["--json"][..]].concat();
        let output = self.store.program(&args).output().unwrap();
        let trouble = || json!({"trouble": String::from_utf8_lossy(&output.stderr)});
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| trouble())
    }

    /// Every memory of both stores, by where it came from.
    fn memories(&self) -> BTreeMap<(String, String), Value> {
        let mut memories = BTreeMap::new();
        for args in [&["export"][..], &["export", "--global"]] {
            let output = self.store.program(args).output().unwrap();
            for line in String::from_utf8(output.stdout).unwrap().lines() {
                let memory: Value = serde_json::from_str(line).unwrap();
                let imported = &memory["imported"];
                memories.insert((text(&imported["from"]), text(&imported["key"])), memory);
            }
        }
        memories
    }
}

fn git(store: &Scratch, args: &[&str]) {
    let mut command = std::process::Command::new("git");
    assert!(command.args(args).current_dir(store.repository()).status().unwrap().success());
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

/// Each sample with the part of `expected.json` that is about it.
fn cases() -> Vec<(String, Vec<Case>, Value)> {
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(samples()).unwrap().map(|it| it.unwrap().path()).collect();
    folders.sort();
    let mut cases = Vec::new();
    for folder in folders.iter().filter(|it| it.is_dir()) {
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        if OTHERS.contains(&name.as_str()) {
            continue;
        }
        let expected = std::fs::read(folder.join("expected.json")).unwrap();
        let expected: Value = serde_json::from_slice(&expected).unwrap();
        if let Some(files) = expected["files"].as_object() {
            for (file, expected) in files {
                let case = Case::new(&folder.join(file), file, expected);
                let mut case = case;
                case.args.push(file.clone());
                cases.push((format!("{name}/{file}"), vec![case], expected.clone()));
            }
            continue;
        }
        let whole: &[(&str, &str)] = &[("", "")];
        let places = PLACES.iter().find(|it| it.0 == name).map_or(whole, |it| it.1);
        let mut of_sample = Vec::new();
        for (from, to) in places {
            let mut case = Case::new(&folder.join(from), to, &expected);
            // Beside a database lies an export of it.
            let from = text(&expected["from"]);
            let file = from.split_once(':').map_or("", |it| it.1);
            case.args.push(if file.ends_with(".db") { file } else { "--all" }.to_owned());
            of_sample.push(case);
        }
        cases.push((name, of_sample, expected));
    }
    cases
}

#[test]
fn every_sample_arrives_as_expected_and_only_once() {
    let mut failed = String::new();
    for (name, cases, expected) in cases() {
        let answers: Vec<Value> = cases.iter().map(|case| case.import(&[])).collect();
        let mut memories = BTreeMap::new();
        for case in &cases {
            memories.extend(case.memories());
        }
        let mut problems = Vec::new();
        compare_memories(&expected, &memories, &mut problems);
        compare_answers(&expected, &answers, &mut problems);
        for case in &cases {
            // Nothing is written twice.
            let before = case.store.snapshot();
            let log = events(&case.store);
            let again = case.import(&[]);
            if case.store.snapshot() != before || events(&case.store) != log {
                problems.push(format!("the second import wrote: {again}"));
            }
            let quiet = ["created", "updated", "joined", "moved", "diverged", "held", "gone"];
            for key in quiet.iter().filter(|key| !list(&again, key).is_empty()) {
                problems.push(format!("the second import told {key}: {}", again[key]));
            }
            let doctor = case.store.json(&["doctor"]);
            if doctor["findings"] != json!([]) {
                problems.push(format!("doctor: {}", doctor["findings"]));
            }
        }
        failed += &problems.iter().map(|it| format!("{name}: {it}\n")).collect::<String>();
    }
    assert!(failed.is_empty(), "\n{failed}");
}

fn events(store: &Scratch) -> Vec<u8> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(store.store().join("events"))
        .unwrap()
        .map(|it| it.unwrap().path())
        .filter(|it| it.extension().is_some_and(|it| it == "jsonl"))
        .collect();
    files.sort();
    files.iter().flat_map(|it| std::fs::read(it).unwrap()).collect()
}

fn compare_memories(
    expected: &Value,
    memories: &BTreeMap<(String, String), Value>,
    problems: &mut Vec<String>,
) {
    for wanted in list(expected, "records") {
        let key = text(&wanted["key"]);
        let from = wanted.get("from").or_else(|| expected.get("from"));
        let fits = |it: &&(&(String, String), &Value)| {
            it.0.1 == key && from.is_none_or(|from| *from == json!(it.0.0))
        };
        // A second file may hold the same record.
        let same_key = || memories.iter().find(|it| it.0.1 == key);
        let Some((_, memory)) = memories.iter().find(|it| fits(&it)).or_else(same_key) else {
            let keys: Vec<String> =
                memories.keys().map(|it| format!("{}#{}", it.0, it.1)).collect();
            problems.push(format!("no memory of `{key}` among {keys:?}"));
            continue;
        };
        for (name, value) in wanted.as_object().unwrap() {
            if let Some(found) = difference(name, value, memory) {
                problems.push(format!("{key}: {name}: wanted {value}, found {found}"));
            }
        }
    }
    for held in list(expected, "held") {
        let key = text(&held["key"]);
        let reason = format!("held: {}", text(&held["why"]));
        let is_held = |it: (&(String, String), &Value)| {
            it.0.1 == key && it.1["state_reason"] == json!(reason) && it.1["state"] == "candidate"
        };
        if !memories.iter().any(is_held) {
            problems.push(format!("`{key}` is not held: {reason}"));
        }
    }
}

fn difference(name: &str, value: &Value, memory: &Value) -> Option<Value> {
    let found = &memory[name];
    let differs = match name {
        "key" | "from" | "kind_by" | "title_by" | "note" | "notes" | "dropped_section"
        | "state_kept" | "uses_when_accepted" => false,
        "kind" => return (memory["category"] != *value).then(|| memory["category"].clone()),
        "fields" => return subset(value, &fields(memory)),
        "rest" => return subset(value, &memory["imported"]["rest"]),
        "sections" => {
            let there = list(memory, "sections");
            !value.as_array().unwrap().iter().all(|it| there.contains(it))
        }
        "changes" if value.is_number() => json!(found.as_array().map_or(0, Vec::len)) != *value,
        "changes" => {
            let fits = |it: &Value, one: &Value| subset(it, one).is_none();
            let there = list(memory, "changes");
            !value.as_array().unwrap().iter().all(|it| there.iter().any(|one| fits(it, one)))
        }
        "depends_on" => return subset(value, found),
        // Without a date of its own a memory has that of its file.
        "created_at" if value.is_null() => found.is_null(),
        // A source may say where else it was seen.
        "sources" => {
            !value.as_array().unwrap().iter().all(|it| list(memory, "sources").contains(it))
        }
        "scope" if value == "project" => !found.is_null() && found != value,
        _ => found != value,
    };
    differs.then(|| found.clone())
}

/// Fields of the kind, those of a group beside the others.
fn fields(memory: &Value) -> Value {
    let mut fields = serde_json::Map::new();
    for (name, value) in memory["content"].as_object().unwrap() {
        match value {
            Value::Object(group) => fields.extend(group.clone()),
            Value::String(text) => drop(fields.insert(name.clone(), json!(text.trim_end()))),
            other => drop(fields.insert(name.clone(), other.clone())),
        }
    }
    Value::Object(fields)
}

/// Every key of the wanted object has its value; `null` is not there.
fn subset(wanted: &Value, found: &Value) -> Option<Value> {
    let fits = |(key, value): (&String, &Value)| {
        let wanted = value.as_str().map_or_else(|| value.clone(), |it| json!(it.trim_end()));
        let found = found.get(key).unwrap_or(&Value::Null);
        *found == wanted || found.as_str().is_some_and(|it| json!(it.trim_end()) == wanted)
    };
    (!wanted.as_object().unwrap().iter().all(fits)).then(|| found.clone())
}

fn compare_answers(expected: &Value, answers: &[Value], problems: &mut Vec<String>) {
    let all = |key: &str| -> Vec<Value> {
        answers.iter().flat_map(|it| list(it, key).to_vec()).collect()
    };
    for (key, word) in [("skipped", "skipped"), ("refused", "refused"), ("joined", "joined")] {
        let told = all(key);
        for wanted in list(expected, key) {
            let why = text(&wanted["why"]).replace("SECRET_ERROR ", "SECRET_ERROR: ");
            let fits =
                |it: &Value| it["source"] == wanted["key"] && text(&it["reason"]).contains(&why);
            if !told.iter().any(fits) {
                problems.push(format!("{word}: not told: {wanted}, but {told:?}"));
            }
        }
    }
    problems.extend(answers.iter().filter_map(|it| it.get("trouble")).map(ToString::to_string));
    let notes = all("notes");
    for note in list(expected, "notes").iter().filter(|it| !notes.contains(it)) {
        problems.push(format!("no note {note} among {notes:?}"));
    }
    let settings = all("settings");
    for setting in list(expected, "settings").iter().filter(|it| !settings.contains(&it["command"]))
    {
        problems.push(format!("no setting {setting} among {settings:?}"));
    }
    let froms: Vec<Value> = all("sources").iter().map(|it| it["from"].clone()).collect();
    for from in list(expected, "sources").iter().filter(|it| !froms.contains(it)) {
        problems.push(format!("no source {from} among {froms:?}"));
    }
}

/// A person who vouches for a source keeps its states, and the uses that it counted.
#[test]
fn what_a_person_accepts_keeps_its_state_and_its_uses() {
    for (name, cases, expected) in cases() {
        let wants =
            |it: &Value| it.get("state_kept").is_some() || it.get("uses_when_accepted").is_some();
        if !list(&expected, "records").iter().any(wants) {
            continue;
        }
        let case = &cases[0];
        case.import(&["--accept", "--keep-state", "--by", "ada"]);
        let memories = case.memories();
        for wanted in list(&expected, "records") {
            let key = (text(&expected["from"]), text(&wanted["key"]));
            let memory = memories.get(&key).unwrap_or_else(|| panic!("{name}: {key:?}"));
            let state = wanted.get("state_kept");
            if let Some(state) = state {
                assert_eq!(memory["state"], *state, "{name}: {key:?}");
            }
            let id = text(&memory["id"]);
            let Some(uses) = wanted.get("uses_when_accepted") else { continue };
            let log = String::from_utf8(events(&case.store)).unwrap();
            let logged: Vec<Value> =
                log.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
            let applied =
                logged.iter().filter(|it| it["memory"] == json!(id) && it["type"] == "applied");
            let applied: Vec<Value> = applied
                .map(|it| {
                    let keys = ["task", "effect", "role", "surface", "followup"];
                    keys.iter().map(|key| ((*key).to_owned(), it[key].clone())).collect()
                })
                .collect();
            assert_eq!(json!(applied), *uses, "{name}: {key:?}");
        }
        let doctor = case.store.json(&["doctor"]);
        assert_eq!(doctor["findings"], json!([]), "{name}");
    }
}

/// One record changes in its source: one memory changes, and only what it says. One goes: it is named, and
/// nothing is written.
#[test]
fn one_change_upstream_changes_one_memory() {
    let expected = json!({});
    let mut case = Case::new(&samples().join("serena"), "", &expected);
    case.args.push("--all".to_owned());
    case.import(&[]);
    let before = case.memories();
    let folder = case.store.repository().join(".serena/memories");
    let page = folder.join("style.md");
    let old = std::fs::read_to_string(&page).unwrap();
    std::fs::write(&page, format!("{old}\nTabs are four wide.\n")).unwrap();
    let answer = case.import(&[]);
    assert_eq!(list(&answer, "updated").len(), 1, "{answer}");
    let after = case.memories();
    let changed: Vec<&(String, String)> =
        after.iter().filter(|(key, memory)| before[*key] != **memory).map(|it| it.0).collect();
    assert_eq!(changed.len(), 1);
    assert_eq!(changed[0].1, "style");
    let (old, new) = (&before[changed[0]], &after[changed[0]]);
    for key in ["id", "title", "state", "aliases", "created_at", "evidence", "scope", "tags"] {
        assert_eq!(old[key], new[key], "{key}");
    }
    assert!(text(&new["content"]["value"]).contains("Tabs are four wide."));
    assert_eq!(new["changes"][0]["summary"], "changed in its source");

    std::fs::remove_file(folder.join("suggested_commands.md")).unwrap();
    let log = events(&case.store);
    let answer = case.import(&[]);
    assert_eq!(list(&answer, "gone").len(), 1, "{answer}");
    assert_eq!(answer["gone"][0]["id"], "suggested-commands");
    assert_eq!((events(&case.store), case.memories()), (log, after));
    let answer = case.import(&["--retire-gone"]);
    assert_eq!(answer["gone"][0]["reason"], "retired");
    let retired =
        &case.memories()[&("serena:.serena/memories".to_owned(), "suggested_commands".to_owned())];
    assert_eq!(
        (&retired["state"], &retired["retired_reason"]),
        (&json!("retired"), &json!("gone from serena:.serena/memories"))
    );

    // A page with another name is the same page.
    std::fs::rename(folder.join("core.md"), folder.join("basics.md")).unwrap();
    let answer = case.import(&[]);
    assert_eq!(answer["moved"][0]["id"], "core", "{answer}");
    assert_eq!(answer["created"], json!([]));
}

/// R537: however many writes an import takes, one undo takes it back.
#[test]
fn an_import_of_several_writes_is_undone_as_one() {
    let store = Scratch::new();
    let line = |number: usize| {
        let text = format!("Host number {number} is called host-{number}.");
        json!({"category": "reference", "title": format!("Host {number}"), "content": {"text": text}})
    };
    let lines: Vec<String> = (0..620).map(|number| line(number).to_string()).collect();
    std::fs::write(store.repository().join("hosts.jsonl"), lines.join("\n")).unwrap();
    let count = || store.json(&["list", "--limit", "0"])["memories"].as_array().unwrap().len();
    store.json(&["import", "hosts.jsonl"]);
    let there = count();
    assert!(there > 500, "{there}");
    store.json(&["undo"]);
    assert_eq!(count(), 0);
}
