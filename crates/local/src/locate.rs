//! Finding the store: upwards from the working directory to the repository's root; a linked
//! worktree is the same project as its main one.

use std::fs;
use std::path::{Path, PathBuf};

use crate::layout::{Layout, STORE_FOLDER};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Located {
    Store {
        root: PathBuf,
        repository: PathBuf,
    },
    /// There is none; a new one would belong here.
    Missing {
        repository: PathBuf,
    },
}

impl Located {
    pub fn layout(self) -> Result<Layout, PathBuf> {
        match self {
            Self::Store { root, repository } => Ok(Layout { root, repository }),
            Self::Missing { repository } => Err(repository),
        }
    }
}

/// From `start` upwards. Outside of a repository only `start` and its parents with a store count.
pub fn locate(start: &Path) -> Located {
    for folder in start.ancestors() {
        let store = folder.join(STORE_FOLDER);
        if fs::symlink_metadata(&store).is_ok() {
            return Located::Store { root: store, repository: folder.to_owned() };
        }
        let git = folder.join(".git");
        if git.exists() {
            return in_main_worktree(&git)
                .unwrap_or(Located::Missing { repository: folder.to_owned() });
        }
    }
    Located::Missing { repository: start.to_owned() }
}

/// A given root is a repository with a store, or the store itself.
pub fn locate_given(root: &Path) -> Located {
    let store = root.join(STORE_FOLDER);
    if fs::symlink_metadata(&store).is_ok() {
        return Located::Store { root: store, repository: root.to_owned() };
    }
    let is_store = root.file_name().is_some_and(|name| name == STORE_FOLDER)
        || root.join("config.toml").exists() && root.join("events").is_dir();
    if is_store && root.exists() {
        let repository = root.parent().unwrap_or(root).to_owned();
        return Located::Store { root: root.to_owned(), repository };
    }
    Located::Missing { repository: root.to_owned() }
}

/// The user's own store has no repository; its views would stand beside its files.
pub fn user_store(data_home: &Path) -> Layout {
    let root = data_home.join("oldhand");
    Layout { repository: root.clone(), root }
}

/// A `.git` file points into the main repository's `.git/worktrees/<name>`.
fn in_main_worktree(git: &Path) -> Option<Located> {
    let text = fs::read_to_string(git).ok()?;
    let pointed = PathBuf::from(text.strip_prefix("gitdir:")?.trim());
    let git_dir = if pointed.is_absolute() { pointed } else { git.parent()?.join(pointed) };
    let common = fs::read_to_string(git_dir.join("commondir")).ok()?;
    let main = fs::canonicalize(git_dir.join(common.trim())).ok()?;
    let repository = main.parent()?.to_owned();
    let root = repository.join(STORE_FOLDER);
    root.is_dir().then_some(Located::Store { root, repository })
}
