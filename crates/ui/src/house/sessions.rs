//! What the page `sessions` asks for.

use super::Answer;
use super::Moment;
use super::Named;
use oldhand_charts::budget::Budget;
use oldhand_charts::served::Served;
use serde::Deserialize;

pub const ROWS_SHOWN: usize = 100;

pub trait SessionsPage {
    fn sessions(&self, ask: &SessionsAsk) -> Answer<Sessions>;
    fn session(&self, id: &str) -> Answer<Session>;
    fn sessions_json(&self, ask: &SessionsAsk) -> Answer<String>;
    /// As `log --session --json`.
    fn session_json(&self, id: &str) -> Answer<String>;
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct SessionsAsk {
    pub host: Option<String>,
    /// Any value: only those in which something went wrong.
    pub trouble: Option<String>,
    /// Any value: only those that were given something.
    pub served: Option<String>,
    pub captured: Option<String>,
    /// How many to skip.
    pub from: usize,
}

#[derive(Debug, Clone, Default)]
pub struct Sessions {
    pub rows: Vec<SessionRow>,
    pub total: usize,
    /// Of all sessions of this machine, with how many each has.
    pub hosts: Vec<(String, usize)>,
    pub in_trouble: usize,
    pub readers: Served,
    /// Tokens by day, oldest first.
    pub tokens: Vec<(String, u64)>,
    pub median_tokens: u64,
}

#[derive(Debug, Clone, Default)]
pub struct SessionRow {
    pub id: String,
    pub host: String,
    pub task: String,
    pub began: Moment,
    pub calls: usize,
    pub served: usize,
    pub captured: usize,
    pub tokens: u64,
    pub trouble: usize,
}

#[derive(Debug, Clone, Default)]
pub struct Session {
    pub row: SessionRow,
    /// What became of the task: `passed` or `failed`.
    pub outcome: String,
    pub calls: Vec<Call>,
    pub answers: Budget,
    /// Calls that are not shown, because there are too many.
    pub more: usize,
}

#[derive(Debug, Clone, Default)]
pub struct Call {
    pub at: Moment,
    pub clock: String,
    pub event: String,
    pub tool: String,
    pub said: String,
    pub ms: Option<f64>,
    pub tokens: u64,
    pub is_trouble: bool,
    pub note: String,
    pub query: String,
    pub served: Vec<Named>,
    pub captured: Vec<Named>,
    pub dropped: Vec<(Named, String)>,
}
