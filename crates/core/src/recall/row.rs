//! The numbers of each memory that lists, reviews and counts need. Rows have one size, so that all
//! of a store are read at once without opening its files.

use jiff::Timestamp;

use crate::content::FieldValue;
use crate::event::{Event, EventType};
use crate::kind::Kind;
use crate::memory::Memory;
use crate::signals::Signals;
use crate::state::State;

/// Instants are in seconds.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Row {
    /// Its place in `State::ALL`.
    state: u8,
    /// Its place in `Kind::BUILT_IN`; behind the last for a custom one.
    kind: u8,
    flags: u16,
    pub bytes: u32,
    instants: [i64; INSTANTS],
    trust: f64,
    counts: [u32; COUNTS],
}

/// Places in `instants`.
const CREATED: usize = 0;
const UPDATED: usize = 1;
const REVIEW_AFTER: usize = 2;
const LAST_SUCCESS: usize = 3;
const UNDER_REVIEW_SINCE: usize = 4;
const INSTANTS: usize = 5;
/// Uses, those that helped, those that did not, contradictions, open ones, tasks, reviews.
const COUNTS: usize = 7;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flag {
    /// Its file does not keep to the format: nothing is decided about it before that is fixed.
    Flawed,
    /// It is checked against the code that it rests on.
    Bound,
    /// A decision that is not accepted yet.
    Proposed,
    /// Its file claims a standing that the log does not carry.
    Unrecorded,
    /// A person's word that an agent has put under review.
    Contested,
    /// Changed without the tool.
    HandEdited,
}

impl Row {
    pub fn of(memory: &Memory, signals: &Signals, bytes: usize, is_flawed: bool) -> Self {
        let kind = Kind::BUILT_IN.iter().position(|it| *it == memory.kind);
        let tasks = u32::try_from(signals.tasks.len()).unwrap_or(u32::MAX);
        let mut row = Self {
            state: memory.state as u8,
            kind: kind.map_or(u8::MAX, |at| at as u8),
            flags: 0,
            bytes: u32::try_from(bytes).unwrap_or(u32::MAX),
            instants: [
                memory.created_at,
                memory.updated_at,
                memory.review_after,
                signals.last_success,
                signals.under_review_since,
            ]
            .map(|at| at.map_or(NEVER, Timestamp::as_second)),
            trust: signals.trust,
            counts: [
                signals.reuse_count,
                signals.successful_reuses,
                signals.failed_reuses,
                signals.contradiction_count,
                signals.open_contradictions,
                tasks,
                signals.reviews,
            ],
        };
        let is_proposed = memory.content.text("status") == Some("proposed");
        row.set(Flag::Flawed, is_flawed);
        row.set(Flag::Unrecorded, !signals.is_recorded);
        row.set(Flag::Contested, signals.is_contested);
        row.set(Flag::HandEdited, signals.is_hand_edited);
        row.set(Flag::Bound, memory.refresh_tier == Some(2));
        row.set(Flag::Proposed, memory.kind == Kind::Decision && is_proposed);
        row
    }

    fn set(&mut self, flag: Flag, is_so: bool) {
        self.flags |= u16::from(is_so) << flag as u16;
    }

    pub fn has(&self, flag: Flag) -> bool {
        self.flags >> flag as u16 & 1 == 1
    }

    pub fn state(&self) -> State {
        State::ALL.get(usize::from(self.state)).copied().unwrap_or(State::Candidate)
    }

