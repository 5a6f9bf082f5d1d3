//! What a repository takes from outside: the names in its manifests.

use std::collections::{BTreeMap, BTreeSet};

use super::{DEPENDENCIES_MAX, listed};
use crate::manifest;

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
