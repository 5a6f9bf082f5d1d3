//! basic-memory: notes with observations (`- [category] text #tag`) and relations (`- type [[Target]]`).

use oldhand_core::content::{Alternative, FieldValue};
use oldhand_core::kind::Kind;
use oldhand_text::strings::{normalise_body, slug};

use super::{Format, Root};
use crate::World;
use crate::files::{Files, SourceFile};
use crate::front::{self, Front};
use crate::page;
use crate::record::{Foreign, Relation, Source};
use crate::text::{self, marked_lines};
use crate::topic::{self, Steps};
use crate::{log, status};

pub(super) const FORMAT: Format = Format { name: "basic-memory", find, read };

const TAKEN: &[&str] = &["title", "type", "permalink", "tags", "created", "modified", "status"];

/// A permalink is the path of its note as slugs, below the project's name or not: so it tells the folder of
/// the project. Every note below that is one of it, with or without a permalink.
fn find(files: &Files) -> Vec<Root> {
    let mut roots: Vec<String> = files.iter().filter_map(project_folder).collect();
    roots.sort();
    roots.dedup();
    let all = roots.clone();
    let is_below =
        |one: &str, other: &str| one.strip_prefix(other).is_some_and(|rest| rest.starts_with('/'));
    roots.retain(|one| !all.iter().any(|other| is_below(one, other)));
    let root = |folder: &String| {
        let mut root = Root::of_folder(folder, files, |path| path.ends_with(".md"));
        // The top may be a repository with pages of its own.
        if folder.is_empty() {
            root.files.retain(|path| files.get(path).is_some_and(has_permalink));
        }
        root
    };
    roots.iter().map(root).collect()
}

fn has_permalink(file: &SourceFile) -> bool {
    project_folder(file).is_some()
}

fn project_folder(file: &SourceFile) -> Option<String> {
    let stem = file.path.strip_suffix(".md")?;
    let text = file.text();
    let (front, _) = front::split(&text);
    // Sites have permalinks too: addresses, with a slash before or behind.
    let permalink = front.text("permalink")?;
    let is_address =
        permalink.starts_with('/') || permalink.ends_with('/') || permalink.contains(':');
    if is_address || (front.text("type").is_none() && front.get("title").is_none()) {
        return None;
    }
    let mut path: Vec<&str> = stem.split('/').collect();
    let mut link: Vec<&str> = permalink.split('/').collect();
    while let (Some(name), Some(part)) = (path.last(), link.last()) {
        if slug(name) != slug(part) {
            break;
        }
        path.pop();
        link.pop();
    }
    // A note that was moved keeps its permalink: its own folder has to do.
    if path.len() == stem.split('/').count() {
        path.pop();
    }
    Some(path.join("/"))
}

fn read(root: &Root, files: &Files, world: &World<'_>) -> Source {
    let mut source = Source::new("basic-memory", root);
    for file in root.files(files) {
        let text = source.text_of(file);
        let (front, body) = front::split(&text);
        let path = root.relative(&file.path);
        if front.text("type") == Some("schema") {
            source.skip(path, "a schema of the tool");
        } else if text::says_nothing(body).is_some() {
            source.skip(path, "says nothing");
        } else {
            source.take(note(path, file, &front, body, world));
        }
    }
    source
}

fn note(path: &str, file: &SourceFile, front: &Front, body: &str, world: &World<'_>) -> Foreign {
    let key = front.text("permalink").unwrap_or(path);
    let kind = kind_of_type(front.text("type").unwrap_or_default(), body);
    let mut record = Foreign::new(key, &file.path, kind, &file.text());
    let (heading, text) = text::titled(body);
    let stem = file.name().trim_end_matches(".md");
    let titles = front.get("title").and_then(|title| title.as_texts()).unwrap_or_default();
    let title = titles.into_iter().find(|title| !title.trim().is_empty());
    record
        .set_title(&title.unwrap_or_else(|| heading.map_or(stem.to_owned(), text::heading_title)));
    if let Some(permalink) = front.text("permalink") {
        record.add_alias(permalink);
    }
    record.set_dates(front.date("created"), front.date("modified"), world.now);
    record.add_tags(front.texts("tags").into_iter().chain(hash_tags(&text)));
    record.add_rest(front.rest(TAKEN));
    for (word, to) in relations(&text) {
        let relation = if word == "supersedes" { Relation::Supersedes } else { Relation::Related };
        record.add_link(relation, &word, &to);
    }
    if let Some(word) = front.text("status") {
        if record.kind() == Kind::Decision {
            record.set_text("status", status::read(word).word);
        }
        record.set_rest("status", word.into());
    }
    fill(&mut record, &text, world);
    record
}

/// The kind of a note by the word for its type.
pub(super) fn kind_of_type(word: &str, body: &str) -> Kind {
    match word.to_lowercase().replace(['-', ' '], "_").as_str() {
        "decision" | "adr" => Kind::Decision,
        "lesson" | "gotcha" | "bug" | "bug_fix" | "bugfix" => Kind::Lesson,
        "runbook" | "guide" if Steps::read(body).is_some() => Kind::Runbook,
        "preference" | "convention" => Kind::Preference,
        "session" | "coding_session" => Kind::SessionSummary,
        _ => Kind::Reference,
    }
}

