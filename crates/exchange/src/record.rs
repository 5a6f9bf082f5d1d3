//! A record of another tool, mapped to what a memory can hold.

use jiff::Timestamp;
use oldhand_core::draft::Draft;
use oldhand_core::memory::Change;
use oldhand_core::state::State;
use serde_json::{Map, Value};

use crate::names::Names;

/// One place of one format, and what came of it.
#[derive(Debug, Clone, Default)]
pub struct Source {
    /// `<format>:<root>`
    pub from: String,
    pub records: Vec<Foreign>,
    pub skipped: Vec<Passed>,
    pub refused: Vec<Passed>,
    /// What leads nowhere, and what was dropped.
    pub notes: Vec<String>,
    /// Commands that set here what was set there.
    pub settings: Vec<String>,
    /// The keys of the records: no two are the same.
    pub keys: Names,
}

/// What was not taken, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passed {
    /// The record's key, or the file.
    pub source: String,
    pub reason: String,
}

/// Title, description, tags, aliases, scope, paths and so on are in the draft's front, the fields of the
/// kind in its content.
#[derive(Debug, Clone, Default)]
pub struct Foreign {
    /// The record's name in its source, stable from one import to the next.
    pub key: String,
    /// For messages: the file, with a line where that helps.
    pub place: String,
    pub draft: Draft,
    pub created_at: Option<Timestamp>,
    pub updated_at: Option<Timestamp>,
    /// The source ended it.
    pub ending: Option<Ending>,
    /// What `--keep-state` gives it, at most stable.
    pub kept_state: Option<State>,
    /// What has no home with us.
    pub rest: Map<String, Value>,
    pub links: Vec<Link>,
    /// BLAKE3 over the record's own bytes, 16 digits.
    pub hash: String,
    pub changes: Vec<Change>,
    /// About a person and not the project: it goes to their own store.
    pub is_personal: bool,
    pub uses: Vec<Use>,
    /// What the source calls evidence. It counts only where a person vouches for the source.
    pub evidence: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    /// Retired, archived, superseded or rejected.
    pub state: State,
    pub at: Option<Timestamp>,
    pub reason: String,
}

/// A reference to another record: by its key, alias, file name, title or permalink.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    pub relation: Relation,
    /// The word of the source, such as `Amends`.
    pub word: String,
    pub to: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    Supersedes,
    /// Until it is found, a decision is `deprecated`; once it is, the record is superseded.
    SupersededBy,
    Related,
    Conflicts,
}

/// A use that the source has counted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Use {
    pub at: Option<Timestamp>,
    pub task: String,
    pub role: String,
    pub effect: String,
    pub surface: String,
    pub followup: String,
    pub reason: String,
}

/// 16 digits that stand for these bytes.
pub fn hash_of(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..16].to_owned()
}
