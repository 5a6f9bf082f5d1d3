//! Writes people's files: backs each one up, replaces it in one step, syncs it, and restores it if
//! a later one fails. Links are followed, because dotfiles are often kept elsewhere.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use crate::commands::prelude::*;
use oldhand_hosts::edit::Change;
use oldhand_store::disk::if_there;

/// Settings are small, but Claude Code keeps its history in the same file as its servers.
const FILE_BYTES_MAX: u64 = 64 * 1024 * 1024;
const BACKUPS_MAX: usize = 1000;

/// The backup of each path.
pub(super) type Backups = BTreeMap<String, String>;

pub(super) fn read_text(desk: &Desk<'_>, path: &str) -> Result<Option<String>, Problem> {
    let wrong = |found: &str| {
        Problem::new(path, "a text file that can be read", found)
            .with_fix("look at the file, then run the command again; nothing was changed")
    };
    match read(desk, &target(Path::new(path))) {
        Ok(None) => Ok(None),
        Ok(Some(bytes)) => {
            String::from_utf8(bytes).map(Some).map_err(|_| wrong("other bytes than UTF-8"))
        }
        Err(error) => Err(wrong(&error.to_string())),
    }
}

fn read(desk: &Desk<'_>, path: &Path) -> io::Result<Option<Vec<u8>>> {
    if_there(desk.env.disk.read(path, FILE_BYTES_MAX))
}

