//! Small files of this machine's own, for the user's eyes alone: replaced in one step, added to line
//! by line, never followed through a link. The session store and the cache write through here.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::disk::{Disk, NodeKind};

/// The folder and those above it, as far as they are missing.
pub(crate) fn make_folder(disk: &dyn Disk, folder: &Path) -> io::Result<()> {
    match disk.stat(folder)?.map(|stat| stat.kind) {
        // A link to a folder is fine here: it is in the user's own home.
        Some(NodeKind::Directory | NodeKind::Symlink) => return Ok(()),
        Some(_) => return disk.make_private_dir(folder),
        None => {}
    }
    let Some(above) = folder.parent().filter(|above| !above.as_os_str().is_empty()) else {
        return disk.make_private_dir(folder);
    };
    make_folder(disk, above)?;
    disk.make_private_dir(folder)?;
    match disk.sync_dir(above) {
        // A folder that can be passed through but not opened.
        Err(error) if error.kind() == ErrorKind::PermissionDenied => Ok(()),
        other => other,
    }
}

/// In one step. Not synced: what a power cut damages here is a reminder, not a memory.
pub(crate) fn replace(disk: &dyn Disk, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let part = write_part(disk, path, bytes)?;
    disk.rename(&part, path)
}

/// In one step, and durable when it returns.
pub(crate) fn replace_durably(disk: &dyn Disk, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let part = write_part(disk, path, bytes)?;
    disk.sync_file(&part)?;
    disk.rename(&part, path)?;
    sync_folder(disk, path)
}

fn write_part(disk: &dyn Disk, path: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
    // Two commands at once don't write into each other's.
    let mut part = path.as_os_str().to_owned();
    part.push(format!(".{}.part", std::process::id()));
    let part = PathBuf::from(part);
    match disk.create_private(&part, bytes) {
        // An interrupted command left it.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            disk.remove(&part)?;
            disk.create_private(&part, bytes)?;
        }
        other => other?,
    }
    Ok(part)
}

/// Whole lines, all of them or none, and durable when it returns.
pub(crate) fn append_durably(
    disk: &dyn Disk,
    path: &Path,
    lines: &str,
    limit: u64,
) -> io::Result<()> {
    let before = disk.stat(path)?.map(|stat| stat.len);
    let len = before.unwrap_or_default();
    // A line that was cut off ends here, and the next one is whole.
    let is_torn = len > 0 && disk.read_tail(path, 1)? != b"\n";
    let bytes = [if is_torn { "\n" } else { "" }, lines].concat();
    if len + bytes.len() as u64 > limit {
        return Err(ErrorKind::FileTooLarge.into());
    }
    let written = disk
        .append_private(path, bytes.as_bytes())
        .and_then(|()| disk.sync_file(path))
        .and_then(|()| if before.is_none() { sync_folder(disk, path) } else { Ok(()) });
    if written.is_err() {
        // Best effort: what stays of it is torn, or was not acknowledged.
        let _ = disk.truncate(path, len);
    }
    written
}

/// A name is durable when its folder is synced.
fn sync_folder(disk: &dyn Disk, path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), |folder| disk.sync_dir(folder))
}

/// Keeps a file that can't be used under another name; the new name.
pub(crate) fn put_aside(disk: &dyn Disk, path: &Path) -> io::Result<PathBuf> {
    let now = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default().as_secs();
    let mut number = now;
    loop {
        let aside = path.with_extension(format!("damaged-{number}"));
        match disk.rename_new(path, &aside) {
            Ok(()) => return Ok(aside),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
        }
    }
}

/// Best effort: what stays is removed when it is found to be old again.
pub(crate) fn remove_tree(disk: &dyn Disk, path: &Path) {
    if disk.remove(path).is_ok() {
        return;
    }
    for entry in disk.list(path).unwrap_or_default() {
        remove_tree(disk, &entry.path);
    }
    let _ = disk.remove_dir(path);
}