/// Which field an observation of this category belongs to.
fn field_of(kind: &Kind, category: &str) -> Option<&'static str> {
    let fields: &[(&str, &str)] = match kind {
        Kind::Decision => &[
            ("decision", "decision"),
            ("rationale", "rationale"),
            ("alternative", "alternatives"),
            ("consequence", "consequences"),
            ("context", "context"),
            ("constraint", "constraints"),
        ],
        Kind::Lesson => &[
            ("fact", "summary"),
            ("problem", "summary"),
            ("fix", "guidance"),
            ("rule", "guidance"),
        ],
        _ => &[],
    };
    fields.iter().find(|(there, _)| *there == category).map(|(_, field)| *field)
}

/// Observations go to their fields, prose above the first list is what it is about, the rest stays.
fn fill(record: &mut Foreign, body: &str, world: &World<'_>) {
    let kind = record.kind();
    if !matches!(kind, Kind::Decision | Kind::Lesson) {
        if kind == Kind::SessionSummary {
            let title = record.draft.title().unwrap_or_default().to_owned();
            record.set_text("goal", title);
            return record.add_section("Notes", body, world.kinds);
        }
        return topic::fill_kind(record, kind, body, world.kinds);
    }
    let outline = page::outline(body);
    let above = take_mapped(record, &outline.above, world);
    for section in &outline.sections {
        let left = take_mapped(record, &section.text, world);
        if !left.is_empty() {
            record.add_section(&section.heading, &left, world.kinds);
        }
    }
    let (prose, main) = match kind {
        Kind::Decision => ("context", "decision"),
        _ => ("summary", "summary"),
    };
    if !above.is_empty() {
        record.set_field(prose, &above, world.kinds);
    }
    if record.value(main).is_none() {
        let title = record.draft.title().unwrap_or_default().to_owned();
        record.set_text(main, title);
    }
    if kind == Kind::Lesson {
        record.set_text("lesson_type", oldhand_judge::guess::lesson_type(body).0);
    }
}

/// Takes the observations that have a field, and the relations that are links of ours; what is left.
fn take_mapped(record: &mut Foreign, text: &str, world: &World<'_>) -> String {
    let mut left = Vec::new();
    for (line, is_plain) in marked_lines(text) {
        let found = observation(line).filter(|_| is_plain);
        let field =
            found.and_then(|(category, said)| Some((field_of(&record.kind(), category)?, said)));
        match field {
            Some(("alternatives", said)) => {
                let mut all = match record.value("alternatives") {
                    Some(FieldValue::Alternatives(known)) => known.clone(),
                    _ => Vec::new(),
                };
                all.extend(log::alternatives(said).into_iter().take(1));
                if all.is_empty() {
                    all.push(Alternative::new(said, ""));
                }
                record.set_value("alternatives", FieldValue::Alternatives(all));
            }
            Some((field, said)) => record.set_field(field, said, world.kinds),
            None if is_plain && relation(line).is_some_and(|(word, _)| word == "supersedes") => {}
            None => left.push(line),
        }
    }
    normalise_body(&left.join("\n"))
}

/// `- [category] text`; a box to tick, a single mark and a time are none.
fn observation(line: &str) -> Option<(&str, &str)> {
    let item = line.strip_prefix("- ").or_else(|| line.strip_prefix("* "))?.trim();
    let (category, said) = item.strip_prefix('[')?.split_once(']')?;
    let is_time =
        category.contains(':') && category.chars().all(|c| c.is_ascii_digit() || c == ':');
    let fits = category.chars().count() > 1 && !is_time && !category.starts_with('[');
    let said = said.strip_prefix(' ')?.trim();
    (fits && !said.is_empty()).then_some((category.trim(), said))
}

/// The relation of an item, and what it leads to.
fn relation(line: &str) -> Option<(String, String)> {
    let item = line.trim_start();
    let item = item.strip_prefix("- ").or_else(|| item.strip_prefix("* "))?;
    let (word, rest) = item.split_once("[[")?;
    let (to, _) = rest.split_once("]]")?;
    let word = word.trim().trim_matches('"').trim();
    let is_word =
        !word.is_empty() && word.split_whitespace().count() <= 4 && !word.starts_with('[');
    let word = if is_word { word.to_lowercase().replace(' ', "_") } else { "links_to".to_owned() };
    Some((word, to.trim().to_owned()))
}

/// All that a text leads to: items by their words, prose with a link as `links_to`.
fn relations(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (line, _) in marked_lines(text).filter(|(_, is_plain)| *is_plain) {
        let first = relation(line);
        let skip = usize::from(first.is_some());
        found.extend(first);
        let links = line.split("[[").skip(1).filter_map(|part| part.split_once("]]"));
        found.extend(links.skip(skip).map(|(to, _)| ("links_to".to_owned(), to.trim().to_owned())));
    }
    found.retain(|(_, to)| !to.is_empty());
    found
}

/// Every `#tag` of the prose.
fn hash_tags(text: &str) -> Vec<String> {
    let mut tags = Vec::new();
    for (line, _) in marked_lines(text).filter(|(_, is_plain)| *is_plain) {
        let plain: Vec<&str> = line.split('`').step_by(2).collect();
        for word in plain.iter().flat_map(|part| part.split_whitespace()) {
            let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '/');
            let tag = word.strip_prefix('#').map(|tag| tag.trim_end_matches(|c| !is_part(c)));
            let fits = |tag: &&str| tag.chars().all(is_part) && tag.contains(char::is_alphabetic);
            tags.extend(tag.filter(fits).map(str::to_owned));
        }
    }
    tags
}
