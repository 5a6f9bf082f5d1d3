//! The knowledge graph of the MCP memory server: a line for each entity and each relation.

use std::collections::{BTreeMap, BTreeSet};

use oldhand_core::codec::markdown::read_front;
use oldhand_core::kind::Kind;
use oldhand_core::kind::schema::{Place, Shape};
use oldhand_core::yaml::Yaml;
use oldhand_text::time::format_instant;
use serde_json::{Value, json};

use super::{Format, Root};
use crate::World;
use crate::files::{Content, Files, SourceFile};
use crate::json::Object;
use crate::record::{Foreign, Relation, Source};
use crate::{text, topic};

pub(super) const FORMAT: Format = Format { name: "server-memory", find, read };

fn find(files: &Files) -> Vec<Root> {
    files.iter().filter(|file| is_graph(file)).map(Root::of_file).collect()
}

fn is_graph(file: &SourceFile) -> bool {
    let Content::Bytes(bytes) = &file.content else { return false };
    let line = bytes.split(|byte| *byte == b'\n').find(|line| !line.trim_ascii().is_empty());
    let object = line.and_then(|line| crate::json::object(line).ok()).unwrap_or_default();
    match object.word("type").as_str() {
        "entity" => object.has("name") && object.has("observations"),
        "relation" => object.has("from") && object.has("to"),
        _ => false,
    }
}

#[derive(Default)]
struct Graph {
    /// With their lines.
    entities: Vec<(usize, Object)>,
    relations: BTreeMap<String, Vec<(String, String)>>,
}

fn read(root: &Root, files: &Files, world: &World<'_>) -> Source {
    let mut source = Source::new("server-memory", root);
    for file in root.files(files) {
        let text = source.text_of(file);
        let graph = graph(&text, &mut source);
        let names: BTreeSet<String> =
            graph.entities.iter().map(|(_, entity)| entity.word("name")).collect();
        let mut seen = BTreeSet::new();
        for (line, entity) in &graph.entities {
            let name = entity.word("name");
            let relations = graph.relations.get(&name).map_or(&[][..], Vec::as_slice);
            if name.is_empty() || !seen.insert(name.clone()) {
                source.skip(format!("line {line}"), "a name that is missing or stands twice");
            } else if entity.texts("observations").is_empty() && relations.is_empty() {
                source.skip(name, "says nothing");
            } else {
                let place = format!("{}:{line}", file.path);
                source.take(record(entity, place, relations, world));
            }
        }
        for from in graph.relations.keys().filter(|from| !names.contains(*from)) {
            source.notes.push(format!("relations of an entity that is not there: `{from}`"));
        }
    }
    source
}

fn graph(text: &str, source: &mut Source) -> Graph {
    let mut graph = Graph::default();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let place = format!("line {}", at + 1);
        let object = match crate::json::object(line.as_bytes()) {
            Ok(object) => object,
            Err(why) => {
                source.refuse(place, why);
                continue;
            }
        };
        match object.word("type").as_str() {
            "entity" => graph.entities.push((at + 1, object)),
            "relation" => {
                let relation = (object.word("relationType"), object.word("to"));
                graph.relations.entry(object.word("from")).or_default().push(relation);
            }
            other => source.skip(place, format!("unknown type `{other}`")),
        }
    }
    graph
}

fn record(
    entity: &Object,
    place: String,
    relations: &[(String, String)],
    world: &World<'_>,
) -> Foreign {
    let name = entity.word("name");
    let entity_type = entity.word("entityType");
    let observations = entity.texts("observations");
    let mut record = Foreign::new(&name, place, kind_of(&entity_type), "");
    let canonical = json!([entity.0, relations]);
    record.hash = crate::record::hash_of(canonical.to_string().as_bytes());
    record.add_alias(&name);
    record.set_rest("entityType", json!(entity_type));
    record.set_title(&name);
    for (word, to) in relations {
        let relation = if word == "supersedes" { Relation::Supersedes } else { Relation::Related };
        record.add_link(relation, word, to);
    }
    let is_ours = observations.first().is_some_and(|first| first.starts_with("title: "))
        && observations.iter().any(|said| said.starts_with("state: "));
    if is_ours {
        read_back(&mut record, &observations, world);
        return record;
    }
    record.add_tags([&entity_type]);
    if !relations.is_empty() {
        let each = relations.iter().map(|(word, to)| json!({"relationType": word, "to": to}));
        record.set_rest("relations", Value::Array(each.collect()));
    }
    fill(&mut record, &observations, relations, world);
    record
}

fn fill(
    record: &mut Foreign,
    observations: &[String],
    relations: &[(String, String)],
    world: &World<'_>,
) {
    let mut said = match observations {
        [one] if relations.is_empty() => one.clone(),
        all => all
            .iter()
            .map(|it| format!("- {}", it.replace('\n', "\n  ")))
            .collect::<Vec<_>>()
            .join("\n"),
    };
    let kind = record.kind();
    if !relations.is_empty() {
        let items: Vec<String> =
            relations.iter().map(|(word, to)| format!("- {word} {to}")).collect();
        if kind == Kind::Reference {
            said = format!("{said}\n\n### Relations\n{}", items.join("\n")).trim().to_owned();
        } else {
            record.add_section("Relations", &items.join("\n"), world.kinds);
        }
    }
    topic::fill_kind(record, kind, &said, world.kinds);
}

/// Types that are kinds of ours, also in the plural.
fn kind_of(entity_type: &str) -> Kind {
    let word = entity_type.to_lowercase();
    let kinds = [Kind::Decision, Kind::Preference, Kind::Lesson, Kind::Constraint, Kind::Runbook];
    let ours = [Kind::TechDebt, Kind::SessionSummary, Kind::Architecture, Kind::Reference];
    let is_it = |kind: &Kind| word.strip_suffix('s').unwrap_or(&word) == kind.as_str();
    kinds.into_iter().chain(ours).find(is_it).unwrap_or(Kind::Reference)
}

/// What our own export wrote: each observation has its label.
fn read_back(record: &mut Foreign, observations: &[String], world: &World<'_>) {
    record.draft.id =
        Some(record.key.clone()).filter(|key| oldhand_text::strings::slug(key) == *key);
    let spec = world.kinds.spec(&record.kind());
    let mut fields: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (label, said) in observations.iter().filter_map(|said| said.split_once(": ")) {
        match (label, text::date(said)) {
            ("title", _) => record.set_title(said),
            ("state", _) => record.set_rest("state", json!(said)),
            ("tags", _) => record.add_tags(text::comma_parts(said)),
            ("created", Some(at)) => record.set_dates(Some(at), None, world.now),
            ("updated", Some(at)) => record.set_dates(None, Some(at), world.now),
            ("review_after", Some(at)) => record.draft.set(label, Yaml::text(format_instant(at))),
            _ => fields.entry(label).or_default().push(said),
        }
    }
    for (label, said) in fields {
        let Some(field) = spec.field(label) else {
            record.add_section(label, &said.join("\n\n"), world.kinds);
            continue;
        };
        match field.shape {
            Shape::List | Shape::Steps | Shape::Alternatives => {
                let items: Vec<String> =
                    said.iter().map(|it| format!("- {}", it.replace('\n', "\n  "))).collect();
                record.set_field(label, &items.join("\n"), world.kinds);
            }
            _ if field.place == Place::Frontmatter => {
                match read_front(field, &Yaml::literal(said.join(" "))) {
                    Ok(value) => record.set_value(label, value),
                    Err(_) => record.set_rest(label, json!(said)),
                }
            }
            _ => record.set_field(label, &said.join("\n\n"), world.kinds),
        }
    }
}
