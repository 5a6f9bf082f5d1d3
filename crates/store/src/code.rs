//! The repository beside the store, asked through the `git` program with everything switched off
//! that a repository could use to run something.

use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::time::Instant;

use crate::port::{CodeHistory, CodeTree};
use oldhand_core::policy::{FRESH_WAIT, MENTIONS_WAIT};
use oldhand_sessions::architecture::{FILES_MAX, READ_BYTES_MAX};
use oldhand_sessions::completion::change::{Diff, NoDiff};

use crate::disk::{Disk, RealDisk};
use crate::history::{Checkout, GitHistory};
use crate::layout::STORE_FOLDER;

pub struct Repository {
    pub root: PathBuf,
    pub history: GitHistory,
}

/// Pages made from the memories name them without resting on them.
const VIEWS: &[&str] = &["DECISIONS.md", "DECISIONS_ARCHIVE.md", "ARCHITECTURE.md"];

impl Repository {
    /// The branch that is checked out; none for a single commit, or without git.
    pub fn branch(&self) -> Option<String> {
        let branch = Checkout::find(&self.root)?.branch()?;
        Some(branch.strip_prefix("refs/heads/").unwrap_or(&branch).to_owned())
    }
}

impl CodeTree for Repository {
    fn exists(&self, path: &str) -> bool {
        !path.is_empty() && self.root.join(path).symlink_metadata().is_ok()
    }

    fn mentions(&self, words: &[String]) -> Vec<String> {
        let Some(mut found) = self.history.mentions(words, STORE_FOLDER, MENTIONS_WAIT) else {
            return self.mentions_by_walking(words);
        };
        found.retain(|path| !is_made(path));
        found
    }

    fn files(&self) -> Vec<String> {
        let mut files =
            self.history.files(STORE_FOLDER, FRESH_WAIT).unwrap_or_else(|| self.walked());
        files.retain(|path| !is_stored(path));
        files.sort();
        files.dedup();
        files.truncate(FILES_MAX);
        files
    }

    fn read(&self, path: &str) -> Option<String> {
        let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_));
        if path.is_empty() || !Path::new(path).components().all(is_plain) {
            return None;
        }
        // A link may lead anywhere, and a pipe would wait for ever.
        let place = self.root.join(path).canonicalize().ok()?;
        let is_inside = place.starts_with(self.root.canonicalize().ok()?);
        if !is_inside || !place.metadata().ok()?.is_file() {
            return None;
        }
        let mut bytes = Vec::new();
        std::fs::File::open(place).ok()?.take(READ_BYTES_MAX).read_to_end(&mut bytes).ok()?;
        match String::from_utf8(bytes) {
            Ok(text) => Some(text),
            // The limit may cut a character; any other wrong byte means that it is no text.
            Err(error) if error.utf8_error().error_len().is_none() => {
                let whole = error.utf8_error().valid_up_to();
                let mut bytes = error.into_bytes();
                bytes.truncate(whole);
                String::from_utf8(bytes).ok()
            }
            Err(_) => None,
        }
    }

    fn history(&self) -> Option<&dyn CodeHistory> {
        Some(&self.history)
    }

    fn committed(&self, path: &str) -> Vec<String> {
        let is_in_folder = self.root.join(STORE_FOLDER).is_dir();
        let path = if is_in_folder { format!("{STORE_FOLDER}/{path}") } else { path.to_owned() };
        self.history.versions(&path, FRESH_WAIT).unwrap_or_default()
    }

    fn diff(&self, since: Option<&str>) -> Result<Diff, NoDiff> {
        self.history.diff(since)
    }
}

fn is_stored(path: &str) -> bool {
    path.split('/').next() == Some(STORE_FOLDER)
}

/// Whether it is made from the memories.
fn is_made(path: &str) -> bool {
    is_stored(path) || VIEWS.contains(&path)
}

/// How much is looked at where git can't be asked, and how long.
const WALK_FILES_MAX: usize = 20_000;
const WALK_FILE_BYTES_MAX: u64 = 1024 * 1024;

/// Folders that hold what is made or fetched: without git nothing says that they are ignored.
const MADE: &[&str] = &["node_modules", "target", "dist", "build", "out", "vendor", "__pycache__"];

impl Repository {
    /// The files, where git can't be asked: nothing hidden, nothing made, no link followed.
    fn walked(&self) -> Vec<String> {
        let is_left_out =
            |name: &str, is_dir: bool| name.starts_with('.') || is_dir && MADE.contains(&name);
        let (mut files, folders) = self.walk(FILES_MAX, &is_left_out);
        // As many as there may be: whoever counts sees that some are missing.
        files.extend(folders);
        files
    }

    fn mentions_by_walking(&self, words: &[String]) -> Vec<String> {
        let is_ours =
            |name: &str, _: bool| [STORE_FOLDER, ".git"].contains(&name) || VIEWS.contains(&name);
        let end = Instant::now() + MENTIONS_WAIT;
        let (mut found, _) = self.walk(WALK_FILES_MAX, &is_ours);
        found.retain(|path| Instant::now() < end && names_one(&self.root.join(path), words));
        found.sort();
        found
    }

    /// The files below the root, and the folders that were not read: those above the limit, and
    /// those that can't be read.
    fn walk(
        &self,
        limit: usize,
        is_left_out: &dyn Fn(&str, bool) -> bool,
    ) -> (Vec<String>, Vec<String>) {
        let (mut files, mut unread) = (Vec::new(), Vec::new());
        let mut folders = vec![String::new()];
        while files.len() + folders.len() < limit {
            let Some(folder) = folders.pop() else { break };
            let Ok(entries) = std::fs::read_dir(self.root.join(&folder)) else {
                unread.push(folder);
                continue;
            };
            for entry in entries.flatten() {
                let name = entry.file_name().to_string_lossy().into_owned();
                let Ok(kind) = entry.file_type() else { continue };
                if is_left_out(&name, kind.is_dir()) {
                    continue;
                }
                let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
                if kind.is_dir() { &mut folders } else { &mut files }.push(path);
            }
        }
        unread.extend(folders);
        (files, unread)
    }
}

/// Links are not followed: one may lead anywhere.
fn names_one(path: &Path, words: &[String]) -> bool {
    let text = RealDisk.read(path, WALK_FILE_BYTES_MAX).map(String::from_utf8);
    let text = text.ok().and_then(Result::ok).unwrap_or_default();
    words.iter().any(|word| text.contains(word.as_str()))
}
