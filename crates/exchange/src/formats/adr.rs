//! Records of architecture decisions: Nygard's and adr-tools', MADR 2 to 4, log4brains.

mod options;

use jiff::Timestamp;
use oldhand_core::content::FieldValue;
use oldhand_core::kind::Kind;
use oldhand_core::scope::Scope;
use oldhand_text::sentence;
use oldhand_text::strings::{normalise_body, normalise_line};
use serde_json::{Value, json};

use super::instructions::component;
use super::{Format, Root, folders_named};
use crate::World;
use crate::files::{Files, SourceFile};
use crate::front;
use crate::log::{self, set_status};
use crate::page::{Section, outline};
use crate::record::{Foreign, Relation, Source};
use crate::{status, text};

pub(super) const FORMAT: Format = Format { name: "adr", find, read };

const FOLDERS: &[&str] = &[
    "doc/adr",
    "docs/adr",
    "docs/adrs",
    "docs/decisions",
    "doc/decisions",
    "architecture/decisions",
    "architecture/adr",
    "adr",
    "adrs",
];
const LOG4BRAINS: &str = ".log4brains.yml";

fn find(files: &Files) -> Vec<Root> {
    let mut folders = folders_named(files, FOLDERS);
    for file in files.iter() {
        let named = match file.name() {
            ".adr-dir" => file.text().lines().map(str::to_owned).collect(),
            LOG4BRAINS => log4brains_folders(&file.text()),
            _ => Vec::new(),
        };
        let own = file.folder();
        let below = named.iter().map(|it| it.trim().trim_start_matches("./").trim_end_matches('/'));
        folders.extend(below.filter(|it| !it.is_empty()).map(|it| match own {
            "" => it.to_owned(),
            own => format!("{own}/{it}"),
        }));
    }
    folders.sort();
    folders.dedup();
    let root = |folder: &String| {
        let root =
            Root::of_folder(folder, files, |path| number_of(path).is_some() || is_other(path));
        root.files.iter().any(|path| number_of(root.relative(path)).is_some()).then_some(root)
    };
    folders.iter().filter_map(root).collect()
}

/// `adrFolder` of the project and of its packages.
fn log4brains_folders(text: &str) -> Vec<String> {
    let keys = text
        .lines()
        .filter_map(|line| line.trim().trim_start_matches("- ").strip_prefix("adrFolder:"));
    keys.map(|it| it.trim().trim_matches(['"', '\'']).to_owned()).collect()
}

/// The number of `0004-slug.md` or `adr-0004-slug.md`; empty for `20260301-slug.md`.
fn number_of(path: &str) -> Option<&str> {
    let stem = path.strip_suffix(".md").filter(|it| !it.contains('/'))?;
    let bare =
        stem.get(..4).filter(|it| it.eq_ignore_ascii_case("adr-")).map_or(stem, |_| &stem[4..]);
    let digits = bare.len() - bare.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let is_marked = bare[digits..].is_empty() || bare[digits..].starts_with(['-', '_', ' ', '.']);
    match digits {
        2..=5 if is_marked => Some(&bare[..digits]),
        8 if is_marked => Some(""),
        _ => None,
    }
}

/// Pages about the folder, which are told and not read.
fn is_other(path: &str) -> bool {
    let name = path.to_lowercase();
    let is_template = ["template", "adr-template"].iter().any(|it| name.starts_with(it));
    name.ends_with(".md")
        && !name.contains('/')
        && (is_template || matches!(name.as_str(), "index.md" | "readme.md"))
}

