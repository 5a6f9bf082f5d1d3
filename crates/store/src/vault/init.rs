//! A new store: its folders and the files that git needs. Harmless on a store that is there.

use std::path::Path;

use crate::failure::{At, StoreError};
use oldhand_core::index_page::IndexPage;
use oldhand_core::kind::Kinds;
use oldhand_core::memory::CANDIDATES_FOLDER;

use super::git_files::git_files;
use crate::disk::Disk;
use crate::layout::Layout;

/// Keeps the folder when every candidate is promoted: git would take it for renamed, and a new
/// candidate of another branch with it.
const KEEP: &str = "candidates/.keep";

/// What was made; nothing for a store that was complete.
pub fn init(
    disk: &dyn Disk,
    layout: &Layout,
    kinds: &Kinds,
    config: &str,
    commits_index: bool,
) -> Result<Vec<String>, StoreError> {
    let mut made = Vec::new();
    let root = &layout.root;
    make_dirs(disk, root)?;
    let candidates = layout.file(CANDIDATES_FOLDER);
    for folder in [layout.events(), layout.local(), layout.tmp(), layout.kept(), candidates] {
        disk.make_dir(&folder).at("make the folder", &folder)?;
    }
    let index = IndexPage::default().render(kinds);
    let [attributes, ignored] = git_files(commits_index).map(|file| (file.name, file.new_text()));
    let config = ("config.toml", config.to_owned());
    let files = [config, attributes, ignored, ("index.md", index), (KEEP, String::new())];
    for (name, text) in files {
        let path = root.join(name);
        match disk.create(&path, text.as_bytes()) {
            Ok(()) => {
                disk.sync_file(&path).at("sync", &path)?;
                made.push(name.to_owned());
            }
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(StoreError::io("write", &path, error)),
        }
    }
    let local = layout.local();
    for folder in [Some(local.as_path()), Some(root.as_path()), root.parent()].into_iter().flatten()
    {
        disk.sync_dir(folder).at("sync", folder)?;
    }
    Ok(made)
}

fn make_dirs(disk: &dyn Disk, path: &Path) -> Result<(), StoreError> {
    let is_there = disk.stat(path).at("make the folder", path)?.is_some();
    if let Some(parent) = path.parent().filter(|_| !is_there) {
        make_dirs(disk, parent)?;
    }
    disk.make_dir(path).at("make the folder", path)
}
