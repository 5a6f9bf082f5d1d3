//! The files that belong to the repository: tracked, or new and not ignored. Rules see this and no disk.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::failure::Failure;
use crate::process;

/// The only files whose text a rule reads.
const TEXT_EXTENSIONS: &[&str] = &["md", "mjs", "rs", "toml", "txt"];

#[derive(Debug)]
pub(super) struct Tree {
    paths: BTreeSet<String>,
    texts: BTreeMap<String, String>,
}

impl Tree {
    pub(super) fn load(root: &Path) -> Result<Tree, Failure> {
        let listing = process::capture(process::program(
            root,
            "git",
            &["ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        ))?;
        let mut tree = Tree { paths: BTreeSet::new(), texts: BTreeMap::new() };
        // A file that git knows and the disk does not is one being deleted.
        for path in listing.split('\0').filter(|path| !path.is_empty() && root.join(path).is_file())
        {
            tree.paths.insert(path.to_owned());
            if has_extension(path, TEXT_EXTENSIONS) {
                let bytes = std::fs::read(root.join(path))
                    .map_err(|error| Failure::new(format!("could not read `{path}`: {error}")))?;
                tree.texts.insert(path.to_owned(), String::from_utf8_lossy(&bytes).into_owned());
            }
        }
        Ok(tree)
    }

    #[cfg(test)]
    pub(super) fn of(files: &[(&str, &str)]) -> Tree {
        let texts: BTreeMap<_, _> =
            files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        Tree { paths: texts.keys().cloned().collect(), texts }
    }

    /// A file, or a folder with at least one file in it.
    pub(super) fn has(&self, path: &str) -> bool {
        self.paths.contains(path) || self.paths.iter().any(|it| is_under(it, path))
    }

    pub(super) fn text(&self, path: &str) -> Option<&str> {
        self.texts.get(path).map(String::as_str)
    }

    /// Path and text of every file with `extension`, in the order of the paths.
    pub(super) fn files(&self, extension: &str) -> impl Iterator<Item = (&str, &str)> {
        let texts = self.texts.iter().map(|(path, text)| (path.as_str(), text.as_str()));
        texts.filter(move |(path, _)| has_extension(path, &[extension]))
    }
}

/// Whether a Rust file holds tests only: `tests.rs` beside a module, or anything in a `tests` folder.
pub(super) fn is_test_file(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.contains("/tests/")
}

pub(super) fn is_under(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

fn has_extension(path: &str, extensions: &[&str]) -> bool {
    path.rsplit_once('.').is_some_and(|(_, extension)| extensions.contains(&extension))
}