    /// `None` for a custom one.
    pub fn kind(&self) -> Option<&'static Kind> {
        const BUILT_IN: &[Kind] = &Kind::BUILT_IN;
        BUILT_IN.get(usize::from(self.kind))
    }

    pub fn is(&self, kind: &Kind) -> bool {
        self.kind() == Some(kind)
    }

    pub fn trust(&self) -> f64 {
        self.trust
    }

    pub fn created_at(&self) -> Option<Timestamp> {
        self.instant(CREATED)
    }

    pub fn updated_at(&self) -> Option<Timestamp> {
        self.instant(UPDATED)
    }

    fn instant(&self, place: usize) -> Option<Timestamp> {
        instant(self.instants[place])
    }

    /// The last change, in seconds.
    pub fn newest(&self) -> Option<i64> {
        [self.instants[UPDATED], self.instants[CREATED]].into_iter().find(|it| *it != NEVER)
    }

    pub fn reuses(&self) -> u32 {
        self.counts[0]
    }

    pub fn open_contradictions(&self) -> u32 {
        self.counts[4]
    }

    pub fn under_review_since(&self) -> Option<Timestamp> {
        self.instant(UNDER_REVIEW_SINCE).or(self.updated_at())
    }

    /// What it has earned, as far as a row knows: names of tasks are only counted.
    pub fn signals(&self, into: &mut Signals) {
        let [reuses, successes, failures, contradictions, open, tasks, reviews] = self.counts;
        into.reuse_count = reuses;
        into.successful_reuses = successes;
        into.failed_reuses = failures;
        into.contradiction_count = contradictions;
        into.open_contradictions = open;
        into.reviews = reviews;
        into.trust = self.trust;
        into.is_recorded = !self.has(Flag::Unrecorded);
        into.is_contested = self.has(Flag::Contested);
        into.is_hand_edited = self.has(Flag::HandEdited);
        into.last_success = self.instant(LAST_SUCCESS);
        into.under_review_since = self.instant(UNDER_REVIEW_SINCE);
        into.tasks.clear();
        into.tasks.extend((0..tasks.min(TASKS_MAX)).map(|number| number.to_string()));
    }

    /// As much of the memory as the rules of its life look at.
    pub fn memory(&self, into: &mut Memory) {
        into.state = self.state();
        into.kind = self.kind().cloned().unwrap_or_else(|| Kind::Custom(String::new()));
        into.created_at = self.created_at();
        into.updated_at = self.updated_at();
        into.review_after = self.instant(REVIEW_AFTER);
        into.content = crate::content::Content::default();
        if self.has(Flag::Proposed) {
            into.content.set("status", FieldValue::text("proposed"));
        }
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![self.state, self.kind];
        bytes.extend(self.flags.to_le_bytes());
        bytes.extend(self.bytes.to_le_bytes());
        bytes.extend(self.instants.iter().flat_map(|it| it.to_le_bytes()));
        bytes.extend(self.trust.to_le_bytes());
        bytes.extend(self.counts.iter().flat_map(|it| it.to_le_bytes()));
        bytes
    }

    pub fn of_bytes(bytes: &[u8]) -> Option<Self> {
        let (head, rest) = bytes.split_first_chunk::<8>()?;
        let (wide, counts) = rest.split_first_chunk::<48>()?;
        let [instants @ .., trust] = <[[u8; 8]; 6]>::try_from(wide.as_chunks::<8>().0).ok()?;
        let counts = <[[u8; 4]; COUNTS]>::try_from(counts.as_chunks::<4>().0).ok()?;
        Some(Self {
            state: head[0],
            kind: head[1],
            flags: u16::from_le_bytes([head[2], head[3]]),
            bytes: u32::from_le_bytes([head[4], head[5], head[6], head[7]]),
            instants: instants.map(i64::from_le_bytes),
            trust: f64::from_le_bytes(trust),
            counts: counts.map(u32::from_le_bytes),
        })
    }
}

/// No instant; there are many rows, and an option is twice as large.
const NEVER: i64 = i64::MIN;
/// More tasks than any rule asks for.
const TASKS_MAX: u32 = 1_000;

fn instant(seconds: i64) -> Option<Timestamp> {
    Timestamp::from_second(seconds).ok()
}

/// What the log says about the store as a whole, folded event by event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct LogFacts {
    first: Option<i64>,
    archived: Option<i64>,
    archive_reviewed: Option<i64>,
    pub uses: usize,
}

/// How the log names a look through the archive.
pub const ARCHIVE_REVIEW: &str = "archive review";

impl LogFacts {
    pub fn take(&mut self, event: &Event) {
        let at = Some(event.at.as_second());
        self.first = self.first.min(at).or(at);
        if event.to == Some(State::Archived) {
            self.archived = self.archived.max(at);
        }
        let is_review = event.event_type == EventType::Reviewed && event.memory.is_empty();
        if is_review && event.reason == ARCHIVE_REVIEW {
            self.archive_reviewed = self.archive_reviewed.max(at);
        }
        self.uses += usize::from(event.event_type == EventType::Applied);
    }

    pub fn first_event(&self) -> Option<Timestamp> {
        self.first.and_then(instant)
    }

    pub fn last_archived(&self) -> Option<Timestamp> {
        self.archived.and_then(instant)
    }

    pub fn last_archive_review(&self) -> Option<Timestamp> {
        self.archive_reviewed.and_then(instant)
    }
}

#[cfg(test)]
mod tests;
