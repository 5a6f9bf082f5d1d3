//! The repository beside the store, asked through the `git` program with everything switched off
//! that a repository could use to run something.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use oldhand_engine::port::CodeTree;

use crate::layout::STORE_FOLDER;

pub struct Repository {
    pub root: PathBuf,
}

/// Pages made from the memories name them without resting on them.
const VIEWS: &[&str] = &["DECISIONS.md", "DECISIONS_ARCHIVE.md", "ARCHITECTURE.md"];

impl CodeTree for Repository {
    fn exists(&self, path: &str) -> bool {
        !path.is_empty() && self.root.join(path).symlink_metadata().is_ok()
    }

    fn mentions(&self, words: &[String]) -> Vec<String> {
        let mut command = git(&self.root);
        command.args(["grep", "--untracked", "-l", "-I", "-F", "-w"]);
        for word in words {
            command.arg("-e").arg(word);
        }
        command.args(["--", ".", &format!(":(exclude){STORE_FOLDER}")]);
        for view in VIEWS {
            command.arg(format!(":(exclude){view}"));
        }
        // Without git, or outside of a repository, nothing is known to mention it.
        let Ok(output) = command.output() else { return Vec::new() };
        String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
    }
}

/// Git as a child that asks nobody, runs nothing and writes nothing.
pub fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command
        .arg("-C")
        .arg(folder)
        .args(["--no-optional-locks", "--no-pager", "-c", "core.fsmonitor=false"])
        .args(["-c", "core.hooksPath=/dev/null", "-c", "diff.external=", "-c", "color.ui=false"])
        .env("GIT_TERMINAL_PROMPT", "0")
        .stdin(Stdio::null())
        .stderr(Stdio::null());
    command
}
