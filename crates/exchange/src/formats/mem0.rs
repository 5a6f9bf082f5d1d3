//! mem0 and OpenMemory: JSON of what it holds, its Markdown export, or the table of its history.

use std::collections::BTreeMap;

use oldhand_core::kind::Kind;
use oldhand_core::memory::Change;
use oldhand_core::state::State;
use oldhand_text::time::{format_day, format_instant};
use serde_json::{Value, json};

use super::{Format, Root};
use crate::World;
use crate::files::{Content, Files, SourceFile};
use crate::front::Front;
use crate::json::{self, Lists, Object};
use crate::record::{Ending, Foreign, Source};
use crate::{text, topic};

pub(super) const FORMAT: Format = Format { name: "mem0", find, read };

const ZIP: &[u8] = b"PK\x03\x04";
/// Where the names of a zip's first files stand.
const ZIP_HEAD_BYTES: usize = 4096;
const LISTS: &[&str] = &["results", "memories", "records", ""];
const TEXTS: &[&str] = &["memory", "content", "text"];
const TAKEN: &[&str] = &[
    "id",
    "memory",
    "content",
    "text",
    "hash",
    "metadata",
    "created_at",
    "updated_at",
    "categories",
    "category_ids",
    "archived_at",
    "deleted_at",
    "score",
];

fn find(files: &Files) -> Vec<Root> {
    files.iter().filter(|file| is_ours(file)).map(Root::of_file).collect()
}

fn is_ours(file: &SourceFile) -> bool {
    let is_page = file.name().ends_with(".md");
    match &file.content {
        Content::Tables(_) => {
            json::has_table(file, "history", &["memory_id", "new_memory", "event"])
        }
        Content::Bytes(bytes) if bytes.starts_with(ZIP) => {
            let head = &bytes[..bytes.len().min(ZIP_HEAD_BYTES)];
            String::from_utf8_lossy(head).contains("memories.json")
        }
        Content::Bytes(_) if is_page => {
            let text = file.text();
            let is_named = file.name().starts_with("mem0-export");
            is_named && blocks(&text).iter().any(|(front, _)| front.text("id").is_some())
        }
        Content::Bytes(_) => is_json(file),
    }
}

/// Items with an id and a memory, or those of OpenMemory with their apps.
fn is_json(file: &SourceFile) -> bool {
    let begins = |keys: &[&str]| json::begins_with_keys(file, keys);
    if begins(&["apps", "memories"]) {
        return true;
    }
    if !begins(&["id", "memory"]) && !begins(&["id", "user_id"]) {
        return false;
    }
    let lists = Lists::of(file).unwrap_or_default();
    let first = lists.get(LISTS).first().cloned().unwrap_or_default();
    let has_owner = ["user_id", "app_id", "run_id", "agent_id"].iter().any(|key| first.has(key));
    first.has("id") && (first.has("memory") || has_owner && first.any_text(TEXTS).is_some())
}

fn read(root: &Root, files: &Files, world: &World<'_>) -> Source {
    let mut source = Source::new("mem0", root);
    for file in root.files(files) {
        if file.bytes().starts_with(ZIP) {
            let why = "a zip: unpack it, then import its `memories.json`";
            source.refuse(&*file.path, why);
        } else if file.name().ends_with(".md") {
            read_page(file, world, &mut source);
        } else {
            match Lists::of(file) {
                Some(lists) => read_lists(&lists, root, file, world, &mut source),
                None => source.refuse(&*file.path, "not JSON"),
            }
        }
    }
    source
}

fn read_lists(
    lists: &Lists,
    root: &Root,
    file: &SourceFile,
    world: &World<'_>,
    source: &mut Source,
) {
    if json::has_table(file, "history", &[]) {
        return read_history(lists.get(&["history"]), file, world, source);
    }
    let names = |list: &str| -> BTreeMap<String, String> {
        lists.get(&[list]).iter().map(|it| (it.word("id"), it.word("name"))).collect()
    };
    let is_open = lists.top.has("apps");
    let (apps, categories) = (names("apps"), names("categories"));
    if is_open {
        source.from = format!("openmemory:{}", root.path);
    }
    for there in lists.get(LISTS) {
        let key = there.word("id");
        if there.word("state") == "deleted" || there.date("deleted_at").is_some() {
            source.skip(key, deleted(there.date("deleted_at")));
            continue;
        }
        let mut record = record(there, file, world);
        if is_open {
            let of = |id: &String| categories.get(id).cloned();
            record.add_tags(there.texts("category_ids").iter().filter_map(of));
            record.rest.remove("app_id");
            record.set_rest("app", json!(apps.get(&there.word("app_id"))));
        } else if there.has("user_id") && !there.has("app_id") && !there.has("run_id") {
            record.set_audience("user");
        }
        source.take(record);
    }
}

fn deleted(at: Option<jiff::Timestamp>) -> String {
    at.map_or("deleted there".to_owned(), |at| format!("deleted there on {}", format_day(at)))
}

/// What a type or category is here; words inside of it decide.
fn kind_of(words: &[String], text: &str) -> Kind {
    let known = [
        ("preference", Kind::Preference),
        ("convention", Kind::Preference),
        ("learning", Kind::Lesson),
        ("anti_pattern", Kind::Lesson),
        ("bug", Kind::Lesson),
        ("decision", Kind::Decision),
        ("architecture", Kind::Decision),
    ];
    let of_word = |word: &String| {
        let folded = word.to_lowercase();
        known.iter().find(|(part, _)| folded.contains(part)).map(|(_, kind)| kind.clone())
    };
    words.iter().find_map(of_word).unwrap_or_else(|| topic::sure_kind(text))
}

