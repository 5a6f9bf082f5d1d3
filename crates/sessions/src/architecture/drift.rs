//! How a map and the tree differ: modules that are new, that moved, that are gone.

use std::collections::BTreeSet;

use super::map::{self, Line};
use super::tree::{COMMON_NAMES, Module, Tree, above, is_source};
use oldhand_text::table;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Drift {
    pub new: Vec<String>,
    pub moved: Vec<(String, String)>,
    pub removed: Vec<String>,
}

impl Drift {
    pub fn is_empty(&self) -> bool {
        self.new.is_empty() && self.moved.is_empty() && self.removed.is_empty()
    }

    pub fn target(&self, from: &str) -> Option<&str> {
        self.moved.iter().find(|(known, _)| known == from).map(|(_, to)| to.as_str())
    }

    /// `2 new, 1 removed`.
    pub fn counts(&self) -> String {
        let counts =
            [(self.new.len(), "new"), (self.moved.len(), "moved"), (self.removed.len(), "removed")];
        let told = counts.iter().filter(|(count, _)| *count > 0);
        told.map(|(count, what)| format!("{count} {what}")).collect::<Vec<_>>().join(", ")
    }
}

pub struct Beside<'a> {
    /// Further maps: what they name is mapped.
    pub maps: &'a [String],
    /// The names of the files that a folder held when it was last there, as far as that is known.
    pub left: &'a dyn Fn(&str) -> Vec<String>,
}

pub fn drift(map: &str, tree: &Tree, beside: &Beside<'_>) -> Drift {
    let lines = map::lines(map, tree);
    let is_gone = |line: &Line| line.path().is_some_and(|path| !tree.holds(path));
    let (gone, mut staying): (Vec<Line>, Vec<Line>) = lines.into_iter().partition(is_gone);
    let gone: BTreeSet<&str> = gone.iter().filter_map(Line::path).collect();
    staying.extend(beside.maps.iter().flat_map(|map| map::lines(map, tree)));
    let mut new: Vec<Module> =
        tree.modules().into_iter().filter(|module| !is_mapped(module, &staying)).collect();
    let mut drift = Drift::default();
    // By path: a folder comes before what was in it.
    for path in gone {
        let target = carried(path, &drift, tree, &staying).or_else(|| settled(path, &new, beside));
        match target {
            Some(to) => {
                new.retain(|module| module.path != to);
                drift.moved.push((path.to_owned(), to));
            }
            None => drift.removed.push(path.to_owned()),
        }
    }
    drift.new = new.into_iter().map(|module| module.path).collect();
    drift
}

fn is_mapped(module: &Module, staying: &[Line]) -> bool {
    let path = module.path.as_str();
    staying.iter().any(|line| {
        let is_entry = line.path().is_some_and(|entry| is_in(entry, path));
        is_entry || path != "." && map::names(line, path)
    })
}

fn is_in(path: &str, folder: &str) -> bool {
    path == folder || above(path).any(|one| one == folder)
}

/// What was in a folder that moved is in the same place of the new one.
fn carried(path: &str, drift: &Drift, tree: &Tree, staying: &[Line]) -> Option<String> {
    let (from, to) = drift.moved.iter().find(|(from, _)| is_in(path, from))?;
    let to = format!("{to}{}", &path[from.len()..]);
    let is_taken = staying.iter().any(|line| line.path() == Some(&to));
    let is_moved = drift.moved.iter().any(|(_, taken)| *taken == to);
    (tree.holds(&to) && !is_moved && !is_taken).then_some(to)
}

/// The new module that has most of its files, or where nobody knows those, alone has its name.
fn settled(path: &str, new: &[Module], beside: &Beside<'_>) -> Option<String> {
    if new.is_empty() {
        return None;
    }
    let name_of = |path: &'_ str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let tells = |it: &String| is_source(it) && !table::has(COMMON_NAMES, &name_of(it));
    let left: BTreeSet<String> = (beside.left)(path).into_iter().filter(tells).collect();
    if left.is_empty() {
        let is_namesake = |it: &&Module| name_of(&it.path) == name_of(path);
        let mut namesakes = new.iter().filter(is_namesake);
        let only = namesakes.next().filter(|_| namesakes.next().is_none());
        return only.map(|module| module.path.clone());
    }
    let shared = |module: &Module| module.names.iter().filter(|name| left.contains(*name)).count();
    let best = new.iter().map(|module| (shared(module), module));
    // Of equals the first by path.
    let (count, module) = best.rev().max_by_key(|(count, _)| *count)?;
    (count > 0 && 2 * count >= left.len()).then(|| module.path.clone())
}
