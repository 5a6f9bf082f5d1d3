//! The folder in which excerpts are handed over and drafts are handed back: one per session, the
//! user's alone.

use std::io;
use std::path::{Component, Path, PathBuf};

use oldhand_text::hash::ContentHash;
use oldhand_text::problem::Problem;

use super::FileSessions;
use crate::disk::Disk;
use crate::files;

/// A draft is one record; more is a mistake.
const DRAFT_BYTES_MAX: u64 = 1024 * 1024;
const DRAFTS_MAX: usize = 50;

pub struct Staging<'d> {
    disk: &'d dyn Disk,
    pub folder: PathBuf,
}

impl<'d> FileSessions<'d> {
    pub(super) fn staging_home(&self) -> PathBuf {
        self.folder.join("capture")
    }

    /// The staging folder of a session, made if need be.
    pub fn staging(&self, session: &str) -> io::Result<Staging<'d>> {
        let folder = self.staging_home().join(name_of(session));
        files::make_folder(self.disk, &folder)?;
        Ok(Staging { disk: self.disk, folder })
    }

    /// What was handed over is saved, or is a candidate: nothing of it is needed any more.
    pub fn remove_staging(&self, session: &str) {
        files::remove_tree(self.disk, &self.staging_home().join(name_of(session)));
    }

    /// R252: a folder that somebody names lies in the staging area, and says so without detours.
    pub fn named_staging(&self, given: &Path) -> Result<Staging<'d>, Problem> {
        let home = self.staging_home();
        let expected = format!("a folder in `{}`", home.display());
        let refuse = |found: &str| {
            Problem::new("--staging", &expected, found)
                .with_fix("take the path from `staging_dir` in the triage data")
        };
        if given.components().any(|part| part == Component::ParentDir) {
            return Err(refuse(&format!("{}, which goes upward", given.display())));
        }
        let is_link = std::fs::symlink_metadata(given).is_ok_and(|meta| meta.is_symlink());
        if is_link {
            return Err(refuse(&format!("{}, which is a link", given.display())));
        }
        let real = std::fs::canonicalize(given)
            .map_err(|error| refuse(&format!("{}: {error}", given.display())))?;
        let home = std::fs::canonicalize(home).map_err(|_| refuse(&given.display().to_string()))?;
        if real.parent() != Some(home.as_path()) || !real.is_dir() {
            return Err(refuse(&given.display().to_string()));
        }
        Ok(Staging { disk: self.disk, folder: real })
    }

    /// A draft of this session: a new file, or a plain one, of a name that we hand out, in a folder
    /// that we made.
    pub fn is_draft_of(&self, session: &str, path: &Path) -> bool {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return false };
        let is_ours = folder.file_name().is_some_and(|it| it.to_string_lossy() == name_of(session))
            && self.named_staging(folder).is_ok();
        is_ours && is_draft(&name.to_string_lossy()) && is_plain_or_new(path)
    }
}

impl Staging<'_> {
    /// Replaces what an earlier stop of the same session left.
    pub fn write(&self, name: &str, text: &str) -> io::Result<PathBuf> {
        let path = self.folder.join(name);
        files::replace(self.disk, &path, text.as_bytes())?;
        Ok(path)
    }

    /// A plain file with one name; a link could bring in anything.
    pub fn read(&self, name: &str) -> io::Result<String> {
        let path = self.folder.join(name);
        if !is_plain_or_new(&path) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no plain file"));
        }
        let bytes = self.disk.read(&path, DRAFT_BYTES_MAX)?;
        String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
    }

    /// Drafts by name.
    pub fn drafts(&self) -> io::Result<Vec<String>> {
        let entries = self.disk.list(&self.folder)?.into_iter().map(|entry| entry.name);
        Ok(entries.filter(|name| is_draft(name)).take(DRAFTS_MAX).collect())
    }

    pub fn remove(&self, name: &str) {
        // What stays is read again, and is a twin then.
        let _ = self.disk.remove(&self.folder.join(name));
    }
}

fn is_draft(name: &str) -> bool {
    name.starts_with("draft-") && name.ends_with(".json")
}

fn name_of(session: &str) -> String {
    ContentHash::of(session.as_bytes()).to_string()[..16].to_owned()
}

/// One file under one name: writing to it changes nothing else.
fn is_plain_or_new(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match std::fs::symlink_metadata(path) {
        Ok(meta) => meta.is_file() && meta.nlink() == 1,
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}
