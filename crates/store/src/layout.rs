//! Where everything is inside a store.

use std::path::{Path, PathBuf};

use oldhand_core::refusal::{Code, Refusal};

/// The folder's name in a repository.
pub const STORE_FOLDER: &str = ".oldhand";

#[derive(Debug, Clone)]
pub struct Layout {
    /// The store itself: `.oldhand/`, or the user's own.
    pub root: PathBuf,
    /// Where rendered views stand; the repository's root.
    pub repository: PathBuf,
}

impl Layout {
    pub fn file(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    pub fn config(&self) -> PathBuf {
        self.root.join("config.toml")
    }

    pub fn index(&self) -> PathBuf {
        self.root.join("index.md")
    }

    pub fn events(&self) -> PathBuf {
        self.root.join("events")
    }

    /// This machine's own: the lock, files on their way, replaced versions. Never committed.
    pub fn local(&self) -> PathBuf {
        self.root.join("local")
    }

    pub fn lock(&self) -> PathBuf {
        self.local().join("lock")
    }

    pub fn tmp(&self) -> PathBuf {
        self.local().join("tmp")
    }

    pub fn kept(&self) -> PathBuf {
        self.local().join("kept")
    }

    /// The files of the log that this checkout may append to.
    pub fn writers(&self) -> PathBuf {
        self.local().join("writers.json")
    }

    /// Says that `index.md` lags behind.
    pub fn index_stale(&self) -> PathBuf {
        self.local().join("index-stale")
    }

    /// The commit at which `index.md` was last rebuilt.
    pub fn index_head(&self) -> PathBuf {
        self.local().join("index-head")
    }

    pub fn view(&self, name: &str) -> PathBuf {
        self.repository.join(name)
    }

    /// The name of a page below the repository, behind links.
    pub fn page_behind(&self, name: &str) -> Result<String, Refusal> {
        let (real, root) = (behind_links(&self.view(name)), behind_links(&self.repository));
        if real.starts_with(&root) {
            return Ok(relative(&root, &real));
        }
        let message = format!("`{name}` leads out of the repository");
        Err(Refusal::new(Code::Path, message).with_hint("name a page inside of it, without links"))
    }
}

/// The part of a path that is there, behind its links, and the rest as it is.
fn behind_links(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| match (path.parent(), path.file_name()) {
        (Some(above), Some(name)) => behind_links(above).join(name),
        _ => path.to_owned(),
    })
}

/// `path` as the store names its files.
pub fn relative(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/")
}
