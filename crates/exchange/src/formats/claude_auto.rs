//! Claude Code's own memory, and agents that copy it: `MEMORY.md` as an index, a file per topic beside it.

use std::collections::BTreeMap;

use oldhand_core::kind::Kind;
use oldhand_core::scope::Scope;
use oldhand_text::strings::normalise_body;

use super::{Format, Root};
use crate::World;
use crate::files::{Files, SourceFile};
use crate::front;
use crate::guide;
use crate::page::Page;
use crate::record::{Foreign, Relation, Source};
use crate::{text, topic};

pub(super) const FORMAT: Format = Format { name: "claude-auto", find, read };

/// Folders that are known by their place.
const PLACES: &[&str] = &[".claude/memory", ".agents/memory"];
const PARENTS: &[&str] = &[".claude/agent-memory", ".claude/agent-memory-local"];

fn find(files: &Files) -> Vec<Root> {
    let mut roots = Vec::new();
    for index in files.iter().filter(|file| file.name() == "MEMORY.md") {
        let folder = index.folder();
        let is_topic = |path: &str| path.ends_with(".md") && !path.contains('/');
        let root = Root::of_folder(folder, files, is_topic);
        let at = |names: &[&str], path: &str| {
            names.iter().any(|name| path == *name || path.ends_with(&format!("/{name}")))
        };
        let parent = folder.rsplit_once('/').map_or("", |(parent, _)| parent);
        let is_placed = at(PLACES, folder)
            || at(PARENTS, parent)
            || folder.starts_with("~/.claude/projects/")
            || folder.starts_with("~/.gemini/tmp/");
        if is_placed || names_files(&index.text(), &root) && !has_other_owner(index, &root) {
            roots.push(root);
        }
    }
    roots
}

/// One of its lines names a file that is there.
fn names_files(index: &str, root: &Root) -> bool {
    index
        .lines()
        .filter_map(entry)
        .any(|(_, file, _)| root.files.iter().any(|path| root.relative(path) == file))
}

/// Codex and OpenClaw keep a `MEMORY.md` too.
fn has_other_owner(index: &SourceFile, root: &Root) -> bool {
    let is_beside = |name: &str| root.files.iter().any(|path| root.relative(path) == name);
    index.text().contains("# Task Group:") || is_beside("SOUL.md") || is_beside("memory_summary.md")
}

/// `- [label](file.md) — hook`
fn entry(line: &str) -> Option<(&str, &str, &str)> {
    let rest = line.trim_start().strip_prefix(['-', '*'])?.trim_start().strip_prefix('[')?;
    let (label, rest) = rest.split_once("](")?;
    let (file, hook) = rest.split_once(')')?;
    let hook = hook.trim_start_matches([' ', '-', '–', '—', ':']);
    let file = file.trim().trim_start_matches("./");
    (file.ends_with(".md") && !file.contains("://")).then_some((label.trim(), file, hook.trim()))
}

fn read(root: &Root, files: &Files, world: &World<'_>) -> Source {
    let mut source = Source::new("claude-auto", root);
    let mut hooks: BTreeMap<String, (String, String)> = BTreeMap::new();
    let is_index = |file: &&SourceFile| file.name() == "MEMORY.md";
    let index = root.files(files).find(is_index);
    if let Some(index) = index {
        let text = source.text_of(index);
        let is_there = |name: &str| root.files(files).any(|file| root.relative(&file.path) == name);
        let mut others = Vec::new();
        for line in text.lines() {
            match entry(line) {
                Some((label, file, hook)) if is_there(file) => {
                    hooks.insert(file.to_owned(), (label.to_owned(), hook.to_owned()));
                }
                Some((label, file, hook)) => {
                    source.skip(
                        format!("MEMORY.md#{file}"),
                        format!("its file is missing: {label} {hook}"),
                    );
                    source.notes.push(format!("MEMORY.md names {file}, which is missing"));
                }
                None => others.push(line),
            }
        }
        let text = others.join("\n");
        let scope = scope_of(root);
        let page = Page { path: "MEMORY.md", text: &text, scope };
        source.take_all(guide::read(&page, world));
    }
    for file in root.files(files).filter(|file| !is_index(file)) {
        let key = root.relative(&file.path);
        let Some(text) = source.record_text(file, key) else { continue };
        match read_topic(key, file, &text, hooks.get(key), world) {
            Ok(mut record) => {
                if record.draft.get("scope").is_none() {
                    record.set_scope(&scope_of(root));
                }
                source.take(record);
            }
            Err(why) => source.skip(key, why),
        }
    }
    source
}

