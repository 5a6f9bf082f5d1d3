//! What recall and lists need from the index: candidates with their measures, cards by filter, and the
//! files behind them. An index may lag or vanish; what it answers is never wrong for long.

use std::collections::BTreeMap;

use oldhand_core::recall::chain::Size;
use oldhand_core::recall::query::Query;
use oldhand_core::recall::rank::Candidate;
use oldhand_core::recall::row::{LogFacts, Row};
use oldhand_core::state::State;

use crate::failure::Failure;
use crate::port::{Stored, Unreadable, stem_of};

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
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
        stem_of(&self.path)
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
    /// Another word whenever it may answer something else.
    fn mark(&self) -> String;
    /// Embeds everything that has no vectors yet, where readers do that; `progress` hears how many of how many are
    /// done, and says whether to go on. Returns how many were done.
    fn fill_all(
        &self,
        _with_waiting: bool,
        _progress: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Result<usize, Failure> {
        Ok(0)
    }
    /// How many served memories have no vectors, and wait for a reader to embed them.
    fn unembedded(&self) -> usize {
        0
    }
    /// So that the next answers of this process need not read what they have read before.
    fn warm_up(&self) {}
    /// Makes it again from the files.
    fn renew(&self) -> Result<(), Failure> {
        Ok(())
    }
}
