//! Open Knowledge Format, as Kage writes it, and the pages of `.agent-memory`.

use oldhand_core::kind::Kind;
use oldhand_core::scope::Scope;
use oldhand_core::yaml::Yaml;
use oldhand_text::strings::counted;
use oldhand_text::time::format_instant;

use super::basic_memory::kind_of_type;
use super::{Format, Root, sections};
use crate::World;
use crate::files::{Files, SourceFile};
use crate::front::{self, Front};
use crate::guide;
use crate::json;
use crate::log;
use crate::page::{self, Page, Read};
use crate::record::{Foreign, Source};
use crate::topic::{self, Topic};
use crate::{status, text};

pub(super) const FORMAT: Format = Format { name: "okf", find, read };
pub(super) const AGENT_MEMORY: Format =
    Format { name: "agent-memory", find: find_pages, read: read_pages };

const PACKETS: &str = ".agent_memory/packets";
/// What Kage keeps for itself.
const STATE: &str = "Kage state";
const STATE_MARK: &str = "```json kage-state";
const TAKEN: &[&str] = &[
    "title",
    "description",
    "resource",
    "tags",
    "timestamp",
    "sources",
    "stale_after",
    "x-kage-id",
    "x-kage-paths",
    "okf_version",
];

fn find(files: &Files) -> Vec<Root> {
    let mut folders: Vec<&str> =
        files.iter().filter(|file| is_knowledge(file)).map(SourceFile::folder).collect();
    folders.sort_unstable();
    folders.dedup();
    let all = folders.clone();
    let is_below = |one: &str, other: &str| {
        !other.is_empty() && one.strip_prefix(other).is_some_and(|rest| rest.starts_with('/'))
    };
    folders.retain(|one| !all.iter().any(|other| is_below(one, other)));
    let root = |folder: &&str| {
        let mut root = Root::of_folder(folder, files, |path| path.ends_with(".md"));
        root.files.retain(|path| files.get(path).is_some_and(is_knowledge));
        root
    };
    folders.iter().map(root).collect()
}

fn is_knowledge(file: &SourceFile) -> bool {
    if !file.path.ends_with(".md") {
        return false;
    }
    let text = file.text();
    let (front, _) = front::split(&text);
    let is_marked = front.get("timestamp").is_some() || front.get("generated").is_some();
    let is_packet = file.folder() == PACKETS || file.folder().ends_with(&format!("/{PACKETS}"));
    front.get("okf_version").is_some() || front.text("type").is_some() && (is_marked || is_packet)
}

fn read(root: &Root, files: &Files, world: &World<'_>) -> Source {
    let mut source = Source::new("okf", root);
    let mut states = 0;
    for file in root.files(files) {
        let text = source.text_of(file);
        let (front, body) = front::split(&text);
        let path = root.relative(&file.path);
        match front.text("type") {
            Some(word) => {
                states += usize::from(body.contains(STATE_MARK));
                source.take(packet(path, word, file, &front, body, world));
            }
            None => source.skip(path, "derived"),
        }
    }
    if states > 0 {
        let count = counted(states, "packet", "packets");
        source.skip("#kage-state", format!("the tool's own state, of {count}"));
    }
    source
}

#[expect(clippy::too_many_arguments, reason = "a file and its parts")]
fn packet(
    path: &str,
    word: &str,
    file: &SourceFile,
    front: &Front,
    body: &str,
    world: &World<'_>,
) -> Foreign {
    let kind = kind_of_type(word, body);
    let key = front.text("x-kage-id").unwrap_or(path);
    let mut record = Foreign::new(key, &file.path, kind.clone(), &file.text());
    let (heading, body) = text::titled(body);
    let title = front.text("title").map(str::to_owned);
    let title = title.or_else(|| heading.map(text::heading_title));
    record.set_title(&title.unwrap_or_else(|| text::guessed_title(&body)));
    record.set_description(front.text("description").unwrap_or_default());
    record.add_tags(front.texts("tags"));
    let paths = [front.texts("x-kage-paths"), front.texts("resource")].concat();
    let (files, addresses): (Vec<String>, Vec<String>) =
        paths.into_iter().partition(|path| !path.contains(':'));
    record.add_paths("paths", &sorted(files));
    for address in addresses.iter().chain(&resources(front)) {
        record.add_source(address);
    }
    record.set_dates(front.date("timestamp"), None, world.now);
    if let Some(at) = front.date("stale_after") {
        record.draft.set("review_after", Yaml::text(format_instant(at)));
    }
    record.add_rest(front.rest(TAKEN));
    // What else it says of a source than where that is.
    if let Some(Yaml::List(items)) = front.get("sources")
        && items.iter().any(|item| matches!(item, Yaml::Map(parts) if parts.len() > 1))
    {
        record.set_rest("sources", Yaml::List(items.clone()).to_json());
    }
    let outline = page::outline(&body);
    let main = match outline.sections.iter().position(|section| section.heading == STATE) {
        Some(at) => {
            take_state(&mut record, &outline.sections[at].text);
            let lines = body.lines().take(outline.sections[at].line - 1);
            let after = outline.sections.get(at + 1).map_or(usize::MAX, |next| next.line - 1);
            lines.chain(body.lines().skip(after)).collect::<Vec<_>>().join("\n")
        }
        None => body,
    };
    let main = without_echo(&main, front.text("description").unwrap_or_default());
    if let Some(word) = front.text("x-kage-status").filter(|_| kind == Kind::Decision) {
        record.set_text("status", status::read(word).word);
    }
    fill(&mut record, kind, main, world);
    record
}

