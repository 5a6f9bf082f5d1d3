//! The agent playbook: a log of decisions, a page of architecture, a manifest, and small files of memory.

use oldhand_core::kind::Kind;
use oldhand_core::scope::Scope;
use oldhand_core::views::ARCHITECTURE_PARTS;
use oldhand_core::yaml::{self, Yaml};
use serde_json::json;

use super::{Format, Root, gaai::keep_state, sections};
use crate::World;
use crate::files::{Files, SourceFile};
use crate::front::{self, Front};
use crate::log;
use crate::page::{Page, outline};
use crate::record::{Foreign, Source};
use crate::text;

pub(super) const FORMAT: Format = Format { name: "playbook", find, read };

const LOG: &str = "DECISIONS.md";
const ARCHIVE: &str = "DECISIONS_ARCHIVE.md";
const ARCHITECTURE: &str = "ARCHITECTURE.md";
const MANIFEST: &str = "project/project-manifest.md";
const BUDGET: &str = "prompt-budget.yml";
/// How many of the five headings make a page of architecture ours.
const HEADINGS_MIN: usize = 2;
/// Another heading for one of the parts.
const ALSO: (&str, &str) = ("External service dependencies", "external_dependencies");

fn find(files: &Files) -> Vec<Root> {
    let is_log = |file: &SourceFile| {
        log::read(&file.text())
            .entries
            .iter()
            .any(|entry| entry.date.is_some() && entry.id.is_none())
    };
    let is_playbook = files.get(LOG).is_some_and(is_log) || files.get(MANIFEST).is_some();
    let ours: Vec<String> = files
        .iter()
        .filter(|file| match file.path.as_str() {
            LOG | ARCHIVE | ARCHITECTURE | MANIFEST | BUDGET => is_playbook,
            path => path.ends_with(".md") && is_memory(&front::split(&file.text()).0),
        })
        .map(|file| file.path.clone())
        .collect();
    let root = Root { path: ".".to_owned(), files: ours };
    if root.files.is_empty() { Vec::new() } else { vec![root] }
}

fn is_memory(front: &Front) -> bool {
    let is_type = |it: &str| matches!(it, "feedback" | "project" | "reference" | "user");
    front.text("name").is_some()
        && front.text("scope").is_some()
        && front.text("type").is_some_and(is_type)
}

fn read(root: &Root, files: &Files, world: &World<'_>) -> Source {
    let mut source = Source::new("playbook", root);
    for file in root.files(files) {
        let text = source.text_of(file);
        match file.path.as_str() {
            LOG | ARCHIVE => read_log(file, &text, world, &mut source),
            ARCHITECTURE => read_architecture(file, &text, world, &mut source),
            MANIFEST => read_manifest(file, &text, world, &mut source),
            BUDGET => source.settings.extend(settings(&text)),
            _ => source.take(memory(file, &text, world)),
        }
    }
    source
}

fn read_log(file: &SourceFile, text: &str, world: &World<'_>, source: &mut Source) {
    if text.trim_start().starts_with("<!-- oldhand:view") {
        return source.skip(&*file.path, "a view that oldhand wrote");
    }
    let page = Page { path: &file.path, text, scope: Scope::Project };
    let mut read = log::read_page(&page, world);
    for record in &mut read.records {
        let day = record.key.split_once('#').and_then(|(_, key)| key.split_once(':'));
        if let (Some((day, _)), Some(title)) = (day, record.draft.title()) {
            record.add_alias(&format!("{day}: {title}"));
        }
        keep_state(record);
    }
    source.take_all(read);
}

fn read_architecture(file: &SourceFile, text: &str, world: &World<'_>, source: &mut Source) {
    let field = |heading: &str| {
        let (title, mut parts) =
            (text::heading_title(heading), ARCHITECTURE_PARTS.iter().chain([&ALSO]));
        parts.find(|(there, _)| there.eq_ignore_ascii_case(&title)).map(|(_, field)| *field)
    };
    let outline = outline(text);
    if outline.sections.iter().filter(|it| field(&it.heading).is_some()).count() < HEADINGS_MIN {
        let known = "it has not two of the headings that the playbook gives it";
        source.notes.push(format!("{} is left alone: {known}", file.path));
        return source.skip(&*file.path, "no page of the playbook");
    }
    let mut record = Foreign::new(&file.path, &file.path, Kind::Architecture, text);
    record.set_title(&outline.title_or("Architecture"));
    if text::says_nothing(&outline.above).is_none() {
        record.add_section("Overview", &outline.above, world.kinds);
    }
    for section in outline.sections.iter().filter(|it| text::says_nothing(&it.text).is_none()) {
        match field(&section.heading) {
            Some(name) => record.set_field(name, &section.text, world.kinds),
            None => record.add_section(&section.heading, &section.text, world.kinds),
        }
    }
    source.take(record);
}

fn read_manifest(file: &SourceFile, text: &str, world: &World<'_>, source: &mut Source) {
    let text: Vec<&str> = text.split('\n').collect();
    let text: Vec<String> = text.into_iter().map(without_number).collect();
    let page = Page { path: &file.path, text: &text.join("\n"), scope: Scope::Project };
    source.take_all(sections::manifest(&page, world));
}

/// `- Constraint 1: No network` is `- No network`.
fn without_number(line: &str) -> String {
    let bare = || {
        let (mark, rest) = line.split_once("Constraint ")?;
        let is_mark = matches!(mark.trim(), "-" | "*" | "+");
        let (number, rule) = rest.split_once(':')?;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        (is_mark && is_number).then(|| format!("{mark}{}", rule.trim_start()))
    };
    bare().unwrap_or_else(|| line.to_owned())
}

fn memory(file: &SourceFile, text: &str, world: &World<'_>) -> Foreign {
    let (front, body) = front::split(text);
    let audience = front.text("type").unwrap_or("reference");
    let is_preference = matches!(audience, "feedback" | "user");
    let kind = if is_preference { Kind::Preference } else { Kind::Reference };
    let mut record = Foreign::new(&file.path, &file.path, kind.clone(), text);
    record.set_title(front.text("name").unwrap_or_default());
    record.set_description(front.text("description").unwrap_or_default());
    record.set_audience(audience);
    crate::topic::fill_kind(&mut record, kind, body, world.kinds);
    match front.text("scope").map(|scope| (Scope::parse(scope), scope)) {
        Some((Ok(Scope::Global), _)) => record.make_personal(),
        Some((Ok(scope), _)) => record.set_scope(&scope),
        Some((Err(_), words)) => record.set_rest("scope", json!(words)),
        None => {}
    }
    record.add_rest(front.rest(&["name", "description", "type", "scope"]));
    record
}

/// Its settings that are ours too.
fn settings(text: &str) -> Vec<String> {
    let Ok(Some(top)) = yaml::parse(text) else { return Vec::new() };
    let known = [
        ("decision_log", "policy", "decisions.policy"),
        ("trimming", "relevance_half_life_days", "trimming.relevance_half_life_days"),
    ];
    let command = |(group, key, here): &(&str, &str, &str)| {
        let value = top.get(group)?.get(key).and_then(Yaml::as_text)?;
        let value = oldhand_text::strings::typed(value);
        Some(format!("oldhand config set {here} {value}"))
    };
    known.iter().filter_map(command).collect()
}
