//! Which paths are in a store, as text and as what they resolve to: a link can hide a store.

use std::cell::Cell;

use oldhand_text::command_line::join;
use oldhand_text::strings::{shorten, visible_line};

/// The folder that is a store wherever it is.
const STORE: &str = ".oldhand";

/// Each look at the disk costs a few system calls; a call names few paths.
const LOOKS_MAX: usize = 256;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deed {
    Write,
    Remove,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target {
    /// As the call spells it.
    pub shown: String,
    /// Below the root of the store, empty for the store itself.
    pub inside: String,
    pub deed: Deed,
}

pub(super) struct StorePaths<'a> {
    roots: Vec<Vec<String>>,
    resolve: &'a dyn Fn(&str) -> String,
    looks: Cell<usize>,
}

impl<'a> StorePaths<'a> {
    pub(super) fn new(stores: &[String], resolve: &'a dyn Fn(&str) -> String) -> Self {
        let roots = stores.iter().map(|root| parts(root)).filter(|root| !root.is_empty());
        Self { roots: roots.collect(), resolve, looks: Cell::new(0) }
    }

    pub(super) fn first(&self, cwd: &str, paths: &[(String, Deed)]) -> Option<Target> {
        paths.iter().find_map(|(path, deed)| self.target(cwd, path, *deed))
    }

    /// The path as a target, if it is in a store and not one of the files that people keep there.
    pub(super) fn target(&self, cwd: &str, path: &str, deed: Deed) -> Option<Target> {
        let inside = self.inside(cwd, path)?;
        let is_peoples = matches!(inside.as_str(), ".gitignore" | ".gitattributes");
        let shown = visible_line(&shorten(path.trim(), 120));
        (!is_peoples).then_some(Target { shown, inside, deed })
    }

    fn inside(&self, cwd: &str, path: &str) -> Option<String> {
        let path = path.trim();
        if path.is_empty() || path.contains("://") && !path.starts_with("file://") {
            return None;
        }
        let joined = join(cwd, &without_scheme(path));
        let literal = parts(&joined);
        if let Some(inside) = self.inside_parts(&literal) {
            return Some(inside);
        }
        if self.looks.get() >= LOOKS_MAX {
            return None;
        }
        self.looks.set(self.looks.get() + 1);
        // With its dots first: only the file system knows what is above a link.
        let inside_real = |path: &str| self.inside_parts(&parts(&(self.resolve)(path)));
        inside_real(&joined).or_else(|| {
            // Then without, as an editor does it: what is before a `..` need not exist.
            let has_dots = joined.split('/').any(|part| part == "..");
            has_dots.then(|| inside_real(&format!("/{}", literal.join("/"))))?
        })
    }

    fn inside_parts(&self, path: &[String]) -> Option<String> {
        // Windows ignores dots and spaces at the end of a name.
        let is_store =
            |part: &String| part.trim_end_matches(['.', ' ']).eq_ignore_ascii_case(STORE);
        if let Some(at) = path.iter().rposition(is_store) {
            return Some(path[at + 1..].join("/"));
        }
        let is_below = |root: &&Vec<String>| {
            path.len() >= root.len()
                && path.iter().zip(*root).all(|(a, b)| a.eq_ignore_ascii_case(b))
        };
        self.roots.iter().find(is_below).map(|root| path[root.len()..].join("/"))
    }
}

fn without_scheme(path: &str) -> String {
    let Some(rest) = path.strip_prefix("file://") else {
        // The one variable that always names the same folder.
        let home = path.strip_prefix("$HOME/").map(|rest| format!("~/{rest}"));
        return home.unwrap_or_else(|| path.to_owned());
    };
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    let decoded = rest.replace("%2E", ".").replace("%2e", ".").replace("%2F", "/");
    // `file:///C:/repo`
    let is_drive = decoded.as_bytes().get(2) == Some(&b':');
    if is_drive { decoded[1..].to_owned() } else { decoded }
}

/// The names of a path, without dots, empty ones and the kind of slash.
fn parts(path: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            // Windows has a long form of paths: `\\?\C:\repo`.
            "?" if parts.is_empty() => {}
            name => parts.push(name.to_owned()),
        }
    }
    parts
}
