//! A new store: its folders and the files that git needs. Harmless on a store that is there.

use std::path::Path;

use crate::failure::{At, StoreError};
use oldhand_core::index_page::IndexPage;
use oldhand_core::kind::Kinds;

use super::git_files::git_files;
use crate::disk::Disk;
use crate::layout::Layout;

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
    for folder in [layout.events(), layout.local(), layout.tmp(), layout.kept()] {
        disk.make_dir(&folder).at("make the folder", &folder)?;
    }
    let index = IndexPage::default().render(kinds);
    let [attributes, ignored] = git_files(commits_index).map(|file| (file.name, file.new_text()));
    let files = [("config.toml", config.to_owned()), attributes, ignored, ("index.md", index)];
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
