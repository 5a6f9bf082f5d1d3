//! The memory bank of Cline, Roo, Cursor and Kilo: a fixed set of pages in one folder.

use jiff::Timestamp;
use oldhand_core::content::FieldValue;
use oldhand_core::kind::Kind;
use oldhand_core::scope::Scope;
use oldhand_text::sentence;
use serde_json::json;

use super::{Format, Root};
use crate::World;
use crate::files::{Files, SourceFile};
use crate::guide;
use crate::page::{Page, outline};
use crate::record::{Foreign, Source};
use crate::{log, text, topic};

pub(super) const FORMAT: Format = Format { name: "memory-bank", find, read };

const PAGES: &str =
    "projectbrief productcontext activecontext systempatterns techcontext progress decisionlog";
/// The session is told by two pages that make one record, even when one of them is missing.
const SESSION: &str = "activeContext.md+progress.md";

/// The name of a page without its ending, as all its spellings have it.
fn stem(file: &SourceFile) -> String {
    file.name().trim_end_matches(".md").to_lowercase().replace(['-', '_', ' '], "")
}

fn find(files: &Files) -> Vec<Root> {
    let mut found: Vec<(&str, usize)> = Vec::new();
    for file in files.iter().filter(|file| file.path.ends_with(".md")) {
        let folder = file.folder();
        let is_named =
            folder.rsplit('/').next().is_some_and(|it| it.to_lowercase().contains("memory"));
        if is_named && oldhand_text::table::has(PAGES, &stem(file)) {
            match found.iter_mut().find(|(known, _)| *known == folder) {
                Some((_, count)) => *count += 1,
                None => found.push((folder, 1)),
            }
        }
    }
    let folders = found.iter().filter(|(_, count)| *count >= 2);
    folders
        .map(|(folder, _)| Root::of_folder(folder, files, |path| path.ends_with(".md")))
        .collect()
}

fn read(root: &Root, files: &Files, world: &World<'_>) -> Source {
    let mut source = Source::new("memory-bank", root);
    let mut session = Session::default();
    for file in root.files(files) {
        let key = root.relative(&file.path);
        let whole = source.text_of(file);
        let text = without_template(&whole);
        let page = Page { path: key, text: &text, scope: Scope::Project };
        match stem(file).as_str() {
            "readme" => source.skip(key, "about the folder"),
            "activecontext" | "progress" if !key.contains('/') => session.add(&page),
            // Its template's line dates the entries below it.
            "decisionlog" if log::read(&whole).entries.is_empty() => {
                source.take_all(guide::read(&page, world));
            }
            "decisionlog" => {
                source.take_all(log::read_page(&Page { text: &whole, ..page }, world));
            }
            "sessionlog" => read_sessions(&page, world, &mut source),
            stem if stem == "projectbrief" || stem.contains("plan") => {
                read_whole(&page, stem == "projectbrief", world, &mut source);
            }
            _ => source.take_all(guide::read(&page, world)),
        }
    }
    if let Some(record) = session.record(world) {
        source.take(record);
    }
    source
}

/// Lone marks and the line that dates the template say nothing.
fn without_template(text: &str) -> String {
    let is_said =
        |line: &&str| !line.contains("Log of updates made") && !matches!(line.trim(), "*" | "-");
    text.lines().filter(is_said).collect::<Vec<_>>().join("\n")
}

fn read_whole(page: &Page<'_>, is_evergreen: bool, world: &World<'_>, source: &mut Source) {
    let (heading, body) = text::titled(page.text);
    if let Some(why) = text::says_nothing(&body) {
        return source.skip(page.path, why);
    }
    let mut record = page.record(page.path, 1, page.text);
    record.set_title(&heading.map_or_else(|| text::guessed_title(&body), text::heading_title));
    record.set_main(&body, world.kinds);
    if is_evergreen {
        record.set_evergreen();
    }
    source.take(record);
}

/// Each dated entry is a session.
fn read_sessions(page: &Page<'_>, world: &World<'_>, source: &mut Source) {
    let log = log::read(page.text);
    if log.entries.is_empty() {
        return source.take_all(guide::read(page, world));
    }
    for entry in &log.entries {
        let mut record =
            page.record(&format!("{}#{}", page.path, entry.key), entry.line, &entry.raw);
        record.draft.kind = Some(Kind::SessionSummary);
        record.set_title(&entry.title);
        record.set_text("goal", entry.title.clone());
        record.set_dates(entry.date, entry.date, world.now);
        record.add_section("Notes", &entry.free, world.kinds);
        for (label, text) in &entry.fields {
            record.add_section(label, text, world.kinds);
        }
        source.take(record);
    }
    for other in &log.others {
        source.skip(format!("{}#{}", page.path, other.slug), other.why);
    }
}

