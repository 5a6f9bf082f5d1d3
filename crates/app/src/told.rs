//! What was told to whom: sessions as the hook log and the receipts of this machine know them, and
//! one session call by call. Values in, values out.

use serde_json::Value;

use crate::prelude::*;

/// A session in a line.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SessionLine {
    pub session: String,
    pub host: String,
    pub task: Option<String>,
    pub began: String,
    pub ended: String,
    pub calls: usize,
    pub served: usize,
    pub captured: usize,
    pub tokens: u64,
    pub trouble: usize,
}

/// The sessions of this machine.
#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SessionList {
    pub sessions: Vec<SessionLine>,
}

/// What one call of a hook, or one recall, came to.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SessionCall {
    pub at: String,
    /// The event of a hook, or `recall`.
    pub event: String,
    pub tool: String,
    pub said: String,
    pub served: Vec<String>,
    pub captured: Vec<String>,
    pub tokens: u64,
    /// None where the log has no time for it.
    pub ms: Option<f64>,
    pub trouble: bool,
    /// Why it said nothing, or what was done.
    pub note: String,
    /// The question that was asked.
    pub query: String,
    /// Of the answer that a receipt is there for.
    pub budget: Option<u64>,
    pub dropped: Vec<(String, String)>,
}

fn text(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}

fn ids(value: &Value, key: &str) -> Vec<String> {
    let items = value[key].as_array().into_iter().flatten();
    items.filter_map(|it| it.as_str().or(it["id"].as_str())).map(str::to_owned).collect()
}

/// The newest first. Both logs are in the order of time, oldest first.
pub fn sessions(hook_log: &[Value], receipts: &[Value]) -> Vec<SessionLine> {
    let mut known: BTreeMap<String, SessionLine> = BTreeMap::new();
    for (line, is_hook) in
        hook_log.iter().map(|it| (it, true)).chain(receipts.iter().map(|it| (it, false)))
    {
        let session = text(line, "session");
        if session.is_empty() {
            continue;
        }
        let at = text(line, "at");
        let one = known.entry(session.clone()).or_insert_with(|| SessionLine {
            session,
            began: at.clone(),
            ended: at.clone(),
            ..SessionLine::default()
        });
        one.began = std::mem::take(&mut one.began).min(at.clone());
        one.ended = std::mem::take(&mut one.ended).max(at);
        if !is_hook {
            one.task = line["task"].as_str().map(str::to_owned).or(one.task.take());
            continue;
        }
        one.host = text(line, "host");
        one.calls += 1;
        one.served += ids(line, "served").len();
        one.captured += ids(line, "captured").len();
        one.tokens += line["tokens"].as_u64().unwrap_or(0);
        one.trouble += usize::from(line["trouble"] == true);
    }
    let mut all: Vec<SessionLine> = known.into_values().collect();
    all.sort_by(|a, b| (&b.ended, &a.session).cmp(&(&a.ended, &b.session)));
    all
}

/// In the order of time. A receipt of the same moment that served the same belongs to its call; one
/// without a call is a recall of its own.
pub fn calls(session: &str, hook_log: &[Value], receipts: &[Value]) -> Vec<SessionCall> {
    let is_own = |it: &&Value| it["session"] == session;
    let mut left: Vec<&Value> = receipts.iter().filter(is_own).collect();
    let mut calls: Vec<SessionCall> = Vec::new();
    for line in hook_log.iter().filter(is_own) {
        let served = ids(line, "served");
        let is_its = |it: &&Value| it["at"] == line["at"] && ids(it, "served") == served;
        let receipt = left.iter().position(is_its).map(|at| left.remove(at));
        let mut call = SessionCall {
            at: text(line, "at"),
            event: text(line, "event"),
            tool: text(line, "tool"),
            said: text(line, "said"),
            served,
            captured: ids(line, "captured"),
            tokens: line["tokens"].as_u64().unwrap_or(0),
            ms: line["ms"].as_f64(),
            trouble: line["trouble"] == true,
            note: text(line, "note"),
            ..SessionCall::default()
        };
        receipt.into_iter().for_each(|it| call.take(it));
        calls.push(call);
    }
    for receipt in left {
        let served = ids(receipt, "served");
        let said = if served.is_empty() { "nothing" } else { "context" }.to_owned();
        let mut call = SessionCall {
            at: text(receipt, "at"),
            event: "recall".to_owned(),
            tokens: receipt["tokens"].as_u64().unwrap_or(0),
            said,
            served,
            ..SessionCall::default()
        };
        call.take(receipt);
        calls.push(call);
    }
    calls.sort_by(|a, b| a.at.cmp(&b.at));
    calls
}

impl SessionCall {
    fn take(&mut self, receipt: &Value) {
        self.query = text(receipt, "query");
        self.budget = receipt["budget"].as_u64();
        let dropped = receipt["dropped"].as_array().into_iter().flatten();
        self.dropped = dropped.map(|it| (text(it, "id"), text(it, "reason"))).collect();
    }
}

#[cfg(test)]
mod tests;
