//! What people read: the documents are there, their links lead somewhere, and nothing in them is true on one machine
//! only.

use std::collections::BTreeSet;

use super::tree::{Tree, is_under};
use super::{Violation, rust};
use crate::workspace::Workspace;

const REQUIRED: &[&str] = &[
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "GLOSSARY.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "SHORTCOMINGS.md",
    "docs/formats",
];

const MAP: &str = "ARCHITECTURE.md";

/// Where the files of people, and of the machines that build, live.
const MACHINE_FOLDERS: &[&str] = &["/home/", "/root/", "/work/", "/Users/"];

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let missing = REQUIRED.iter().filter(|path| !tree.has(path));
    let mut violations: Vec<_> =
        missing.map(|path| Violation::new(path, 1, "document is missing")).collect();
    for (path, text) in
        tree.files("md").filter(|(path, _)| !path.contains('/') || is_under(path, "docs"))
    {
        violations.extend(check_links(tree, path, text));
    }
    // Specs are tests: the homes in them are made up.
    let written =
        tree.files("md").chain(tree.files("toml")).filter(|(path, _)| !is_under(path, "specs"));
    for (path, text) in written {
        violations.extend(check_machine_paths(path, text));
    }
    violations
}

/// The section `## Crates` of the map has one line for each member of the workspace, and no other.
pub(super) fn check_crate_list(tree: &Tree, workspace: &Workspace) -> Vec<Violation> {
    let Some(text) = tree.text(MAP) else { return Vec::new() };
    let (heading, listed) = crate_list(text);
    let members: BTreeSet<&str> =
        workspace.members.iter().map(|member| member.folder.as_str()).collect();
    let names: BTreeSet<&str> = listed.iter().map(|(_, name)| *name).collect();

    let unknown = listed.iter().filter(|(_, name)| !members.contains(name));
    let unknown =
        unknown.map(|(line, name)| (*line, format!("no crate of the workspace: `{name}`")));
    let absent = members.difference(&names);
    let absent = absent
        .map(|name| (heading, format!("`## Crates` has no line that starts with - `{name}`")));
    unknown.chain(absent).map(|(line, message)| Violation::new(MAP, line, message)).collect()
}

/// The line of the heading, and the folders listed under it with theirs.
fn crate_list(text: &str) -> (usize, Vec<(usize, &str)>) {
    let lines = || text.lines().enumerate().map(|(index, line)| (index + 1, line));
    let Some((heading, _)) = lines().find(|(_, line)| line.trim_end() == "## Crates") else {
        return (1, Vec::new());
    };
    let section = lines().skip(heading).take_while(|(_, line)| !line.starts_with("## "));
    let items = section
        .filter_map(|(number, line)| Some((number, line.strip_prefix("- `")?.split_once('`')?.0)));
    (heading, items.collect())
}

fn check_links(tree: &Tree, path: &str, text: &str) -> Vec<Violation> {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut violations = Vec::new();
    for (line, target) in links(text) {
        let file = target.split_once('#').map_or(target, |(file, _)| file);
        if file.is_empty() || file.contains("://") || file.starts_with("mailto:") {
            continue;
        }
        if !resolve(folder, file).is_some_and(|path| path.is_empty() || tree.has(&path)) {
            violations.push(Violation::new(path, line, format!("link leads nowhere: `{target}`")));
        }
    }
    violations
}

/// The targets of `[text](target)` and `[label]: target` outside of code, with their lines.
fn links(text: &str) -> Vec<(usize, &str)> {
    let mut links = Vec::new();
    let mut fence = None;
    for (index, line) in text.lines().enumerate() {
        let start = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| start.starts_with(mark));
        match (fence, mark) {
            (None, Some(_)) => fence = mark,
            (Some(open), Some(close)) if open == close => fence = None,
            (Some(_), _) => {}
            (None, None) => {
                links.extend(links_in_line(line).into_iter().map(|target| (index + 1, target)))
            }
        }
    }
    links
}

fn links_in_line(line: &str) -> Vec<&str> {
    let mut targets = Vec::new();
    // Every second piece between backticks is code.
    for prose in line.split('`').step_by(2) {
        for (at, _) in prose.match_indices("](") {
            targets.extend(prose[at + 2..].split_once(')').map(|(inside, _)| inside));
        }
    }
    if line.starts_with('[') {
        targets.extend(line.split_once("]: ").map(|(_, target)| target));
    }
    // After the target there may be a title.
    targets.into_iter().filter_map(|target| target.split_whitespace().next()).collect()
}

/// `target` as seen from `folder`, as a path from the root; nothing if it leaves the repository.
pub(crate) fn resolve(folder: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> =
        if target.starts_with('/') { Vec::new() } else { folder.split('/').collect() };
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop().filter(|part| !part.is_empty())?,
            part => parts.push(part),
        }
    }
    parts.retain(|part| !part.is_empty());
    Some(parts.join("/"))
}

fn check_machine_paths(path: &str, text: &str) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let found = MACHINE_FOLDERS.iter().filter(|folder| has_absolute(line, folder));
        violations.extend(found.map(|folder| {
            Violation::new(
                path,
                index + 1,
                format!("path of one machine, write it relative or with `~`: `{folder}`"),
            )
        }));
    }
    violations
}

/// Whether a path starts with `folder` in the line. In `~/work/` or `docs/work/` none does.
fn has_absolute(line: &str, folder: &str) -> bool {
    let continues = |c: char| rust::is_word(c) || matches!(c, '.' | '~' | '-' | '}' | '>' | '*');
    line.match_indices(folder).any(|(at, _)| !line[..at].ends_with(continues))
}

#[cfg(test)]
mod tests;