fn record(there: &Object, file: &SourceFile, world: &World<'_>) -> Foreign {
    let said = there.any_text(TEXTS).unwrap_or_default();
    let about = there.below("metadata");
    let words = [about.texts("type"), about.texts("category"), there.texts("categories")].concat();
    let mut record = begin(there.word("id"), &said, &words, file, world);
    record.hash = there.hash(&["score"]);
    record.set_dates(there.date("created_at"), there.date("updated_at"), world.now);
    record.add_paths("files", &sorted(about.comma_texts("files")));
    if let Some(confidence) = about.number("confidence") {
        record.set_confidence(confidence);
    }
    record.add_rest(there.rest(TAKEN));
    let others = about.rest(&["type", "category", "files", "confidence"]);
    if !others.is_empty() {
        record.set_rest("metadata", Value::Object(others));
    }
    match there.word("state").as_str() {
        "paused" => record.kept_state = Some(State::UnderReview),
        "archived" => {
            let at = there.date("archived_at");
            let reason = "archived in OpenMemory".to_owned();
            record.ending = Some(Ending { state: State::Archived, at, reason });
        }
        _ => {}
    }
    if let Some(at) = there.date("expiration_date").filter(|at| *at <= world.now) {
        let reason = format!("expired there on {}", format_day(at));
        record.ending = Some(Ending { state: State::Retired, at: Some(at), reason });
    }
    record
}

fn begin(
    key: String,
    said: &str,
    words: &[String],
    file: &SourceFile,
    world: &World<'_>,
) -> Foreign {
    let kind = kind_of(words, said);
    let mut record = Foreign::new(key, &file.path, kind.clone(), said);
    record.set_title(&text::guessed_title(said));
    record.add_tags(words);
    topic::fill_kind(&mut record, kind, said, world.kinds);
    record
}

fn sorted(mut paths: Vec<String>) -> Vec<String> {
    paths.sort();
    paths
}

/// Its Markdown: blocks that begin with a frontmatter.
fn read_page(file: &SourceFile, world: &World<'_>, source: &mut Source) {
    for (front, said) in blocks(&file.text()) {
        let key = front.text("id").unwrap_or_default().to_owned();
        let words = [front.texts("type"), front.texts("categories")].concat();
        let mut record = begin(key, &said, &words, file, world);
        record.set_dates(front.date("created_at"), None, world.now);
        record.add_paths("files", &sorted(front.texts("files")));
        if let Some(confidence) = front.text("confidence").and_then(|it| it.parse().ok()) {
            record.set_confidence(confidence);
        }
        let taken = &["id", "created_at", "type", "categories", "files", "confidence"];
        record.add_rest(front.rest(taken));
        source.take(record);
    }
}

/// A block begins at a line `---` with an id below it; another such line in a text is only a rule.
fn blocks(text: &str) -> Vec<(Front, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let begins = |at: &usize| {
        lines[*at].trim_end() == "---" && lines.get(at + 1).is_some_and(|it| it.starts_with("id:"))
    };
    let starts: Vec<usize> = (0..lines.len()).filter(begins).collect();
    let block = |(at, start): (usize, &usize)| {
        let end = starts.get(at + 1).copied().unwrap_or(lines.len());
        let inner = &lines[start + 1..end];
        let close = inner.iter().position(|line| line.trim_end() == "---").unwrap_or(inner.len());
        let said = inner.get(close + 1..).unwrap_or_default().join("\n");
        (Front::parse(&inner[..close].join("\n")), said.trim().to_owned())
    };
    starts.iter().enumerate().map(block).collect()
}

/// Events of each memory in their order: the last text holds, those before are its changes.
fn read_history(events: &[Object], file: &SourceFile, world: &World<'_>, source: &mut Source) {
    let mut by_memory: BTreeMap<String, Vec<&Object>> = BTreeMap::new();
    for event in events {
        by_memory.entry(event.word("memory_id")).or_default().push(event);
    }
    for (key, mut events) in by_memory {
        let at = |event: &Object| event.date("updated_at").or_else(|| event.date("created_at"));
        events.sort_by_key(|event| at(event));
        let Some(last) = events.last() else { continue };
        if last.word("event") == "DELETE" || last.number("is_deleted") == Some(1.0) {
            source.skip(key, deleted(at(last)));
            continue;
        }
        let said = last.word("new_memory");
        let mut record = begin(key, &said, &[], file, world);
        let updated = at(last).filter(|_| events.len() > 1);
        record.set_dates(events[0].date("created_at"), updated, world.now);
        let change = |event: &&&Object| Change {
            date: at(event).map(format_instant).unwrap_or_default(),
            summary: "changed there".to_owned(),
            field: None,
            old_value: event.text("old_memory"),
            new_value: event.text("new_memory"),
        };
        let updates = events.iter().filter(|event| event.word("event") == "UPDATE");
        record.changes = updates.map(|event| change(&event)).collect();
        record.add_rest(last.only(&["actor_id", "role"]));
        source.take(record);
    }
}
