//! What is known of one session on this machine: what it was given, how far its transcript was
//! read, what it works on. One file a session, held by a lock while a hook looks at it, so that the
//! same hook firing again and again does nothing again.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use oldhand_core::capture::triage::Hit;
use oldhand_core::hash::ContentHash;
use oldhand_core::kind::Kind;
use oldhand_core::transcript::Voice;
use oldhand_core::working::Working;
use serde::{Deserialize, Serialize};

/// Tools run at the same time; each hook takes a few milliseconds.
const LOCK_WAIT: Duration = Duration::from_millis(400);
/// A note is a write and a sync; many agents may note at once.
const NOTES_LOCK_WAIT: Duration = Duration::from_secs(10);
/// Ids and paths that one session remembers; beyond it the oldest are forgotten.
const LIST_MAX: usize = 2_000;
const BYTES_MAX: u64 = 8 * 1024 * 1024;
/// Prompts that are kept until the agent stops, and how much of each.
const SAID_MAX: usize = 20;
const SAID_BYTES_MAX: usize = 8 * 1024;
/// A longer prompt is a document that somebody pasted.
const HEARD_BYTES_MAX: usize = 256 * 1024;
/// Sessions that a new one looks back at.
const KNOWN_MAX: usize = 60;

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct SessionState {
    pub session: String,
    pub agent: String,
    pub host: String,
    /// The folder that is checked out where it works.
    pub worktree: String,
    pub started_at: String,
    pub seen_at: String,
    /// When somebody last asked for something: a host that says goodbye does no work.
    pub worked_at: String,
    /// Ids that were put into the conversation as it is now.
    pub served: Vec<String>,
    /// All of them, compactions included: these were used.
    pub ever_served: Vec<String>,
    /// Paths and commands that memory was asked for.
    pub asked: Vec<String>,
    pub transcript: Transcript,
    /// Where the host keeps it, also before anything was read.
    pub transcript_path: String,
    /// The file whose first lines the session's summary holds, and how many.
    pub compacted_path: String,
    pub compacted_lines: usize,
    /// Prompts since then, and how many there were when somebody was told (R162).
    pub prompts_since_compaction: usize,
    pub prompts_told: usize,
    /// Steps of the plan that were done when it was last told (R161).
    pub steps_told: usize,
    /// Prompts that no transcript of the host has shown yet.
    pub said: Vec<String>,
    /// Marks of the sentences that were captured.
    pub captured: Vec<String>,
    pub working: Working,
    /// Served ids that the agent named itself.
    pub named: BTreeSet<String>,
    /// Prompts for which nothing was found, and questions for which something was.
    pub unmatched: usize,
    pub matched: usize,
    /// Sentences that the agent was asked to draft and that were not saved yet.
    pub owed: Vec<Owed>,
    /// Drafts were asked for up to this line.
    pub handed_over: usize,
    /// The host said that it is over.
    pub is_over: bool,
    /// Its summary and its uses are written.
    pub is_settled: bool,
    /// Ids whose use is written, in so many rounds: a session may go on after its end.
    pub used: Vec<String>,
    pub rounds: usize,
}

/// A sentence that is worth keeping, until somebody has kept it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Owed {
    pub category: String,
    pub score: f64,
    pub is_explicit: bool,
    pub line: usize,
    pub is_persons: bool,
    pub text: String,
    pub reason: Option<String>,
}

impl Owed {
    pub(crate) fn of(hit: &Hit) -> Self {
        Self {
            category: hit.kind.to_string(),
            score: hit.score,
            is_explicit: hit.explicit,
            line: hit.line,
            is_persons: hit.voice == Voice::Person,
            text: hit.text.clone(),
            reason: hit.reason.clone(),
        }
    }

    /// `None` for what nobody said: a file that somebody else has written.
    pub(crate) fn hit(&self) -> Option<Hit> {
        (!self.text.trim().is_empty()).then(|| Hit {
            kind: Kind::named(&self.category),
            score: self.score,
            explicit: self.is_explicit,
            sentence: 0,
            turn: 0,
            line: self.line,
            voice: if self.is_persons { Voice::Person } else { Voice::Agent },
            text: self.text.clone(),
            reason: self.reason.clone(),
            because: String::new(),
        })
    }
}