/// The memory of one agent is for that agent.
fn scope_of(root: &Root) -> Scope {
    let (parent, name) = root.path.rsplit_once('/').unwrap_or(("", &root.path));
    let is_agents = PARENTS.iter().any(|it| parent == *it || parent.ends_with(&format!("/{it}")));
    if is_agents { Scope::Agent(name.to_owned()) } else { Scope::Project }
}

fn read_topic(
    key: &str,
    file: &SourceFile,
    text: &str,
    indexed: Option<&(String, String)>,
    world: &World<'_>,
) -> Result<Foreign, &'static str> {
    let (front, body) = front::split(text);
    let (heading, body) = text::titled(body);
    let (name, description) = (front.text("name"), front.text("description"));
    if let Some(why) = text::says_nothing(&body).filter(|_| description.is_none()) {
        return Err(why);
    }
    let nested = front.below("metadata");
    let prefix = key.split(['_', '-']).next().unwrap_or_default();
    let audience = front.text("type").or_else(|| nested.text("type")).unwrap_or(prefix);
    let audience = Some(audience.to_lowercase())
        .filter(|it| matches!(it.as_str(), "user" | "feedback" | "project" | "reference"));
    let is_preference = matches!(audience.as_deref(), Some("user" | "feedback"));
    let kind = if is_preference { Kind::Preference } else { Kind::Reference };
    let mut record = Foreign::new(key, &file.path, kind.clone(), text);
    let label = indexed.map(|(label, _)| label.as_str());
    let spoken = name.filter(|it| it.contains(' '));
    let heading_title = heading.map(text::heading_title);
    let title = label.or(spoken).or(heading_title.as_deref()).or(description);
    record.set_title(&title.map_or_else(|| text::guessed_title(&body), str::to_owned));
    record.set_description(description.or(indexed.map(|it| it.1.as_str())).unwrap_or_default());
    if let Some(name) = name {
        record.add_alias(name);
    }
    match &heading_title {
        Some(it) if record.draft.title() != Some(it) => {
            record.set_rest("heading", it.as_str().into())
        }
        _ => {}
    }
    let hook = indexed.map(|it| it.1.as_str()).filter(|it| description.is_some() && !it.is_empty());
    record.set_rest("hook", hook.into());
    let body = if body.is_empty() { description.unwrap_or_default() } else { &body };
    if is_preference {
        fill_reasoned(&mut record, body, world)
    } else {
        topic::fill_kind(&mut record, kind, body, world.kinds)
    }
    record.add_rest(front.rest(&["name", "description", "metadata", "modified", "type"]));
    record.add_rest(nested.rest(&["type", "originSessionId", "modified", "node_type"]));
    let modified = nested.date("modified").or_else(|| front.date("modified"));
    record.set_dates(None, modified, world.now);
    for session in
        [nested.text("originSessionId"), front.text("originSessionId")].into_iter().flatten()
    {
        record.add_source(&format!("session:{session}"));
    }
    for link in body.split("[[").skip(1).filter_map(|it| it.split_once("]]")) {
        record.add_link(Relation::Related, "[[]]", link.0);
    }
    if let Some(audience) = audience {
        record.set_audience(&audience);
        if audience == "user" {
            record.make_personal();
        }
    }
    Ok(record)
}

/// A preference says why and how to apply it behind labels.
fn fill_reasoned(record: &mut Foreign, body: &str, world: &World<'_>) {
    let labels = [("**Why:**", "reason"), ("**How to apply:**", "How to apply")];
    let mut parts: Vec<(&str, Vec<&str>)> = vec![("value", Vec::new())];
    for (line, is_plain) in text::marked_lines(body) {
        let label =
            labels.iter().find_map(|(label, field)| Some((line.strip_prefix(label)?, *field)));
        match label.filter(|_| is_plain) {
            Some((rest, field)) => parts.push((field, vec![rest.trim_start()])),
            None => parts.last_mut().into_iter().for_each(|part| part.1.push(line)),
        }
    }
    for (field, lines) in parts {
        let text = normalise_body(&lines.join("\n"));
        match field {
            _ if text.is_empty() => {}
            "value" => topic::fill_kind(record, Kind::Preference, &text, world.kinds),
            "reason" => record.set_field("reason", &text, world.kinds),
            heading => record.add_section(heading, &text, world.kinds),
        }
    }
    if record.value("value").is_none() {
        let title = record.draft.title().unwrap_or_default().to_owned();
        topic::fill_kind(record, Kind::Preference, &title, world.kinds);
    }
}
