//! claude-mem: what it observed, and a summary of each session; its database, or the JSON of its export.

use std::collections::BTreeMap;

use oldhand_core::kind::Kind;
use oldhand_text::sentence;
use oldhand_text::strings::counted;
use oldhand_text::time::format_instant;
use serde_json::json;

use super::{Format, Root};
use crate::World;
use crate::files::{Files, SourceFile};
use crate::json::{self, Lists, Object};
use crate::record::{Foreign, Source};
use crate::text;

pub(super) const FORMAT: Format = Format { name: "claude-mem", find, read };

/// What changes when a record is only looked at, or differs between machines.
const VOLATILE: &[&str] =
    &["id", "relevance_count", "discovery_tokens", "content_hash", "session_db_id"];

fn find(files: &Files) -> Vec<Root> {
    let is_ours = |file: &&SourceFile| {
        json::has_table(file, "observations", &["project", "narrative", "facts"])
            || json::begins_with_keys(file, &["observations", "exportedAt", "summaries"])
    };
    files.iter().filter(is_ours).map(Root::of_file).collect()
}

fn read(root: &Root, files: &Files, world: &World<'_>) -> Source {
    let mut source = Source::new("claude-mem", root);
    for file in root.files(files) {
        match Lists::of(file) {
            Some(lists) => read_lists(&lists, file, world, &mut source),
            None => source.refuse(&*file.path, "not JSON"),
        }
    }
    source
}

fn read_lists(lists: &Lists, file: &SourceFile, world: &World<'_>, source: &mut Source) {
    let mut work: BTreeMap<String, Vec<&Object>> = BTreeMap::new();
    let observations = lists.get(&["observations"]);
    for there in observations.iter().chain(lists.get(&["memory_items"])) {
        let key = key_of(there);
        let kind = there.word("type");
        if let Some(other) = other_project(there, world) {
            source.skip(key, format!("project `{other}`"));
        } else if kind == "sensitive" && !world.with.sensitive {
            source.skip(key, "type `sensitive`");
        } else if matches!(kind.as_str(), "feature" | "refactor" | "change") {
            work.entry(session(there)).or_default().push(there);
        } else {
            source.take(observation(key, &kind, there, file, world));
        }
    }
    let prompts = lists.get(&["user_prompts", "prompts"]);
    let prompts = if world.with.prompts {
        prompts_by_session(lists, prompts)
    } else {
        if !prompts.is_empty() {
            let count = counted(prompts.len(), "prompt", "prompts");
            source.skip("user_prompts", format!("{count}, not a memory; `--with prompts`"));
        }
        BTreeMap::new()
    };
    for there in lists.get(&["session_summaries", "summaries"]) {
        let key = format!("summary/{}/{}", instant(there), session(there));
        if let Some(other) = other_project(there, world) {
            source.skip(key, format!("project `{other}`"));
            continue;
        }
        // What was done in a session belongs to its first summary.
        let done = work.remove(&session(there)).unwrap_or_default();
        let mut record = summary(key, there, &done, world);
        let asked = prompts.get(&session(there)).map(|all| all.join("\n")).unwrap_or_default();
        if !asked.is_empty() {
            record.add_section("Prompts", &asked, world.kinds);
        }
        record.place.clone_from(&file.path);
        source.take(record);
    }
    for (session, done) in work {
        source.take(unsummarised(&session, &done, file, world));
    }
}

/// The project of a row that is not this one.
fn other_project(there: &Object, world: &World<'_>) -> Option<String> {
    let names = [there.word("project"), there.word("merged_into_project")];
    let is_ours =
        names.iter().any(|name| name == world.project) || names.iter().all(String::is_empty);
    (!is_ours).then(|| names[0].clone())
}

fn session(there: &Object) -> String {
    there
        .any_text(&["memory_session_id", "sdk_session_id", "claude_session_id"])
        .unwrap_or_default()
}

fn instant(there: &Object) -> String {
    let at = there.date("created_at").or_else(|| there.date("created_at_epoch"));
    at.map(format_instant).unwrap_or_default()
}

/// Row ids differ from machine to machine.
fn key_of(there: &Object) -> String {
    format!("observation/{}/{}/{}", instant(there), session(there), there.word("title"))
}

fn begin(key: String, kind: Kind, there: &Object, world: &World<'_>) -> Foreign {
    let mut record = Foreign::new(key, "", kind, "");
    record.hash = there.hash(VOLATILE);
    record.set_dates(
        there.date("created_at").or_else(|| there.date("created_at_epoch")),
        None,
        world.now,
    );
    let session = session(there);
    if !session.is_empty() {
        record.add_source(&format!("session:{session}"));
    }
    record
}

