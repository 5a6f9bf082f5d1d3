//! The repository beside the store, asked through the `git` program with everything switched off
//! that a repository could use to run something.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use oldhand_engine::port::{CodeHistory, CodeTree};

use crate::history::GitHistory;
use crate::layout::STORE_FOLDER;

pub struct Repository {
    pub root: PathBuf,
    pub history: GitHistory,
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
        match command.output() {
            // 1 is git's word for "none found"; anything above, that it could not look.
            Ok(output) if matches!(output.status.code(), Some(0 | 1)) => {
                String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
            }
            _ => self.mentions_by_walking(words),
        }
    }

    fn history(&self) -> Option<&dyn CodeHistory> {
        Some(&self.history)
    }
}

/// How much is looked at where git can't be asked.
const WALK_FILES_MAX: usize = 20_000;
const WALK_FILE_BYTES_MAX: u64 = 1024 * 1024;

impl Repository {
    fn mentions_by_walking(&self, words: &[String]) -> Vec<String> {
        let mut folders = vec![self.root.clone()];
        let (mut found, mut looked_at) = (Vec::new(), 0);
        while let Some(folder) = folders.pop() {
            let Ok(entries) = std::fs::read_dir(&folder) else { continue };
            for entry in entries.flatten() {
                let name = entry.file_name().to_string_lossy().into_owned();
                let Ok(kind) = entry.file_type() else { continue };
                let is_ours =
                    name == STORE_FOLDER || name == ".git" || VIEWS.contains(&name.as_str());
                if kind.is_dir() && !is_ours {
                    folders.push(entry.path());
                } else if kind.is_file() && !is_ours && looked_at < WALK_FILES_MAX {
                    looked_at += 1;
                    if names_one(&entry.path(), words) {
                        let path = entry.path();
                        let path = path.strip_prefix(&self.root).unwrap_or(&path);
                        found.push(path.display().to_string());
                    }
                }
            }
        }
        found.sort();
        found
    }
}

fn names_one(path: &Path, words: &[String]) -> bool {
    let is_small = path.metadata().is_ok_and(|metadata| metadata.len() <= WALK_FILE_BYTES_MAX);
    is_small
        && std::fs::read_to_string(path)
            .is_ok_and(|text| words.iter().any(|word| text.contains(word.as_str())))
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
