//! The folder in which excerpts are handed over and drafts are handed back: one a session, the
//! user's alone, below this machine's own state.

use std::fs::OpenOptions;
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use oldhand_text::hash::ContentHash;
use oldhand_text::problem::Problem;

use crate::failure::Fail;
use crate::hook::state::older_in;

/// A draft is one record; more is a mistake.
pub(crate) const DRAFT_BYTES_MAX: u64 = 1024 * 1024;
pub(crate) const DRAFTS_MAX: usize = 50;

pub(crate) struct Staging {
    pub folder: PathBuf,
}

impl Staging {
    /// The folder of a session, made if need be.
    pub(crate) fn of_session(state_folder: &Path, session: &str) -> io::Result<Self> {
        let folder = home(state_folder).join(name_of(session));
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder)?;
        Ok(Self { folder })
    }

    pub(crate) fn is_of(folder: &Path, session: &str) -> bool {
        folder.file_name().is_some_and(|name| name.to_string_lossy() == name_of(session))
    }

    /// What was handed over is saved, or is a candidate: nothing of it is needed any more.
    pub(crate) fn remove_of(state_folder: &Path, session: &str) {
        let _ = std::fs::remove_dir_all(home(state_folder).join(name_of(session)));
    }

    pub(crate) fn forget_old(state_folder: &Path, older_than: Duration) {
        for folder in older_in(&home(state_folder), older_than) {
            let _ = std::fs::remove_dir_all(folder);
        }
    }

    /// R252: a folder that somebody names lies in the staging area, and says so without detours.
    pub(crate) fn named(state_folder: &Path, given: &Path) -> Result<Self, Fail> {
        let expected = format!("a folder in `{}`", home(state_folder).display());
        let refuse = |found: &str| {
            Problem::new("--staging", &expected, found)
                .with_fix("take the path from `staging_dir` in the triage data")
        };
        if given.components().any(|part| part == Component::ParentDir) {
            return Err(refuse(&format!("{}, which goes upward", given.display())).into());
        }
        let is_link = std::fs::symlink_metadata(given).is_ok_and(|meta| meta.is_symlink());
        if is_link {
            return Err(refuse(&format!("{}, which is a link", given.display())).into());
        }
        let real = std::fs::canonicalize(given)
            .map_err(|error| refuse(&format!("{}: {error}", given.display())))?;
        let home = std::fs::canonicalize(home(state_folder))
            .map_err(|_| refuse(&given.display().to_string()))?;
        if real.parent() != Some(home.as_path()) || !real.is_dir() {
            return Err(refuse(&given.display().to_string()).into());
        }
        Ok(Self { folder: real })
    }

    /// Replaces what an earlier stop of the same session left.
    pub(crate) fn write(&self, name: &str, text: &str) -> io::Result<PathBuf> {
        let path = self.folder.join(name);
        let part = self.folder.join(format!(".{name}.part"));
        let _ = std::fs::remove_file(&part);
        OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&part)?
            .write_all(text.as_bytes())?;
        std::fs::rename(part, &path)?;
        Ok(path)
    }

    /// A plain file with one name; a link could bring in anything.
    pub(crate) fn read(&self, name: &str) -> io::Result<String> {
        let path = self.folder.join(name);
        let meta = std::fs::symlink_metadata(&path)?;
        if !is_plain(&meta) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no plain file"));
        }
        if meta.len() > DRAFT_BYTES_MAX {
            let what = format!("more than {DRAFT_BYTES_MAX} bytes");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, what));
        }
        let mut text = String::new();
        std::fs::File::open(path)?.take(DRAFT_BYTES_MAX).read_to_string(&mut text)?;
        Ok(text)
    }

    /// Drafts by name.
    pub(crate) fn drafts(&self) -> io::Result<Vec<String>> {
        let entries: Vec<_> = std::fs::read_dir(&self.folder)?.collect::<io::Result<_>>()?;
        let mut names: Vec<String> = entries
            .into_iter()
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|name| name.starts_with("draft-") && name.ends_with(".json"))
            .collect();
        names.sort();
        names.truncate(DRAFTS_MAX);
        Ok(names)
    }

    pub(crate) fn remove(&self, name: &str) {
        let _ = std::fs::remove_file(self.folder.join(name));
    }
}

fn name_of(session: &str) -> String {
    ContentHash::of(session.as_bytes()).to_string()[..16].to_owned()
}

fn home(state_folder: &Path) -> PathBuf {
    state_folder.join("capture")
}

/// One file under one name: writing to it changes nothing else.
fn is_plain(meta: &std::fs::Metadata) -> bool {
    meta.is_file() && std::os::unix::fs::MetadataExt::nlink(meta) == 1
}

pub(crate) fn is_plain_or_new(path: &Path) -> bool {
    match std::fs::symlink_metadata(path) {
        Ok(meta) => is_plain(&meta),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}
