//! What is known of one session on this machine: what it was given, how far its transcript was
//! read, what it works on, so that the same hook firing again and again does nothing again.

mod file;
mod spool;

use std::collections::BTreeSet;

pub(crate) use file::{
    forget_old, inside, known, lock, look, older_in, path_of, update, work, write_own,
};
pub(crate) use spool::keep as keep_for_later;

use oldhand_core::kind::Kind;
use oldhand_judge::capture::triage::Hit;
use oldhand_sessions::conversation::Working;
use oldhand_text::strings::normalise_line;
use oldhand_transcripts::Voice;
use serde::{Deserialize, Serialize};

/// Ids and paths that one session remembers; beyond it the oldest are forgotten.
const LIST_MAX: usize = 2_000;
/// Prompts that are kept until the agent stops, and how much of each.
const SAID_MAX: usize = 20;
const SAID_BYTES_MAX: usize = 8 * 1024;
/// A longer prompt is a document that somebody pasted.
const HEARD_BYTES_MAX: usize = 256 * 1024;

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
    pub said: Vec<Said>,
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
    /// The host vouches that a person typed it.
    pub is_typed: bool,
    pub text: String,
    pub reason: Option<String>,
}

impl Owed {
    pub(crate) fn of(hit: &Hit, is_typed: bool) -> Self {
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
    /// How often reading on from here was begun and never ended.
    pub tries: u32,
}

/// A prompt that a hook was told of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Said {
    /// The host vouches that a person typed it.
    Typed {
        typed: String,
    },
    Other(String),
}

impl Said {
    /// `None` for what is empty, a pasted document, or holds a secret: that never touches the disk.
    pub(crate) fn of(prompt: &str, is_typed: bool) -> Option<Self> {
        // The whole is looked at: what is left of a secret that was cut no longer looks like one.
        let is_clean =
            prompt.len() <= HEARD_BYTES_MAX && oldhand_text::secrets::scan(prompt).is_empty();
        let spoken = match is_typed {
            true => prompt.trim().to_owned(),
            false => oldhand_transcripts::spoken(prompt),
        };
        let text = oldhand_text::strings::middle_cut(&spoken, SAID_BYTES_MAX);
        (is_clean && !text.is_empty()).then_some(match is_typed {
            true => Self::Typed { typed: text },
            false => Self::Other(text),
        })
    }

    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Typed { typed: text } | Self::Other(text) => text,
        }
    }
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

    /// Kept for hosts whose transcript can't be read, and for what the host vouches for.
    pub(crate) fn hear(&mut self, said: Option<Said>) {
        self.prompts_since_compaction += 1;
        if let Some(said) = said {
            if self.said.len() >= SAID_MAX {
                self.said.remove(0);
            }
            self.said.push(said);
        }
    }

    /// A hook has seen it, or somebody has written a note: more than that it was given something.
    pub(crate) fn has_begun(&self) -> bool {
        !self.started_at.is_empty()
    }

    /// A person said it, and a prompt that the host vouches for has it too.
    pub(crate) fn is_typed(&self, hit: &Hit) -> bool {
        let text = normalise_line(&hit.text);
        let holds = |said: &Said| match said {
            Said::Typed { typed } => normalise_line(typed).contains(&text),
            Said::Other(_) => false,
        };
        hit.voice == Voice::Person && self.said.iter().any(holds)
    }

    pub(crate) fn ask(&mut self, what: &str) {
        remember(&mut self.asked, what);
    }

    pub(crate) fn capture(&mut self, mark: &str) {
        remember(&mut self.captured, mark);
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