/// The target of a link.
fn target(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Writes all of them, or none.
pub(super) fn apply(desk: &Desk<'_>, changes: &[&Change]) -> Result<Backups, Fail> {
    for change in changes {
        check_writable(&target(Path::new(&change.path)))?;
    }
    let mut backups = Backups::new();
    for (number, change) in changes.iter().enumerate() {
        match apply_one(desk, change) {
            Ok(backup) => backups.extend(backup.map(|backup| (change.path.clone(), backup))),
            Err(error) => {
                for change in changes[..=number].iter().rev() {
                    // The first error is reported; the backups still exist.
                    let _ = put(desk, &target(Path::new(&change.path)), change.before.as_deref());
                }
                return Err(error.into());
            }
        }
    }
    Ok(backups)
}

/// Renaming over a read-only file would succeed, so it is refused here.
fn check_writable(path: &Path) -> Result<(), StoreError> {
    match std::fs::metadata(path) {
        Ok(found) if found.permissions().readonly() => {
            let error = io::Error::other("the file is read-only");
            Err(StoreError::io("write", path, error))
        }
        _ => Ok(()),
    }
}

/// Returns the path of the backup.
fn apply_one(desk: &Desk<'_>, change: &Change) -> Result<Option<String>, StoreError> {
    let path = target(Path::new(&change.path));
    let now = read(desk, &path).map_err(|error| StoreError::io("read", &path, error))?;
    if now.as_deref() != change.before.as_deref().map(str::as_bytes) {
        return Err(StoreError::conflict(&path));
    }
    let after = match &change.after {
        None if path.extension().is_some_and(|it| it == "json") => emptied(desk, &path)?,
        after => after.clone(),
    };
    let backup = match &change.before {
        Some(before) if !change.is_ours => Some(keep(desk, &path, before)?),
        _ => None,
    };
    put(desk, &path, after.as_deref())?;
    let link = Path::new(&change.path);
    if after.is_none() && std::fs::symlink_metadata(link).is_ok_and(|it| it.is_symlink()) {
        // It is dangling now, and would be in the way of the next write.
        let _ = std::fs::remove_file(link);
    }
    Ok(backup)
}

/// What is left in a file that existed before us: it stays, empty. One that we created is deleted.
fn emptied(desk: &Desk<'_>, path: &Path) -> Result<Option<String>, StoreError> {
    let first = beside(path, "oldhand-backup-1");
    let kept = read(desk, &first).map_err(|error| StoreError::io("read", &first, error))?;
    Ok(kept.map(|bytes| {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let bare: String = text.chars().filter(|it| !it.is_whitespace()).collect();
        if matches!(bare.as_str(), "" | "{}") { text } else { "{}\n".to_owned() }
    }))
}

/// Backs up the old text beside the file. A backup with the same bytes is reused; others are kept.
fn keep(desk: &Desk<'_>, path: &Path, text: &str) -> Result<String, StoreError> {
    for number in 1..=BACKUPS_MAX {
        let backup = beside(path, &format!("oldhand-backup-{number}"));
        match read(desk, &backup).map_err(|error| StoreError::io("read", &backup, error))? {
            Some(bytes) if bytes == text.as_bytes() => return Ok(backup.display().to_string()),
            Some(_) => {}
            None => {
                create(desk, path, &backup, text)?;
                return Ok(backup.display().to_string());
            }
        }
    }
    Err(StoreError::io("keep", path, io::Error::other("too many backups stand beside it")))
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{ending}"));
    path.with_file_name(name)
}

/// Creates a file with the permissions of another one. They are set before the content is written,
/// because it may contain secrets.
fn create(desk: &Desk<'_>, like: &Path, path: &Path, text: &str) -> Result<(), StoreError> {
    let failed = |error| StoreError::io("write", path, error);
    desk.env.disk.create(path, b"").map_err(failed)?;
    if let Ok(found) = std::fs::metadata(like) {
        std::fs::set_permissions(path, found.permissions()).map_err(failed)?;
    }
    desk.env.disk.append(path, text.as_bytes()).map_err(failed)?;
    desk.env.disk.sync_file(path).map_err(failed)
}

fn put(desk: &Desk<'_>, path: &Path, text: Option<&str>) -> Result<(), StoreError> {
    let failed = |error| StoreError::io("write", path, error);
    let folder = path.parent().unwrap_or(Path::new("/"));
    let Some(text) = text else {
        if_there(desk.env.disk.remove(path)).map_err(failed)?;
        desk.env.disk.sync_dir(folder).map_err(failed)?;
        remove_empty_folders(folder, &roots(desk));
        return Ok(());
    };
    std::fs::create_dir_all(folder).map_err(failed)?;
    let part = beside(path, &format!("oldhand-{:x}", desk.env.entropy.next()));
    let written = create(desk, path, &part, text)
        .and_then(|()| desk.env.disk.rename(&part, path).map_err(failed));
    if written.is_err() {
        // It may not exist.
        let _ = desk.env.disk.remove(&part);
    }
    written?;
    desk.env.disk.sync_dir(folder).map_err(failed)
}

/// The folder that plugins are written to.
const PLUGINS: &str = "oldhand-plugins";

/// Folders that belong to nobody's host: the home and those that programs share, and the repository.
fn roots(desk: &Desk<'_>) -> Vec<PathBuf> {
    let home = desk.env.var("HOME").map(PathBuf::from);
    let below = |variable: &str, below: &str| {
        let given = desk.env.var(variable).map(PathBuf::from);
        given.or_else(|| Some(home.as_ref()?.join(below)))
    };
    let shared = [below("XDG_CONFIG_HOME", ".config"), below("XDG_DATA_HOME", ".local/share")];
    let repository = desk.located().ok().map(|it| it.repository());
    let all = shared.into_iter().chain([home.clone(), repository]).flatten();
    all.map(|root| target(&root)).collect()
}

/// Removes folders that nothing is left in: those of a host, else a folder that we made would make
/// it look as if that were here; and those with our name.
fn remove_empty_folders(folder: &Path, roots: &[PathBuf]) {
    let is_removed = |folder: &&Path| {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let is_own = name.starts_with("oldhand-")
            || folder.components().any(|part| part.as_os_str() == PLUGINS);
        let is_root = roots.iter().any(|root| root == folder);
        is_own || !is_root && roots.iter().any(|root| folder.starts_with(root))
    };
    for folder in folder.ancestors().take_while(is_removed) {
        // A folder with other files stays, and so do those above it.
        if std::fs::remove_dir(folder).is_err() {
            break;
        }
    }
}
