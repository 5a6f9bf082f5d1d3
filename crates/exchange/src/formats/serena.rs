//! Serena's memories: plain Markdown by topic, one record per file.

use oldhand_core::kind::Kind;
use oldhand_core::yaml::{self, Yaml};

use super::{Format, Root, folders_named};
use crate::World;
use crate::files::{Files, SourceFile};
use crate::record::{Foreign, Relation, Source};
use crate::text;
use crate::topic::{self, Topic};

pub(super) const FORMAT: Format = Format { name: "serena", find, read };

fn find(files: &Files) -> Vec<Root> {
    let folders = folders_named(files, &[".serena/memories"]);
    folders
        .iter()
        .map(|folder| Root::of_folder(folder, files, |path| path.ends_with(".md")))
        .collect()
}

fn read(root: &Root, files: &Files, world: &World<'_>) -> Source {
    let mut source = Source::new("serena", root);
    let settings = root.path.strip_suffix("memories").map(|folder| format!("{folder}project.yml"));
    let patterns = settings.and_then(|path| files.get(&path)).map(ignored).unwrap_or_default();
    for file in root.files(files) {
        let name = root.relative(&file.path).trim_end_matches(".md");
        let Some(text) = source.record_text(file, name) else { continue };
        let (heading, body) = text::titled(&text);
        let why = match name {
            "memory_maintenance" => Some("the tool's own template"),
            _ if patterns.iter().any(|it| fits(it, name)) => Some("ignored there"),
            _ => text::says_nothing(&body),
        };
        if let Some(why) = why {
            source.skip(name, why);
            continue;
        }
        let mut record = Foreign::new(name, &file.path, Kind::Reference, &text);
        let title = heading.map_or_else(|| text::guessed_title(&body), text::heading_title);
        record.set_title(&title);
        record.add_alias(&format!("mem:{name}"));
        let own = name.rsplit('/').next().unwrap_or(name);
        let is_fixed = own.starts_with("suggested_commands") || own.starts_with("task_completion");
        let subject = heading.filter(|_| !is_fixed).and_then(topic::of_heading);
        let subject = subject.filter(|it| *it != Topic::Decisions).unwrap_or(Topic::Reference);
        topic::fill(&mut record, subject, &title, &body, world.kinds);
        if let Some((folder, _)) = name.rsplit_once('/') {
            record.draft.set("domain", Yaml::text(folder));
        }
        if name.starts_with("global/") || root.path.starts_with("~/") {
            record.make_personal();
        }
        for part in body.split("`mem:").skip(1) {
            let target = part.split(['`', '\n']).next().unwrap_or_default();
            record.add_link(Relation::Related, "mem", &format!("mem:{target}"));
        }
        source.take(record);
    }
    source
}

/// The patterns of memories that the tool does not show.
fn ignored(settings: &SourceFile) -> Vec<String> {
    let parsed = yaml::parse(&settings.text()).ok().flatten();
    parsed.as_ref().and_then(|it| it.get("ignored_memory_patterns")?.as_texts()).unwrap_or_default()
}

/// Whether a name fits a pattern of plain characters and `.*`, which is what people write.
fn fits(pattern: &str, name: &str) -> bool {
    let pattern = pattern.trim_start_matches('^').trim_end_matches('$').replace("\\.", ".");
    let mut parts = pattern.split(".*");
    let Some(mut rest) = parts.next().and_then(|first| name.strip_prefix(first)) else {
        return false;
    };
    let mut is_open = false;
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
        is_open = part.is_empty();
    }
    rest.is_empty() || is_open
}
