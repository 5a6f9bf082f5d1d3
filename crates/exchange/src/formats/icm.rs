//! icm: memories by topic, concepts of memoirs, corrections and facts, in one database.

use std::collections::BTreeMap;

use oldhand_core::kind::Kind;
use oldhand_core::memory::Change;
use oldhand_text::time::format_instant;
use serde_json::json;

use super::{Format, Root};
use crate::World;
use crate::files::{Files, SourceFile};
use crate::json::{self, Lists, Object};
use crate::record::{Foreign, Relation, Source, hash_of};
use crate::{text, topic};

pub(super) const FORMAT: Format = Format { name: "icm", find, read };

const VOLATILE: &[&str] =
    &["last_accessed", "access_count", "weight", "embedding", "summary_hash", "applied_count"];

fn find(files: &Files) -> Vec<Root> {
    let is_ours = |file: &&SourceFile| {
        json::has_table(file, "memories", &["topic", "summary", "importance"])
            || json::begins_with_keys(file, &["topic", "summary", "importance", "source_type"])
    };
    files.iter().filter(is_ours).map(Root::of_file).collect()
}

fn read(root: &Root, files: &Files, world: &World<'_>) -> Source {
    let mut source = Source::new("icm", root);
    for file in root.files(files) {
        let Some(lists) = Lists::of(file) else {
            source.refuse(&*file.path, "not JSON");
            continue;
        };
        for there in lists.get(&["memories", ""]) {
            let topic = there.word("topic");
            match kind_of(&topic, &there.word("summary"), world.project) {
                Some(kind) => source.take(memory(there, kind, file, world)),
                None => source.skip(there.word("id"), format!("topic of another project: {topic}")),
            }
        }
        read_concepts(&lists, file, world, &mut source);
        for there in lists.get(&["feedback"]) {
            source.take(feedback(there, file, world));
        }
        read_facts(lists.get(&["facts"]), file, world, &mut source);
    }
    source
}

/// Words before the project in a topic, and the kind of what stands there.
const TOPICS: &[(&str, Kind)] = &[
    ("decisions", Kind::Decision),
    ("errors", Kind::Lesson),
    ("preferences", Kind::Preference),
    ("identity", Kind::Preference),
    ("contexte", Kind::Reference),
    ("context", Kind::Reference),
];

/// `<kind>-<project>`; `None` for a topic of another project. What is about the person belongs to any.
fn kind_of(topic: &str, summary: &str, project: &str) -> Option<Kind> {
    let is_mark = |c: char| matches!(c, '-' | '.' | '_' | '/' | ':');
    let folded = topic.to_lowercase();
    let parts: Vec<&str> = folded.split(is_mark).filter(|part| !part.is_empty()).collect();
    let known =
        TOPICS.iter().find(|(word, _)| parts.first() == Some(word)).map(|(_, kind)| kind.clone());
    let own = project.to_lowercase();
    let own: Vec<&str> = own.split(is_mark).filter(|part| !part.is_empty()).collect();
    let is_ours = own.is_empty() || parts.windows(own.len()).any(|part| part == own);
    let names_none = match parts.as_slice() {
        [_] | ["errors", "resolved"] => known.is_some(),
        _ => false,
    };
    if !is_ours && !names_none && known != Some(Kind::Preference) {
        return None;
    }
    Some(known.unwrap_or_else(|| topic::sure_kind(summary)))
}

fn begin(key: String, kind: Kind, there: &Object, file: &SourceFile, world: &World<'_>) -> Foreign {
    let mut record = Foreign::new(key, &file.path, kind, "");
    record.hash = there.hash(VOLATILE);
    record.set_dates(there.date("created_at"), there.date("updated_at"), world.now);
    record
}

fn memory(there: &Object, kind: Kind, file: &SourceFile, world: &World<'_>) -> Foreign {
    let summary = there.word("summary");
    let mut record = begin(there.word("id"), kind.clone(), there, file, world);
    record.set_title(&text::guessed_title(&summary));
    if kind == Kind::Lesson && there.word("topic").starts_with("error") {
        record.set_text("lesson_type", "failure_lesson");
    }
    topic::fill_kind(&mut record, kind, &summary, world.kinds);
    record.add_tags(std::iter::once(there.word("topic")).chain(there.texts("keywords")));
    let excerpt = there.word("raw_excerpt");
    if !excerpt.is_empty() {
        record.add_section("Excerpt", &excerpt, world.kinds);
    }
    let from = there.below("source_data");
    record.add_paths("files", &from.texts("file_path"));
    if let Some(session) = from.any_text(&["session_id", "thread_id"]) {
        record.add_source(&format!("session:{session}"));
    }
    for id in there.texts("related_ids") {
        record.add_link(Relation::Related, "related", &id);
    }
    record.add_rest(there.only(&["importance", "weight", "access_count", "source_type"]));
    record
}

