//! The world of one scenario: a repository, a home, an environment and a clock, and the commands
//! that can be given in it. Everything is below one temporary directory and goes with it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, Write};
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};

use jiff::{SignedDuration, Timestamp};
use oldhand_core::actor::Via;
use oldhand_core::codec::markdown;
use oldhand_core::event::{Event, EventType};
use oldhand_core::kind::Kinds;
use oldhand_store::ulid::ulid;
use oldhand_text::hash::ContentHash;
use tempfile::TempDir;

use super::parse::Commit;
use super::words::{self, Stdin};
use super::{Invocation, Output, Program};

const START: &str = "2026-11-15T12:00:00Z";

/// Git must see neither the developer's settings nor the machine's.
const GIT_ENVIRONMENT: [(&str, &str); 9] = [
    ("GIT_AUTHOR_EMAIL", "spec@example.invalid"),
    ("GIT_AUTHOR_NAME", "Spec"),
    ("GIT_COMMITTER_EMAIL", "spec@example.invalid"),
    ("GIT_COMMITTER_NAME", "Spec"),
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("LC_ALL", "C"),
    ("TZ", "UTC"),
];

pub(super) struct Scenario {
    /// Removed with everything in it when the scenario ends.
    _directory: TempDir,
    root: PathBuf,
    repo: PathBuf,
    home: PathBuf,
    env: Vec<(String, String)>,
    clock: Timestamp,
    runs: u64,
}

type Result<T> = std::result::Result<T, String>;

impl Scenario {
    pub(super) fn new() -> Result<Self> {
        let made = || -> io::Result<(TempDir, PathBuf)> {
            let directory = tempfile::tempdir()?;
            // Programs print paths without links; ours must be the same to be found in there.
            let root = directory.path().canonicalize()?;
            fs::create_dir(root.join("repo"))?;
            fs::create_dir(root.join("home"))?;
            Ok((directory, root))
        };
        let (directory, root) =
            made().map_err(|error| format!("no scenario directory: {error}"))?;
        let mut env: Vec<(String, String)> =
            GIT_ENVIRONMENT.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        // Scenarios write stores as a clone brings them; those about that take it back.
        env.push(("OLDHAND_TRUST".to_owned(), "1".to_owned()));
        env.extend(std::env::var("PATH").map(|path| ("PATH".to_owned(), path)));
        let scenario = Self {
            _directory: directory,
            repo: root.join("repo"),
            home: root.join("home"),
            root,
            env,
            clock: START.parse().expect("the constant is a timestamp"),
            runs: 0,
        };
        // No template: its sample hooks are most of the work.
        scenario.git_now(&["init", "-q", "-b", "main", "--template="])?;
        Ok(scenario)
    }

    pub(super) fn write(&self, path: &str, text: &str) -> Result<()> {
        let place = self.place_for(path)?;
        fs::write(place, self.expanded(text)).map_err(|error| failure("write", path, &error))
    }

    /// Writes a memory's file and the line of the log that carries its standing.
    pub(super) fn remember(&self, path: &str, text: &str) -> Result<()> {
        self.write(path, text)?;
        let place = self.place(path)?;
        let (folder, store) = (place.parent(), place.parent().and_then(Path::parent));
        let (Some(folder), Some(store)) = (folder.and_then(Path::file_name), store) else {
            return Err(format!("no folder of a store: `{path}`"));
        };
        let folder = folder.to_string_lossy();
        let stem = place.file_stem().unwrap_or_default().to_string_lossy();
        let at = markdown::Origin { stem: &stem, folder: &folder };
        let text = self.expanded(text);
        let memory = markdown::parse(&text, at, &Kinds::default())
            .map_err(|error| format!("no memory: `{path}`: {error}"))?
            .memory;
        let hash = ContentHash::of(text.as_bytes()).to_string();
        let created = memory.created_at.unwrap_or(self.clock);
        let mut event = Event::new(EventType::Created, memory.id.as_str(), created);
        // Before all that the program writes in the same millisecond.
        let random = u128::from_str_radix(&hash[..10], 16).expect("hexadecimal digits");
        event.id = ulid(created.min(self.clock), random);
        event.by = "spec".to_owned();
        event.via = Via::Shell;
        (event.origin, event.to) = (Some(memory.origin), Some(memory.state));
        (event.path, event.after) = (format!("{folder}/{stem}.md"), Some(hash));
        let line = event.to_line().map_err(|error| format!("no event: {error}"))?;
        let log = store.join(format!("events/{}.jsonl", self.clock.strftime("%Y-%m")));
        let log = log.strip_prefix(&self.repo).unwrap_or(&log).to_string_lossy().into_owned();
        self.append(&log, &line)
    }

