//! The levels of recall, from semantic search down to a full read (R155 to R160).

use crate::policy::RecallPolicy;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Semantic,
    Keyword,
    Titles,
    FullRead,
}

impl Level {
    pub fn number(self) -> u8 {
        self as u8
    }

    pub fn method(self) -> &'static str {
        match self {
            Self::Semantic => "semantic+keyword",
            Self::Keyword => "keyword+recency",
            Self::Titles => "title scan",
            Self::FullRead => "full read",
        }
    }

    /// One level down, never two (R157).
    pub fn next(self) -> Option<Self> {
        [Self::Keyword, Self::Titles, Self::FullRead].into_iter().find(|level| *level > self)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Size {
    pub memories: usize,
    pub bytes: u64,
}

impl Size {
    /// Little enough to be read in full (R130, R131).
    pub fn is_small(self, policy: &RecallPolicy) -> bool {
        self.memories < policy.selective_memories && self.bytes < policy.selective_bytes
    }
}

/// The highest available level; a small store starts with the full read (R86, R130, R156).
pub fn start(size: Size, has_semantic: bool, policy: &RecallPolicy) -> Level {
    if size.is_small(policy) {
        Level::FullRead
    } else if has_semantic {
        Level::Semantic
    } else {
        Level::Keyword
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub level: Level,
    pub seen: usize,
    pub found: usize,
    /// What else happened: a retry after a check, entries left out.
    pub note: String,
}

impl Step {
    /// The log's line (R87, R158).
    pub fn line(&self) -> String {
        let (number, method) = (self.level.number(), self.level.method());
        let note = if self.note.is_empty() { String::new() } else { format!("; {}", self.note) };
        format!("level {number} ({method}): {} of {} fit{note}", self.found, self.seen)
    }
}

#[cfg(test)]
mod tests;
