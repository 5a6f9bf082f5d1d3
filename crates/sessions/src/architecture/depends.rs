//! What a repository takes from outside: the names in its manifests.

use std::collections::{BTreeMap, BTreeSet};

use super::DEPENDENCIES_MAX;
use crate::manifest;

/// A manifest and its text.
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
    let mut lines = Vec::new();
    for (sort, names) in needs {
        let names: Vec<&str> =
            names.iter().filter(|name| !own.contains(*name)).map(String::as_str).collect();
        if !names.is_empty() {
            let shown = &names[..names.len().min(DEPENDENCIES_MAX)];
            let more = names.len() - shown.len();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            lines.push(format!("- {sort}: {}{more}", shown.join(", ")));
        }
    }
    lines.join("\n")
}