/// Kage writes the description again as a quote above the text.
fn without_echo<'t>(body: &'t str, description: &str) -> &'t str {
    let body = body.trim_start();
    let first = body.lines().next().unwrap_or_default();
    let quote = first.strip_prefix("> ").map(|it| it.trim_end_matches(['…', '.', ' ']));
    let is_echo = quote.is_some_and(|it| !it.is_empty() && description.starts_with(it));
    if is_echo { body[first.len()..].trim_start() } else { body }
}

fn fill(record: &mut Foreign, kind: Kind, body: &str, world: &World<'_>) {
    if matches!(kind, Kind::Reference | Kind::Runbook) {
        return topic::fill_kind(record, kind, body, world.kinds);
    }
    let outline = page::outline(body);
    if kind == Kind::SessionSummary {
        let title = record.draft.title().unwrap_or_default().to_owned();
        record.set_text("goal", title);
        record.add_section("Notes", &outline.above, world.kinds);
    } else if !outline.above.is_empty() {
        topic::fill_kind(record, kind, &outline.above, world.kinds);
    }
    for section in &outline.sections {
        record.add_section(&section.heading, &section.text, world.kinds);
    }
}

fn sorted(mut paths: Vec<String>) -> Vec<String> {
    paths.sort();
    paths.dedup();
    paths
}

fn resources(front: &Front) -> Vec<String> {
    let Some(Yaml::List(items)) = front.get("sources") else { return front.texts("sources") };
    let one = |item: &Yaml| item.text_at("resource").or_else(|| item.as_text()).map(str::to_owned);
    items.iter().filter_map(one).collect()
}

/// Its confidence is ours too; the rest of what the tool keeps for itself is dropped.
fn take_state(record: &mut Foreign, text: &str) {
    let inner = text.split_once(STATE_MARK).and_then(|(_, rest)| rest.split_once("```"));
    let state =
        inner.and_then(|(inner, _)| json::object(inner.as_bytes()).ok()).unwrap_or_default();
    if let Some(confidence) = state.number("confidence") {
        record.set_confidence(confidence);
    }
}

fn find_pages(files: &Files) -> Vec<Root> {
    let folder = |file: &SourceFile| {
        let (before, _) = file.path.split_once(".agent-memory/")?;
        let fits = (before.is_empty() || before.ends_with('/')) && file.path.ends_with(".md");
        fits.then(|| format!("{before}.agent-memory"))
    };
    let mut folders: Vec<String> = files.iter().filter_map(folder).collect();
    folders.dedup();
    folders.iter().map(|it| Root::of_folder(it, files, |path| path.ends_with(".md"))).collect()
}

fn read_pages(root: &Root, files: &Files, world: &World<'_>) -> Source {
    let mut source = Source::new("agent-memory", root);
    for file in root.files(files) {
        let text = source.text_of(file);
        let (_, body) = front::split(&text);
        let path = root.relative(&file.path);
        let page = Page { path, text: body, scope: Scope::Project };
        match path {
            "index.md" | "README.md" => source.skip(path, "derived"),
            "conventions.md" => source.take_all(sections::alike(&page, Topic::Preference, world)),
            "decisions.md" => source.take_all(decisions(&page, world)),
            "pitfalls.md" => source.take_all(pitfalls(&page, world)),
            _ if path.starts_with("modules/") => {
                source.take_all(sections::alike(&page, Topic::Reference, world));
            }
            _ => source.take_all(guide::read(&page, world)),
        }
    }
    source
}

/// Sections with an id are decisions by their labels.
fn decisions(page: &Page<'_>, world: &World<'_>) -> Read {
    let mut read = log::read_page(page, world);
    for record in &mut read.records {
        record.key = record.key.split_once('#').map_or("", |(_, id)| id).to_owned();
    }
    read
}

fn pitfalls(page: &Page<'_>, world: &World<'_>) -> Read {
    let mut read = Read::default();
    let log = log::read(page.text);
    let about = text::titled(&log.above).1;
    if text::says_nothing(&about).is_none() {
        read.skip(format!("{}#", page.path), format!("about the page: {about}"));
    }
    for entry in &log.entries {
        let mut record = page.record(&entry.key, entry.line, &entry.raw);
        record.set_title(&entry.title);
        record.set_dates(entry.date, None, world.now);
        entry.id.iter().for_each(|id| record.add_alias(id));
        record.set_text("lesson_type", "failure_lesson");
        let said = if entry.free.is_empty() { &entry.title } else { &entry.free };
        topic::fill_kind(&mut record, Kind::Lesson, said, world.kinds);
        for (label, text) in &entry.fields {
            record.add_section(label, text, world.kinds);
        }
        read.records.push(record);
    }
    for other in log.others {
        read.skip(format!("{}#{}", page.path, other.slug), other.why);
    }
    read
}
