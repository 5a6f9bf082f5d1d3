//! Numbers about a store and its index, and about what hooks did with them.

use oldhand_store::port::index::IndexFacts;
use serde_json::Value;

use crate::context::Care;
use crate::prelude::*;

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StoreNumbers {
    pub memories: usize,
    pub tokens: u64,
    pub kinds: BTreeMap<String, KindNumbers>,
    pub states: BTreeMap<String, usize>,
    pub index: IndexFacts,
    /// Uses that were recorded.
    pub used: usize,
    pub hooks: HookNumbers,
}

/// How many memories, and what they cost to read.
#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KindNumbers {
    pub memories: usize,
    pub tokens: u64,
}

/// What hooks did in the time that their log covers.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HookNumbers {
    pub since: String,
    pub calls: usize,
    pub served: usize,
    pub captured: usize,
    /// How often an agent was reminded to keep what was settled.
    pub reminders: usize,
    pub denied: usize,
    pub trouble: usize,
    pub tokens: u64,
    /// The same in the median session.
    pub session_tokens: u64,
    pub events: BTreeMap<String, CallTimes>,
}

/// How long the calls of one event took.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CallTimes {
    pub calls: usize,
    pub p50_ms: f64,
    pub p95_ms: f64,
    pub max_ms: f64,
}

impl Care<'_> {
    /// `hook_log` is what hooks wrote on this machine, one object per call.
    pub fn stats(&self, index: &dyn Index, hook_log: &[Value]) -> Result<StoreNumbers> {
        let cards = index.cards(&Narrow::default())?;
        let mut kinds: BTreeMap<String, KindNumbers> = BTreeMap::new();
        let mut states: BTreeMap<String, usize> = BTreeMap::new();
        for one in &cards {
            let kind = kinds.entry(one.card.kind.clone()).or_default();
            kind.memories += 1;
            kind.tokens += u64::from(one.card.tokens);
            *states.entry(one.card.state.to_string()).or_default() += 1;
        }
        let used = match index.rows(&Narrow::default())? {
            Some(rows) => rows.log.uses,
            None => {
                let events = self.vault.events()?;
                events.iter().filter(|it| it.event_type == EventType::Applied).count()
            }
        };
        Ok(StoreNumbers {
            memories: cards.len(),
            tokens: kinds.values().map(|kind| kind.tokens).sum(),
            kinds,
            states,
            index: index.facts()?,
            used,
            hooks: HookNumbers::of(hook_log),
        })
    }
}

impl HookNumbers {
    pub fn of(lines: &[Value]) -> Self {
        let mut numbers = Self::default();
        let mut took: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        let mut by_session: BTreeMap<String, u64> = BTreeMap::new();
        let count = |line: &Value, key: &str| line[key].as_array().map_or(0, Vec::len);
        for line in lines {
            if numbers.calls == 0 {
                numbers.since = line["at"].as_str().unwrap_or_default().to_owned();
            }
            numbers.calls += 1;
            numbers.served += count(line, "served");
            numbers.captured += count(line, "captured");
            let (tokens, note) =
                (line["tokens"].as_u64().unwrap_or_default(), line["note"].as_str());
            numbers.tokens += tokens;
            let session = line["session"].as_str().unwrap_or_default().to_owned();
            *by_session.entry(session).or_default() += tokens;
            numbers.reminders += usize::from(note.is_some_and(|it| it.contains("reminded after")));
            numbers.denied += usize::from(line["said"] == "deny");
            numbers.trouble += usize::from(line["trouble"] == true);
            let event = line["event"].as_str().unwrap_or("unknown").to_owned();
            took.entry(event).or_default().push(line["ms"].as_f64().unwrap_or_default());
        }
        let mut sessions: Vec<u64> = by_session.into_values().collect();
        sessions.sort_unstable();
        numbers.session_tokens = sessions.get(sessions.len() / 2).copied().unwrap_or_default();
        numbers.events =
            took.into_iter().map(|(event, times)| (event, CallTimes::of(times))).collect();
        numbers
    }
}

impl CallTimes {
    fn of(mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        // The smallest that so many percent don't exceed.
        let percentile = |percent: usize| {
            let rank = (times.len() * percent).div_ceil(100).max(1) - 1;
            times.get(rank).copied().unwrap_or_default()
        };
        let (p50_ms, p95_ms, max_ms) = (percentile(50), percentile(95), percentile(100));
        Self { calls: times.len(), p50_ms, p95_ms, max_ms }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_log_is_added_up() {
        let line = |event: &str, ms: f64, served: &[&str]| {
            json!({"at": "2026-11-16T07:00:00Z", "event": event, "ms": ms, "served": served,
                "captured": [], "tokens": 10, "said": "context", "trouble": false})
        };
        let numbers = HookNumbers::of(&[
            line("prompt", 3.0, &["a", "b"]),
            line("prompt", 1.0, &[]),
            line("stop", 9.0, &[]),
        ]);
        assert_eq!((numbers.calls, numbers.served, numbers.tokens), (3, 2, 30));
        assert_eq!((numbers.events["prompt"].p50_ms, numbers.events["prompt"].p95_ms), (1.0, 3.0));
        assert_eq!(numbers.events["stop"].max_ms, 9.0);
        assert!(HookNumbers::of(&[]).events.is_empty());
    }
}
