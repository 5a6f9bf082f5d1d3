//! Memories as other tools keep them: values in, the texts of files out. The order is by id and times are
//! the memories', so the same memories give the same bytes. A format is one module, beside its reader.

mod basic_memory;
mod claude_auto;
mod claude_memory;
mod gaai;
mod geas;
mod madr;
pub(crate) mod markdown;
mod playbook;
mod serena;
mod server_memory;
#[cfg(test)]
pub(crate) mod tests;

use std::collections::BTreeMap;

use oldhand_core::event::Event;
use oldhand_core::kind::Kinds;
use oldhand_core::memory::Memory;
use oldhand_core::signals::Signals;

use crate::record::{Passed, hash_of};

/// A memory on its way out, with what it has earned.
#[derive(Debug, Clone, Copy)]
pub struct Outgoing<'a> {
    pub memory: &'a Memory,
    pub signals: &'a Signals,
    pub events: &'a [Event],
}

/// A format that memories can be written in.
pub struct Writer {
    pub name: &'static str,
    /// The format that reads it back.
    pub read_by: &'static str,
    /// It is one file and not a folder.
    pub is_file: bool,
    /// Where the tool looks for it, below the repository.
    pub root: &'static str,
    write: fn(&mut Out<'_>, &[Outgoing<'_>]),
}

const fn folder(
    name: &'static str,
    read_by: &'static str,
    root: &'static str,
    write: fn(&mut Out<'_>, &[Outgoing<'_>]),
) -> Writer {
    Writer { name, read_by, is_file: false, root, write }
}

pub static WRITERS: &[Writer] = &[
    folder("claude-memory", "claude-memory", ".claude/memory", claude_memory::write),
    folder("gaai", "gaai", ".gaai/project/contexts/memory", gaai::write),
    folder("playbook", "playbook", "", playbook::write),
    folder("geas", "geas", ".geas", geas::write),
    folder("madr", "adr", "docs/decisions", madr::write),
    Writer {
        name: "server-memory",
        read_by: "server-memory",
        is_file: true,
        root: "memory.jsonl",
        write: server_memory::write,
    },
    folder("basic-memory", "basic-memory", "notes", basic_memory::write),
    folder("claude-auto", "claude-auto", ".claude/memory", claude_auto::write),
    folder("serena", "serena", ".serena/memories", serena::write),
];

pub fn find(name: &str) -> Option<&'static Writer> {
    WRITERS.iter().find(|writer| writer.name == name)
}

/// What was made: the files by path, and where each memory is among them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Export {
    /// A single file has no path.
    pub files: BTreeMap<String, String>,
    pub placed: Vec<Placed>,
    pub left_out: Vec<Passed>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    pub id: String,
    pub path: String,
    /// Of the record's own text.
    pub hash: String,
    /// Where that text is in its file.
    pub range: std::ops::Range<usize>,
    /// The kind that it was written as, where that is another one.
    pub instead: Option<&'static str>,
}

impl Writer {
    /// Where the tool would have a file of an export, below the repository.
    pub fn home(&self, path: &str) -> String {
        match (self.root, path) {
            ("", path) => path.to_owned(),
            (root, "") => root.to_owned(),
            (root, path) => format!("{root}/{path}"),
        }
    }

    /// The order of the memories does not matter.
    pub fn write(&self, memories: &[Outgoing<'_>], kinds: &Kinds) -> Export {
        let mut sorted = memories.to_vec();
        sorted.sort_by(|one, other| one.memory.id.cmp(&other.memory.id));
        let mut out = Out { kinds, made: Export::default() };
        (self.write)(&mut out, &sorted);
        out.made
    }
}

/// Where a writer puts what it makes.
struct Out<'a> {
    kinds: &'a Kinds,
    made: Export,
}

impl Out<'_> {
    /// A record at the end of a file, which may hold others.
    fn record(&mut self, memory: &Memory, path: &str, text: &str, instead: Option<&'static str>) {
        let hash = hash_of(text.as_bytes());
        let file = self.made.files.entry(path.to_owned()).or_default();
        let range = file.len()..file.len() + text.len();
        file.push_str(text);
        let (id, path) = (memory.id.to_string(), path.to_owned());
        self.made.placed.push(Placed { id, path, hash, range, instead });
    }

    /// What stands for no memory: a heading, an index.
    fn text(&mut self, path: &str, text: &str) {
        self.made.files.entry(path.to_owned()).or_default().push_str(text);
    }

    fn leave_out(&mut self, memory: &Memory, reason: &str) {
        let passed = Passed { source: memory.id.to_string(), reason: reason.to_owned() };
        self.made.left_out.push(passed);
    }
}

/// The alias of a memory that this tool gave, such as `DEC-12`, or the next number that is free.
fn numbered<'a>(memories: &[&'a Memory], prefix: &str) -> BTreeMap<&'a str, usize> {
    let own = |memory: &Memory| {
        let number = |alias: &String| alias.strip_prefix(prefix)?.parse::<usize>().ok();
        memory.aliases.iter().find_map(number)
    };
    let mut taken: BTreeMap<usize, &str> = BTreeMap::new();
    for memory in memories {
        if let Some(number) = own(memory) {
            taken.entry(number).or_insert(memory.id.as_str());
        }
    }
    let mut numbers: BTreeMap<&str, usize> =
        taken.iter().map(|(number, id)| (*id, *number)).collect();
    let mut next = taken.last_key_value().map_or(1, |(number, _)| number.saturating_add(1));
    for memory in memories {
        if !numbers.contains_key(memory.id.as_str()) {
            numbers.insert(memory.id.as_str(), next);
            next += 1;
        }
    }
    numbers
}
