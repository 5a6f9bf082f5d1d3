//! Is what a memory says still true of the code it rests on? What to ask about its paths, and what
//! the answers mean. Knows no git: questions go out and answers come in as values.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::memory::Memory;
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

/// What is asked about one path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathQuestion {
    /// Relative to the repository of the store, as the memory names it.
    pub path: String,
    /// Commits after this instant count.
    pub since: Timestamp,
    /// The id that was recorded, whole or its first digits: equal content needs no history.
    pub seen: Option<String>,
}

/// What is known about one path.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PathAnswer {
    /// On disk.
    pub exists: bool,
    /// The id in the last commit; none for what is not committed.
    pub committed: Option<String>,
    /// The id of what is on disk, where that is known.
    pub content: Option<String>,
    /// What is on disk is not what was committed.
    pub uncommitted: bool,
    /// How many touched it; none when they were not counted.
    pub commits: Option<u32>,
    /// The history ends inside of the time that was asked about.
    pub cut_off: bool,
    pub gone: Option<Gone>,
}

/// How a path that is not there went away.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gone {
    pub commit: String,
    pub renamed_to: Option<String>,
}

/// What a history says to a list of questions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answers {
    /// Nobody to ask, and why: one note, and the rest of the check is skipped (R27).
    Skipped(String),
    Given(Given),
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Given {
    /// The last commit.
    pub head: Option<String>,
    /// One for each question; none where time ran out.
    pub paths: Vec<Option<PathAnswer>>,
    /// Why some are missing or vague.
    pub incomplete: Option<String>,
}

/// The text that R28 asks for, after `Freshness check skipped: `.
pub const NO_GIT: &str = "git not available";
pub const NO_REPOSITORY: &str = "not a git repository";

/// What a memory needs to be judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Questions {
    /// R29, R30, R31: nothing, and that is no reason to speak.
    None(Unbound),
    /// R32: its date can't be compared with anything.
    Undated,
    Ask(Vec<PathQuestion>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unbound {
    NoTier,
    OtherTier,
    NoPaths,
}

impl Unbound {
    pub fn reason(self) -> &'static str {
        match self {
            Self::NoTier => "no `refresh_tier`",
            Self::OtherTier => "its `refresh_tier` is not 2",
            Self::NoPaths => "no `depends_on.code_paths`",
        }
    }
}

/// What to ask about a memory, one question a path.
pub fn questions(memory: &Memory) -> Questions {
    match memory.refresh_tier {
        None => return Questions::None(Unbound::NoTier),
        Some(CHECKED_TIER) => {}
        Some(_) => return Questions::None(Unbound::OtherTier),
    }
    let mut paths: Vec<&str> = Vec::new();
    for path in memory.depends_on.code_paths.iter().map(|path| path.trim()) {
        if !path.is_empty() && !paths.contains(&path) {
            paths.push(path);
        }
    }
    if paths.is_empty() {
        return Questions::None(Unbound::NoPaths);
    }
    let Some(since) = base(memory) else { return Questions::Undated };
    let ask = |path: &str| PathQuestion {
        path: path.to_owned(),
        since,
        seen: memory.depends_on.seen_id(path).map(str::to_owned),
    };
    Questions::Ask(paths.into_iter().map(ask).collect())
}

/// From when on changes count: a verification is as good as an update.
fn base(memory: &Memory) -> Option<Timestamp> {
    let updated_at = memory.updated_at?;
    Some(memory.verified_at.map_or(updated_at, |verified_at| verified_at.max(updated_at)))
}

/// Whether a recorded id and a whole one are the same; a few digits prove nothing.
pub fn is_same_id(seen: &str, id: &str) -> bool {
    seen.len() >= 7 && id.starts_with(&seen.to_ascii_lowercase())
}
