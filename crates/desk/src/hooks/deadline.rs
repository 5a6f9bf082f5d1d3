//! The hook's own deadline, far below the host's: a process that hangs is worth less than one that
//! says nothing. Only the real program has one; a test that runs in process has time.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};
use std::thread::Thread;
use std::time::{Duration, Instant};

use oldhand_store::disk::RealDisk;
use oldhand_store::port::session::{Log, SessionStore};
use oldhand_store::session::FileSessions;

/// Until the settings are known.
const FIRST_MS: u64 = 5_000;

/// For events at which nobody waits to type.
pub(super) const LONG_MS: i64 = 8_000;

static LIMIT_MS: AtomicU64 = AtomicU64::new(FIRST_MS);
static LOG: Mutex<Option<(PathBuf, String)>> = Mutex::new(None);
/// Woken when the limit changes: a shorter one would be slept through.
static WATCH: OnceLock<Thread> = OnceLock::new();

/// Starts the clock. What a killed process leaves is what `kill -9` leaves: nothing is lost by it.
pub fn start() {
    let begun = Instant::now();
    let watch = move || {
        loop {
            let limit = Duration::from_millis(LIMIT_MS.load(Ordering::Relaxed));
            match limit.checked_sub(begun.elapsed()) {
                Some(left) if !left.is_zero() => std::thread::park_timeout(left),
                _ => break,
            }
        }
        give_up();
    };
    // Without a thread there is no deadline, and the host has its own.
    if let Ok(watch) = std::thread::Builder::new().stack_size(64 * 1024).spawn(watch) {
        let _ = WATCH.set(watch.thread().clone());
    }
}

/// The limit from the settings, counted from the start of the process.
pub(super) fn set(milliseconds: i64) {
    LIMIT_MS.store(milliseconds.unsigned_abs(), Ordering::Relaxed);
    if let Some(watch) = WATCH.get() {
        watch.unpark();
    }
}

/// The answer is out; what is left to do gets another second.
pub(super) fn answered() {
    LIMIT_MS.fetch_add(1_000, Ordering::Relaxed);
}

/// What to write if time runs out, and the folder of its log.
pub(super) fn log_to(folder: PathBuf, line: String) {
    if let Ok(mut log) = LOG.lock() {
        *log = Some((folder, line));
    }
}

#[expect(clippy::exit, reason = "a hook that hangs must still end with 0")]
fn give_up() {
    if let Ok(log) = LOG.try_lock()
        && let Some((folder, line)) = &*log
    {
        // Only the real program has a deadline, and nothing is left to be done if this fails.
        let _ = FileSessions::new(&RealDisk, folder.clone()).append(Log::Hooks, line);
    }
    std::process::exit(0);
}
