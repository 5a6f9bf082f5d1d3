//! What a piece of work changed, as plain data: files with their lines, commits, dependencies.

use std::collections::BTreeSet;

use jiff::Timestamp;

use crate::manifest;
use oldhand_text::table;

/// Folders of migrations.
const MIGRATIONS: &str = "migrations migration migrate";
const SCHEMAS: &str = "schema.sql structure.sql schema.prisma schema.graphql schema.rb";

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangeKind {
    Added,
    Modified,
    Deleted,
    Renamed { from: String },
}

impl ChangeKind {
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Modified => "modified",
            Self::Deleted => "deleted",
            Self::Renamed { .. } => "renamed",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// As memories name it.
    pub path: String,
    pub added: usize,
    pub removed: usize,
    pub kind: ChangeKind,
}

impl FileChange {
    pub fn line(&self) -> String {
        let Self { path, added, removed, kind } = self;
        let what = match kind {
            ChangeKind::Added => format!("new, +{added}"),
            ChangeKind::Modified => format!("+{added} -{removed}"),
            ChangeKind::Deleted => format!("deleted, -{removed}"),
            ChangeKind::Renamed { from } => format!("renamed from {from}, +{added} -{removed}"),
        };
        format!("{path} ({what})")
    }

    /// All names by which others may know it.
    pub fn names(&self) -> Vec<&str> {
        match &self.kind {
            ChangeKind::Renamed { from } => vec![&self.path, from],
            _ => vec![&self.path],
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManifestChange {
    pub path: String,
    pub before: String,
    pub after: String,
}

/// Everything since a commit: committed, uncommitted and untracked, the store left out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Diff {
    /// None before the first commit.
    pub base: Option<String>,
    /// When it was committed, or when the first commit of the work was, if a rebase made that older;
    /// never before the base itself was written.
    pub base_time: Option<Timestamp>,
    pub head: Option<String>,
    /// Empty where none is checked out.
    pub branch: String,
    pub files: Vec<FileChange>,
    pub subjects: Vec<String>,
    pub manifests: Vec<ManifestChange>,
}

impl Diff {
    pub fn lines(&self) -> usize {
        self.files.iter().map(|file| file.added + file.removed).sum()
    }

    /// R99: structure that a decision should stand behind, one sentence each.
    pub fn structural(&self) -> Vec<String> {
        let mut found = Vec::new();
        for manifest in &self.manifests {
            let before = dependencies(&manifest.path, &manifest.before);
            for name in dependencies(&manifest.path, &manifest.after).difference(&before) {
                found.push(format!("{} adds the dependency `{name}`", manifest.path));
            }
        }
        for file in &self.files {
            let is_new = matches!(file.kind, ChangeKind::Added | ChangeKind::Renamed { .. });
            let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
            if is_new && folder.split('/').any(|it| table::has(MIGRATIONS, it)) {
                found.push(format!("{} is a migration", file.path));
            } else if file.kind != ChangeKind::Deleted && table::has(SCHEMAS, name) {
                found.push(format!("{} is a schema", file.path));
            }
        }
        found
    }
}

/// Also what only builds or tests it.
pub(super) fn dependencies(path: &str, text: &str) -> BTreeSet<String> {
    manifest::read(path, text).needs.into_iter().map(|need| need.name).collect()
}

/// Why there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoDiff {
    /// No git program, or no repository around the store.
    NoRepository,
    UnknownRevision,
    /// Git would not answer, or not in time.
    Failed,
}
