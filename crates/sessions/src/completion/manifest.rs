//! What of a change is structure that a decision should stand behind: dependencies, migrations,
//! schemas.

use std::collections::BTreeSet;

use super::change::{ChangeKind, Diff};
use crate::manifest;
use oldhand_text::table;

/// Folders of migrations.
const MIGRATIONS: &str = "migrations migration migrate";
const SCHEMAS: &str = "schema.sql structure.sql schema.prisma schema.graphql schema.rb";

pub fn is_manifest(path: &str) -> bool {
    manifest::sort_of(path).is_some()
}

/// The names of what a manifest depends on, also to build and to test.
pub fn dependencies(path: &str, text: &str) -> BTreeSet<String> {
    manifest::read(path, text).needs.into_iter().map(|need| need.name).collect()
}

/// R99: structure that a decision should stand behind, one sentence each.
pub fn structural(diff: &Diff) -> Vec<String> {
    let mut found = Vec::new();
    for manifest in &diff.manifests {
        let before = dependencies(&manifest.path, &manifest.before);
        for name in dependencies(&manifest.path, &manifest.after).difference(&before) {
            found.push(format!("{} adds the dependency `{name}`", manifest.path));
        }
    }
    for file in &diff.files {
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
