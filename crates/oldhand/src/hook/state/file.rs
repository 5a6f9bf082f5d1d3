//! The files of sessions: one each, read, changed and replaced in one short step under a lock. A file
//! that can't be read is never taken for one that is not there.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use oldhand_text::hash::ContentHash;

use super::{SessionState, spool};

/// Tools run at the same time; each change takes less than a millisecond.
const LOCK_WAIT: Duration = Duration::from_millis(400);
/// A note is a write and a sync; many agents may note at once.
const NOTES_LOCK_WAIT: Duration = Duration::from_secs(10);
const BYTES_MAX: u64 = 8 * 1024 * 1024;
/// Sessions that a new one looks back at.
const KNOWN_MAX: usize = 60;

/// The state as it is now, changed and written back; nobody else does so meanwhile. The lock lasts for
/// this call: nothing slow belongs into `change`.
pub(crate) fn update<T>(
    folder: &Path,
    session: &str,
    agent: &str,
    change: impl FnOnce(&mut SessionState) -> T,
) -> io::Result<T> {
    let base = base_of(folder, session, agent)?;
    let _lock = locked(&base.with_extension("lock"), LOCK_WAIT)?;
    let path = base.with_extension("json");
    let before = bytes_of(&path)?;
    let mut state: SessionState = match &before {
        None => SessionState::default(),
        Some(bytes) => match serde_json::from_slice(bytes) {
            Ok(state) => state,
            Err(error) => return Err(put_aside(&path, &error)),
        },
    };
    (state.session, state.agent) = (session.to_owned(), agent.to_owned());
    let kept = spool::kept(&base);
    kept.iter().for_each(|(_, said)| state.hear(Some(said.clone())));
    let done = change(&mut state);
    let after = serde_json::to_vec(&state)?;
    if before.as_ref() != Some(&after) {
        replace(&path, &after)?;
    }
    spool::forget(&base, &kept);
    Ok(done)
}

/// Held by whoever reads a session's transcript or sums it up, which takes time: two of them would do
/// it twice. Nobody else waits for it. Ends when it is dropped.
pub(crate) fn work(folder: &Path, session: &str, agent: &str) -> io::Result<File> {
    locked(&base_of(folder, session, agent)?.with_extension("work.lock"), LOCK_WAIT)
}

/// Held until it is dropped; the file stays, so that everybody waits for the same one.
pub(crate) fn lock(folder: &Path, session: &str, ending: &str) -> io::Result<File> {
    locked(&base_of(folder, session, "")?.with_extension(ending), NOTES_LOCK_WAIT)
}

/// The session's files without their ending, in a folder that is there.
pub(super) fn base_of(folder: &Path, session: &str, agent: &str) -> io::Result<PathBuf> {
    let folder = sessions(folder);
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder)?;
    Ok(folder.join(file_name(session, agent)))
}

/// `None` when there is none.
fn bytes_of(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let meta = match std::fs::symlink_metadata(path) {
        Ok(meta) => meta,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(path, &error)),
    };
    if !meta.is_file() {
        return Err(unreadable(path, &"it is no plain file"));
    }
    if meta.len() > BYTES_MAX {
        return Err(put_aside(path, &format!("it has more than {BYTES_MAX} bytes")));
    }
    std::fs::read(path).map(Some).map_err(|error| unreadable(path, &error))
}

fn unreadable(path: &Path, why: &dyn std::fmt::Display) -> io::Error {
    io::Error::other(format!("could not read `{}`: {why}", path.display()))
}

/// Keeps a damaged file under another name: the next hook starts with an empty state, and nothing is
/// overwritten.
fn put_aside(path: &Path, why: &dyn std::fmt::Display) -> io::Error {
    let now = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default().as_secs();
    let aside = path.with_extension(format!("damaged-{now}"));
    match std::fs::rename(path, &aside) {
        Ok(()) => unreadable(path, &format!("{why}; it is kept as `{}`", aside.display())),
        Err(error) => unreadable(path, &format!("{why}, and it could not be put aside: {error}")),
    }
}

/// In one step. Not synced: what a power cut takes is a reminder, not a memory.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A name of its own: two commands at once don't write into each other's.
    let mut part = path.as_os_str().to_owned();
    part.push(format!(".{}.part", std::process::id()));
    let _ = std::fs::remove_file(&part);
    let mut options = OpenOptions::new();
    let mut file = options.write(true).create_new(true).mode(0o600).open(&part)?;
    io::Write::write_all(&mut file, bytes)?;
    std::fs::rename(part, path)
}

/// The file of a session with this ending.
pub(crate) fn path_of(folder: &Path, session: &str, ending: &str) -> PathBuf {
    sessions(folder).join(format!("{}.{ending}", file_name(session, "")))
}

/// A small file of this machine's own notes, for nobody else to read; replaced in one step.
pub(crate) fn write_own(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    replace(path, text.as_bytes())
}

/// A look without the lock: what is there is whole, since it is replaced in one step. Nothing where it
/// can't be read: whoever changes it is told.
pub(crate) fn look(folder: &Path, session: &str, agent: &str) -> Option<SessionState> {
    read(&sessions(folder).join(file_name(session, agent)).with_extension("json"))
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

fn locked(path: &Path, at_most: Duration) -> io::Result<File> {
    let mut options = OpenOptions::new();
    let lock = options.create(true).truncate(false).write(true).mode(0o600).open(path)?;
    let begun = Instant::now();
    loop {
        match lock.try_lock() {
            Ok(()) => return Ok(lock),
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
    let mut states: Vec<SessionState> = paths
        .into_iter()
        .filter_map(|(_, path)| read(&path))
        .filter(SessionState::has_begun)
        .collect();
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

fn files(folder: &Path, is_meant: impl Fn(&str) -> bool) -> Vec<(SystemTime, PathBuf)> {
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
        let _ = std::fs::remove_file(&path).or_else(|_| std::fs::remove_dir_all(path));
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