/// How far a transcript was read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Transcript {
    pub path: String,
    pub offset: u64,
    pub lines: usize,
    /// What stands before the offset, by which the file is known again.
    pub mark: String,
}

impl SessionState {
    pub(crate) fn served_set(&self) -> BTreeSet<String> {
        self.served.iter().cloned().collect()
    }

    pub(crate) fn serve<'s>(&mut self, ids: impl IntoIterator<Item = &'s String>) {
        for id in ids {
            remember(&mut self.served, id);
            remember(&mut self.ever_served, id);
        }
    }

    /// Kept for hosts whose transcript can't be read; nothing that holds a secret touches the disk.
    pub(crate) fn hear(&mut self, prompt: &str) {
        // The whole is looked at: what is left of a secret that was cut no longer looks like one.
        let is_clean =
            prompt.len() <= HEARD_BYTES_MAX && oldhand_core::secrets::scan(prompt).is_empty();
        let prompt = oldhand_core::text::middle_cut(prompt.trim(), SAID_BYTES_MAX);
        if !prompt.is_empty() && is_clean {
            if self.said.len() >= SAID_MAX {
                self.said.remove(0);
            }
            self.said.push(prompt);
        }
    }

    /// True the first time.
    pub(crate) fn ask(&mut self, what: &str) -> bool {
        remember(&mut self.asked, what)
    }

    /// True the first time.
    pub(crate) fn capture(&mut self, mark: &str) -> bool {
        remember(&mut self.captured, mark)
    }
}

fn remember(list: &mut Vec<String>, what: &str) -> bool {
    if list.iter().any(|known| known == what) {
        return false;
    }
    if list.len() >= LIST_MAX {
        list.remove(0);
    }
    list.push(what.to_owned());
    true
}

/// A state that nobody else looks at meanwhile.
pub(crate) struct Held {
    path: PathBuf,
    /// Dropped with this: the lock ends.
    _lock: File,
    pub state: SessionState,
}

/// Held until it is dropped; the file stays, so that everybody waits for the same one.
pub(crate) fn lock(folder: &Path, session: &str, ending: &str) -> io::Result<File> {
    let path = path_of(folder, session, ending);
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(sessions(folder))?;
    let lock = own_file(&path)?;
    wait_for(&lock, NOTES_LOCK_WAIT)?;
    Ok(lock)
}

impl Held {
    pub(crate) fn open(folder: &Path, session: &str, agent: &str) -> io::Result<Self> {
        let folder = sessions(folder);
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder)?;
        let name = file_name(session, agent);
        let lock = own_file(&folder.join(format!("{name}.lock")))?;
        wait_for(&lock, LOCK_WAIT)?;
        let path = folder.join(format!("{name}.json"));
        let mut state = read(&path).unwrap_or_default();
        (state.session, state.agent) = (session.to_owned(), agent.to_owned());
        Ok(Self { path, _lock: lock, state })
    }

    /// Replaced in one step. Not synced: what a power cut takes is a reminder, not a memory.
    pub(crate) fn save(&self) -> io::Result<()> {
        let part = self.path.with_extension("part");
        let _ = std::fs::remove_file(&part);
        let mut options = OpenOptions::new();
        let file = options.write(true).create_new(true).mode(0o600).open(&part)?;
        let mut writer = io::BufWriter::new(file);
        serde_json::to_writer(&mut writer, &self.state)?;
        io::Write::flush(&mut writer)?;
        std::fs::rename(part, &self.path)
    }
}

/// The file of a session with this ending.
pub(crate) fn path_of(folder: &Path, session: &str, ending: &str) -> PathBuf {
    sessions(folder).join(format!("{}.{ending}", file_name(session, "")))
}

