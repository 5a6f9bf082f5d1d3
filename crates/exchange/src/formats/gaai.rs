//! GAAI: decisions in files of their own and in logs, and pages about the project beside them.

use std::collections::{BTreeMap, BTreeSet};

use oldhand_core::codec::fields;
use oldhand_core::kind::Kind;
use oldhand_core::memory::Memory;
use oldhand_core::scope::Scope;
use oldhand_core::state::State;
use oldhand_core::yaml::Yaml;
use oldhand_text::time::format_instant;
use serde_json::json;

use super::{Format, Root, sections};
use crate::World;
use crate::files::{Files, SourceFile};
use crate::front::{self, Front};
use crate::log::{self, Entry};
use crate::page::{Page, Read, outline};
use crate::record::{Ending, Foreign, Relation, Source};
use crate::text;
use crate::topic::Topic;

pub(super) const FORMAT: Format = Format { name: "gaai", find, read };

const MEMORY: &str = "contexts/memory/";
const INDEX: &str = "contexts/memory/index.md";
/// The keys of a decision that have a home here. The others are its rest.
const TAKEN: &[&str] = &[
    "id",
    "title",
    "status",
    "created_at",
    "last_updated_at",
    "updated_at",
    "supersedes",
    "superseded_by",
    "related_to",
    "tags",
    "domain",
    "level",
    "refresh_tier",
    "verified_at",
    "last_verified_at",
    "verified_against_commit_sha",
    "depends_on",
    "archived_at",
    "archived_to",
    "type",
    "category",
];

/// Its index says so, or the tool's own folder.
fn find(files: &Files) -> Vec<Root> {
    let folder = |file: &SourceFile| {
        let (before, _) = file.path.split_once(MEMORY)?;
        let is_own = before.split('/').any(|part| part == ".gaai");
        let is_index = || {
            file.path.strip_prefix(before) == Some(INDEX)
                && front::split(&file.text()).0.text("type") == Some("memory_index")
        };
        let is_whole = before.is_empty() || before.ends_with('/');
        (is_whole && (is_own || is_index()))
            .then(|| format!("{before}{}", MEMORY.trim_end_matches('/')))
    };
    let folders: BTreeSet<String> = files.iter().filter_map(folder).collect();
    folders.iter().map(|it| Root::of_folder(it, files, |path| path.ends_with(".md"))).collect()
}

/// Which of two that have the same id is told: the file of a decision, then a log, then an archive.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    File,
    Log,
    Archive,
}

type Ranked = (Rank, String, Foreign);

fn read(root: &Root, files: &Files, world: &World<'_>) -> Source {
    let mut source = Source::new("gaai", root);
    let mut decisions: Vec<Ranked> = Vec::new();
    for file in root.files(files) {
        let key = root.relative(&file.path);
        let name = file.name();
        if key == "index.md" {
            source.skip(key, "derived");
        } else if name.starts_with("_template") || name.ends_with(".example.md") {
            source.skip(key, "template");
        } else {
            let text = source.text_of(file);
            let (front, body) = front::split(&text);
            read_file(&Paper { key, file, front, body }, world, &mut source, &mut decisions);
        }
    }
    decisions.sort_by_key(|(rank, ..)| *rank);
    let mut known: BTreeMap<String, Rank> = BTreeMap::new();
    for (rank, file, record) in decisions {
        match known.get(&record.key) {
            Some(Rank::File) => {
                let why = format!("the file of {} wins", record.key);
                source.skip(format!("{file}#{}", record.key), why);
            }
            Some(_) => {
                let why = format!("{} stands in another log", record.key);
                source.skip(format!("{file}#{}", record.key), why);
            }
            None => {
                known.insert(record.key.clone(), rank);
                source.take(record);
            }
        }
    }
    source
}

/// One page of it.
struct Paper<'a> {
    key: &'a str,
    file: &'a SourceFile,
    front: Front,
    body: &'a str,
}

impl Paper<'_> {
    fn page(&self) -> Page<'_> {
        let (path, text) = (self.key, self.body);
        Page { path, text, scope: Scope::Project }
    }
}

