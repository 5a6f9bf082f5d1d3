//! Which paths are in a store. Paths are compared as text and as what they resolve to: each alone
//! can be talked around.

use std::cell::Cell;

use super::glob;

/// The folder that is a store wherever it is.
pub(super) const STORE: &str = ".oldhand";

/// What stands for text that is not known, as that of a variable.
pub(super) const UNKNOWN: char = '\u{1}';

/// Each look at the disk costs a few system calls; a command names few paths.
const LOOKS_MAX: usize = 256;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deed {
    Write,
    Remove,
}

/// A path in a store that would be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target {
    /// As it was said.
    pub shown: String,
    /// Below the root of the store, empty for the store itself.
    pub inside: String,
    pub deed: Deed,
}

pub(super) struct Places<'a> {
    roots: Vec<Vec<String>>,
    resolve: &'a dyn Fn(&str) -> String,
    looks: Cell<usize>,
}

/// Where output goes that nobody keeps. `/dev/shm` is a folder like any other.
fn is_device(path: &str) -> bool {
    let name = path.strip_prefix("/dev/").unwrap_or_default();
    matches!(name, "null" | "tty" | "zero" | "full")
        || name.starts_with("std")
        || name.starts_with("fd/")
}

impl<'a> Places<'a> {
    pub(super) fn new(stores: &[String], resolve: &'a dyn Fn(&str) -> String) -> Self {
        let roots = stores.iter().map(|root| parts(root)).filter(|root| !root.is_empty());
        Self { roots: roots.collect(), resolve, looks: Cell::new(0) }
    }

    /// The path as a target, when it is in a store and not among the files that people keep there.
    pub(super) fn target(&self, cwd: &str, path: &str, deed: Deed) -> Option<Target> {
        let inside = self.inside(cwd, path)?;
        let is_own = matches!(inside.as_str(), ".gitignore" | ".gitattributes");
        (!is_own).then(|| Target { shown: shown(path), inside, deed })
    }

    /// Whether a text names a store in any way.
    pub(super) fn is_named(&self, text: &str) -> bool {
        let text = text.to_ascii_lowercase().replace('\\', "/");
        let is_root = |root: &Vec<String>| text.contains(&root.join("/").to_ascii_lowercase());
        text.contains(STORE) || self.roots.iter().any(is_root)
    }

    /// The part below the root of the store that the path is in.
    fn inside(&self, cwd: &str, path: &str) -> Option<String> {
        let path = path.trim();
        if path.is_empty() || path == "-" || is_device(path) {
            return None;
        }
        if path.contains("://") && !path.starts_with("file://") {
            return None;
        }
        let joined = join(cwd, path);
        let said = parts(&joined);
        if let Some(inside) = self.inside_parts(&said) {
            return Some(inside);
        }
        if joined.contains(UNKNOWN) || self.looks.get() >= LOOKS_MAX {
            return None;
        }
        self.looks.set(self.looks.get() + 1);
        // With its dots: what is above a link is only known to the one who follows it.
        let followed = self.inside_parts(&parts(&(self.resolve)(&joined)));
        // Without them, as an editor does it: what stands before a `..` need not be there.
        followed.or_else(|| {
            let plain = format!("/{}", said.join("/"));
            let has_dots = joined.split('/').any(|part| part == "..");
            has_dots.then(|| self.inside_parts(&parts(&(self.resolve)(&plain)))).flatten()
        })
    }

    fn inside_parts(&self, path: &[String]) -> Option<String> {
        if let Some(at) = path.iter().rposition(|part| is_store(part)) {
            return Some(path[at + 1..].join("/"));
        }
        let root = self.roots.iter().find(|root| starts_with(path, root) || is_home(path, root))?;
        let skipped = if starts_with(path, root) { root.len() } else { below_home(path, root)? };
        Some(path[skipped..].join("/"))
    }
}

fn starts_with(path: &[String], root: &[String]) -> bool {
    path.len() >= root.len() && path.iter().zip(root).all(|(part, of_root)| same(part, of_root))
}

fn is_home(path: &[String], root: &[String]) -> bool {
    below_home(path, root).is_some()
}

/// `~/notes/x` is in the root `/home/ann/notes`: the home is not known here, its look is.
fn below_home(path: &[String], root: &[String]) -> Option<usize> {
    if path.first().map(String::as_str) != Some("~") {
        return None;
    }
    let home = match root {
        [drive, users, _, ..] if drive.ends_with(':') && same(users, "users") => 3,
        [users, _, ..] if same(users, "home") || same(users, "users") => 2,
        [admin, ..] if same(admin, "root") => 1,
        _ => return None,
    };
    let rest = root.get(home..).filter(|rest| !rest.is_empty())?;
    starts_with(&path[1..], rest).then_some(1 + rest.len())
}

/// The store's name in any case, as a pattern that it fits, or with what Windows ignores.
fn is_store(part: &str) -> bool {
    let name = part.trim_end_matches(['.', ' ']);
    name.eq_ignore_ascii_case(STORE) || glob::fits(part, STORE)
}

fn same(part: &str, other: &str) -> bool {
    part.eq_ignore_ascii_case(other)
}

/// The path from the root or from the current folder; not yet without its dots.
pub(super) fn join(cwd: &str, path: &str) -> String {
    let path = without_scheme(path);
    let is_drive = path.len() >= 2 && path.as_bytes()[1] == b':';
    let is_variable = path.starts_with(UNKNOWN) && path[UNKNOWN.len_utf8()..].starts_with('/');
    if path.starts_with(['/', '\\', '~']) || is_drive || is_variable {
        return path;
    }
    format!("{}/{path}", cwd.trim_end_matches('/'))
}

fn without_scheme(path: &str) -> String {
    let Some(rest) = path.strip_prefix("file://") else { return path.to_owned() };
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    let decoded = rest.replace("%2E", ".").replace("%2e", ".").replace("%2F", "/");
    // `file:///C:/repo`
    let is_drive = decoded.len() > 2 && decoded.as_bytes()[2] == b':';
    if is_drive { decoded[1..].to_owned() } else { decoded }
}

/// The names of a path, without dots, empty ones and the kind of slash.
fn parts(path: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            // Windows has a long form of paths: `\\?\C:\repo`.
            "?" if parts.is_empty() => {}
            name => parts.push(name.to_owned()),
        }
    }
    parts
}

fn shown(path: &str) -> String {
    let path: String = path.chars().map(|c| if c == UNKNOWN { '*' } else { c }).collect();
    oldhand_text::strings::visible_line(&oldhand_text::strings::shorten(path.trim(), 120))
}
