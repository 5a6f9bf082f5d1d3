//! How much product code there is, and types whose name says too little. Both are tables of what is allowed; their
//! numbers go down and not up.

use std::collections::BTreeMap;

use super::tree::{Tree, is_test_file, is_under};
use super::{Violation, rust};

/// The most lines of product code: in all, and in the crates that would take in everything.
const LINES_MAX: &[(&str, usize)] =
    &[("crates", 127_100), ("crates/core", 10_300), ("crates/oldhand", 17_020)];

/// Crates that are no part of the product.
const TOOLS: &[&str] = &["crates/devtools", "crates/testkit"];

/// Names that were used for unrelated types, with how many types may have each. The goal is one.
const NAMES_MAX: &[(&str, usize)] =
    &[("Ask", 1), ("Pending", 1), ("Place", 1), ("Standing", 1), ("Step", 1), ("Told", 1)];

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let too_long = LINES_MAX.iter().filter_map(|(folder, most)| {
        let code = product(tree, folder, "rs");
        let code: usize = code.map(|(_, text)| text.lines().count() - test_lines(text)).sum();
        // Tables of words are read by the product, so they count.
        let tables = product(tree, folder, "txt").map(|(_, text)| text.lines().count());
        let lines = code + tables.sum::<usize>();
        let message = format!("{lines} lines of product code, at most {most}: simplify");
        (lines > *most).then(|| Violation::new(folder, 1, message))
    });
    too_long.chain(vague_names(tree)).collect()
}

fn vague_names(tree: &Tree) -> Vec<Violation> {
    let mut places: BTreeMap<&str, Vec<(&str, usize)>> = BTreeMap::new();
    for (path, text) in product(tree, "crates", "rs") {
        let code = rust::split(text).code;
        let tokens = rust::tokens(&code);
        let tests = rust::test_regions(&tokens);
        for pair in tokens.windows(2) {
            let is_definition = matches!(pair[0].text, "struct" | "enum" | "trait" | "type");
            let row = NAMES_MAX.iter().find(|(name, _)| is_definition && *name == pair[1].text);
            let line = pair[1].line;
            if let Some((name, _)) = row
                && !tests.iter().any(|region| region.contains(&line))
            {
                places.entry(name).or_default().push((path, line));
            }
        }
    }
    let mut violations = Vec::new();
    for (name, most) in NAMES_MAX {
        let places = places.remove(name).unwrap_or_default();
        if places.len() > *most {
            let message = format!(
                "{} types are called `{name}`, at most {most}: give them telling names",
                places.len()
            );
            violations
                .extend(places.iter().map(|(path, line)| Violation::new(path, *line, &*message)));
        }
    }
    violations
}

/// The files of the product in `folder`, without files of tests.
fn product<'a>(
    tree: &'a Tree,
    folder: &str,
    extension: &str,
) -> impl Iterator<Item = (&'a str, &'a str)> {
    let is_product = move |path: &str| {
        let in_source = is_under(path, folder) && path.contains("/src/");
        in_source && !is_test_file(path) && !TOOLS.iter().any(|tool| is_under(path, tool))
    };
    tree.files(extension).filter(move |(path, _)| is_product(path))
}

/// The lines of items under `#[cfg(test)]`.
fn test_lines(text: &str) -> usize {
    let code = rust::split(text).code;
    let regions = rust::test_regions(&rust::tokens(&code));
    regions.iter().map(|region| region.end() - region.start() + 1).sum()
}

#[cfg(test)]
mod tests;
