//! The map of modules: which folders of a repository are modules, what a map says about them, and how
//! the two differ.

pub mod about;
pub mod drift;
pub mod map;
pub mod tree;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use crate::manifest;
use oldhand_text::strings::{counted, shorten, visible_line};

/// Files that are looked at; of a larger repository nothing is said to be gone.
pub const FILES_MAX: usize = 100_000;
/// Modules of one map: more is an inventory that nobody reads.
pub const MODULES_MAX: usize = 200;
/// How much of a file is read for the sentence about a module, or for dependencies.
pub const READ_BYTES_MAX: u64 = 256 * 1024;
/// Manifests that are read for dependencies, and names told of each sort.
pub const MANIFESTS_MAX: usize = 100;
pub const DEPENDENCIES_MAX: usize = 200;
pub const ABOUT_CHARS_MAX: usize = 160;
pub const DEBTS_MAX: usize = 50;
/// Folders that are gone whose earlier files are asked for: each costs two questions to git.
pub const LEFT_ASKED_MAX: usize = 8;
pub const LEFT_NAMES_MAX: usize = 5_000;
const NAMED_MAX: usize = 3;
const NAMED_CHARS_MAX: usize = 80;

/// The sections of the memory, in the order in which they are printed (R54).
pub const SECTIONS: &[(&str, &str)] = &[
    ("module_map", "Module map"),
    ("interfaces", "Interfaces"),
    ("data_flow", "Data flow"),
    ("external_dependencies", "External dependencies"),
    ("known_debt", "Known debt"),
];

/// R56: one line for the beginning of a session; `None` when the map is current.
pub fn drift_line(drift: &drift::Drift) -> Option<String> {
    if drift.is_empty() {
        return None;
    }
    let brief = |path: &String| shorten(&shown(path), NAMED_CHARS_MAX);
    let moved = drift.moved.iter().map(|(from, to)| format!("{} to {}", brief(from), brief(to)));
    let parts: [(Vec<String>, &str, &str); 3] = [
        (drift.new.iter().map(brief).collect(), "new module", "new modules"),
        (moved.collect(), "moved", "moved"),
        (drift.removed.iter().map(brief).collect(), "removed", "removed"),
    ];
    let part = |(names, one, many): &(Vec<String>, &str, &str)| {
        format!("{} ({})", counted(names.len(), one, many), listed(names, NAMED_MAX))
    };
    let parts: Vec<String> = parts.iter().filter(|it| !it.0.is_empty()).map(part).collect();
    Some(format!(
        "the architecture map is out of date: {} (`oldhand architecture update`)",
        parts.join(", ")
    ))
}

fn listed(names: &[String], most: usize) -> String {
    let shown = names[..names.len().min(most)].join(", ");
    match names.len().saturating_sub(most) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

pub struct Manifest {
    pub path: String,
    pub text: String,
}

/// The section of a draft, one line for each sort of package; empty when there are none.
pub fn dependencies(manifests: &[Manifest]) -> String {
    let mut own: BTreeSet<String> = BTreeSet::new();
    let mut needs: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for manifest in manifests {
        let Some(sort) = manifest::sort_of(&manifest.path) else { continue };
        let facts = manifest::read(&manifest.path, &manifest.text);
        own.extend(facts.own);
        let outside = facts.needs.into_iter().filter(|need| need.runs && !need.is_inside);
        needs.entry(sort).or_default().extend(outside.map(|need| need.name));
    }
    let line = |(sort, names): (&str, BTreeSet<String>)| {
        let names: Vec<String> = names.difference(&own).cloned().collect();
        (!names.is_empty()).then(|| format!("- {sort}: {}", listed(&names, DEPENDENCIES_MAX)))
    };
    needs.into_iter().filter_map(line).collect::<Vec<String>>().join("\n")
}

/// A path for people: on one line, nothing invisible.
pub fn shown(path: &str) -> String {
    visible_line(&map::quoted(path))
}
