//! Numbers about hooks, from their log on this machine.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::format::{columns, counted};

/// What hooks did in the time that the log covers.
#[derive(Debug, Default, PartialEq)]
pub(super) struct HookStats {
    pub since: String,
    pub calls: usize,
    pub served: usize,
    pub captured: usize,
    pub denied: usize,
    pub trouble: usize,
    pub tokens: u64,
    /// Milliseconds of each call, by event, sorted.
    pub took: BTreeMap<String, Vec<f64>>,
}

impl HookStats {
    pub(super) fn of(lines: &[Value]) -> Self {
        let mut stats = Self::default();
        let count = |line: &Value, key: &str| line[key].as_array().map_or(0, Vec::len);
        for line in lines {
            if stats.calls == 0 {
                stats.since = line["at"].as_str().unwrap_or_default().to_owned();
            }
            stats.calls += 1;
            stats.served += count(line, "served");
            stats.captured += count(line, "captured");
            stats.tokens += line["tokens"].as_u64().unwrap_or_default();
            stats.denied += usize::from(line["said"] == "deny");
            stats.trouble += usize::from(line["trouble"] == true);
            let event = line["event"].as_str().unwrap_or("unknown").to_owned();
            stats.took.entry(event).or_default().push(line["ms"].as_f64().unwrap_or_default());
        }
        for times in stats.took.values_mut() {
            times.sort_by(f64::total_cmp);
        }
        stats
    }

    pub(super) fn to_json(&self) -> Value {
        let events: Map<String, Value> = self
            .took
            .iter()
            .map(|(event, times)| {
                let numbers = json!({
                    "calls": times.len(),
                    "p50_ms": percentile(times, 50),
                    "p95_ms": percentile(times, 95),
                    "max_ms": percentile(times, 100),
                });
                (event.clone(), numbers)
            })
            .collect();
        json!({
            "since": self.since,
            "calls": self.calls,
            "served": self.served,
            "captured": self.captured,
            "denied": self.denied,
            "trouble": self.trouble,
            "tokens": self.tokens,
            "events": events,
        })
    }

    /// Nothing where no hook has run.
    pub(super) fn text(&self) -> String {
        if self.calls == 0 {
            return String::new();
        }
        let line = format!(
            "hooks: {} since {}; {} served, {} captured, {} refused, {} tokens, {} in trouble\n",
            counted(self.calls, "call", "calls"),
            self.since,
            self.served,
            self.captured,
            self.denied,
            self.tokens,
            self.trouble,
        );
        line + &columns(&self.rows())
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let row = |(event, times): (&String, &Vec<f64>)| {
            vec![
                format!("  {event}"),
                counted(times.len(), "call", "calls"),
                format!("p50 {} ms", percentile(times, 50)),
                format!("p95 {} ms", percentile(times, 95)),
            ]
        };
        self.took.iter().map(row).collect()
    }
}

/// Of sorted times, the smallest that so many percent don't exceed.
fn percentile(times: &[f64], percent: usize) -> f64 {
    let rank = (times.len() * percent).div_ceil(100).max(1) - 1;
    times.get(rank).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_is_added_up() {
        let line = |event: &str, ms: f64, served: &[&str]| {
            json!({"at": "2026-11-16T07:00:00Z", "event": event, "ms": ms, "served": served,
                "captured": [], "tokens": 10, "said": "context", "trouble": false})
        };
        let stats = HookStats::of(&[
            line("prompt", 3.0, &["a", "b"]),
            line("prompt", 1.0, &[]),
            line("stop", 9.0, &[]),
        ]);
        assert_eq!((stats.calls, stats.served, stats.tokens), (3, 2, 30));
        assert_eq!(percentile(&stats.took["prompt"], 50), 1.0);
        assert_eq!(percentile(&stats.took["prompt"], 95), 3.0);
        assert_eq!(stats.to_json()["events"]["stop"]["max_ms"], 9.0);
        assert_eq!(HookStats::of(&[]).rows(), Vec::<Vec<String>>::new());
    }
}
