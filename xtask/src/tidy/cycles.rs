//! No cycle between the top-level modules of a crate: each can be read and changed without those above it. A nested
//! module counts as the top-level one that it is in, and the root of the crate counts as none.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::Violation;
use super::rust::{self, Token};
use super::tree::{Tree, is_test_file};

/// Crates that still have cycles. To be emptied, not extended.
const EXEMPT: &[&str] = &[];

/// From one module to another, with the places where the first names the second.
type Edges<'a> = BTreeMap<(&'a str, &'a str), Vec<Site<'a>>>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Site<'a> {
    path: &'a str,
    line: usize,
}

/// A file of a crate, for example `recall/rank.rs`.
struct File<'a> {
    path: &'a str,
    /// `["recall", "rank"]`; nothing for the root.
    module: Vec<&'a str>,
    text: &'a str,
}

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let checked = crates(tree).into_iter().filter(|(name, _)| !EXEMPT.contains(name));
    checked.flat_map(violations).collect()
}

fn violations((name, files): (&str, Vec<File<'_>>)) -> Vec<Violation> {
    cycles(edges(&files)).iter().map(|cycle| violation(name, cycle)).collect()
}

/// The product files of each crate by the name of its folder.
fn crates(tree: &Tree) -> BTreeMap<&str, Vec<File<'_>>> {
    let mut crates: BTreeMap<&str, Vec<File<'_>>> = BTreeMap::new();
    for (path, text) in tree.files("rs").filter(|(path, _)| !is_test_file(path)) {
        let Some((name, rest)) = path.strip_prefix("crates/").and_then(|it| it.split_once("/src/"))
        else {
            continue;
        };
        let mut module: Vec<&str> = rest.trim_end_matches(".rs").split('/').collect();
        if matches!(module.last(), Some(&("lib" | "main" | "mod"))) {
            module.pop();
        }
        crates.entry(name).or_default().push(File { path, module, text });
    }
    crates
}

fn edges<'a>(files: &[File<'a>]) -> Edges<'a> {
    let mut modules: BTreeMap<&str, &'a str> =
        files.iter().filter_map(|file| file.module.first()).map(|name| (*name, *name)).collect();
    let exported: Vec<_> = files.iter().filter(|file| file.module.is_empty()).collect();
    for (name, module) in exported.iter().flat_map(|root| exports(root.text)) {
        if let Some(module) = modules.get(module).copied() {
            modules.entry(name).or_insert(module);
        }
    }
    let mut edges = Edges::new();
    for file in files {
        let Some(from) = file.module.first() else { continue };
        let code = rust::split(file.text).code;
        let tokens = rust::tokens(&code);
        let tests = rust::test_regions(&tokens);
        let names = (0..tokens.len()).flat_map(|at| root_names(&tokens, at, file.module.len()));
        for Token { text, line } in names {
            let in_test = tests.iter().any(|region| region.contains(&line));
            let Some(to) = modules.get(text).filter(|to| *to != from && !in_test) else { continue };
            edges.entry((from, to)).or_default().push(Site { path: file.path, line });
        }
    }
    edges
}

/// What the root of a crate passes on, with the module that has it: `B` and `a` of `pub use a::B;`.
fn exports(text: &str) -> Vec<(&str, &str)> {
    let mut exports = Vec::new();
    for statement in text.split("pub use ").skip(1) {
        let statement = statement.split(';').next().unwrap_or_default();
        let mut words = statement.split(|c| !rust::is_word(c)).filter(|word| !word.is_empty());
        let Some(module) = words.next() else { continue };
        exports.extend(words.map(|name| (name, module)));
    }
    exports
}

/// What a path that begins at `at` names directly in the root of the crate: `a` in `crate::a::B`, `a` and `b` in
/// `crate::{a, b::C}`, and the same after as many `super` as the module is deep.
fn root_names<'a>(tokens: &[Token<'a>], at: usize, depth: usize) -> Vec<Token<'a>> {
    let mut rest = &tokens[at..];
    if rust::matches(rest, &["crate", ":", ":"]) {
        rest = &rest[3..];
    } else {
        if at > 0 && tokens[at - 1].text == ":" {
            return Vec::new();
        }
        for _ in 0..depth {
            if !rust::matches(rest, &["super", ":", ":"]) {
                return Vec::new();
            }
            rest = &rest[3..];
        }
    }
    rust::group_heads(rest)
}

/// Cycles, the shortest first, until what is left has none: after each, its edge with the fewest places is taken out,
/// as the one that is the least work to remove.
fn cycles(mut edges: Edges<'_>) -> Vec<Vec<Edge<'_>>> {
    let mut cycles = Vec::new();
    while let Some(cycle) = shortest_cycle(&edges) {
        let weakest = cycle.iter().min_by_key(|edge| edge.count);
        let weakest = weakest.map(|edge| (edge.from, edge.to)).expect("a cycle has edges");
        edges.remove(&weakest);
        cycles.push(cycle);
    }
    cycles
}

struct Edge<'a> {
    from: &'a str,
    to: &'a str,
    /// How many places, and the first of them.
    count: usize,
    example: Site<'a>,
}

fn shortest_cycle<'a>(edges: &Edges<'a>) -> Option<Vec<Edge<'a>>> {
    let starts: BTreeSet<&str> = edges.keys().map(|(from, _)| *from).collect();
    let cycles = starts.into_iter().filter_map(|start| way_back(edges, start));
    let names = cycles.min_by_key(Vec::len)?;
    let pairs = names.windows(2).map(|pair| (pair[0], pair[1]));
    let edge = |(from, to)| {
        let sites = &edges[&(from, to)];
        Edge { from, to, count: sites.len(), example: sites[0] }
    };
    Some(pairs.map(edge).collect())
}

/// The modules on the shortest way from `start` to itself, `start` at both ends.
fn way_back<'a>(edges: &Edges<'a>, start: &'a str) -> Option<Vec<&'a str>> {
    let mut before: BTreeMap<&str, &str> = BTreeMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(from) = queue.pop_front() {
        for &(_, to) in edges.keys().filter(|edge| edge.0 == from) {
            if to == start {
                let mut way = vec![start, from];
                while way.last() != Some(&start) {
                    way.push(before[way[way.len() - 1]]);
                }
                way.reverse();
                return Some(way);
            }
            if !before.contains_key(to) {
                before.insert(to, from);
                queue.push_back(to);
            }
        }
    }
    None
}

fn violation(name: &str, cycle: &[Edge<'_>]) -> Violation {
    let mut names: Vec<&str> = cycle.iter().map(|edge| edge.from).collect();
    names.push(cycle[0].from);
    let sites: Vec<String> = cycle
        .iter()
        .map(|Edge { from, to, count, example: Site { path, line } }| {
            format!("\n    {from} -> {to} at {path}:{line}, {count} in all")
        })
        .collect();
    let message =
        format!("modules of `{name}` form a cycle: {}{}", names.join(" -> "), sites.concat());
    let Site { path, line } = cycle[0].example;
    Violation::new(path, line, message)
}

#[cfg(test)]
mod tests;
