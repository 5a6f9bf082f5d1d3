//! The formats in the order in which they look at the files: a file belongs to the first that takes it.

mod claude_mem;
mod claude_memory;
mod geas;
mod icm;
mod mcp_memory_service;
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
    pub read: fn(&Root, &Files, &World<'_>) -> Source,
}

/// A place that belongs to a format: a folder or a file, and the files of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    pub path: String,
    pub files: Vec<String>,
}

pub static FORMATS: &[Format] = &[
    geas::FORMAT,
    claude_memory::FORMAT,
    server_memory::FORMAT,
    claude_mem::FORMAT,
    mcp_memory_service::FORMAT,
    icm::FORMAT,
];

/// Everything that is found among these files. With a name, only that format looks.
pub fn find(files: &Files, only: Option<&str>) -> Vec<(&'static Format, Root)> {
    let mut taken = BTreeSet::new();
    let mut found = Vec::new();
    for format in FORMATS.iter().filter(|format| only.is_none_or(|name| name == format.name)) {
        for mut root in (format.find)(files) {
            root.files.retain(|path| taken.insert(path.clone()));
            if !root.files.is_empty() {
                found.push((format, root));
            }
        }
    }
    found
}
