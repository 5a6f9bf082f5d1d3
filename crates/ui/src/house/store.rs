//! What the page `store` asks for.

use super::Answer;
use oldhand_charts::number;

pub trait StorePage {
    /// `checks` also runs `doctor`.
    fn store(&self, checks: bool) -> Answer<Store>;
    /// As `stats --json`.
    fn store_json(&self) -> Answer<String>;
}

#[derive(Debug, Clone, Default)]
pub struct Store {
    pub root: String,
    pub memories: usize,
    pub tokens: u64,
    pub kinds: Vec<(String, usize)>,
    pub index: Vec<(&'static str, String)>,
    pub settings: Vec<Setting>,
    pub hosts: Vec<HostRow>,
    pub undo: Undo,
    /// None until somebody asks for it.
    pub diagnosis: Option<Diagnosis>,
}

#[derive(Debug, Clone, Default)]
pub struct Setting {
    pub key: String,
    pub value: String,
    pub source: String,
    pub meaning: String,
    pub is_default: bool,
}

#[derive(Debug, Clone, Default)]
pub struct HostRow {
    pub name: String,
    /// Empty where it is set up and can be read.
    pub problem: String,
    pub is_set_up: bool,
    pub calls: usize,
    pub trouble: usize,
}

/// What undo would take back, or why it can't.
#[derive(Debug, Clone, Default)]
pub struct Undo {
    /// The first ones: a write may be an import of thousands.
    pub steps: Vec<String>,
    /// Steps behind those.
    pub more: usize,
    /// Which write that is: another one is not undone in its place.
    pub write: String,
    pub refusal: String,
}

/// Steps that are named; the rest is counted.
const STEPS_SHOWN: usize = 20;

impl Undo {
    pub fn of(mut steps: Vec<String>) -> Self {
        let more = steps.len().saturating_sub(STEPS_SHOWN);
        steps.truncate(STEPS_SHOWN);
        Self { steps, more, ..Self::default() }
    }

    pub fn behind(&self) -> String {
        if self.more == 0 {
            String::new()
        } else {
            format!(" and {} more", number(self.more as u64))
        }
    }
}

#[derive(Debug, Clone, Default)]
pub struct Diagnosis {
    pub memories: usize,
    pub events: usize,
    /// Where, what, and what helps.
    pub findings: Vec<[String; 3]>,
    pub repaired: Vec<String>,
    pub notes: Vec<String>,
}