fn observation(
    key: String,
    type_: &str,
    there: &Object,
    file: &SourceFile,
    world: &World<'_>,
) -> Foreign {
    let (kind, lesson_type) = match type_ {
        "decision" => (Kind::Decision, ""),
        "bugfix" => (Kind::Lesson, "failure_lesson"),
        "security_alert" | "security_note" => (Kind::Lesson, "security_pattern"),
        _ => (Kind::Reference, ""),
    };
    let mut record = begin(key, kind.clone(), there, world);
    record.place.clone_from(&file.path);
    let narrative =
        there.any_text(&["narrative", "text", "summary", "content"]).unwrap_or_default();
    let facts = there.texts("facts");
    let items: Vec<String> =
        facts.iter().map(|fact| format!("- {}", fact.replace('\n', "\n  "))).collect();
    let items = items.join("\n");
    let title = there.text("title").unwrap_or_else(|| text::guessed_title(&narrative));
    record.set_title(&title);
    record.set_description(&there.word("subtitle"));
    record.add_tags(std::iter::once(type_.to_owned()).chain(there.texts("concepts")));
    record.add_paths("files", &[there.texts("files_read"), there.texts("files_modified")].concat());
    record.add_rest(there.only(&["type", "agent_type", "metadata", "prompt_number"]));
    match kind {
        Kind::Decision => {
            record.set_text("status", "accepted");
            let decision = if narrative.is_empty() { &title } else { &narrative };
            record.set_field("decision", decision, world.kinds);
            record.set_list("rationale", facts);
        }
        Kind::Lesson => {
            record.set_text("lesson_type", lesson_type);
            let (summary, guidance) =
                if narrative.is_empty() { (&items, "") } else { (&narrative, &*items) };
            record.set_field("summary", summary, world.kinds);
            record.set_field("guidance", guidance, world.kinds);
        }
        _ => {
            let parts = [narrative, items];
            let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            record.set_main(&parts.join("\n\n"), world.kinds);
        }
    }
    record
}

fn summary(key: String, there: &Object, done: &[&Object], world: &World<'_>) -> Foreign {
    let mut record = begin(key, Kind::SessionSummary, there, world);
    let goal = there.any_text(&["request", "completed", "learned"]).unwrap_or_default();
    record.set_title(&text::guessed_title(&goal));
    record.set_text("outcome", "partial");
    record.set_text("goal", goal.trim());
    record.set_list("standing", lines(&there.word("investigated")));
    record.set_text("pattern", there.word("learned"));
    record.set_list("completed", lines(&there.word("completed")));
    record.set_list("next_actions", lines(&there.word("next_steps")));
    let mut files = [there.texts("files_read"), there.texts("files_edited")].concat();
    files.dedup();
    record.set_list("files", files);
    let notes = there.word("notes");
    if !notes.is_empty() {
        record.add_section("Notes", &notes, world.kinds);
    }
    add_work(&mut record, done, world);
    record
}

/// A log of work, not memories: each step is an item, and its words are below one section.
fn add_work(record: &mut Foreign, done: &[&Object], world: &World<'_>) {
    let title = |there: &&Object| {
        there.text("title").unwrap_or_else(|| {
            text::guessed_title(&there.any_text(&["narrative", "text"]).unwrap_or_default())
        })
    };
    record.set_list(
        "key_changes",
        done.iter().map(title).filter(|title| !title.is_empty()).collect(),
    );
    let told: Vec<String> = done
        .iter()
        .filter_map(|there| {
            Some(format!("### {}\n\n{}", title(there), there.any_text(&["narrative", "text"])?))
        })
        .collect();
    if !told.is_empty() {
        record.add_section("Observations", &told.join("\n\n"), world.kinds);
    }
}

/// A session whose work nobody summed up.
fn unsummarised(session: &str, done: &[&Object], file: &SourceFile, world: &World<'_>) -> Foreign {
    let first = done.first().copied().cloned().unwrap_or_default();
    let mut record = begin(format!("session/{session}"), Kind::SessionSummary, &first, world);
    record.place.clone_from(&file.path);
    record.hash = crate::record::hash_of(
        json!(done.iter().map(|it| it.hash(VOLATILE)).collect::<Vec<_>>()).to_string().as_bytes(),
    );
    let goal = first.text("title").unwrap_or_else(|| format!("Session {session}"));
    record.set_title(&goal);
    record.set_text("goal", goal);
    record.set_text("outcome", "partial");
    add_work(&mut record, done, world);
    record
}

/// What was asked, by the session that the observations name.
fn prompts_by_session(lists: &Lists, prompts: &[Object]) -> BTreeMap<String, Vec<String>> {
    let sessions = lists.get(&["sdk_sessions", "sessions"]);
    let named = |there: &Object| {
        (there.any_text(&["content_session_id", "claude_session_id"]), session(there))
    };
    let names: BTreeMap<Option<String>, String> = sessions.iter().map(named).collect();
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for prompt in prompts {
        let content = prompt.any_text(&["content_session_id", "claude_session_id"]);
        let said = prompt.word("prompt_text").replace('\n', "\n  ");
        all.entry(names.get(&content).cloned().unwrap_or_default())
            .or_default()
            .push(format!("- {said}"));
    }
    all
}

/// The items of a text, or else its lines.
fn lines(text: &str) -> Vec<String> {
    let bare = text.lines().map(|line| sentence::without_item_mark(line.trim()).trim());
    bare.filter(|line| !text::is_blank_word(line)).map(str::to_owned).collect()
}
