//! What recall and lists need from the index: candidates with their measures, cards by filter, and the
//! files behind them. An index may lag or vanish; what it answers is never wrong for long.

use std::collections::BTreeMap;

use oldhand_core::recall::card;
use oldhand_core::recall::chain::Size;
use oldhand_core::recall::query::Query;
use oldhand_core::recall::rank::Candidate;
use oldhand_core::recall::row::{LogFacts, Row};
use oldhand_core::state::{RecordStatus, State};

use crate::failure::Failure;
use crate::list::Filter;
use crate::port::{Stored, Unreadable};

/// Which memories may be returned at all.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Narrow {
    /// Each group must match with one of its words; the words are `field:value`.
    pub words: Vec<Vec<String>>,
    /// Empty for any.
    pub states: Vec<State>,
}

pub struct Ask<'a> {
    pub query: &'a Query,
    pub narrow: &'a Narrow,
    /// Meaning is wanted, where the index has it.
    pub semantic: bool,
    /// How many of each list.
    pub top: usize,
}

/// How far meaning was measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Semantic {
    Whole,
    /// Some memories are not embedded yet.
    Partial {
        embedded: usize,
        of: usize,
    },
    Off {
        why: String,
    },
}

pub struct Looked {
    pub candidates: Vec<Candidate>,
    pub semantic: Semantic,
    /// All active memories, whatever the filter.
    pub size: Size,
}

/// What there is to know about the index itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct IndexFacts {
    pub memories: usize,
    pub embedded: usize,
    pub segments: usize,
    pub bytes: u64,
    pub model: String,
    /// It could not be kept, only used for this answer.
    pub is_kept: bool,
}

/// A memory as lists go by it.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    /// Its file below the store.
    pub path: String,
    pub row: Row,
}

impl Listed {
    pub fn id(&self) -> &str {
        let name = self.path.rsplit('/').next().unwrap_or_default();
        name.strip_suffix(".md").unwrap_or(name)
    }
}

/// What there is in one store.
#[derive(Debug, Clone, Default)]
pub struct Rows {
    /// By path.
    pub listed: Vec<Listed>,
    pub log: LogFacts,
    pub unreadable: Vec<Unreadable>,
    /// Files that were read for it, by path.
    pub read: BTreeMap<String, Stored>,
}

pub trait Index {
    fn look(&self, ask: &Ask<'_>) -> Result<Looked, Failure>;
    /// The newest first, ties by id.
    fn newest(&self, narrow: &Narrow, limit: usize) -> Result<Vec<Candidate>, Failure>;
    /// Everything that passes, by id.
    fn cards(&self, narrow: &Narrow) -> Result<Vec<Candidate>, Failure>;
    /// How many pass, in all stores.
    fn count(&self, narrow: &Narrow) -> Result<usize, Failure>;
    /// A row for everything that passes in the first store; `None` from an index that is too far
    /// behind its files.
    fn rows(&self, narrow: &Narrow) -> Result<Option<Rows>, Failure>;
    /// Compares every file with the index; true when something was not as it was known.
    fn recheck(&self) -> Result<bool, Failure>;
    /// The memory as its file has it now; `None` when the file is gone.
    fn read(&self, candidate: &Candidate) -> Result<Option<Stored>, Failure>;
    fn facts(&self) -> Result<IndexFacts, Failure>;
    /// Remarks for the reader: an index that is behind, a file that can't be read.
    fn notes(&self) -> Vec<String>;
}

impl Filter {
    /// As words of the index, for a list: what is not active is listed when somebody asks for it.
    pub(crate) fn listed(&self) -> Narrow {
        let mut narrow = self.narrow();
        if narrow.states.is_empty() {
            narrow.states = State::ALL.iter().copied().filter(|state| state.is_active()).collect();
        }
        narrow
    }

    /// The same filter as words of the index.
    pub fn narrow(&self) -> Narrow {
        let mut words: Vec<Vec<String>> = Vec::new();
        if !self.kinds.is_empty() {
            words.push(self.kinds.iter().map(|kind| format!("kind:{kind}")).collect());
        }
        words.extend(self.tags.iter().map(|tag| vec![format!("tag:{tag}")]));
        words.extend(self.domain.iter().map(|it| vec![format!("domain:{}", it.to_lowercase())]));
        words.extend(self.level.iter().map(|it| vec![format!("level:{}", it.to_lowercase())]));
        words.extend(self.scope.iter().map(|it| vec![format!("scope:{}", it.to_lowercase())]));
        words.extend(self.path.iter().map(|path| card::path_filter(path)));
        let states = if !self.states.is_empty() {
            self.states.clone()
        } else if let Some(status) = self.status {
            State::ALL.iter().copied().filter(|state| state.record_status() == status).collect()
        } else if self.legacy.is_some() {
            // Work on old modules looks into the archive too (R127).
            let gone = RecordStatus::Retired;
            State::ALL.iter().copied().filter(|state| state.record_status() != gone).collect()
        } else {
            Vec::new()
        };
        Narrow { words, states }
    }
}