    pub(super) fn append(&self, path: &str, text: &str) -> Result<()> {
        let place = self.place_for(path)?;
        let file = OpenOptions::new().append(true).create(true).open(place);
        file.and_then(|mut file| file.write_all(self.expanded(text).as_bytes()))
            .map_err(|error| failure("append", path, &error))
    }

    /// Adds the subject as a line to the file, so that the commit changes something.
    pub(super) fn commit(&self, at: Timestamp, commit: &Commit) -> Result<()> {
        let Commit { path, subject } = commit;
        self.append(path, &format!("{subject}\n"))?;
        self.git_at(at, &["add", "--", path])?;
        self.git_at(at, &["commit", "-q", "-m", subject, "--", path])
    }

    /// The error is for a command that no program could be asked for; a failing one is an output.
    pub(super) fn execute(&mut self, line: &str, program: Program) -> Result<Output> {
        let line = words::command_line(line)?;
        let words: Vec<String> =
            line.words.iter().map(|word| self.named(word)).collect::<Result<_>>()?;
        let stdin = match line.stdin {
            Stdin::Empty => Vec::new(),
            Stdin::Text(text) => self.expanded(&text).into_bytes(),
            Stdin::File(path) => {
                fs::read(self.place(&path)?).map_err(|error| failure("<", &path, &error))?
            }
        };
        let (name, args) = words.split_first().ok_or("there is no command")?;
        let output = match name.as_str() {
            "oldhand" => self.oldhand(args, &stdin, program),
            "git" => self.git(self.clock, args, &stdin)?,
            _ => self.builtin(name, args, &stdin)?,
        };
        Ok(Output {
            stdout: self.abbreviated(&output.stdout),
            stderr: self.abbreviated(&output.stderr),
            code: output.code,
        })
    }

    fn oldhand(&mut self, args: &[String], stdin: &[u8], program: Program) -> Output {
        self.runs += 1;
        let output = program(&Invocation {
            args,
            cwd: &self.repo,
            home: &self.home,
            env: &self.env,
            stdin,
            now: self.clock,
            seed: self.runs,
        });
        self.clock += SignedDuration::from_secs(1);
        output
    }

    fn builtin(&mut self, name: &str, args: &[String], stdin: &[u8]) -> Result<Output> {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let done = match (name, args.as_slice()) {
            ("clock", [time]) => {
                self.clock = moved(self.clock, time)?;
                Ok(Vec::new())
            }
            ("env", [assignment]) => {
                self.set(assignment)?;
                Ok(Vec::new())
            }
            ("cat", [path]) => fs::read(self.place(path)?),
            ("ls", [path]) => names(&self.place(path)?),
            ("rm", [path]) => remove(&self.place(path)?),
            ("mv", [from, to]) => {
                fs::rename(self.place(from)?, self.place_for(to)?).map(|()| Vec::new())
            }
            ("mkdir", [path]) => fs::create_dir_all(self.place(path)?).map(|()| Vec::new()),
            ("write", [path]) => fs::write(self.place_for(path)?, stdin).map(|()| Vec::new()),
            ("clock" | "env" | "cat" | "ls" | "rm" | "mv" | "mkdir" | "write", _) => {
                return Err(format!("wrong number of words after `{name}`"));
            }
            _ => return Err(format!("unknown command: `{name}`")),
        };
        Ok(match done {
            Ok(stdout) => Output { stdout, ..Output::default() },
            Err(error) => {
                let stderr = failure(name, &args.join(" "), &error).into_bytes();
                Output { stderr, code: 1, ..Output::default() }
            }
        })
    }

    fn set(&mut self, assignment: &str) -> Result<()> {
        let (name, value) = assignment
            .split_once('=')
            .ok_or_else(|| format!("not `NAME=value`: `{assignment}`"))?;
        self.env.retain(|(known, _)| known != name);
        self.env.push((name.to_owned(), value.to_owned()));
        Ok(())
    }

    fn git(&self, at: Timestamp, args: &[String], stdin: &[u8]) -> Result<Output> {
        let run = || {
            Command::new("git")
                .args(args)
                .current_dir(&self.repo)
                .env_clear()
                .env("GIT_AUTHOR_DATE", at.to_string())
                .env("GIT_COMMITTER_DATE", at.to_string())
                .env("HOME", &self.home)
                .envs(self.env.iter().map(|(name, value)| (name, value)))
                .stdin(input(stdin)?)
                .output()
        };
        let output = run().map_err(|error| format!("could not run git: {error}"))?;
        // A signal leaves no code; 255 is none of git's own.
        let code = output.status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(255);
        Ok(Output { stdout: output.stdout, stderr: output.stderr, code })
    }