/// The first row with a phrase of the heading names the field.
const FIELDS: &[(&str, &str)] = &[
    ("focus", "focus"),
    ("recent changes|recent updates", "key_changes"),
    ("open questions|questions", "open_questions"),
    ("completed|done|what works", "completed"),
    ("current tasks|in progress", "in_progress"),
    ("next|whats left|remaining", "next_actions"),
    ("blockers|blocked", "blockers"),
];

fn field_of(heading: &str) -> Option<&'static str> {
    let folded = sentence::folded(heading);
    let fits = |row: &&(&str, &str)| row.0.split('|').any(|it| folded.contains(&format!(" {it} ")));
    FIELDS.iter().find(fits).map(|row| row.1)
}

/// What both pages say, gathered by field.
#[derive(Default)]
struct Session {
    raw: String,
    newest: Option<Timestamp>,
    fields: Vec<(&'static str, Vec<String>)>,
    sections: Vec<(String, String)>,
    /// Titles of the pages that say more than their names.
    titles: Vec<String>,
}

impl Session {
    fn add(&mut self, page: &Page<'_>) {
        self.raw += page.text;
        let outline = outline(page.text);
        let title = outline.title.as_deref().map(text::heading_title);
        self.titles.extend(title.filter(|it| !log::is_name_of(page.path, it)));
        self.read_part("Notes", None, &outline.above);
        for section in &outline.sections {
            self.read_part(&section.heading, field_of(&section.heading), &section.text);
        }
    }

    /// The text of a section: its items, and lines `[time] - Label: text` with the bullets below them.
    fn read_part(&mut self, heading: &str, field: Option<&'static str>, text: &str) {
        let mut own: Vec<&str> = Vec::new();
        let mut timed: Vec<(&str, Vec<&str>)> = Vec::new();
        for line in text.lines() {
            let bare = sentence::without_item_mark(line.trim());
            if let Some((at, _)) = text::leading_date(bare) {
                self.newest = self.newest.max(Some(at));
            }
            let stamp = line.starts_with('[').then(|| text::leading_date(line)).flatten();
            match (stamp, timed.last_mut()) {
                (Some((_, said)), _) => timed.push((said, Vec::new())),
                (None, Some((_, below))) if sentence::item(line.trim_start()).is_some() => {
                    below.push(bare)
                }
                (None, _) => own.push(line),
            }
        }
        let own = own.join("\n");
        let is_plain =
            text::marked_lines(&own).all(|(line, plain)| plain && text::heading(line).is_none());
        match field {
            _ if text::says_nothing(&own).is_some() => {}
            Some(field) if is_plain => self.push(field, items(&own)),
            _ => self.sections.push((heading.to_owned(), own)),
        }
        for (said, below) in timed {
            let (label, rest) = said.split_once(": ").unwrap_or(("", said));
            let (field_of_label, words) = match field_of(label) {
                Some(named) => (Some(named), rest),
                None => (field, said),
            };
            let item = if below.is_empty() {
                words.to_owned()
            } else {
                format!("{words}: {}", below.join("; "))
            };
            match field_of_label {
                Some(field) => self.push(field, vec![item]),
                None => self.sections.push((heading.to_owned(), format!("- {item}"))),
            }
        }
    }

    fn push(&mut self, field: &'static str, items: Vec<String>) {
        match self.fields.iter_mut().find(|(known, _)| *known == field) {
            Some((_, known)) => known.extend(items),
            None => self.fields.push((field, items)),
        }
    }

    fn record(self, world: &World<'_>) -> Option<Foreign> {
        if self.fields.is_empty() && self.sections.is_empty() {
            return None;
        }
        let mut record = Foreign::new(SESSION, "activeContext.md", Kind::SessionSummary, &self.raw);
        record.set_title("Active context");
        record.set_dates(None, self.newest, world.now);
        let focus = self.fields.iter().find(|it| it.0 == "focus").and_then(|it| it.1.first());
        record
            .set_text("goal", focus.map_or("Active context", |it| it.lines().next().unwrap_or(it)));
        for (field, items) in self.fields {
            record.set_value(field, FieldValue::List(items));
        }
        record.set_rest("pages", json!(self.titles));
        for (heading, text) in &self.sections {
            record.add_section(heading, text, world.kinds);
        }
        Some(record)
    }
}

/// Items of a list; a paragraph beside it is one too.
fn items(text: &str) -> Vec<String> {
    let (items, others) = topic::items(text);
    let others = Some(others).filter(|it| text::says_nothing(it).is_none());
    others.into_iter().chain(items).filter(|it| text::says_nothing(it).is_none()).collect()
}
