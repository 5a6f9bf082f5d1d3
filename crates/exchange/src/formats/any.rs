//! A page that somebody named and no format knows: a log, a decision, or one record as it stands.

use oldhand_core::codec::sections;
use oldhand_core::kind::Kind;
use oldhand_core::scope::Scope;
use serde_json::json;

use super::{Format, Root, adr};
use crate::World;
use crate::files::{Files, SourceFile};
use crate::front::{self, Front};
use crate::managed::without_managed;
use crate::page::{Page, outline};
use crate::record::{Foreign, Source};
use crate::{log, text, topic};

pub(super) const FORMAT: Format = Format { name: "any", find, read };

/// So many entries make a page a log, and not a page with a date in one of its headings.
const LOG_ENTRIES_MIN: usize = 2;

fn find(files: &Files) -> Vec<Root> {
    let mut roots: Vec<Root> = Vec::new();
    for file in files.iter().filter(|file| is_page(&file.path)) {
        let path = Some(file.folder()).filter(|it| !it.is_empty()).unwrap_or(".");
        match roots.iter_mut().find(|root| root.path == path) {
            Some(root) => root.files.push(file.path.clone()),
            None => roots.push(Root { path: path.to_owned(), files: vec![file.path.clone()] }),
        }
    }
    roots
}

pub(super) fn is_page(path: &str) -> bool {
    [".md", ".markdown", ".mdc", ".txt"].iter().any(|ending| path.to_lowercase().ends_with(ending))
}

fn read(root: &Root, files: &Files, world: &World<'_>) -> Source {
    let mut source = Source::new("any", root);
    for file in root.files(files) {
        let key = file.name();
        let Some(text) = source.record_text(file, key) else { continue };
        if text.trim_start().starts_with("<!-- oldhand:view") {
            source.skip(key, "a view that oldhand wrote");
            continue;
        }
        let (text, managed) = without_managed(&text);
        for (name, slug) in managed {
            source.skip(format!("{key}#{slug}"), format!("managed by {name}"));
        }
        let (front, body) = front::split(&text);
        let page = Page { path: key, text: &text, scope: Scope::Project };
        if front.is_empty() && log::read(&text).entries.len() >= LOG_ENTRIES_MIN {
            source.take_all(log::read_page(&page, world));
        } else if front.text("type").is_none() && is_decision(body) {
            source.take(adr::record_of(key, file, &text, world, text::date));
        } else {
            match read_page(file, &front, body, world) {
                Ok(record) => source.take(record),
                Err(why) => source.skip(key, why),
            }
        }
    }
    source
}

/// A decision's headings make a decision: records of them have been written so since before there was
/// frontmatter.
fn is_decision(body: &str) -> bool {
    let outline = outline(body);
    let has = |names: &[&str]| {
        let is_one = |heading: &str| names.iter().any(|name| heading.eq_ignore_ascii_case(name));
        outline.sections.iter().any(|section| is_one(&section.heading))
    };
    has(&["Decision", "Decision Outcome"])
        && has(&["Context", "Context and Problem Statement", "Status", "Consequences"])
}

/// Keys that mean the same wherever they stand.
const TAKEN: &[&str] = &[
    "title",
    "description",
    "tags",
    "date",
    "created",
    "created_at",
    "updated",
    "updated_at",
    "modified",
];

fn read_page(
    file: &SourceFile,
    front: &Front,
    body: &str,
    world: &World<'_>,
) -> Result<Foreign, &'static str> {
    let (heading, plain) = text::titled(body);
    if let Some(why) = text::says_nothing(&plain) {
        return Err(why);
    }
    let raw = file.text();
    let mut record = Foreign::new(file.name(), &file.path, Kind::Reference, &raw);
    let title = front.text("title").map(str::to_owned).or_else(|| heading.map(text::heading_title));
    record.set_title(&title.unwrap_or_else(|| text::guessed_title(&plain)));
    record.set_description(front.text("description").unwrap_or_default());
    record.add_tags(front.texts("tags"));
    let date = |keys: &[&str]| keys.iter().find_map(|key| front.date(key));
    let updated = date(&["updated_at", "updated", "modified"]);
    record.set_dates(date(&["created_at", "created", "date"]), updated, world.now);
    record.add_rest(front.rest(TAKEN));
    record.add_rest(front.unread(&[
        "title",
        "description",
        "date",
        "created",
        "modified",
        "updated",
    ]));
    if let Some(heading) =
        heading.filter(|it| front.text("title").is_some_and(|title| title != *it))
    {
        record.set_rest("heading", json!(heading));
    }
    let kind = front.text("type").or_else(|| front.text("category"));
    match kind.map(Kind::named).filter(|kind| world.kinds.is_declared(kind)) {
        Some(Kind::Reference) | None if kind.is_some() => record.set_main(&plain, world.kinds),
        Some(kind) => fill_sections(&mut record, kind, &plain, front, world),
        None => {
            let guess = oldhand_judge::guess::kind(&plain, None);
            let is_short = outline(body).sections.is_empty() && guess.is_sure;
            let kind = if is_short { guess.kind } else { Kind::Reference };
            topic::fill_kind(&mut record, kind, &plain, world.kinds);
        }
    }
    Ok(record)
}

/// The sections of a page of a kind that we know are its fields.
fn fill_sections(record: &mut Foreign, kind: Kind, body: &str, front: &Front, world: &World<'_>) {
    let spec = world.kinds.spec(&kind);
    record.draft.kind = Some(kind.clone());
    for field in spec.fields.iter() {
        let is_front = field.place == oldhand_core::kind::schema::Place::Frontmatter;
        if let Some(word) = front.text(&field.name).filter(|_| is_front) {
            let fits = match &field.shape {
                oldhand_core::kind::schema::Shape::Choice(words) => words.contains(&word),
                oldhand_core::kind::schema::Shape::Text => true,
                _ => false,
            };
            if fits {
                record.set_value(&field.name, sections::read(&field.shape, word));
            }
        }
    }
    if kind == Kind::Decision
        && let Some(status) = front.text("status")
    {
        log::set_status(record, status);
    }
    let outline = outline(body);
    for section in &outline.sections {
        record.add_section(&section.heading, &section.text, world.kinds);
    }
    let main =
        oldhand_core::kind::schema::main_field(&spec.fields).map(|field| field.name.as_ref());
    let is_missing = main.is_some_and(|name| record.value(name).is_none());
    match (is_missing, outline.above.as_str()) {
        (true, "") => {
            let title = record.draft.title().unwrap_or_default().to_owned();
            record.set_main(&title, world.kinds);
        }
        (true, above) => topic::fill_kind(record, kind, above, world.kinds),
        (false, "") => {}
        (false, above) => record.add_section("Notes", above, world.kinds),
    }
}
