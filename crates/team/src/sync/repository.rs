//! What a commit of the repository has in its store, asked from git. Only what is committed is ever pushed.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use oldhand_core::policy::MEMORY_BYTES_MAX;
use oldhand_desk::failure::Fail;
use oldhand_store::layout::STORE_FOLDER;
use oldhand_store::port::id_of_path;
use oldhand_text::hash::ContentHash;

pub(super) struct GitStore {
    /// Where the store's folder is.
    pub root: PathBuf,
}

/// The store as one commit has it.
#[derive(Default)]
pub(super) struct Committed {
    pub files: Vec<CommittedFile>,
    pub logs: Vec<CommittedFile>,
    /// `config.toml`.
    pub config: String,
    /// Files that no store would read, each with the reason.
    pub left_out: Vec<String>,
}

pub(super) struct CommittedFile {
    /// Below the store.
    pub path: String,
    pub hash: String,
    pub text: String,
}

/// How two commits stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Descent {
    Yes,
    No,
    /// This clone doesn't have one of them.
    Unknown,
}

/// A file of git's: its object and its path below the store.
type Listed = (String, String);

impl GitStore {
    fn git(&self) -> Command {
        let mut command = Command::new("git");
        command.arg("-C").arg(&self.root).stdin(Stdio::null()).stderr(Stdio::null());
        // A hook's variables would lead git to another repository.
        for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
            command.env_remove(name);
        }
        command
    }

    pub(super) fn head(&self) -> Result<String, Fail> {
        let output =
            self.git().args(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]).output()?;
        let commit = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        match output.status.success() && !commit.is_empty() {
            true => Ok(commit),
            false => {
                let message = format!("there is no commit in `{}`", self.root.display());
                Err(Fail::usage(message, "run this in a clone of the repository"))
            }
        }
    }

    pub(super) fn is_ancestor(&self, old: &str, new: &str) -> Result<Descent, Fail> {
        let is_name = |it: &str| it.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_name(old) || !is_name(new) {
            return Ok(Descent::Unknown);
        }
        let status = self.git().args(["merge-base", "--is-ancestor", old, new]).status()?;
        Ok(match status.code() {
            Some(0) => Descent::Yes,
            Some(1) => Descent::No,
            _ => Descent::Unknown,
        })
    }

    pub(super) fn read(&self, commit: &str) -> Result<Committed, Fail> {
        let mut committed = Committed::default();
        let (wanted, left_out) = sorted(self.listed(commit)?);
        committed.left_out = left_out;
        for ((_, path), bytes) in wanted.iter().zip(self.blobs(&wanted)?) {
            let is_log = path.starts_with("events/");
            let text = match String::from_utf8(bytes) {
                Ok(text) if !text.contains('\0') => text,
                // A torn line of the log may hold any bytes; the others count.
                Err(error) if is_log => String::from_utf8_lossy(error.as_bytes()).replace('\0', ""),
                Ok(text) if is_log => text.replace('\0', ""),
                _ => {
                    committed.left_out.push(format!("{path}: it is no text"));
                    continue;
                }
            };
            if path == "config.toml" {
                committed.config = text;
                continue;
            }
            if !is_log && text.len() as u64 > MEMORY_BYTES_MAX {
                committed.left_out.push(format!("{path}: it is too large"));
                continue;
            }
            let hash = ContentHash::of(text.as_bytes()).to_string();
            let file = CommittedFile { path: path.clone(), hash, text };
            if is_log { committed.logs.push(file) } else { committed.files.push(file) }
        }
        Ok(committed)
    }

    /// Plain files below the store.
    fn listed(&self, commit: &str) -> Result<Vec<Listed>, Fail> {
        let folder = format!("{STORE_FOLDER}/");
        let output = self.git().args(["ls-tree", "-r", "-z", commit, "--", &folder]).output()?;
        if !output.status.success() {
            let message = format!("git can't list the commit `{commit}`");
            return Err(Fail::usage(message, "run `git fsck` in the repository"));
        }
        let text = String::from_utf8_lossy(&output.stdout);
        let one = |line: &str| {
            let (head, path) = line.split_once('\t')?;
            let mut words = head.split(' ');
            let (mode, _, object) = (words.next()?, words.next()?, words.next()?);
            // A link is never followed.
            let is_file = mode.starts_with("100");
            let path = path.strip_prefix(&folder)?;
            is_file.then(|| (object.to_owned(), path.to_owned()))
        };
        Ok(text.split('\0').filter_map(one).collect())
    }

    fn blobs(&self, wanted: &[Listed]) -> Result<Vec<Vec<u8>>, Fail> {
        let mut child = self
            .git()
            .args(["cat-file", "--batch", "--buffer"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut asking = child.stdin.take().expect("it is piped");
        let mut answers = BufReader::new(child.stdout.take().expect("it is piped"));
        let names: String = wanted.iter().map(|(object, _)| format!("{object}\n")).collect();
        let blobs = std::thread::scope(|scope| {
            // If git goes away, the reader sees it.
            scope.spawn(move || drop(asking.write_all(names.as_bytes())));
            wanted.iter().map(|_| blob(&mut answers)).collect::<std::io::Result<Vec<_>>>()
        });
        // It has nothing left to do either way.
        let _ = child.kill();
        child.wait()?;
        Ok(blobs?)
    }
}

/// One answer of `git cat-file --batch`.
fn blob(answers: &mut impl BufRead) -> std::io::Result<Vec<u8>> {
    let mut head = String::new();
    answers.read_line(&mut head)?;
    let size = head.trim().rsplit(' ').next().and_then(|size| size.parse::<usize>().ok());
    let Some(size) = size else {
        return Err(std::io::Error::other("git can't read a file of the commit"));
    };
    let mut bytes = vec![0; size + 1];
    answers.read_exact(&mut bytes)?;
    bytes.truncate(size);
    Ok(bytes)
}

/// Memories, what is pending, the log and the configuration; and what looks like a memory and is none.
fn sorted(listed: Vec<Listed>) -> (Vec<Listed>, Vec<String>) {
    let mut left_out = Vec::new();
    let mut keep = |(_, path): &Listed| {
        let (folder, name) = path.split_once('/').unwrap_or(("", path));
        if folder == "events" {
            return name.ends_with(".jsonl") && !name.contains('/');
        }
        if path == "config.toml" {
            return true;
        }
        let is_memory = !folder.is_empty() && folder != "local" && name.ends_with(".md");
        if !is_memory || name.starts_with(['.', '#', '~']) || name.contains('/') {
            return false;
        }
        let is_named = id_of_path(path).is_some();
        if !is_named {
            left_out.push(format!("{path}: its name is no id"));
        }
        is_named
    };
    let kept = listed.into_iter().filter(|it| keep(it)).collect();
    (kept, left_out)
}