fn read_file(
    paper: &Paper<'_>,
    world: &World<'_>,
    source: &mut Source,
    decisions: &mut Vec<Ranked>,
) {
    let (folder, name) = paper.key.split_once('/').unwrap_or(("", paper.key));
    let is_decision = paper.file.name().starts_with("DEC-")
        || paper.front.text("id").is_some_and(|id| id.starts_with("DEC-"));
    let page = Page { path: paper.key, text: paper.body, scope: Scope::Project };
    let mut read = match folder {
        "archive" => return read_log(paper, Rank::Archive, world, source, decisions),
        _ if is_decision => {
            let record = decision(paper, world);
            return decisions.push((Rank::File, paper.key.to_owned(), record));
        }
        "decisions" => return read_log(paper, Rank::Log, world, source, decisions),
        "project" => {
            let mut read = sections::manifest(&page, world);
            let references = read.records.iter_mut().filter(|it| it.kind() == Kind::Reference);
            references.for_each(Foreign::set_evergreen);
            read
        }
        "patterns" => sections::alike(&page, Topic::Preference, world),
        "architecture" => whole(paper, Kind::Architecture, world),
        "sessions" => whole(paper, Kind::SessionSummary, world),
        _ => whole(paper, Kind::Reference, world),
    };
    for record in &mut read.records {
        let (created, updated) = (paper.front.date("created_at"), paper.front.date("updated_at"));
        record.set_dates(created, updated, world.now);
        record.add_tags(paper.front.texts("tags"));
        let taken = &["type", "category", "created_at", "updated_at", "tags"];
        record.add_rest(paper.front.rest(taken));
        match folder {
            "summaries" => {
                record.add_tags(["digest"]);
                let reason = "an index of decisions".to_owned();
                record.ending = Some(Ending { state: State::Archived, at: updated, reason });
            }
            "domains" => {
                let domain = name.split_once('/').map_or(folder, |(domain, _)| domain);
                record.draft.set("domain", Yaml::text(domain));
            }
            "ops" | "contacts" => record.draft.set("domain", Yaml::text(folder)),
            _ => {}
        }
    }
    source.take_all(read);
}

/// A page that is one record.
fn whole(paper: &Paper<'_>, kind: Kind, world: &World<'_>) -> Read {
    let mut read = Read::default();
    if let Some(why) = text::says_nothing(paper.body) {
        read.skip(paper.key, why);
        return read;
    }
    let (heading, body) = text::titled(paper.body);
    let mut record = Foreign::new(paper.key, &paper.file.path, kind.clone(), paper.body);
    let title = paper.front.text("title").or(heading);
    let title = title.map_or_else(|| text::guessed_title(&body), text::heading_title);
    record.set_title(&title);
    match kind {
        Kind::SessionSummary => {
            record.set_text("outcome", "partial");
            record.set_text("goal", title);
            record.add_section("Notes", &body, world.kinds);
        }
        Kind::Architecture => {
            let outline = outline(&body);
            record.set_main(&outline.above, world.kinds);
            for section in &outline.sections {
                record.add_section(&section.heading, &section.text, world.kinds);
            }
        }
        _ => record.set_main(&body, world.kinds),
    }
    read.records.push(record);
    read
}

fn read_log(
    paper: &Paper<'_>,
    rank: Rank,
    world: &World<'_>,
    source: &mut Source,
    decisions: &mut Vec<Ranked>,
) {
    let mut read = log::read_page(&paper.page(), world);
    for mut record in read.records.drain(..) {
        // Ids are unique in the whole project, not only in their page.
        record.key = record.key.split_once('#').map_or("", |(_, id)| id).to_owned();
        if rank == Rank::Archive && record.ending.is_none() {
            let at = paper.front.date("created_at");
            let reason = "archived in GAAI".to_owned();
            record.ending = Some(Ending { state: State::Archived, at, reason });
        }
        let page = paper.front.rest(&["type", "created_at", "updated_at"]);
        if !page.is_empty() {
            record.set_rest("log", json!(page));
        }
        keep_state(&mut record);
        decisions.push((rank, paper.key.to_owned(), record));
    }
    let templates = read.skipped.iter_mut().filter(|it| it.source.ends_with("template"));
    templates.for_each(|it| it.reason = "template".to_owned());
    source.take_all(read);
}

