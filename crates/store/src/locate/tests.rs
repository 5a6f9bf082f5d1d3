//! Which stores a search from below may take.

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::Path;

use tempfile::TempDir;

use super::{Located, locate};

/// A folder with a store in `above`, and the folder below it where the search begins.
fn place(above: &str, start: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join(above).join(".oldhand")).unwrap();
    fs::create_dir_all(folder.path().join(start)).unwrap();
    folder
}

#[track_caller]
fn check(folder: &TempDir, start: &str, home: &str, is_taken: bool) {
    let path = |below: &str| folder.path().join(below);
    let found = locate(&path(start), Some(&path(home)));
    assert_eq!(matches!(found, Located::Store { .. }), is_taken, "{found:?}");
}

#[test]
fn a_store_above_is_taken_within_a_home() {
    check(&place("sam/work", "sam/work/app/src"), "sam/work/app/src", "sam", true);
    check(&place("sam", "sam/work"), "sam/work", "sam", true);
}

#[test]
fn the_parent_of_a_home_and_what_is_above_it_are_not_looked_at() {
    check(&place("homes", "homes/sam/work"), "homes/sam/work", "homes/sam", false);
    check(&place("", "homes/sam/work"), "homes/sam/work", "homes/sam", false);
}

#[test]
fn a_folder_that_all_can_write_to_holds_nobodys_store() {
    let folder = place("tmp", "tmp/app");
    let open = fs::Permissions::from_mode(0o1777);
    fs::set_permissions(folder.path().join("tmp"), open).unwrap();
    check(&folder, "tmp/app", "elsewhere/sam", false);
    check(&folder, "tmp", "elsewhere/sam", false);
}

/// Only root can give a folder away; as anybody else there is `/`, which is root's.
#[test]
fn another_users_store_is_named_and_not_taken() {
    let folder = place("srv/app", "srv/app/src");
    let store = folder.path().join("srv/app/.oldhand");
    if chown(&store, Some(4711), None).is_err() {
        assert!(!super::is_own(Path::new("/")));
        return;
    }
    let found = locate(&folder.path().join("srv/app/src"), None);
    assert_eq!(found, Located::Foreign { root: store.clone() });
    // In a repository too: git itself would not work there.
    fs::create_dir_all(folder.path().join("srv/app/.git")).unwrap();
    let found = locate(&folder.path().join("srv/app/src"), None);
    assert_eq!(found, Located::Foreign { root: store });
}

#[test]
fn only_a_linked_worktree_takes_the_store_beside_its_git_folder() {
    let folder = place("sam/main", "sam/work");
    fs::create_dir_all(folder.path().join("sam/main/.git/worktrees/work")).unwrap();
    let git = folder.path().join("sam/work/.git");
    std::os::unix::fs::symlink("../main/.git", &git).unwrap();
    check(&folder, "sam/work", "sam", false);
    fs::remove_file(&git).unwrap();
    fs::write(&git, "gitdir: ../main/.git/worktrees/work\n").unwrap();
    check(&folder, "sam/work", "sam", false);
    fs::write(folder.path().join("sam/main/.git/worktrees/work/commondir"), "../..\n").unwrap();
    check(&folder, "sam/work", "sam", true);
}
