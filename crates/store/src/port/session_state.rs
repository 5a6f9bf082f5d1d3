//! What is known of one session: what it was given, how far its transcript was read, what it works
//! on, so that the same hook firing again and again does nothing again. Plain data; where it is kept
//! is the session store's business. The groups are written as one flat object.

use std::collections::BTreeSet;

use jiff::Timestamp;
use oldhand_core::kind::Kind;
use oldhand_judge::capture::triage::Hit;
use oldhand_sessions::conversation::Working;
use oldhand_sessions::nudge::Nudges;
use oldhand_text::secrets;
use oldhand_text::strings::{middle_cut, normalise_line};
use oldhand_text::time::{format_instant, minutes_between, parse_instant};
use oldhand_transcripts as transcript;
use oldhand_transcripts::{Turn, Voice};
use serde::{Deserialize, Serialize};

/// Ids and paths that one session remembers; beyond it the oldest are forgotten.
const LIST_MAX: usize = 2_000;
/// Prompts that are kept until the agent stops, and how much of each.
const SAID_MAX: usize = 20;
const SAID_BYTES_MAX: usize = 8 * 1024;
/// A longer prompt is a document that somebody pasted.
const HEARD_BYTES_MAX: usize = 256 * 1024;
/// A session without activity for this long is over.
pub const IDLE_MINUTES: i64 = 6 * 60;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionState {
    pub session: String,
    /// The subagent; empty for the session itself.
    pub agent: String,
    #[serde(flatten)]
    pub presence: Presence,
    #[serde(flatten)]
    pub served: ServedMemories,
    #[serde(flatten)]
    pub conversation: Conversation,
    #[serde(flatten)]
    pub compaction: CompactionState,
    #[serde(flatten)]
    pub capture: CaptureState,
    #[serde(flatten)]
    pub settlement: Settlement,
    #[serde(flatten)]
    pub nudges: Nudges,
    pub working: Working,
}

/// Where and when it works.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Presence {
    pub host: String,
    /// The folder that is checked out where it works.
    pub worktree: String,
    pub started_at: String,
    pub seen_at: String,
    /// When somebody last asked for something: a host that says goodbye does no work.
    pub worked_at: String,
}

/// What memory gave it, and what it asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ServedMemories {
    /// Ids in the conversation as it is now.
    #[serde(rename = "served")]
    pub in_context: Vec<String>,
    /// All ids, also those that a compaction removed from the conversation.
    #[serde(rename = "ever_served")]
    pub ever: Vec<String>,
    /// Paths and commands that memory was asked for.
    pub asked: Vec<String>,
    /// Served ids that the agent named itself.
    pub named: BTreeSet<String>,
    /// Prompts for which nothing was found, and questions for which something was.
    pub unmatched: usize,
    pub matched: usize,
}

/// The host's transcript, and prompts that it has not shown yet.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Conversation {
    pub transcript: TranscriptPosition,
    /// Where the host keeps it, also before anything was read.
    pub transcript_path: String,
    pub said: Vec<Said>,
    /// What the agent said last: the next prompt may answer it.
    pub last_message: Option<LastMessage>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastMessage {
    pub line: usize,
    pub text: String,
}

impl LastMessage {
    /// `None` for what is too long to be a message, or holds a secret: that never touches the disk.
    pub fn of(turn: &Turn) -> Option<Self> {
        let is_clean = turn.text.len() <= SAID_BYTES_MAX && secrets::scan(&turn.text).is_empty();
        is_clean.then(|| Self { line: turn.line, text: turn.text.clone() })
    }

    pub fn turn(&self) -> Turn {
        Turn { line: self.line, voice: Voice::Agent, text: self.text.clone(), ..Turn::default() }
    }
}

impl Conversation {
    /// After these turns.
    pub fn hear_last(&mut self, turns: &[Turn]) {
        let mut spoken = turns.iter().rev().filter(|it| !it.is_sidechain && !it.text.is_empty());
        if let Some(last) = spoken.next() {
            let is_message = last.voice == Voice::Agent && last.uses.is_empty();
            self.last_message = is_message.then(|| LastMessage::of(last)).flatten();
        }
    }
}

/// What the stored summary covers, and what the agent was told about compaction.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CompactionState {
    /// The file whose first lines the session's summary holds, and how many.
    #[serde(rename = "compacted_path")]
    pub path: String,
    #[serde(rename = "compacted_lines")]
    pub lines: usize,
    /// Prompts since then, and how many there were when the agent was told (R162).
    #[serde(rename = "prompts_since_compaction")]
    pub prompts: usize,
    pub prompts_told: usize,
    /// Steps of the plan that were done when it was last told (R161).
    pub steps_told: usize,
}

/// What was captured, and what is still to be drafted.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CaptureState {
    /// Marks of the sentences that were captured.
    pub captured: Vec<String>,
    /// What was taken over, each as the numbers of its words.
    pub told: Vec<Vec<u32>>,
    /// Sentences that the agent was asked to draft and that were not saved yet.
    pub owed: Vec<OwedDraft>,
    /// Drafts were asked for up to this line.
    pub handed_over: usize,
}

/// So many are compared with what is taken over next.
const TOLD_MAX: usize = 60;

