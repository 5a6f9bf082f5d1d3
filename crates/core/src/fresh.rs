//! Whether the code that a memory rests on has changed: what to ask about its paths, and what the
//! answers mean. Questions and answers are values; git is asked elsewhere.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::memory::{Memory, unique};
use oldhand_text::word::words;

mod bind;
mod links;
#[cfg(test)]
mod tests;
mod verdict;
mod warning;

pub use bind::{BOUND_PATHS_MAX, is_bound, paths_named};
pub use links::{LinkedMemory, links_of, rests_on};
pub use verdict::{Judgement, PathVerdict, judge};
pub use warning::{Warning, WarningKind, incomplete, render_section, skipped};

/// The only tier that is compared with the code when it is read (R29, R30).
pub const CHECKED_TIER: u8 = 2;

/// Hexadecimal digits of a recorded id: enough to tell versions of one path apart.
pub const SEEN_DIGITS: usize = 12;

words! {
    /// From harmless to bad, so that the worst path speaks for its memory.
    #[derive(Default)]
    Verdict, "verdict" {
        /// There is nothing to compare with: another tier, or no path.
        #[default]
        Unbound = "unbound",
        Fresh = "fresh",
        /// Nobody could tell.
        Unknown = "unknown",
        /// The code changed after the memory was written or verified.
        Drifted = "drifted",
        /// The code has another name now.
        Moved = "moved",
        /// The code is gone.
        Orphaned = "orphaned",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathQuestion {
    /// Relative to the repository of the store, as the memory names it.
    pub path: String,
    /// Commits after this instant count.
    pub since: Timestamp,
    /// The id that was recorded, whole or its first digits: equal content needs no history.
    pub seen: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PathAnswer {
    pub exists: bool,
    /// The id in the last commit; none for what is not committed.
    pub committed: Option<String>,
    /// The id of what is on disk, where that is known.
    pub content: Option<String>,
    /// What is on disk is not what was committed.
    pub uncommitted: bool,
    /// `None` when they were not counted.
    pub commits: Option<u32>,
    /// The history does not go back far enough.
    pub cut_off: bool,
    pub gone: Option<Gone>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gone {
    pub commit: String,
    pub renamed_to: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answers {
    /// Nobody to ask, and why: one note, and the rest of the check is skipped (R27).
    Skipped(String),
    Given(Given),
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Given {
    pub head: Option<String>,
    /// One for each question; none where time ran out.
    pub paths: Vec<Option<PathAnswer>>,
    /// Why some are missing or vague.
    pub incomplete: Option<String>,
}

/// The text that R28 asks for, after `Freshness check skipped: `.
pub const NO_GIT: &str = "git not available";
pub const NO_REPOSITORY: &str = "not a git repository";

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Questions {
    /// R29, R30, R31: nothing to compare, and why.
    None(&'static str),
    /// R32: its date can't be compared with anything.
    Undated,
    Ask(Vec<PathQuestion>),
}

/// What to ask about a memory, one question per path.
pub fn questions(memory: &Memory) -> Questions {
    match memory.refresh_tier {
        None => return Questions::None("no `refresh_tier`"),
        Some(CHECKED_TIER) => {}
        Some(_) => return Questions::None("its `refresh_tier` is not 2"),
    }
    let paths = memory.depends_on.code_paths.iter().map(|path| path.trim());
    let paths = unique(paths.filter(|path| !path.is_empty()));
    if paths.is_empty() {
        return Questions::None("no `depends_on.code_paths`");
    }
    let Some(updated_at) = memory.updated_at else { return Questions::Undated };
    // Changes after the last update or verification count.
    let since = memory.verified_at.unwrap_or(updated_at).max(updated_at);
    let ask = |path: &str| PathQuestion {
        path: path.to_owned(),
        since,
        seen: memory.depends_on.seen_id(path).map(str::to_owned),
    };
    Questions::Ask(paths.into_iter().map(ask).collect())
}

/// Whether a recorded id is the beginning of a whole one; a few digits prove nothing.
pub fn is_same_id(seen: &str, id: &str) -> bool {
    seen.len() >= 7 && id.starts_with(&seen.to_ascii_lowercase())
}
