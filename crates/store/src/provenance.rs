//! Where the repository around a store comes from, read from `.git` itself: every hook asks.

use std::path::{Path, PathBuf};

use crate::history::Checkout;
use crate::layout::Layout;

/// One name for all worktrees of a repository; the store itself where there is no repository.
pub fn identity(layout: &Layout) -> PathBuf {
    let common = Checkout::find(&layout.repository).map(|place| place.common_dir);
    canonical(&common.unwrap_or_else(|| layout.root.clone()))
}

/// The address that `git clone` wrote down: another remote says nothing about what is checked out.
pub fn origin(layout: &Layout) -> Option<String> {
    let place = Checkout::find(&layout.repository)?;
    origin_of(&place.config()?)
}

pub fn canonical(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// The first `url` of `[remote "origin"]`.
fn origin_of(config: &str) -> Option<String> {
    let mut is_origin = false;
    for line in config.lines().map(str::trim) {
        if line.starts_with('[') {
            is_origin = line.replace(' ', "") == "[remote\"origin\"]";
        } else if is_origin
            && let Some((key, value)) = line.split_once('=')
            && key.trim().eq_ignore_ascii_case("url")
        {
            return Some(value.trim().trim_matches('"').to_owned());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::origin_of;

    #[test]
    fn the_address_of_origin_alone_counts() {
        let config = "[core]\n\tbare = false\n[remote \"fork\"]\n\turl = git@evil.example:x\n\
                      [remote \"origin\"]\n\tfetch = +refs/*\n\turl = git@github.com:acme/app.git\n";
        assert_eq!(origin_of(config).as_deref(), Some("git@github.com:acme/app.git"));
        assert_eq!(origin_of("[remote \"fork\"]\n\turl = x\n"), None);
    }
}
