//! A page that is a log of decisions, wherever it lies, and that of Agent OS.

use oldhand_core::scope::Scope;

use super::{Format, Root};
use crate::World;
use crate::files::{Files, SourceFile};
use crate::guide;
use crate::log;
use crate::page::Page;
use crate::record::Source;

pub(super) const AGENT_OS: Format = Format {
    name: "agent-os",
    find: |files| roots(files, |file| file.path.ends_with(".agent-os/product/decisions.md")),
    read: |root, files, world| read("agent-os", root, files, world),
};

pub(super) const FORMAT: Format = Format {
    name: "decision-log",
    find: |files| roots(files, is_log),
    read: |root, files, world| read("decision-log", root, files, world),
};

fn is_log(file: &SourceFile) -> bool {
    let name = file.name().to_lowercase().replace(['-', '_'], "");
    let is_named =
        matches!(name.as_str(), "decisions.md" | "decisionlog.md" | "decisionsarchive.md");
    is_named && !log::read(&file.text()).entries.is_empty()
}

fn roots(files: &Files, fits: fn(&SourceFile) -> bool) -> Vec<Root> {
    files.iter().filter(|file| fits(file)).map(Root::of_file).collect()
}

fn read(format: &str, root: &Root, files: &Files, world: &World<'_>) -> Source {
    let mut source = Source::new(format, root);
    for file in root.files(files) {
        let text = source.text_of(file);
        if text.trim_start().starts_with("<!-- oldhand:view") {
            source.skip(&file.path, "a view that oldhand wrote");
            continue;
        }
        let page = Page { path: &file.path, text: &text, scope: Scope::Project };
        let has_entries = !log::read(&text).entries.is_empty();
        let read = if has_entries { log::read_page } else { guide::read };
        source.take_all(read(&page, world));
    }
    source
}
