//! Pages that every session of an agent reads: `CLAUDE.md`, `AGENTS.md`, `GEMINI.md`, Copilot's instructions.

use oldhand_core::scope::Scope;

use super::{Format, Root, rules};
use crate::World;
use crate::files::{Files, SourceFile};
use crate::guide;
use crate::page::Page;
use crate::record::Source;

pub(super) const CLAUDE_MD: Format = Format {
    name: "claude-md",
    find: |files| named(files, &["CLAUDE.md", "CLAUDE.local.md"]),
    read: |root, files, world| read("claude-md", root, files, world),
};

pub(super) const AGENTS_MD: Format = Format {
    name: "agents-md",
    find: |files| named(files, &["AGENTS.md"]),
    read: |root, files, world| read("agents-md", root, files, world),
};

pub(super) const GEMINI_MD: Format = Format {
    name: "gemini-md",
    find: |files| named(files, &["GEMINI.md"]),
    read: |root, files, world| read("gemini-md", root, files, world),
};

const COPILOT_PAGE: &str = "copilot-instructions.md";

pub(super) const COPILOT: Format = Format {
    name: "copilot",
    find: |files| [named(files, &[COPILOT_PAGE]), rules::find_copilot(files)].concat(),
    read: |root, files, world| match root.path.ends_with(COPILOT_PAGE) {
        true => read("copilot", root, files, world),
        false => rules::read_copilot(root, files, world),
    },
};

/// Each page is a source of its own.
fn named(files: &Files, names: &[&str]) -> Vec<Root> {
    files.iter().filter(|file| names.contains(&file.name())).map(Root::of_file).collect()
}

fn read(format: &str, root: &Root, files: &Files, world: &World<'_>) -> Source {
    let mut source = Source::new(format, root);
    for file in root.files(files) {
        let text = source.text_of(file);
        let page = Page { path: &file.path, text: &text, scope: scope_of(file) };
        source.take_all(guide::read(&page, world));
    }
    source
}

/// A nested page is about its folder, a page in the home or beside the shared one about its owner.
fn scope_of(file: &SourceFile) -> Scope {
    if file.path.starts_with("~/") || file.name() == "CLAUDE.local.md" {
        return Scope::Global;
    }
    let folder = file.folder();
    let own = [".claude", ".github", ".gemini"].iter().find_map(|tool| folder.strip_suffix(tool));
    component(own.unwrap_or(folder))
}

/// The scope of what lies in a folder; in the top one that of the project.
pub(super) fn component(folder: &str) -> Scope {
    match folder.trim_matches('/') {
        "" | "." => Scope::Project,
        folder => Scope::Component(folder.to_owned()),
    }
}
