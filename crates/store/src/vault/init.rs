//! A new store: its folders and the files that git needs. Harmless on a store that is there.

use std::path::Path;

use crate::failure::{At, StoreError};
use oldhand_core::index_page::IndexPage;
use oldhand_core::kind::Kinds;
use oldhand_core::memory::CANDIDATES_FOLDER;

use crate::disk::Disk;
use crate::layout::Layout;

const ATTRIBUTES: &str = ".gitattributes";
const ATTRIBUTES_BYTES_MAX: u64 = 1024 * 1024;
/// Union merges keep both sides' lines; the log reads each event once, and the index page is rebuilt.
const GIT_ATTRIBUTES: &str =
    "events/*.jsonl merge=union\nindex.md merge=union linguist-generated\n";
/// Git merges memories by fields where it knows the driver, else by lines.
const MERGE_DRIVER: &str = "*/*.md merge=oldhand\n";
/// Keeps the folder when every candidate is promoted: git would take it for renamed, and a new
/// candidate of another branch with it.
const KEEP: &str = "candidates/.keep";
const GIT_IGNORE: &str = "/local/\n";

/// What was made; nothing for a store that was complete.
pub fn init(
    disk: &dyn Disk,
    layout: &Layout,
    kinds: &Kinds,
    config: &str,
) -> Result<Vec<String>, StoreError> {
    let mut made = Vec::new();
    let root = &layout.root;
    make_dirs(disk, root)?;
    let candidates = layout.file(CANDIDATES_FOLDER);
    for folder in [layout.events(), layout.local(), layout.tmp(), layout.kept(), candidates] {
        disk.make_dir(&folder).at("make the folder", &folder)?;
    }
    let index = IndexPage::default().render(kinds);
    let files = [
        ("config.toml", config),
        (ATTRIBUTES, GIT_ATTRIBUTES),
        (".gitignore", GIT_IGNORE),
        ("index.md", index.as_str()),
        (KEEP, ""),
    ];
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
    if name_driver(disk, layout)? && !made.iter().any(|name| name == ATTRIBUTES) {
        made.push(ATTRIBUTES.to_owned());
    }
    let local = layout.local();
    for folder in [Some(local.as_path()), Some(root.as_path()), root.parent()].into_iter().flatten()
    {
        disk.sync_dir(folder).at("sync", folder)?;
    }
    Ok(made)
}

/// Adds the merge driver to attributes of an older store; `true` if it was missing.
pub fn name_driver(disk: &dyn Disk, layout: &Layout) -> Result<bool, StoreError> {
    let path = layout.file(ATTRIBUTES);
    let found = disk.file(&path, ATTRIBUTES_BYTES_MAX)?.unwrap_or_default();
    let text = String::from_utf8_lossy(&found);
    if found.is_empty() || text.lines().any(|line| line.split(' ').any(|it| it == "merge=oldhand"))
    {
        return Ok(false);
    }
    let lead = if text.ends_with('\n') { "" } else { "\n" };
    disk.append(&path, format!("{lead}{MERGE_DRIVER}").as_bytes()).at("write", &path)?;
    disk.sync_file(&path).at("sync", &path)?;
    Ok(true)
}

fn make_dirs(disk: &dyn Disk, path: &Path) -> Result<(), StoreError> {
    let is_there = disk.stat(path).at("make the folder", path)?.is_some();
    if let Some(parent) = path.parent().filter(|_| !is_there) {
        make_dirs(disk, parent)?;
    }
    disk.make_dir(path).at("make the folder", path)
}
