//! Which file of the log this checkout appends to. No two branches may append to one file: git would
//! call that a conflict. So a file is only continued on the branch that it was begun on, in the place
//! that it was begun in, and while it is as this checkout left it; otherwise another one is begun.

use std::path::PathBuf;

use jiff::{SignedDuration, Timestamp};
use oldhand_text::time::format_month;
use serde::{Deserialize, Serialize};

use super::LocalVault;
use crate::disk::NodeKind;
use crate::failure::StoreError;
use crate::history::Checkout;
use crate::ulid::{TIME_DIGITS, is_ulid, successor, ulid};

/// Branches on which this checkout goes on where it was; the oldest is forgotten.
const LOGS_MAX: usize = 64;
const BYTES_MAX: u64 = 256 * 1024;
/// Clocks of two machines differ less.
const AHEAD_MAX: SignedDuration = SignedDuration::from_hours(24);

/// `local/writers.json`. Without it new files are begun.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Writers {
    /// A folder that was copied to another place or machine is another writer.
    place: String,
    /// The last id of this checkout: the next one comes after it, whatever the clock says.
    last: String,
    /// The one that was used last at the end.
    logs: Vec<OwnLog>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct OwnLog {
    file: String,
    branch: String,
    /// As this checkout left it. A branch that was switched or reset has another length.
    len: u64,
}

/// The file that a write appends to.
pub(super) struct OpenLog {
    pub path: PathBuf,
    /// `None` for a new one.
    pub len: Option<u64>,
    own: OwnLog,
    writers: Writers,
}

impl LocalVault<'_> {
    /// The file for events of a month.
    pub(super) fn open_log(&self, at: Timestamp) -> Result<OpenLog, StoreError> {
        let writers = self.writers()?;
        let branch = Checkout::find(&self.layout.root).and_then(|checkout| checkout.branch());
        let branch = branch.unwrap_or_default();
        let month = format!("{}.", format_month(at));
        for own in writers.logs.iter().rev() {
            let is_name = own.file.starts_with(&month) && !own.file.contains(['/', '\\']);
            if own.branch != branch || !is_name {
                continue;
            }
            let path = self.layout.events().join(&own.file);
            let stat = self.stat(&path)?;
            if stat.is_some_and(|it| it.kind == NodeKind::File && it.len == own.len) {
                return Ok(OpenLog { path, len: Some(own.len), own: own.clone(), writers });
            }
        }
        loop {
            let file = format!("{month}{}.jsonl", writer_name(self.entropy.next()));
            let path = self.layout.events().join(&file);
            if self.stat(&path)?.is_none() {
                let own = OwnLog { file, branch, len: 0 };
                return Ok(OpenLog { path, len: None, own, writers });
            }
        }
    }

    fn writers(&self) -> Result<Writers, StoreError> {
        let place = format!("{} {}", self.disk.machine(), self.layout.root.display());
        let bytes = self.disk.file(&self.layout.writers(), BYTES_MAX)?.unwrap_or_default();
        let mut kept: Writers = serde_json::from_slice(&bytes).unwrap_or_default();
        if kept.place == place && is_ulid(&kept.last) {
            return Ok(kept);
        }
        // A copy goes on after what was copied. One that came with a clone may say anything, and
        // what lies far ahead of the clock would stay ahead of everybody.
        let ahead = self.now.checked_add(AHEAD_MAX).unwrap_or(self.now);
        if !is_ulid(&kept.last) || kept.last > ulid(ahead, u128::MAX) {
            kept.last.clear();
        }
        Ok(Writers { place, last: kept.last, logs: Vec::new() })
    }

    /// After an append. Where this fails, the next write finds a file that is longer than it should
    /// be and begins another one, which costs nothing.
    pub(super) fn keep_writer(&self, log: OpenLog, added: u64, last: &str) {
        let OpenLog { mut own, mut writers, .. } = log;
        own.len += added;
        writers.logs.retain(|it| it.file != own.file);
        writers.logs.push(own);
        let excess = writers.logs.len().saturating_sub(LOGS_MAX);
        writers.logs.drain(..excess);
        if last > writers.last.as_str() {
            writers.last = last.to_owned();
        }
        let text = serde_json::to_string(&writers).unwrap_or_default();
        let _ = self.replace_derived(&self.layout.writers(), &text);
    }
}

impl OpenLog {
    /// An id for a write, after all that this checkout has written; those of its events count up.
    /// Where the clock is not ahead of the last one, the time in it goes on without the clock. The
    /// random half is always new: a copy of this folder may go on from the same last id.
    pub(super) fn next_id(&self, vault: &LocalVault<'_>) -> String {
        let (last, id) = (&self.writers.last, vault.next_id());
        if id > *last {
            return id;
        }
        let (time, random) = (last.get(..TIME_DIGITS), id.get(TIME_DIGITS..).unwrap_or_default());
        time.and_then(successor).map_or_else(|| id.clone(), |time| time + random)
    }
}

/// Begins with a digit: programs of version 0.1 append to the file that sorts last, which is then
/// their own `<yyyy-mm>.jsonl`.
fn writer_name(random: u128) -> String {
    // All of its bits count: a source of random numbers may have few that change.
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&blake3::hash(&random.to_le_bytes()).as_bytes()[..16]);
    let mixed = u128::from_le_bytes(bytes);
    let letters = ulid(Timestamp::UNIX_EPOCH, mixed);
    format!("{}{}", (mixed >> 80) % 10, &letters[letters.len() - 7..])
}
