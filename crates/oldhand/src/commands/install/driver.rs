//! The merge driver in git's configuration: of this clone, or of the user. Only git writes there.

use std::path::Path;
use std::process::{Command, Stdio};

use super::find_program;
use crate::commands::prelude::*;

const SECTION: &str = "merge.oldhand";
const TITLE: &str = "memories by fields";
/// Without the program git would take our side as it is, without a marker: its own merge is better.
const DRIVER: &str = "if command -v oldhand >/dev/null 2>&1; then \
    oldhand merge-file --marker-size %L --path %P --output %A %O %A %B; else \
    git merge-file --marker-size=%L -L ours -L base -L theirs %A %O %B; fi";

/// What was done to the configuration.
pub(in super::super) struct GitChange {
    /// `create`, `edit` or `delete`.
    pub(super) verb: &'static str,
    /// What was changed, as a person names it.
    pub(super) place: &'static str,
}

/// Sets it up in the clone that the store is in, if there is one: `init` and `install` do this
/// beside their own work, and it fails nothing. A driver of somebody else is left alone.
pub(in super::super) fn beside(desk: &Desk<'_>, dry_run: bool) -> Option<GitChange> {
    let git = Git::of_clone(desk).filter(|_| !desk.flags.global)?;
    let is_ours = git.driver().is_none_or(|known| known.contains("oldhand merge-file"));
    if is_ours { git.set_up(dry_run).ok().flatten() } else { None }
}

/// `oldhand install git`: whatever was there is replaced.
pub(super) fn install(desk: &Desk<'_>, dry_run: bool) -> Result<Option<GitChange>, Fail> {
    Git::wanted(desk)?.set_up(dry_run)
}

pub(super) fn take_out(desk: &Desk<'_>, dry_run: bool) -> Result<Option<GitChange>, Fail> {
    Git::wanted(desk)?.take_out(dry_run)
}

/// A clone whose attributes name the driver, and whose git does not know it.
pub(in super::super) fn is_missing(desk: &Desk<'_>) -> bool {
    !desk.flags.global && Git::of_clone(desk).is_some_and(|git| git.any_driver().is_none())
}

struct Git<'d> {
    desk: &'d Desk<'d>,
    program: std::path::PathBuf,
    folder: std::path::PathBuf,
    scope: &'static str,
}

impl<'d> Git<'d> {
    fn of_clone(desk: &'d Desk<'d>) -> Option<Self> {
        let program = find_program(desk.env, "git")?;
        let folder = desk.located().ok()?.repository();
        let git = Self { desk, program, folder, scope: "--local" };
        let there = git.folder.ancestors().any(|above| above.join(".git").exists());
        (there && git.run(&["rev-parse", "--git-dir"]).is_some()).then_some(git)
    }

    fn wanted(desk: &'d Desk<'d>) -> Result<Self, Fail> {
        if desk.flags.global {
            let program = find_program(desk.env, "git").ok_or_else(no_clone)?;
            return Ok(Self { desk, program, folder: desk.current_dir(), scope: "--global" });
        }
        Self::of_clone(desk).ok_or_else(no_clone)
    }

    /// The output of git, if it succeeds.
    fn run(&self, args: &[&str]) -> Option<String> {
        let mut git = Command::new(&self.program);
        git.arg("-C").arg(&self.folder).args(args).stdin(Stdio::null());
        git.env_clear().envs(&self.desk.env.vars);
        // Inside of a hook these name another repository than the folder.
        ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"].iter().for_each(|it| {
            git.env_remove(it);
        });
        let output = git.output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout);
        output.status.success().then(|| text.trim_end().to_owned())
    }

    fn driver(&self) -> Option<String> {
        self.run(&["config", self.scope, "--get", "merge.oldhand.driver"])
    }

    fn any_driver(&self) -> Option<String> {
        self.run(&["config", "--get", "merge.oldhand.driver"])
    }

    fn set_up(&self, dry_run: bool) -> Result<Option<GitChange>, Fail> {
        let known = self.driver();
        if known.as_deref() == Some(DRIVER) {
            return Ok(None);
        }
        for (key, value) in [("name", TITLE), ("driver", DRIVER)] {
            let key = format!("{SECTION}.{key}");
            if !dry_run && self.run(&["config", self.scope, &key, value]).is_none() {
                return Err(not_written());
            }
        }
        Ok(Some(self.change(if known.is_some() { "edit" } else { "create" })))
    }

    fn take_out(&self, dry_run: bool) -> Result<Option<GitChange>, Fail> {
        if self.driver().is_none() {
            return Ok(None);
        }
        let remove = ["config", self.scope, "--remove-section", SECTION];
        if !dry_run && self.run(&remove).is_none() {
            return Err(not_written());
        }
        Ok(Some(self.change("delete")))
    }

    fn change(&self, verb: &'static str) -> GitChange {
        let is_user = self.scope == "--global";
        let place =
            if is_user { "your git configuration" } else { "this clone's git configuration" };
        GitChange { verb, place }
    }
}

fn no_clone() -> Fail {
    let hint = "run it inside a clone, or use `oldhand install git --global`";
    Fail::usage("found no git repository here, or no `git` on PATH", hint)
}

fn not_written() -> Fail {
    Fail::usage("git could not write its configuration", "see `git config --list --show-origin`")
}

/// Whether a text of attributes names the driver.
pub(in super::super) fn is_named(root: &Path, desk: &Desk<'_>) -> bool {
    let text = desk.env.disk.read(&root.join(".gitattributes"), 1024 * 1024);
    text.is_ok_and(|text| String::from_utf8_lossy(&text).contains("merge=oldhand"))
}
