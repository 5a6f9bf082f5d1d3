//! The `git` program as a child: found where the caller's search path says, run with everything off
//! that a repository could use to run something of its own, and killed when time is up.

use std::cell::OnceCell;
use std::ffi::OsStr;
use std::fs::Metadata;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use super::checkout::{Checkout, is_id};

/// What one answer of git may weigh; the history of thirty paths over ten years is far below it.
const OUTPUT_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trouble {
    /// The program is not there.
    Missing,
    Late,
    /// It was there and would not answer.
    Failed,
}

/// The program in the folders of a search path. Folders that are relative to wherever one stands
/// are passed over: a repository could put its own there.
pub(super) fn find_program(search_path: Option<&OsStr>) -> Option<PathBuf> {
    let name = format!("git{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(search_path?)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(&name))
        .find(|program| program.is_file())
}

/// One question's way to git: where the repository is, and how long there is time.
pub(super) struct Git {
    program: PathBuf,
    pub checkout: Checkout,
    end: Instant,
    /// Settings against filters that the repository's own configuration would run on file contents.
    filters: OnceCell<Vec<String>>,
}

impl Git {
    pub(super) fn new(program: PathBuf, checkout: Checkout, end: Instant) -> Self {
        Self { program, checkout, end, filters: OnceCell::new() }
    }

    /// The last commit; none before the first. A child is started only when the files don't answer.
    pub(super) fn head(&self) -> Result<Option<String>, Trouble> {
        if let Some(id) = self.checkout.head() {
            return Ok(Some(id));
        }
        let id = self.word(&["rev-parse", "--verify", "-q", "HEAD"])?;
        Ok(id.filter(|id| is_id(id)))
    }

    /// Whether something is at a path of git, links themselves included.
    pub(super) fn metadata(&self, spot: &str) -> Option<Metadata> {
        self.checkout.toplevel.join(spot).symlink_metadata().ok()
    }

    fn command(&self, filters: &[String]) -> Command {
        let mut command = Command::new(&self.program);
        command.arg("-C").arg(&self.checkout.toplevel).args(["--no-optional-locks", "--no-pager"]);
        for setting in SETTINGS.iter().copied().chain(filters.iter().map(String::as_str)) {
            command.args(["-c", setting]);
        }
        for name in MISLEADING {
            command.env_remove(name);
        }
        // Names are names: no `*`, no `:(magic)`; and nothing is fetched to answer a question.
        command.env("GIT_LITERAL_PATHSPECS", "1").env("GIT_NO_LAZY_FETCH", "1");
        command.env("GIT_TERMINAL_PROMPT", "0").stdin(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// The names that the repository declares, each switched off. Those of the user's own
    /// configuration are the user's wish.
    fn own_filters(&self) -> Vec<String> {
        if !self.checkout.may_have_filters() {
            return Vec::new();
        }
        let pattern = r"^filter\..*\.(clean|smudge|process|required)$";
        let args = ["config", "--show-scope", "-z", "--name-only", "--get-regexp", pattern];
        let output = self.spawn(self.command(&[]), &args, &[]).and_then(Running::finish);
        let off = |pair: &[String]| {
            let [scope, name] = pair else { return None };
            let (_, key) = name.rsplit_once('.')?;
            let off = if key == "required" { "false" } else { "" };
            let is_users = matches!(scope.as_str(), "system" | "global");
            (!is_users).then(|| format!("{name}={off}"))
        };
        texts(&output.unwrap_or_default()).chunks(2).filter_map(off).collect()
    }

    pub(super) fn run(&self, args: &[&str]) -> Result<Vec<u8>, Trouble> {
        self.start(args, &[])?.finish()
    }

    /// One word as an answer; none where git says no.
    pub(super) fn word(&self, args: &[&str]) -> Result<Option<String>, Trouble> {
        match self.run(args) {
            Ok(output) => {
                let text = String::from_utf8_lossy(&output).trim().to_owned();
                Ok(Some(text).filter(|text| !text.is_empty()))
            }
            Err(Trouble::Failed) => Ok(None),
            Err(other) => Err(other),
        }
    }

    /// A search: 1 is git's word for "none found".
    pub(super) fn find(&self, args: &[&str]) -> Result<Vec<u8>, Trouble> {
        self.start(args, &[])?.finish_with(|code| matches!(code, 0 | 1))
    }

    /// Starts a child and leaves it to work; what it says is collected meanwhile.
    pub(super) fn start(&self, args: &[&str], input: &[u8]) -> Result<Running, Trouble> {
        let filters = self.filters.get_or_init(|| self.own_filters());
        self.spawn(self.command(filters), args, input)
    }

    fn spawn(&self, mut command: Command, args: &[&str], input: &[u8]) -> Result<Running, Trouble> {
        command.args(args).stdout(Stdio::piped());
        if !input.is_empty() {
            command.stdin(Stdio::piped());
        }
        let mut child = command.spawn().map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => Trouble::Missing,
            _ => Trouble::Failed,
        })?;
        let (sender, receiver) = mpsc::channel();
        let Some(stdout) = child.stdout.take() else { return Err(Trouble::Failed) };
        std::thread::spawn(move || {
            let mut output = Vec::new();
            let read = stdout.take(OUTPUT_BYTES_MAX + 1).read_to_end(&mut output);
            // Nobody listens any more when time was up.
            let _ = sender.send(read.map(|_| output));
        });
        if let Some(mut stdin) = child.stdin.take() {
            // A child that has seen enough closes its end; its output is what counts.
            let _ = stdin.write_all(input);
        }
        Ok(Running { child, receiver, end: self.end })
    }
}

/// Settings of a repository that would run something, fetch something or change what is printed.
const SETTINGS: &[&str] = &[
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "diff.external=",
    "color.ui=false",
    "protocol.allow=never",
    "log.showSignature=false",
    "log.follow=false",
    "log.showRoot=true",
    "diff.ignoreSubmodules=dirty",
];

/// Variables that a git hook sets for its children: they would lead to another repository.
const MISLEADING: &[&str] = &[
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_EXTERNAL_DIFF",
    "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
];

pub(super) struct Running {
    child: Child,
    receiver: mpsc::Receiver<std::io::Result<Vec<u8>>>,
    end: Instant,
}

impl Running {
    pub(super) fn finish(self) -> Result<Vec<u8>, Trouble> {
        self.finish_with(|code| code == 0)
    }

    fn finish_with(mut self, is_answer: impl Fn(i32) -> bool) -> Result<Vec<u8>, Trouble> {
        let left = self.end.saturating_duration_since(Instant::now());
        let output = match self.receiver.recv_timeout(left) {
            Ok(Ok(output)) if output.len() as u64 <= OUTPUT_BYTES_MAX => output,
            Err(mpsc::RecvTimeoutError::Timeout) => return Err(Trouble::Late),
            _ => return Err(Trouble::Failed),
        };
        // Its output is at an end, so it ends too; only a broken one would need the rest of the
        // time.
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) if status.code().is_some_and(&is_answer) => return Ok(output),
                Ok(None) if Instant::now() < self.end => {
                    std::thread::sleep(Duration::from_micros(100));
                }
                Ok(None) => return Err(Trouble::Late),
                _ => return Err(Trouble::Failed),
            }
        }
    }
}

impl Drop for Running {
    /// No child outlives the question, whichever way the answer went.
    fn drop(&mut self) {
        if !matches!(self.child.try_wait(), Ok(Some(_))) {
            // Both fail only for a child that is gone already.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// The texts of an answer, each of which ends in a zero byte.
pub(super) fn texts(output: &[u8]) -> Vec<String> {
    let texts = output.split(|byte| *byte == 0).filter(|text| !text.is_empty());
    texts.map(|text| String::from_utf8_lossy(text).into_owned()).collect()
}

/// The words of a command and then paths, which are never taken for options.
pub(super) fn words<'a>(command: &'a str, paths: &[&'a str]) -> Vec<&'a str> {
    // The root is `.`: an empty path is none.
    let paths = paths.iter().map(|path| if path.is_empty() { "." } else { path });
    command.split(' ').chain(["--"]).chain(paths).collect()
}