/// What was active there is stable where somebody keeps its state.
pub(super) fn keep_state(record: &mut Foreign) {
    use oldhand_core::content::FieldValue;
    let is_accepted = record.value("status") == Some(&FieldValue::text("accepted"));
    if is_accepted && record.ending.is_none() {
        record.kept_state = Some(State::Stable);
    }
}

/// The file of a decision: its frontmatter, and its sections as the fields of an entry.
fn decision(paper: &Paper<'_>, world: &World<'_>) -> Foreign {
    let front = &paper.front;
    let outline = outline(paper.body);
    let id = front.text("id").unwrap_or(paper.file.name().trim_end_matches(".md")).to_owned();
    let title = front.text("title").map(str::to_owned);
    let title = title.or_else(|| outline.title.as_deref().map(text::heading_title));
    let mut fields: Vec<(String, String)> =
        outline.sections.into_iter().map(|section| (section.heading, section.text)).collect();
    for (key, label) in [("status", "Status"), ("supersedes", "Supersedes")] {
        fields.push((label.to_owned(), front.texts(key).join(", ")));
    }
    let entry = Entry {
        title: title.unwrap_or_else(|| id.clone()),
        id: Some(id.clone()),
        free: outline.above,
        fields,
        raw: paper.body.to_owned(),
        ..Entry::default()
    };
    let whole = String::from_utf8_lossy(paper.file.bytes());
    let mut record = Foreign::new(&id, &paper.file.path, Kind::Decision, &whole);
    log::fill(&mut record, &entry, world);
    add_front(&mut record, front, world);
    keep_state(&mut record);
    record
}

fn add_front(record: &mut Foreign, front: &Front, world: &World<'_>) {
    record.add_rest(front.rest(TAKEN));
    for successor in front.texts("superseded_by").iter().filter(|id| !is_null(id)) {
        record.add_link(Relation::SupersededBy, "superseded_by", successor);
    }
    record.links.retain(|link| !is_null(&link.to));
    for other in front.texts("related_to").iter().filter(|id| !is_null(id)) {
        record.add_link(Relation::Related, "related_to", other);
    }
    record.add_tags(front.texts("tags"));
    let updated = front.date("last_updated_at").or_else(|| front.date("updated_at"));
    record.set_dates(front.date("created_at"), updated, world.now);
    for (there, here) in [
        ("domain", "domain"),
        ("level", "level"),
        ("refresh_tier", "refresh_tier"),
        ("verified_against_commit_sha", "verified_commit"),
    ] {
        if let Some(value) = front.get(there).filter(|it| !it.is_null()) {
            set_checked(record, here, value);
        }
    }
    let verified = front.date("verified_at").or_else(|| front.date("last_verified_at"));
    if let Some(at) = verified {
        record.draft.set("verified_at", Yaml::text(format_instant(at)));
    }
    let depends = front.below("depends_on");
    if !depends.is_empty() {
        let lists = ["code_paths", "decisions"].map(|key| (key, Yaml::list(&depends.texts(key))));
        record.draft.set("depends_on", Yaml::map(lists));
        record.add_rest(depends.rest(&["code_paths", "decisions"]));
    }
    if let Some(to) = front.text("archived_to").or(front.text("archived_at")) {
        let reason = match front.text("archived_to") {
            Some(to) => format!("moved to {to}"),
            None => "archived in GAAI".to_owned(),
        };
        record.set_rest("archived_to", json!(to));
        let at = front.date("archived_at");
        record.ending = Some(Ending { state: State::Archived, at, reason });
    }
}

fn is_null(text: &str) -> bool {
    matches!(text.trim(), "null" | "~" | "none" | "None" | "")
}

/// A value that our own key accepts; any other stays in the rest.
fn set_checked(record: &mut Foreign, key: &str, value: &Yaml) {
    let fits = fields::find(key).is_some_and(|it| (it.set)(&mut Memory::default(), value).is_ok());
    match fits {
        true => record.draft.set(key, value.clone()),
        false => record.set_rest(key, value.to_json()),
    }
}
