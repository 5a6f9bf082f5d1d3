//! The formats in the order in which they look at the files: a file belongs to the first that takes it.

mod adr;
mod any;
mod basic_memory;
mod beads;
mod claude_auto;
mod claude_mem;
mod claude_memory;
mod codex;
mod decision_log;
mod engram;
mod gaai;
mod geas;
mod icm;
mod instructions;
mod letta;
mod mcp_memory_service;
mod mem0;
mod memory_bank;
mod mempalace;
mod okf;
mod openclaw;
mod playbook;
mod rules;
mod sections;
mod serena;
mod server_memory;

use std::collections::BTreeSet;

use crate::World;
use crate::files::Files;
use crate::record::Source;

pub struct Format {
    pub name: &'static str,
    /// Its roots among these files.
    pub find: fn(&Files) -> Vec<Root>,
    /// What the files of a root say.
    read: fn(&Root, &Files, &World<'_>) -> Source,
}

/// A place that belongs to a format: a folder or a file, and the files of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    pub path: String,
    pub files: Vec<String>,
}

impl Format {
    /// What a root says. A record without a day of its own has that of its file.
    pub fn read(&self, root: &Root, files: &Files, world: &World<'_>) -> Source {
        let mut source = (self.read)(root, files, world);
        for record in source.records.iter_mut().filter(|it| it.created_at.is_none()) {
            let place = record.place.as_str();
            let bare = place.rsplit_once(':').map_or(place, |(path, _)| path);
            let below = [place, bare].map(|path| format!("{}/{path}", root.path));
            let below = below.iter().map(String::as_str);
            let file = [place, bare].into_iter().chain(below).find_map(|path| files.get(path));
            record.created_at = file.and_then(|file| file.dated);
        }
        source
    }
}

pub static FORMATS: &[Format] = &[
    gaai::FORMAT,
    playbook::FORMAT,
    geas::FORMAT,
    claude_memory::FORMAT,
    claude_auto::FORMAT,
    codex::FORMAT,
    openclaw::FORMAT,
    serena::FORMAT,
    memory_bank::FORMAT,
    okf::FORMAT,
    okf::AGENT_MEMORY,
    basic_memory::FORMAT,
    adr::FORMAT,
    instructions::CLAUDE_MD,
    instructions::AGENTS_MD,
    instructions::GEMINI_MD,
    instructions::COPILOT,
    rules::CLAUDE_RULES,
    rules::CURSOR,
    rules::WINDSURF,
    rules::KIRO,
    rules::CLINE,
    rules::ROO,
    decision_log::AGENT_OS,
    decision_log::FORMAT,
    beads::FORMAT,
    server_memory::FORMAT,
    claude_mem::FORMAT,
    mcp_memory_service::FORMAT,
    icm::FORMAT,
    engram::FORMAT,
    mem0::FORMAT,
    letta::FORMAT,
    mempalace::FORMAT,
    ANY,
];

/// Takes every page that is left, so it looks only at what somebody named.
const ANY: Format = any::FORMAT;

/// Everything that is found among these files. With a name, only that format looks.
pub fn find(files: &Files, only: Option<&str>) -> Vec<(&'static Format, Root)> {
    let looks = |format: &&Format| only.map_or(format.name != ANY.name, |name| name == format.name);
    find_by(files, FORMATS.iter().filter(looks))
}

/// The places that somebody named, read as this format wherever they are. What it finds in one of them by
/// itself goes before.
pub fn find_as(files: &Files, only: &str, named: &[String]) -> Vec<(&'static Format, Root)> {
    let mut found = find(files, Some(only));
    let Some(format) = FORMATS.iter().find(|format| format.name == only) else { return found };
    let meets = |one: &str, other: &str| {
        one.is_empty() || one == other || other.starts_with(&format!("{one}/"))
    };
    for label in named {
        let is_found = |(_, root): &(_, Root)| {
            let path = if root.path == "." { "" } else { &root.path };
            meets(label, path) || meets(path, label)
        };
        if found.iter().any(is_found) {
            continue;
        }
        let takes_all = oldhand_text::table::has(DATA, only);
        let root = match files.get(label) {
            Some(file) => Root::of_file(file),
            None => Root::of_folder(label, files, |path| takes_all || any::is_page(path)),
        };
        found.extend((!root.files.is_empty()).then_some((format, root)));
    }
    found
}

/// The formats whose records are not in pages.
const DATA: &str =
    "beads claude-mem claude-memory engram geas icm letta mcp-memory-service mem0 server-memory";

/// The same for files that somebody named: pages that no format knows are taken too.
pub fn find_named(files: &Files) -> Vec<(&'static Format, Root)> {
    find_by(files, FORMATS.iter())
}

fn find_by(
    files: &Files,
    formats: impl Iterator<Item = &'static Format>,
) -> Vec<(&'static Format, Root)> {
    let mut taken = BTreeSet::new();
    let mut found = Vec::new();
    for format in formats {
        for mut root in (format.find)(files) {
            root.files.retain(|path| taken.insert(path.clone()));
            if !root.files.is_empty() {
                found.push((format, root));
            }
        }
    }
    found
}

/// The folders of these files that end in one of these paths, in order.
fn folders_named(files: &Files, names: &[&str]) -> Vec<String> {
    let mut folders = BTreeSet::new();
    for file in files.iter() {
        for name in names {
            let wanted = format!("{name}/");
            let ends = file.path.match_indices(&wanted).filter_map(|(at, _)| {
                let is_whole = at == 0 || file.path[..at].ends_with('/');
                is_whole.then_some(at + name.len())
            });
            folders.extend(ends.take(1).map(|end| file.path[..end].to_owned()));
        }
    }
    folders.into_iter().collect()
}
