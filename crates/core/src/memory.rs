//! What a memory is. Values only: reading and writing files is the codec's work.

use std::fmt;

use jiff::Timestamp;

use crate::content::Content;
use crate::imported::Imported;
use crate::kind::Kind;
use crate::origin::{Audience, Origin};
use crate::scope::Scope;
use crate::state::{RecordStatus, State};
use crate::yaml::Yaml;
use oldhand_text::problem::Problem;
use oldhand_text::strings::ID_CHARS_MAX;
use oldhand_text::word::words;

pub const SCHEMA_VERSION: &str = "1.0";

/// The immutable name of a memory and the stem of its file: it can't climb out of a folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct MemoryId(String);

impl MemoryId {
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let is_slug = !text.is_empty()
            && text.len() <= ID_CHARS_MAX
            && !text.starts_with('-')
            && !text.ends_with('-')
            && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        if is_slug {
            return Ok(Self(text.to_owned()));
        }
        Err(Problem::new("id", "1 to 80 lower-case letters, digits and inner hyphens", text)
            .with_fix(format!("use `{}`", oldhand_text::strings::slug(text))))
    }

    pub fn of_title(title: &str) -> Self {
        Self(oldhand_text::strings::slug(title))
    }

    pub fn numbered(&self, number: usize) -> Self {
        Self(oldhand_text::strings::numbered_slug(&self.0, number))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for MemoryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Each item once, in the order of the first.
pub(crate) fn unique<T: PartialEq>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut unique = Vec::new();
    for item in items {
        if !unique.contains(&item) {
            unique.push(item);
        }
    }
    unique
}

/// One line of a memory's own history.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Change {
    /// As written: files by other tools hold dates that are no instants.
    pub date: String,
    pub summary: String,
    pub field: Option<String>,
    pub old_value: Option<String>,
    pub new_value: Option<String>,
}

/// What a memory rests on: when these move, it may be stale.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DependsOn {
    pub code_paths: Vec<String>,
    pub decisions: Vec<String>,
    /// `path@id`: the content of each path when the memory was written or verified.
    pub seen: Vec<String>,
}

impl DependsOn {
    pub fn seen_id(&self, path: &str) -> Option<&str> {
        let is_id = |id: &str| !id.is_empty() && id.bytes().all(|b| b.is_ascii_hexdigit());
        self.seen
            .iter()
            .filter_map(|seen| seen.rsplit_once('@'))
            .find_map(|(of, id)| (of == path && is_id(id)).then_some(id))
    }
}

words! {
    /// How one memory names another.
    Link, "link" {
        Supersedes = "supersedes",
        RestsOn = "rests on",
        ConflictsWith = "conflicts with",
        Refines = "refines",
        Beside = "holds beside",
        RelatedTo = "is related to",
    }
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Memory {
    pub id: MemoryId,
    pub kind: Kind,
    pub title: String,
    pub description: Option<String>,
    pub schema_version: String,
    pub state: State,
    pub state_reason: Option<String>,
    pub prev_state: Option<State>,
    pub scope: Scope,
    pub domain: Option<String>,
    pub level: Option<String>,
    pub tags: Vec<String>,
    pub aliases: Vec<String>,
    pub audience: Option<Audience>,
    pub origin: Origin,
    /// How sure the author was; trust is earned and lives in the event log.
    pub confidence: Option<f64>,
    pub evergreen: bool,
    pub created_at: Option<Timestamp>,
    pub updated_at: Option<Timestamp>,
    pub times_updated: u32,
    pub evidence: Vec<String>,
    pub sources: Vec<String>,
    /// Where an import found it.
    pub imported: Option<Imported>,
    pub related_files: Vec<String>,
    pub depends_on: DependsOn,
    pub refresh_tier: Option<u8>,
    pub related_to: Vec<String>,
    /// Decisions in force that it holds beside, and that it refines: who wrote it was asked.
    pub beside: Vec<String>,
    pub refines: Vec<String>,
    /// Why it does.
    pub because: Option<String>,
    pub supersedes: Vec<String>,
    pub superseded_by: Option<String>,
    pub conflicts_with: Vec<String>,
    pub review_after: Option<Timestamp>,
    pub verified_at: Option<Timestamp>,
    pub verified_commit: Option<String>,
    pub retired_at: Option<Timestamp>,
    pub retired_reason: Option<String>,
    pub archived_at: Option<Timestamp>,
    pub archived_reason: Option<String>,
    pub changes: Vec<Change>,
    pub content: Content,
    /// Keys of the frontmatter that this version does not know.
    pub extra: Vec<(String, Yaml)>,
    /// Sections of the body that the kind does not know, as heading and text.
    pub sections: Vec<(String, String)>,
}

impl Memory {
    pub fn new(id: MemoryId, kind: Kind, title: &str) -> Self {
        Self {
            id,
            kind,
            title: title.to_owned(),
            schema_version: SCHEMA_VERSION.to_owned(),
            ..Self::default()
        }
    }

    pub fn record_status(&self) -> RecordStatus {
        self.state.record_status()
    }

    pub fn is_active(&self) -> bool {
        self.state.is_active()
    }

    /// The files that this memory speaks about, once each.
    pub fn paths(&self) -> Vec<&str> {
        let paths = self.related_files.iter().chain(&self.depends_on.code_paths);
        let mut paths: Vec<&str> = paths.map(String::as_str).collect();
        paths.sort_unstable();
        paths.dedup();
        paths
    }

    /// Other memories that it names, beside `related_to` and `superseded_by`.
    pub fn links(&self) -> impl Iterator<Item = (Link, &str)> {
        let lists = [
            (Link::Supersedes, &self.supersedes),
            (Link::RestsOn, &self.depends_on.decisions),
            (Link::ConflictsWith, &self.conflicts_with),
            (Link::Refines, &self.refines),
            (Link::Beside, &self.beside),
        ];
        lists.into_iter().flat_map(|(link, ids)| ids.iter().map(move |id| (link, id.trim())))
    }

    /// The folder inside the store: candidates wait in their own (R176, R207).
    pub fn folder<'a>(&self, kind_folder: &'a str) -> &'a str {
        if self.state == State::Candidate { CANDIDATES_FOLDER } else { kind_folder }
    }
}

pub const CANDIDATES_FOLDER: &str = "candidates";
