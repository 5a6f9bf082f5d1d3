//! Engram: observations of sessions with labelled parts; its JSON export or its database.

use oldhand_core::kind::Kind;
use oldhand_core::yaml::Yaml;
use oldhand_text::time::format_day;
use serde_json::json;

use super::{Format, Root};
use crate::World;
use crate::files::{Files, SourceFile};
use crate::json::{self, Lists, Object};
use crate::log::{self, Entry};
use crate::record::{Foreign, Source};
use crate::{page, text, topic};

pub(super) const FORMAT: Format = Format { name: "engram", find, read };

/// What changes when a record is only looked at, or differs between machines.
const VOLATILE: &[&str] = &["id", "sync_id", "last_seen_at", "duplicate_count", "normalized_hash"];

fn find(files: &Files) -> Vec<Root> {
    let is_ours = |file: &&SourceFile| {
        json::has_table(file, "observations", &["topic_key", "content"])
            || json::begins_with_keys(file, &["observations", "sessions"])
                && !json::begins_with_keys(file, &["exportedAt"])
                && Lists::of(file).is_some_and(|lists| {
                    lists.top.has("prompts")
                        && lists.get(&["observations"]).iter().all(|it| it.has("content"))
                })
            || file.path.contains(".engram/chunks/") && file.path.ends_with(".gz")
    };
    files.iter().filter(is_ours).map(Root::of_file).collect()
}

fn read(root: &Root, files: &Files, world: &World<'_>) -> Source {
    let mut source = Source::new("engram", root);
    for file in root.files(files) {
        if file.path.ends_with(".gz") {
            source.refuse(&*file.path, "packed: import what `engram export` writes");
            continue;
        }
        let Some(lists) = Lists::of(file) else {
            source.refuse(&*file.path, "not JSON");
            continue;
        };
        for there in lists.get(&["observations"]) {
            let key = there.text("topic_key");
            let key = key.unwrap_or_else(|| format!("observation/{}", there.word("id")));
            if let Some(at) = there.date("deleted_at") {
                source.skip(key, format!("deleted there on {}", format_day(at)));
            } else if let Some(other) = other_project(there, world) {
                source.skip(key, format!("project `{other}`"));
            } else {
                source.take(observation(key, there, file, world));
            }
        }
        for there in lists.get(&["sessions"]) {
            let key = format!("session/{}", there.word("id"));
            if let Some(other) = other_project(there, world) {
                source.skip(key, format!("project `{other}`"));
            } else if there.text("summary").is_none() {
                source.skip(key, "no summary");
            } else {
                source.take(session(key, there, file, world));
            }
        }
    }
    source
}

fn other_project(there: &Object, world: &World<'_>) -> Option<String> {
    there.text("project").filter(|it| !it.eq_ignore_ascii_case(world.project))
}

fn observation(key: String, there: &Object, file: &SourceFile, world: &World<'_>) -> Foreign {
    let type_ = there.word("type");
    let (kind, lesson_type) = match type_.as_str() {
        "decision" | "architecture" => (Kind::Decision, ""),
        "bugfix" => (Kind::Lesson, "failure_lesson"),
        "security_alert" | "security_note" => (Kind::Lesson, "security_pattern"),
        "pattern" | "learning" => (Kind::Lesson, ""),
        "preference" => (Kind::Preference, ""),
        _ => (Kind::Reference, ""),
    };
    let mut record = Foreign::new(&key, &file.path, kind.clone(), "");
    record.hash = there.hash(VOLATILE);
    if let Some(topic) = there.text("topic_key") {
        record.add_alias(&topic);
    }
    let content = there.word("content");
    let title = there.text("title").unwrap_or_else(|| text::guessed_title(&content));
    record.set_title(&title);
    record.add_tags([&type_]);
    if !lesson_type.is_empty() {
        record.set_text("lesson_type", lesson_type);
    }
    let session = there.word("session_id");
    if !session.is_empty() {
        record.add_source(&format!("session:{session}"));
    }
    let entry = labelled(&content);
    match kind {
        Kind::Decision => {
            let entry = Entry { title: title.clone(), ..entry };
            log::fill(&mut record, &entry, world);
        }
        Kind::Lesson if !entry.fields.is_empty() => fill_lesson(&mut record, &entry, world),
        _ => topic::fill_kind(&mut record, kind, &content, world.kinds),
    }
    record.set_title(&title);
    record.set_dates(there.date("created_at"), there.date("updated_at"), world.now);
    if there.word("scope") == "personal" {
        record.make_personal();
    }
    for count in ["revision_count", "duplicate_count"] {
        if let Some(number) = there.get(count).as_u64().filter(|number| *number > 1) {
            record.set_rest(count, json!(number));
        }
    }
    record.set_rest("type", json!(type_));
    record
}

/// The labels of a text: `**What**`, `**Why**`, `**Where**`, `**Learned**`.
fn labelled(content: &str) -> Entry {
    let mut log = log::read(&format!("## Decision: x\n\n{content}"));
    // A text with headings of its own is read as a whole.
    if log.entries.len() == 1 && log.others.is_empty() {
        return Entry { date: None, ..log.entries.swap_remove(0) };
    }
    Entry { free: content.to_owned(), ..Entry::default() }
}

fn fill_lesson(record: &mut Foreign, entry: &Entry, world: &World<'_>) {
    let mut said = Some(entry.free.clone()).filter(|it| !it.is_empty());
    for (label, text) in &entry.fields {
        match label.to_lowercase().as_str() {
            "what" if said.is_none() => said = Some(text.clone()),
            "learned" => record.set_field("guidance", text, world.kinds),
            "where" => record.add_paths("where", &text::comma_parts(&text.replace('`', ""))),
            _ => record.add_section(label, text, world.kinds),
        }
    }
    let title = record.draft.title().unwrap_or_default().to_owned();
    topic::fill_kind(record, Kind::Lesson, &said.unwrap_or(title), world.kinds);
}

/// A heading of its summaries, and the field of it.
const HEADINGS: &[(&str, &str)] = &[
    ("goal", "goal"),
    ("accomplished", "completed"),
    ("completed", "completed"),
    ("next steps", "next_actions"),
    ("relevant files", "files"),
    ("discoveries", "pattern"),
];

fn session(key: String, there: &Object, file: &SourceFile, world: &World<'_>) -> Foreign {
    let summary = there.word("summary");
    let mut record = Foreign::new(key, &file.path, Kind::SessionSummary, &summary);
    record.set_text("outcome", "partial");
    let outline = page::outline(&summary);
    for section in outline.sections.iter().filter(|it| text::says_nothing(&it.text).is_none()) {
        let folded = text::heading_title(&section.heading).to_lowercase();
        match HEADINGS.iter().find(|(there, _)| *there == folded) {
            Some((_, field)) => record.set_field(field, &section.text, world.kinds),
            None => record.add_section(&section.heading, &section.text, world.kinds),
        }
    }
    let goal = record.value("goal").map(|goal| goal.plain());
    let title = text::guessed_title(goal.as_deref().unwrap_or(&summary));
    if goal.is_none() {
        record.set_text("goal", title.clone());
    }
    if !outline.above.is_empty() {
        record.add_section("Notes", &outline.above, world.kinds);
    }
    record.set_title(&title);
    record.set_dates(there.date("started_at"), there.date("ended_at"), world.now);
    record.draft.set("sources", Yaml::list(&[format!("session:{}", there.word("id"))]));
    record
}