/// A small file of this machine's own notes, for nobody else to read.
pub(crate) fn write_own(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    let mut options = OpenOptions::new();
    let mut file = options.create(true).write(true).truncate(true).mode(0o600).open(path)?;
    io::Write::write_all(&mut file, text.as_bytes())
}

/// A look without the lock: what is there is whole, since it is replaced in one step.
pub(crate) fn look(folder: &Path, session: &str) -> Option<SessionState> {
    read(&path_of(folder, session, "json"))
}

fn sessions(folder: &Path) -> PathBuf {
    folder.join("sessions")
}

/// Whatever a host calls its session, the name is a plain one; those of its subagents begin with it.
fn file_name(session: &str, agent: &str) -> String {
    let short =
        |text: &str, chars: usize| ContentHash::of(text.as_bytes()).to_string()[..chars].to_owned();
    match agent {
        "" => short(session, 24),
        agent => format!("{}-{}", short(session, 24), short(agent, 12)),
    }
}

fn own_file(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(path)
}

fn wait_for(lock: &File, at_most: Duration) -> io::Result<()> {
    let begun = Instant::now();
    loop {
        match lock.try_lock() {
            Ok(()) => return Ok(()),
            Err(std::fs::TryLockError::WouldBlock) if begun.elapsed() < at_most => {
                std::thread::sleep(Duration::from_millis(3));
            }
            Err(std::fs::TryLockError::WouldBlock) => {
                let what = "another command of this session is at work";
                return Err(io::Error::new(io::ErrorKind::TimedOut, what));
            }
            Err(std::fs::TryLockError::Error(error)) => return Err(error),
        }
    }
}

/// A state that can't be read is a new one: it is a reminder and no memory.
fn read(path: &Path) -> Option<SessionState> {
    let meta = std::fs::symlink_metadata(path).ok()?;
    if !meta.is_file() || meta.len() > BYTES_MAX {
        return None;
    }
    serde_json::from_slice(&std::fs::read(path).ok()?).ok()
}

/// The sessions that this machine heard of last, the newest first, without their subagents.
pub(crate) fn known(folder: &Path) -> Vec<SessionState> {
    let mut paths = files(folder, |name| !name.contains('-'));
    paths.sort_by(|a, b| b.cmp(a));
    paths.truncate(KNOWN_MAX);
    let mut states: Vec<SessionState> =
        paths.into_iter().filter_map(|(_, path)| read(&path)).collect();
    states.sort_by(|a, b| (&b.seen_at, &b.session).cmp(&(&a.seen_at, &a.session)));
    states
}

/// The subagents of a session.
pub(crate) fn inside(folder: &Path, session: &str) -> Vec<SessionState> {
    let begin = format!("{}-", file_name(session, ""));
    files(folder, |name| name.starts_with(&begin))
        .into_iter()
        .filter_map(|it| read(&it.1))
        .collect()
}

fn files(folder: &Path, is_meant: impl Fn(&str) -> bool) -> Vec<(std::time::SystemTime, PathBuf)> {
    let Ok(entries) = std::fs::read_dir(sessions(folder)) else { return Vec::new() };
    let is_state = |path: &Path| {
        path.extension().is_some_and(|it| it == "json")
            && path.file_stem().is_some_and(|stem| is_meant(&stem.to_string_lossy()))
    };
    entries
        .filter_map(Result::ok)
        .filter(|entry| is_state(&entry.path()))
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect()
}

/// Files of sessions that nobody has seen for so long are removed.
pub(crate) fn forget_old(folder: &Path, older_than: Duration) {
    for path in older_in(&sessions(folder), older_than) {
        let _ = std::fs::remove_file(path);
    }
}

/// What in a folder was not changed for so long.
pub(crate) fn older_in(folder: &Path, older_than: Duration) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let is_older = |entry: &std::fs::DirEntry| {
        let changed = entry.metadata().and_then(|meta| meta.modified()).ok();
        changed.and_then(|at| at.elapsed().ok()).is_some_and(|age| age > older_than)
    };
    entries.filter_map(Result::ok).filter(is_older).map(|entry| entry.path()).collect()
}