    fn git_now(&self, args: &[&str]) -> Result<()> {
        self.git_at(self.clock, args)
    }

    fn git_at(&self, at: Timestamp, args: &[&str]) -> Result<()> {
        let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
        let output = self.git(at, &args, b"")?;
        if output.code == 0 {
            return Ok(());
        }
        Err(format!("git {} failed: {}", args.join(" "), String::from_utf8_lossy(&output.stderr)))
    }

    /// A path inside the scenario; a slip in a specification must not reach the developer's files.
    fn place(&self, path: &str) -> Result<PathBuf> {
        let place = self.repo.join(self.named(path)?);
        let climbs = place.components().any(|component| component == Component::ParentDir);
        if climbs || !place.starts_with(&self.root) {
            return Err(format!("this path leaves the scenario: `{path}`"));
        }
        Ok(place)
    }

    /// The same, with the directories above it made.
    fn place_for(&self, path: &str) -> Result<PathBuf> {
        let place = self.place(path)?;
        let parent = place.parent().unwrap_or(&self.root);
        fs::create_dir_all(parent).map_err(|error| failure("mkdir", path, &error))?;
        Ok(place)
    }

    /// The word; in one that begins with `<home>/` a part `*` is the one name that is there. Folders
    /// for a machine's own state are named after where the scenario happens to run.
    fn named(&self, word: &str) -> Result<String> {
        let whole = self.expanded(word);
        if !word.starts_with("<home>/") || !whole.split('/').any(|part| part == "*") {
            return Ok(whole);
        }
        let mut place = PathBuf::from("/");
        for part in whole.split('/').filter(|part| !part.is_empty()) {
            place.push(if part == "*" { only_name(&place, word)? } else { part.to_owned() });
        }
        Ok(place.to_string_lossy().into_owned())
    }

    fn expanded(&self, text: &str) -> String {
        text.replace("<repo>", &self.repo.to_string_lossy())
            .replace("<home>", &self.home.to_string_lossy())
    }

    fn abbreviated(&self, bytes: &[u8]) -> Vec<u8> {
        String::from_utf8_lossy(bytes)
            .replace(&*self.repo.to_string_lossy(), "<repo>")
            .replace(&*self.home.to_string_lossy(), "<home>")
            .into_bytes()
    }
}

fn only_name(folder: &Path, word: &str) -> Result<String> {
    let listed = names(folder).map_err(|error| failure("*", word, &error))?;
    let listed = String::from_utf8_lossy(&listed).into_owned();
    match listed.lines().collect::<Vec<_>>().as_slice() {
        [one] => Ok((*one).to_owned()),
        several => Err(format!("`*` stands for one name, not for {}: `{word}`", several.len())),
    }
}

/// A file, not a pipe: nobody has to fill it while the program runs.
fn input(bytes: &[u8]) -> io::Result<Stdio> {
    if bytes.is_empty() {
        return Ok(Stdio::null());
    }
    let mut file: File = tempfile::tempfile()?;
    file.write_all(bytes)?;
    file.rewind()?;
    Ok(file.into())
}

/// `2026-06-02T10:00:00Z` is a time, `+3h` a distance from now.
fn moved(clock: Timestamp, time: &str) -> Result<Timestamp> {
    let Some(distance) = time.strip_prefix('+') else {
        return time.parse().map_err(|error| format!("not a timestamp: {error}"));
    };
    let unknown = || format!("not a number with s, m, h or d: `{time}`");
    let unit_seconds = match distance.bytes().last() {
        Some(b's') => 1,
        Some(b'm') => 60,
        Some(b'h') => 60 * 60,
        Some(b'd') => 24 * 60 * 60,
        _ => return Err(unknown()),
    };
    let count: u32 = distance[..distance.len() - 1].parse().map_err(|_| unknown())?;
    clock
        .checked_add(SignedDuration::from_secs(i64::from(count) * unit_seconds))
        .map_err(|error| error.to_string())
}

/// Sorted, one a line; git's own directory is part of the scenario, not of what it made.
fn names(directory: &Path) -> io::Result<Vec<u8>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(directory)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.retain(|name| name != ".git");
    names.sort();
    Ok(names.into_iter().flat_map(|name| (name + "\n").into_bytes()).collect())
}

fn remove(path: &Path) -> io::Result<Vec<u8>> {
    if fs::symlink_metadata(path)?.is_dir() {
        fs::remove_dir_all(path)?;
    } else {
        fs::remove_file(path)?;
    }
    Ok(Vec::new())
}

/// The kind alone: the system's own words differ between systems.
fn failure(action: &str, path: &str, error: &io::Error) -> String {
    format!("{action}: {path}: {}", error.kind())
}
