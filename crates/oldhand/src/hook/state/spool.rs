//! Prompts of a session whose state could not be changed in time: one file each, in a folder beside it,
//! until whoever changes the state next has taken them in.

use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::{Said, file};

pub(crate) fn keep(folder: &Path, session: &str, said: &Said) -> io::Result<()> {
    let spool = spool(&file::base_of(folder, session, "")?);
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&spool)?;
    let now = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default().as_nanos();
    // Of fixed length, so that names are in the order of time.
    let name = format!("{now:020}-{}.json", std::process::id());
    file::write_own(&spool.join(name), &serde_json::to_string(said)?)
}

/// In the order of time. What can't be read stays where it is.
pub(super) fn kept(base: &Path) -> Vec<(PathBuf, Said)> {
    let Ok(entries) = std::fs::read_dir(spool(base)) else { return Vec::new() };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let whole = paths.filter(|path| path.extension().is_some_and(|it| it == "json"));
    let said = |path: &Path| serde_json::from_slice(&std::fs::read(path).ok()?).ok();
    let mut kept: Vec<(PathBuf, Said)> =
        whole.filter_map(|path| Some((path.clone(), said(&path)?))).collect();
    kept.sort_by(|a, b| a.0.cmp(&b.0));
    kept
}

pub(super) fn forget(base: &Path, taken: &[(PathBuf, Said)]) {
    if taken.is_empty() {
        return;
    }
    for (path, _) in taken {
        let _ = std::fs::remove_file(path);
    }
    // Only if nobody has added another one.
    let _ = std::fs::remove_dir(spool(base));
}

fn spool(base: &Path) -> PathBuf {
    base.with_extension("spool")
}
