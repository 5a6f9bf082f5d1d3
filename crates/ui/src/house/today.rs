//! What the page `today` asks for.

use super::Answer;
use super::Moment;
use super::Named;

pub trait TodayPage {
    fn today(&self) -> Answer<Today>;
    /// As `health --json`.
    fn today_json(&self) -> Answer<String>;
}

#[derive(Debug, Clone, Default)]
pub struct Today {
    pub memories: usize,
    /// In the order of the inbox.
    pub waiting: Vec<WaitingGroup>,
    pub health: Vec<Indicator>,
    /// The last seven, oldest first.
    pub days: Vec<Day>,
    /// Newest first.
    pub lately: Vec<Happening>,
}

/// What waits for the same reason.
#[derive(Debug, Clone, Default)]
pub struct WaitingGroup {
    pub cause: String,
    pub count: usize,
    pub oldest: Option<Moment>,
}

#[derive(Debug, Clone, Default)]
pub struct Indicator {
    pub name: String,
    /// `healthy`, `watch` or `needs attention`.
    pub status: String,
    pub reason: String,
    pub command: String,
}

/// What hooks did on one day.
#[derive(Debug, Clone, Default)]
pub struct Day {
    /// `Mon 16`
    pub label: String,
    pub served: u64,
    pub silent: u64,
    pub captured: u64,
    pub trouble: u64,
    pub tokens: u64,
}

#[derive(Debug, Clone, Default)]
pub struct Happening {
    pub at: Moment,
    pub by: String,
    pub sentence: String,
    pub memory: Option<Named>,
}

impl Happening {
    /// Whether both can be told in one sentence.
    pub fn is_like(&self, other: &Self) -> bool {
        let both = [&self.memory, &other.memory].iter().all(|it| it.is_some());
        both && (&self.at.ago, &self.by, &self.sentence)
            == (&other.at.ago, &other.by, &other.sentence)
    }
}
