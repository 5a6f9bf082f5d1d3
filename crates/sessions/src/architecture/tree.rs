//! The files of a repository, and which of its folders are modules: packages by their manifests,
//! else the first folders that hold source.

use std::collections::{BTreeMap, BTreeSet};

use super::{FILES_MAX, MODULES_MAX};
use oldhand_text::table;

/// Paths below the repository, with `/`, sorted.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    files: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module {
    /// `.` is the repository itself.
    pub path: String,
    /// Its source files, below its path; those of a module inside it are not among them.
    pub names: Vec<String>,
}

const MANIFESTS: &str = "Cargo.toml package.json go.mod pyproject.toml setup.py pom.xml build.gradle \
    build.gradle.kts composer.json mix.exs pubspec.yaml Package.swift";
/// Folders of others, folders that are generated, and folders that are about the code.
const PASSED_OVER: &str = "node_modules bower_components target dist vendor third_party site-packages \
    __pycache__ venv test tests __tests__ spec specs testdata fixtures doc docs example examples \
    samples scripts";

/// Names that every project has many of: they identify no file and no folder.
pub(crate) const COMMON_NAMES: &str = "mod.rs lib.rs main.rs tests.rs index.js index.ts index.tsx \
    index.html main.py __init__.py main.go doc.go Cargo.toml Cargo.lock package.json Makefile Dockerfile";

const SOURCE: &str = "adb asm bash c cc cjs clj cljs cpp cs cu cxx d dart el elm erl ex exs f90 fs go \
    groovy h hh hpp hs java jl js jsx kt lisp lua m mjs ml mli mm nim php pl pm proto ps1 py r rb rs \
    s scala sh sol sql sv svelte swift ts tsx v vb vhd vue zig";

/// Below a top folder modules are at least so deep: `src/pay`, not `src` alone.
const DEPTH_MIN: usize = 2;

impl Tree {
    pub fn new(mut files: Vec<String>) -> Self {
        files.retain(|file| !file.is_empty());
        files.sort();
        files.dedup();
        files.truncate(FILES_MAX);
        Self { files }
    }

    pub fn files(&self) -> &[String] {
        &self.files
    }

    /// Whether what is not listed is not there.
    pub fn is_whole(&self) -> bool {
        !self.files.is_empty() && self.files.len() < FILES_MAX
    }

    pub fn has_file(&self, path: &str) -> bool {
        self.files.binary_search_by(|file| file.as_str().cmp(path)).is_ok()
    }

    /// Whether something may be there. Anything may be in a list that is cut or empty, and below a
    /// listed path (a submodule, a folder that can't be opened).
    pub fn holds(&self, path: &str) -> bool {
        !self.is_whole()
            || path == "."
            || self.has_file(path)
            || self.below(path).next().is_some()
            || above(path).any(|folder| self.has_file(folder))
    }

    pub fn below<'t>(&'t self, folder: &str) -> impl Iterator<Item = &'t str> + use<'t> {
        let prefix = format!("{folder}/");
        let start = self.files.partition_point(|file| *file < prefix);
        self.files[start..]
            .iter()
            .map(String::as_str)
            .take_while(move |file| file.starts_with(&prefix))
    }

    pub fn manifests(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(String::as_str).filter(|file| {
            let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
            table::has(MANIFESTS, name) && !is_passed_over(folder)
        })
    }

    pub fn modules(&self) -> Vec<Module> {
        let packages: BTreeSet<&str> =
            self.manifests().filter_map(|file| Some(file.rsplit_once('/')?.0)).collect();
        let package_of = |file: &str| above(file).find_map(|folder| packages.get(folder).copied());
        let sources: Vec<&str> =
            self.files.iter().map(String::as_str).filter(|file| is_source(file)).collect();
        let loose = sources.iter().copied().filter(|file| package_of(file).is_none());
        let depths = depths(loose);
        let mut found: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for file in &sources {
            let Some((folder, _)) = file.rsplit_once('/') else { continue };
            let module = package_of(file).unwrap_or_else(|| {
                let top = folder.split('/').next().unwrap_or(folder);
                first_parts(folder, depths.get(top).copied().unwrap_or(DEPTH_MIN))
            });
            found.entry(module).or_default().push(file[module.len() + 1..].to_owned());
        }
        if found.is_empty() && !sources.is_empty() {
            found.insert(".", sources.iter().map(|file| (*file).to_owned()).collect());
        }
        let module = |(path, names): (&str, _)| Module { path: path.to_owned(), names };
        found.into_iter().take(MODULES_MAX).map(module).collect()
    }
}

/// How deep modules are below each top folder: where a layout has folders that hold nothing but
/// one folder (`src/main/java/com/acme`), one deeper than those.
fn depths<'f>(files: impl Iterator<Item = &'f str>) -> BTreeMap<&'f str, usize> {
    let mut shared: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for file in files {
        let mut parts: Vec<&str> = file.split('/').collect();
        parts.pop();
        let Some(top) = parts.first().copied() else { continue };
        let known = shared.entry(top).or_insert_with(|| parts.clone());
        let same = known.iter().zip(&parts).take_while(|(one, other)| one == other).count();
        known.truncate(same);
    }
    shared.into_iter().map(|(top, parts)| (top, (parts.len() + 1).max(DEPTH_MIN))).collect()
}

fn first_parts(folder: &str, count: usize) -> &str {
    match folder.match_indices('/').nth(count - 1) {
        Some((at, _)) => &folder[..at],
        None => folder,
    }
}

/// The folders that a path is in, the nearest first.
pub(crate) fn above(path: &str) -> impl Iterator<Item = &str> {
    path.rmatch_indices('/').map(|(at, _)| &path[..at])
}

pub(super) fn is_source(file: &str) -> bool {
    let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
    let Some((stem, extension)) = name.rsplit_once('.') else { return false };
    !stem.is_empty()
        && !name.starts_with('.')
        && table::has(SOURCE, &extension.to_ascii_lowercase())
        && !is_passed_over(folder)
}

fn is_passed_over(folder: &str) -> bool {
    let mut parts = folder.split('/');
    parts.any(|part| part.starts_with('.') || table::has(PASSED_OVER, &part.to_lowercase()))
}
