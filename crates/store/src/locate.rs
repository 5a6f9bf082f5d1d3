//! Finding the store: upwards from the working directory to the repository's root; a linked
//! worktree is the same project as its main one.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::history::Checkout;
use crate::layout::{Layout, STORE_FOLDER};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Located {
    Store {
        root: PathBuf,
        repository: PathBuf,
    },
    /// There is one, which somebody else could have put there.
    Foreign {
        root: PathBuf,
    },
    /// There is none; a new one would belong here.
    Missing {
        repository: PathBuf,
    },
}

impl Located {
    /// The project's folder, with or without a store.
    pub fn repository(self) -> PathBuf {
        match self {
            Self::Store { repository, .. } | Self::Missing { repository } => repository,
            Self::Foreign { root } => root.parent().map_or(root.clone(), Path::to_owned),
        }
    }

    pub fn layout(self) -> Option<Layout> {
        match self {
            Self::Store { root, repository } => Some(Layout { root, repository }),
            Self::Foreign { .. } | Self::Missing { .. } => None,
        }
    }
}

/// From `start` upwards to the repository's root. Outside of a repository the search may climb far,
/// so it ends below `home`'s parent. A store is taken only from a folder that nobody else can have
/// made: as git does, it must be the user's own, and the folder around it not open to everybody.
pub fn locate(start: &Path, home: Option<&Path>) -> Located {
    let mut foreign = None;
    let above_home = home.and_then(Path::parent);
    for folder in start.ancestors() {
        let root = folder.join(STORE_FOLDER);
        if fs::symlink_metadata(&root).is_ok() {
            if is_own(&root) && !is_open_to_all(folder) && Some(folder) != above_home {
                return Located::Store { root, repository: folder.to_owned() };
            }
            foreign.get_or_insert(root);
        }
        if folder.join(".git").exists() {
            let here = || Located::Missing { repository: folder.to_owned() };
            let foreign = foreign.map(|root| Located::Foreign { root });
            return foreign.or_else(|| in_main_worktree(folder)).unwrap_or_else(here);
        }
        if Some(folder) == above_home {
            break;
        }
    }
    match foreign {
        Some(root) => Located::Foreign { root },
        None => Located::Missing { repository: start.to_owned() },
    }
}

/// The rule of git's `safe.directory`. Root may also act for whoever called `sudo`, but no store of
/// theirs is root's own: what root reads there, they have written.
fn is_own(root: &Path) -> bool {
    fs::symlink_metadata(root).is_ok_and(|it| it.uid() == rustix::process::geteuid().as_raw())
}

/// Anybody can put a store into `/tmp`.
pub fn is_open_to_all(folder: &Path) -> bool {
    const WRITABLE_BY_ALL: u32 = 0o002;
    fs::metadata(folder).is_ok_and(|it| it.mode() & WRITABLE_BY_ALL != 0)
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

/// The store beside the `.git` that a linked worktree shares with its main one.
fn in_main_worktree(folder: &Path) -> Option<Located> {
    let checkout = Checkout::at(folder, folder)?;
    // Only a linked worktree has a folder of its own beside the shared one.
    if checkout.common_dir == checkout.git_dir {
        return None;
    }
    let main = fs::canonicalize(checkout.common_dir).ok()?;
    let repository = main.parent()?.to_owned();
    let root = repository.join(STORE_FOLDER);
    match root.is_dir() {
        true if is_own(&root) => Some(Located::Store { root, repository }),
        true => Some(Located::Foreign { root }),
        false => None,
    }
}

#[cfg(test)]
mod tests;
