//! Stores to measure on.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::path_text;
use crate::failure::Failure;
use crate::process;

pub(crate) struct Store {
    program: PathBuf,
    /// The repository that the store is in.
    pub folder: PathBuf,
}

impl Store {
    pub(crate) fn empty(program: &Path, below: &Path, name: &str) -> Result<Self, Failure> {
        let folder = below.join(name);
        // A `.git` folder ends the search for a store, as a repository would.
        fs::create_dir_all(folder.join(".git"))?;
        let store = Self { program: program.to_owned(), folder };
        process::run(store.command(&["init"]))?;
        Ok(store)
    }

    pub(crate) fn new(
        program: &Path,
        below: &Path,
        name: &str,
        count: usize,
    ) -> Result<Self, Failure> {
        let store = Self::empty(program, below, name)?;
        fs::write(store.folder.join("records.jsonl"), records(0..count))?;
        process::run(store.command(&["import", "records.jsonl"]))?;
        Ok(store)
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(args)
            .current_dir(&self.folder)
            .env("HOME", path_text(&self.folder))
            .env("OLDHAND_LIMITS_MAX_MEMORIES_PER_KIND", "0")
            .env_remove("OLDHAND_ROOT")
            // Whoever runs the benchmark may be an agent in a session; what is measured is not.
            .env_remove("CLAUDECODE")
            .env_remove("CLAUDE_CODE_SESSION_ID")
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        command
    }

    /// The bytes of a memory as this store writes it.
    pub(crate) fn sample_bytes(&self) -> Result<Vec<u8>, Failure> {
        Ok(fs::read(self.folder.join(".oldhand/candidates/fact-number-7.md"))?)
    }
}

/// Memories of about 600 bytes of text, as JSON lines.
pub(crate) fn records(numbers: Range<usize>) -> String {
    numbers
        .map(|number| {
            let text = format!("Fact {number} tells how the part of that number behaves under load. ").repeat(9);
            format!(
                "{{\"category\":\"reference\",\"title\":\"Fact number {number}\",\"tags\":[\"bulk\",\"t{}\"],\
                 \"content\":{{\"text\":\"{text}\"}}}}\n",
                number % 50
            )
        })
        .collect()
}