fn read_concepts(lists: &Lists, file: &SourceFile, world: &World<'_>, source: &mut Source) {
    let memoirs: BTreeMap<String, String> = lists
        .get(&["memoirs"])
        .iter()
        .map(|memoir| (memoir.word("id"), memoir.word("name")))
        .collect();
    let key_of = |there: &Object| {
        let memoir = memoirs.get(&there.word("memoir_id")).cloned().unwrap_or_default();
        (format!("concept/{memoir}/{}", there.word("name")), memoir)
    };
    let concepts = lists.get(&["concepts"]);
    let keys: BTreeMap<String, String> =
        concepts.iter().map(|concept| (concept.word("id"), key_of(concept).0)).collect();
    let mut links: BTreeMap<String, Vec<&Object>> = BTreeMap::new();
    for link in lists.get(&["concept_links"]) {
        links.entry(link.word("source_id")).or_default().push(link);
    }
    for there in concepts {
        let (key, memoir) = key_of(there);
        let mut record = begin(key, Kind::Reference, there, file, world);
        record.set_title(&there.word("name"));
        record.set_main(&there.word("definition"), world.kinds);
        if !memoir.is_empty() {
            record.draft.set("domain", oldhand_core::yaml::Yaml::text(memoir));
        }
        let label = |label: &Object| format!("{}:{}", label.word("namespace"), label.word("value"));
        record.add_tags(there.objects("labels").iter().map(label));
        if let Some(confidence) = there.number("confidence") {
            record.set_confidence(confidence);
        }
        record.add_rest(there.only(&["revision"]));
        for from in there.texts("source_memory_ids") {
            record.add_link(Relation::Related, "source", &from);
        }
        for link in links.remove(&there.word("id")).unwrap_or_default() {
            let word = link.word("relation");
            let relation = match word.as_str() {
                "contradicts" => Relation::Conflicts,
                "superseded_by" => Relation::SupersededBy,
                _ => Relation::Related,
            };
            if let Some(to) = keys.get(&link.word("target_id")) {
                record.add_link(relation, &word, to);
            }
        }
        source.take(record);
    }
}

fn feedback(there: &Object, file: &SourceFile, world: &World<'_>) -> Foreign {
    let (context, corrected) = (there.word("context"), there.word("corrected"));
    let mut record =
        begin(format!("feedback/{}", there.word("id")), Kind::Lesson, there, file, world);
    record.set_title(&context);
    record.set_text("lesson_type", "agent_rule");
    record.set_text(
        "summary",
        format!("{context}: `{corrected}`, not `{}`", there.word("predicted")),
    );
    record.set_field("guidance", &there.word("reason"), world.kinds);
    record.add_tags(there.text("topic"));
    record.add_rest(there.only(&["source", "applied_count"]));
    record
}

/// The value that holds is the record; those that it replaced are its changes.
fn read_facts(facts: &[Object], file: &SourceFile, world: &World<'_>, source: &mut Source) {
    let mut by_name: BTreeMap<(String, String), Vec<&Object>> = BTreeMap::new();
    for fact in facts {
        by_name.entry((fact.word("entity"), fact.word("key"))).or_default().push(fact);
    }
    for ((entity, key), mut values) in by_name {
        values.sort_by_key(|fact| (fact.date("superseded_at").is_none(), fact.date("created_at")));
        let Some(last) = values.last() else { continue };
        let mut record = begin(format!("fact/{entity}/{key}"), Kind::Reference, last, file, world);
        record.hash = hash_of(
            json!(values.iter().map(|fact| fact.hash(VOLATILE)).collect::<Vec<_>>())
                .to_string()
                .as_bytes(),
        );
        record.set_title(&format!("{entity}: {key}"));
        record.set_main(&last.word("value"), world.kinds);
        record.set_dates(values[0].date("created_at"), last.date("created_at"), world.now);
        record.add_rest(last.only(&["source"]));
        let change = |pair: &[&Object]| {
            let at = pair[0].date("superseded_at").or_else(|| pair[1].date("created_at"));
            Change {
                date: at.map(format_instant).unwrap_or_default(),
                summary: "value changed there".to_owned(),
                field: Some("content.text".to_owned()),
                old_value: Some(pair[0].word("value")),
                new_value: Some(pair[1].word("value")),
            }
        };
        record.changes = values.windows(2).map(change).collect();
        source.take(record);
    }
}
