//! Folders of rules: one record per file, with what its frontmatter says about where it applies.

use oldhand_core::scope::Scope;
use serde_json::json;

use super::instructions::component;
use super::{Format, Root, folders_named};
use crate::World;
use crate::files::{Files, SourceFile};
use crate::front;
use crate::managed::without_managed;
use crate::record::{Foreign, Source};
use crate::text;
use crate::topic::{self, Topic};

/// Where a tool keeps its rules.
struct Rules {
    name: &'static str,
    folders: &'static [&'static str],
    /// How the names of the files in the folders end.
    ending: &'static str,
    /// Single files, by name.
    files: &'static [&'static str],
}

const CLAUDE_RULES_: Rules =
    Rules { name: "claude-rules", folders: &[".claude/rules"], ending: ".md", files: &[] };
const COPILOT_: Rules = Rules {
    name: "copilot",
    folders: &[".github/instructions"],
    ending: ".instructions.md",
    files: &[],
};
const CURSOR_: Rules =
    Rules { name: "cursor", folders: &[".cursor/rules"], ending: ".mdc", files: &[".cursorrules"] };
const WINDSURF_: Rules = Rules {
    name: "windsurf",
    folders: &[".windsurf/rules", ".agent/rules", ".devin/rules"],
    ending: ".md",
    files: &[".windsurfrules"],
};
const KIRO_: Rules =
    Rules { name: "kiro", folders: &[".kiro/steering"], ending: ".md", files: &[] };
const CLINE_: Rules =
    Rules { name: "cline", folders: &[".clinerules"], ending: ".md", files: &[".clinerules"] };
const ROO_: Rules = Rules { name: "roo", folders: &[".roo"], ending: ".md", files: &[".roorules"] };

macro_rules! format_of {
    ($name:ident, $rules:ident) => {
        pub(super) const $name: Format = Format {
            name: $rules.name,
            find: |files| find(&$rules, files),
            read: |root, files, world| read(&$rules, root, files, world),
        };
    };
}
format_of!(CLAUDE_RULES, CLAUDE_RULES_);
format_of!(CURSOR, CURSOR_);
format_of!(WINDSURF, WINDSURF_);
format_of!(KIRO, KIRO_);
format_of!(CLINE, CLINE_);
format_of!(ROO, ROO_);

pub(super) fn find_copilot(files: &Files) -> Vec<Root> {
    find(&COPILOT_, files)
}

pub(super) fn read_copilot(root: &Root, files: &Files, world: &World<'_>) -> Source {
    read(&COPILOT_, root, files, world)
}

fn find(rules: &Rules, files: &Files) -> Vec<Root> {
    let is_rule = |path: &str| {
        path.ends_with(rules.ending) && (rules.name != "roo" || path.starts_with("rules"))
    };
    let folders = folders_named(files, rules.folders);
    let mut roots: Vec<Root> =
        folders.iter().map(|folder| Root::of_folder(folder, files, is_rule)).collect();
    let is_single = |file: &&SourceFile| {
        let name = file.name();
        let is_mode = rules.name == "roo" && name.starts_with(".roorules-");
        rules.files.contains(&name) || is_mode
    };
    roots.extend(files.iter().filter(is_single).map(Root::of_file));
    roots.retain(|root| !root.files.is_empty());
    roots
}

fn read(rules: &Rules, root: &Root, files: &Files, world: &World<'_>) -> Source {
    let mut source = Source::new(rules.name, root);
    for file in root.files(files) {
        let key = if root.path == file.path { &file.path } else { root.relative(&file.path) };
        let Some(text) = source.record_text(file, key) else { continue };
        let (body, managed) = without_managed(&text);
        for (name, slug) in managed {
            source.skip(format!("{key}#{slug}"), format!("managed by {name}"));
        }
        match read_rule(rules, key, file, &body, world) {
            Ok(mut record) => {
                place(rules, root, key, &mut record);
                source.take(record);
            }
            Err(why) => source.skip(key, why),
        }
    }
    source
}

/// A rule below a folder of the repository is about that folder, one of the home about its owner.
fn place(rules: &Rules, root: &Root, key: &str, record: &mut Foreign) {
    if root.path.starts_with("~/") {
        return record.make_personal();
    }
    let name = key.rsplit('/').next().unwrap_or(key);
    let mode =
        key.strip_prefix("rules-").and_then(|rest| rest.split_once('/')).map(|(mode, _)| mode);
    let mode = mode.or_else(|| name.strip_prefix(".roorules-")).filter(|_| rules.name == "roo");
    if let Some(mode) = mode {
        return record.set_scope(&Scope::Agent(mode.to_owned()));
    }
    let above = rules.folders.iter().chain(rules.files).find_map(|it| root.path.strip_suffix(it));
    if record.draft.get("scope").is_none() {
        record.set_scope(&component(above.unwrap_or_default()));
    }
}

/// Keys of patterns that are lists, whatever they are written as.
const PATTERNS: &[&str] = &["globs", "applyTo", "paths"];

fn read_rule(
    rules: &Rules,
    key: &str,
    file: &SourceFile,
    text: &str,
    world: &World<'_>,
) -> Result<Foreign, &'static str> {
    let (front, body) = front::split(text);
    let (heading, body) = text::titled(body);
    if let Some(why) = text::says_nothing(&body) {
        return Err(why);
    }
    let mut record = Foreign::new(key, &file.path, oldhand_core::kind::Kind::Preference, text);
    let description = front.text("description");
    let title = heading.map(text::heading_title).or_else(|| description.map(str::to_owned));
    let title = title.unwrap_or_else(|| text::guessed_title(&body));
    record.set_title(&title);
    let subject = heading.and_then(topic::of_heading).filter(|it| is_rules_subject(*it));
    let subject = subject.or_else(|| of_file(rules, file.name())).unwrap_or(Topic::Preference);
    topic::fill(&mut record, subject, &title, &body, world.kinds);
    record.add_rest(front.rest(&["description"]));
    record.set_description(description.unwrap_or_default());
    let mut patterns = front.texts("fileMatchPattern");
    for name in PATTERNS {
        let listed = front.texts(name);
        record.set_rest(name, json!(listed));
        patterns.extend(listed);
    }
    record.set_patterns(&patterns);
    let inclusion = front.text("inclusion");
    let is_always = front.text("trigger") == Some("always_on")
        || front.flag("alwaysApply") == Some(true)
        || inclusion == Some("always")
        || rules.name == "kiro" && inclusion.is_none();
    if is_always {
        record.set_evergreen();
    }
    Ok(record)
}

/// A rule about the API or the stack is a rule, not a map of them.
fn is_rules_subject(subject: Topic) -> bool {
    let is_map = |field: &str| field == "module_map";
    match subject {
        Topic::Architecture(field) => is_map(field),
        Topic::Decisions => false,
        _ => true,
    }
}

/// Kiro's own files.
fn of_file(rules: &Rules, name: &str) -> Option<Topic> {
    match name {
        "product.md" if rules.name == "kiro" => Some(Topic::Reference),
        "structure.md" if rules.name == "kiro" => Some(Topic::Architecture("module_map")),
        "tech.md" if rules.name == "kiro" => Some(Topic::Architecture("external_dependencies")),
        _ => None,
    }
}
