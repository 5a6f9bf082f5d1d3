//! The append-only log: one JSON line per event. Counters and trust are folded from it.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::collections::HashSet;

use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::actor::Via;
use crate::origin::Origin;
use crate::state::State;
use crate::task::{Outcome, TaskSignals};
use oldhand_text::time::{format_instant, parse_instant};
use oldhand_text::word::words;

words! {
    #[derive(Default)]
    EventType, "type" {
        Created = "created",
        #[default]
        Updated = "updated",
        Moved = "moved",
        /// A use, and what came of it.
        Applied = "applied",
        /// It was said again, or seen again.
        Evidence = "evidence",
        Reviewed = "reviewed",
        /// A proposal against it was stopped, or that was settled.
        Conflict = "conflict",
        Swept = "swept",
        /// The end of a task; it belongs to no memory.
        Task = "task",
        /// A change that somebody made without the tool.
        Adopted = "adopted",
        Collected = "collected",
        Undone = "undone",
    }
}

words! {
    /// What came of using a memory.
    Effect, "effect" {
        Positive = "positive",
        Negative = "negative",
        Neutral = "neutral",
        Contradiction = "contradiction",
    }
}

words! {
    /// Where advice was used (R215).
    Surface, "surface" {
        SessionStart = "session_start",
        Prompt = "prompt",
        Planning = "planning",
        Implementation = "implementation",
        Review = "review",
        Testing = "testing",
        Recovery = "recovery",
    }
}

words! {
    /// What a use asks for (R213, R215).
    Followup, "followup" {
        Nothing = "none",
        Strengthen = "strengthen",
        /// The advice was against what turned out right.
        Weaken = "weaken",
        Review = "review",
        /// The most useful of the task: worth keeping beyond its session.
        Promote = "promote",
    }
}

words! {
    /// How a review ends (R198, R205).
    Verdict, "decision" {
        Promote = "promote",
        Keep = "keep",
        Reinstate = "reinstate",
        Reject = "reject",
        Supersede = "supersede",
        Archive = "archive",
    }
}

/// One line of the log. A `before` that is no earlier `after` means an edit by hand.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Event {
    /// Unique, so that a log merged twice is read once.
    pub id: String,
    #[serde(serialize_with = "write_instant", deserialize_with = "read_instant")]
    pub at: Timestamp,
    #[serde(rename = "type")]
    pub event_type: EventType,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub memory: String,
    /// The file below the store.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub path: String,
    /// Where the file was before: a candidate moves once (R207).
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub moved_from: String,
    /// Who did it: a person's or an agent's name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub by: String,
    /// How that was known.
    #[serde(default, skip_serializing_if = "Via::is_unknown")]
    pub via: Via,
    /// Of a new memory: who says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// Events of one write share it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub write: String,
    /// Writes of one command about many memories share it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub batch: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<State>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<State>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// The fields that an update changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effect: Option<Effect>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub task: String,
    /// What the one who did it is: a reviewer's role, an agent's type.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub role: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub surface: Option<Surface>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub followup: Option<Followup>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Verdict>,
    /// References that were added.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    #[serde(default, skip_serializing_if = "TaskSignals::is_empty")]
    pub signals: TaskSignals,
}

/// Why an adopted version is one: git made it of two branches, and nobody edited it by hand.
pub const MERGED: &str = "merged";

impl Event {
    /// A person has decided something about the memory.
    pub fn is_persons_move(&self) -> bool {
        matches!(self.event_type, EventType::Reviewed | EventType::Moved) && !self.via.is_machine()
    }

    /// The texts that somebody else chose, by field.
    pub fn texts(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let texts = [
            ("by", &self.by),
            ("reason", &self.reason),
            ("task", &self.task),
            ("role", &self.role),
        ];
        let evidence = self.evidence.iter().map(|it| ("evidence", it));
        let fields = self.fields.iter().map(|it| ("fields", it));
        let own = texts.into_iter().chain(evidence).chain(fields);
        let own = own.map(|(name, it)| (name, it.as_str()));
        own.chain(self.signals.words().map(|it| ("signal", it)))
    }

    pub fn new(event_type: EventType, memory: &str, at: Timestamp) -> Self {
        Self {
            at: oldhand_text::time::whole_seconds(at),
            event_type,
            memory: memory.to_owned(),
            ..Self::default()
        }
    }

    pub fn to_line(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self).map(|line| line + "\n")
    }

    /// The order in which events happened, as far as anybody can tell from the events themselves:
    /// neither the file nor the line that an event is on counts, so that every merge of the same
    /// lines says the same.
    pub fn order(&self, other: &Self) -> Ordering {
        let by_line = || self.to_line().ok().cmp(&other.to_line().ok());
        self.rank().cmp(&other.rank()).then_with(by_line)
    }

    /// Ids begin with their time. The ids of one write count up from its own. Those of version 0.1
    /// are random within a millisecond: what made a memory comes before what happened to it.
    fn rank(&self) -> (&str, &str, u8, &str) {
        const TIME: usize = 10;
        const COUNTED: usize = 16;
        let time = self.id.get(..TIME).unwrap_or(&self.id);
        let is_counted = self.id.get(..COUNTED) == self.write.get(..COUNTED);
        if is_counted || self.write.is_empty() {
            return (time, &self.id, 0, "");
        }
        let step = match self.event_type {
            EventType::Created => 0,
            EventType::Evidence => 1,
            EventType::Applied => 2,
            EventType::Updated => 3,
            _ => 4,
        };
        (time, &self.write, step, &self.id)
    }

    /// `None` for a line that is torn or of a later version: it is kept, and skipped.
    pub fn of_line(line: &str) -> Option<Self> {
        serde_json::from_str(line).ok()
    }
}

/// As they happened, an event that was met twice once.
pub fn in_order<E: Borrow<Event>>(events: &mut Vec<E>) {
    events.sort_by(|one, other| one.borrow().order(other.borrow()));
    let mut seen = HashSet::new();
    let is_first: Vec<bool> =
        events.iter().map(|it| seen.insert(it.borrow().id.as_str())).collect();
    let mut is_first = is_first.into_iter();
    events.retain(|_| is_first.next().unwrap_or(true));
}

fn write_instant<S: Serializer>(at: &Timestamp, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&format_instant(*at))
}

fn read_instant<'de, D: Deserializer<'de>>(from: D) -> Result<Timestamp, D::Error> {
    let text = String::deserialize(from)?;
    parse_instant(&text).ok_or_else(|| serde::de::Error::custom("no instant"))
}