fn read(root: &Root, files: &Files, world: &World<'_>) -> Source {
    let mut source = Source::new("adr", root);
    let is_log4brains = files.iter().any(|file| file.name() == LOG4BRAINS);
    let date = if is_log4brains { text::date_day_first } else { text::date };
    let above = FOLDERS.iter().find_map(|it| root.path.strip_suffix(it)).unwrap_or_default();
    let is_whole = above.is_empty() || above.ends_with('/');
    let scope = if is_whole { component(above) } else { Scope::Project };
    let scope = if matches!(above, "docs/" | "doc/") { Scope::Project } else { scope };
    for file in root.files(files) {
        let key = root.relative(&file.path);
        if is_other(key) {
            let is_template = key.to_lowercase().contains("template");
            source.skip(key, if is_template { "template" } else { "about the folder" });
            continue;
        }
        let Some(text) = source.record_text(file, key) else { continue };
        let mut record = record_of(key, file, &text, world, date);
        record.set_scope(&scope);
        let stem = key.trim_end_matches(".md");
        if let Some(number) = number_of(key).filter(|it| !it.is_empty()) {
            let bare = number.trim_start_matches('0');
            record.add_alias(&format!("ADR-{}", if bare.is_empty() { "0" } else { bare }));
            record.add_alias(&format!("ADR-{number}"));
        }
        record.add_alias(stem);
        source.take(record);
    }
    source
}

type ReadDate = fn(&str) -> Option<Timestamp>;

/// One decision, as any page with a decision's headings has it.
pub(super) fn record_of(
    key: &str,
    file: &SourceFile,
    text: &str,
    world: &World<'_>,
    date: ReadDate,
) -> Foreign {
    let mut record = Foreign::new(key, &file.path, Kind::Decision, text);
    let (front, body) = front::split(text);
    let outline = outline(body);
    let title = front.text("title").or(outline.title.as_deref()).map(without_number);
    record.set_title(&title.unwrap_or_else(|| text::guessed_title(body)));
    record.add_rest(front.rest(&["title", "status", "date", "tags"]));
    record.add_rest(front.unread(&["title", "status", "date"]));
    record.set_dates(front.text("date").and_then(date), None, world.now);
    record.add_tags(front.texts("tags"));
    if let Some(status) = front.text("status") {
        set_status(&mut record, status);
    }
    let above = read_above(&mut record, &outline.above, date, world);
    if !above.is_empty() {
        record.add_section("Introduction", &above, world.kinds);
    }
    for section in &outline.sections {
        read_section(&mut record, section, date, world);
    }
    options::settle(&mut record, &outline.sections);
    if record.value("status").is_none() {
        record.set_text("status", "accepted");
    }
    if record.value("decision").is_none() {
        let title = record.draft.title().unwrap_or_default().to_owned();
        record.set_text("decision", title);
    }
    record
}

/// `3. Title`, `ADR-3: Title`, `ADR 0003 - Title`.
fn without_number(heading: &str) -> String {
    let title = text::heading_title(heading);
    let rest = title
        .get(..3)
        .filter(|it| it.eq_ignore_ascii_case("adr"))
        .map(|_| title[3..].trim_start_matches(['-', ' ', '_', '#']));
    let rest = rest.unwrap_or(&title);
    let bare = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let behind = bare.trim_start_matches([':', '.', '-', '–', '—', ' ', ')']);
    let is_number =
        bare.len() < rest.len() && behind.len() < bare.len() && sentence::has_words(behind);
    let is_marked =
        rest.len() < title.len() || bare.starts_with([':', '.', ')']) || bare.starts_with(" -");
    if is_number && is_marked { behind.to_owned() } else { title }
}

/// Lines above the first section that are keys; what is left of the text.
fn read_above(record: &mut Foreign, above: &str, date: ReadDate, world: &World<'_>) -> String {
    let mut left = Vec::new();
    for line in above.lines() {
        let bare = line.trim_start_matches(['*', '-', ' ']).replace("**", "");
        let Some((key, value)) =
            bare.split_once(':').map(|(key, value)| (key.trim(), value.trim()))
        else {
            left.push(line);
            continue;
        };
        match sentence::folded(key).trim() {
            "date" => match date(value) {
                Some(at) => record.set_dates(Some(at), None, world.now),
                None => record.set_rest("date", json!(value)),
            },
            "status" => set_status(record, value),
            "tags" => record.add_tags(text::comma_parts(value)),
            name @ ("deciders" | "decision makers" | "consulted" | "informed") => {
                record.set_rest(&name.replace(' ', "-"), json!(text::comma_parts(value)));
            }
            "technical story" => record.set_rest("technical_story", json!(value)),
            _ => left.push(line),
        }
    }
    normalise_body(&left.join("\n"))
}