impl CaptureState {
    pub fn tell(&mut self, more: Vec<Vec<u32>>) {
        self.told.extend(more);
        let excess = self.told.len().saturating_sub(TOLD_MAX);
        self.told.drain(..excess);
    }
}

/// What was written at its end.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settlement {
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
pub struct OwedDraft {
    pub category: String,
    pub score: f64,
    pub is_explicit: bool,
    pub line: usize,
    pub is_persons: bool,
    /// The host vouches that a person typed it.
    pub is_typed: bool,
    pub text: String,
    pub reason: Option<String>,
}

impl OwedDraft {
    pub fn of(hit: &Hit, is_typed: bool) -> Self {
        Self {
            is_typed,
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
    pub fn hit(&self) -> Option<Hit> {
        (!self.text.trim().is_empty()).then(|| Hit {
            kind: Kind::named(&self.category),
            score: self.score,
            explicit: self.is_explicit,
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
pub struct TranscriptPosition {
    pub path: String,
    pub offset: u64,
    pub lines: usize,
    /// A hash of the bytes before the offset, by which the file is recognised.
    pub mark: String,
    /// How often reading on from here was started and never finished.
    pub tries: u32,
}

/// A prompt that a hook was told of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Said {
    /// The host vouches that a person typed it.
    Typed {
        typed: String,
    },
    Other(String),
}

impl Said {
    /// `None` for what is empty, a pasted document, or holds a secret: that never touches the disk.
    pub fn of(prompt: &str, is_typed: bool) -> Option<Self> {
        // The whole is scanned: what is left of a secret that was cut no longer looks like one.
        let is_clean = prompt.len() <= HEARD_BYTES_MAX && secrets::scan(prompt).is_empty();
        let spoken = match is_typed {
            true => prompt.trim().to_owned(),
            false => transcript::spoken(prompt),
        };
        let text = middle_cut(&spoken, SAID_BYTES_MAX);
        (is_clean && !text.is_empty()).then_some(match is_typed {
            true => Self::Typed { typed: text },
            false => Self::Other(text),
        })
    }

    pub fn text(&self) -> &str {
        match self {
            Self::Typed { typed: text } | Self::Other(text) => text,
        }
    }
}

impl ServedMemories {
    pub fn in_context_set(&self) -> BTreeSet<String> {
        self.in_context.iter().cloned().collect()
    }

    pub fn add<'s>(&mut self, ids: impl IntoIterator<Item = &'s String>) {
        for id in ids {
            remember(&mut self.in_context, id);
            remember(&mut self.ever, id);
        }
    }

    pub fn ask(&mut self, what: &str) {
        remember(&mut self.asked, what);
    }

    /// The conversation lost its beginning, or a new one starts.
    pub fn forget_context(&mut self) {
        self.in_context.clear();
        self.asked.clear();
    }
}

impl SessionState {
    /// Kept for hosts whose transcript can't be read, and for what the host vouches for.
    pub fn hear(&mut self, said: Option<Said>) {
        self.compaction.prompts += 1;
        self.nudges.prompts += 1;
        if let Some(said) = said {
            let heard = &mut self.conversation.said;
            if heard.len() >= SAID_MAX {
                heard.remove(0);
            }
            heard.push(said);
        }
    }

    /// Something happened in it just now.
    pub fn see(&mut self, now: Timestamp) {
        let now = format_instant(now);
        if self.presence.started_at.is_empty() {
            self.presence.started_at.clone_from(&now);
        }
        self.presence.seen_at = now;
    }

    /// A hook has seen it, or somebody has written a note: more than that it was given something.
    pub fn has_begun(&self) -> bool {
        !self.presence.started_at.is_empty()
    }

    /// By time, ties by name.
    pub fn latest_first(&self, other: &Self) -> std::cmp::Ordering {
        let key = |state: &Self| (state.presence.seen_at.clone(), state.session.clone());
        key(other).cmp(&key(self))
    }

    pub fn is_idle(&self, now: Timestamp) -> bool {
        let seen = parse_instant(&self.presence.seen_at);
        seen.is_none_or(|seen| minutes_between(seen, now) >= IDLE_MINUTES)
    }

    /// A person said it, and a prompt that the host vouches for has it too.
    pub fn is_typed(&self, hit: &Hit) -> bool {
        let text = normalise_line(&hit.text);
        hit.voice == Voice::Person && self.typed().any(|typed| typed.contains(&text))
    }

    /// A prompt that the host vouches for says this and nothing else: `2` stands in many.
    pub fn has_typed_only(&self, text: &str) -> bool {
        self.typed().any(|typed| typed == normalise_line(text))
    }

    fn typed(&self) -> impl Iterator<Item = String> {
        let typed = |said: &Said| match said {
            Said::Typed { typed } => Some(normalise_line(typed)),
            Said::Other(_) => None,
        };
        self.conversation.said.iter().filter_map(typed)
    }

    pub fn capture(&mut self, mark: &str) {
        remember(&mut self.capture.captured, mark);
    }
}

fn remember(list: &mut Vec<String>, what: &str) {
    if list.iter().any(|known| known == what) {
        return;
    }
    if list.len() >= LIST_MAX {
        list.remove(0);
    }
    list.push(what.to_owned());
}