fn read_section(record: &mut Foreign, section: &Section, date: ReadDate, world: &World<'_>) {
    let kinds = world.kinds;
    match sentence::folded(&section.heading).trim() {
        "status" => read_status(record, &section.text),
        "date" => match date(&section.text) {
            Some(at) => record.set_dates(Some(at), None, world.now),
            None => record.add_section("Date", &section.text, kinds),
        },
        "decision" | "decision outcome" => read_outcome(record, &section.text, world),
        "consequences" | "positive consequences" | "negative consequences" => {
            record.add_value("consequences", FieldValue::List(log::list(&section.text)));
        }
        "decision drivers" | "rationale" | "justification" => {
            record.add_value("rationale", FieldValue::List(log::list(&section.text)));
        }
        "alternatives" | "alternatives considered" => {
            record.set_value(
                "alternatives",
                FieldValue::Alternatives(log::alternatives(&section.text)),
            );
        }
        // Its options are told with what speaks against them, see `options`.
        "considered options" | "options considered" | "options" => {}
        name => {
            if name == "links" || name == "related" {
                section.text.lines().for_each(|line| add_line_link(record, line));
            }
            record.add_section(&section.heading, &section.text, kinds);
        }
    }
}

/// The outcome up to its first heading is the decision; below are consequences and sections.
fn read_outcome(record: &mut Foreign, text: &str, world: &World<'_>) {
    let mut parts: Vec<(Option<&str>, Vec<&str>)> = vec![(None, Vec::new())];
    for (line, is_plain) in text::marked_lines(text) {
        match text::heading(line).filter(|_| is_plain) {
            Some((3, words)) => parts.push((Some(words), Vec::new())),
            _ => parts.last_mut().into_iter().for_each(|part| part.1.push(line)),
        }
    }
    for (heading, lines) in parts {
        let body = normalise_body(&lines.join("\n"));
        match heading {
            _ if body.is_empty() => {}
            None => record.set_field("decision", &body, world.kinds),
            Some(it) if sentence::folded(it).contains(" consequences ") => {
                record.add_value("consequences", FieldValue::List(log::list(&body)));
            }
            Some(it) => record.add_section(it, &body, world.kinds),
        }
    }
}

/// The first line is the word, further lines lead to other records.
fn read_status(record: &mut Foreign, text: &str) {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).peekable();
    let Some(first) = lines.peek().copied() else { return };
    if status::begins(first) || status::link_target(first).is_none() {
        set_status(record, first);
        lines.next();
    }
    let mut others = Vec::new();
    for line in lines {
        match status::link_target(line) {
            Some(_) => add_line_link(record, line),
            None => others.push(json!(line)),
        }
    }
    record.set_rest("status_notes", Value::Array(others));
}

/// `Supersedes [2. Use MySQL](0002-use-mysql.md)`: a word and where it leads.
fn add_line_link(record: &mut Foreign, line: &str) {
    let line = sentence::without_item_mark(line.trim());
    let Some((word, _)) = line.split_once('[') else { return };
    let Some(target) = status::link_target(line).filter(|it| !it.contains("://")) else { return };
    let (word, target) = (normalise_line(word), target.trim_start_matches("./"));
    let folded = sentence::folded(&word);
    let relation = match folded.trim() {
        "supersedes" | "supercedes" | "replaces" => Relation::Supersedes,
        "superseded by" | "superceded by" | "replaced by" => Relation::SupersededBy,
        _ => Relation::Related,
    };
    record.add_link(relation, &word, target);
    if relation == Relation::Related {
        let mut links =
            record.rest.get("links").and_then(Value::as_array).cloned().unwrap_or_default();
        links.push(json!({"type": word, "to": target}));
        record.set_rest("links", Value::Array(links));
    }
}
