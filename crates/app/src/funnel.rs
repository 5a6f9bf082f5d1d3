//! From heard to helped: how many sentences capture looked at, what became candidates of them, and
//! what came of those, by week and host. From the hook log of this machine and the events.

use oldhand_core::actor::Via;
use oldhand_core::event::{Effect, Verdict};
use oldhand_text::time::parse_instant;
use serde_json::Value;

use crate::context::Learning;
use crate::prelude::*;

pub const WEEKS_MAX: usize = 26;
const WEEK: i64 = 7 * 86_400;
/// 1970-01-05, a Monday.
const MONDAY: i64 = 4 * 86_400;

#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Funnel {
    /// The Mondays, oldest first.
    pub weeks: Vec<String>,
    pub steps: Vec<FunnelStep>,
    /// Hosts that the funnel can be narrowed to.
    pub hosts: Vec<String>,
    /// Why candidates were rejected, the most frequent first.
    pub rejected: Vec<Rejection>,
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FunnelStep {
    pub name: &'static str,
    /// One per week; none for weeks before the log of this machine begins.
    pub counts: Vec<Option<u64>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Rejection {
    pub reason: String,
    pub count: usize,
    pub ids: Vec<String>,
}

const STEPS: [&str; 6] = ["sentences", "hits", "candidates", "promoted", "used", "helped"];

impl Learning<'_> {
    /// `host` narrows it to what one host heard and to the memories that came from it.
    pub fn funnel(&self, hook_log: &[Value], host: Option<&str>) -> Result<Funnel> {
        let events = self.vault.events()?;
        Ok(count(&events, hook_log, host, self.now))
    }
}

fn week_of(at: Timestamp) -> i64 {
    (at.as_second() - MONDAY).div_euclid(WEEK)
}

fn monday(week: i64) -> String {
    Timestamp::from_second(week * WEEK + MONDAY).map(format_day).unwrap_or_default()
}

fn host_of(event: &Event) -> Option<&str> {
    match &event.via {
        Via::Hook(host) => Some(host),
        _ => None,
    }
}

fn count(events: &[Event], hook_log: &[Value], host: Option<&str>, now: Timestamp) -> Funnel {
    let last = week_of(now);
    let is_new =
        |it: &&Event| it.event_type == EventType::Created && it.to == Some(State::Candidate);
    let captured: BTreeMap<&str, Option<&str>> =
        events.iter().filter(is_new).map(|it| (it.memory.as_str(), host_of(it))).collect();
    let is_meant = |id: &str| match (captured.get(id), host) {
        (Some(from), Some(host)) => *from == Some(host),
        (Some(_), None) => true,
        (None, _) => false,
    };
    let mut weeks: BTreeMap<i64, [u64; STEPS.len()]> = BTreeMap::new();
    let mut add = |week: i64, step: usize, by: u64| weeks.entry(week).or_default()[step] += by;
    let mut rejected: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for event in events.iter().filter(|it| is_meant(&it.memory)) {
        let week = week_of(event.at);
        let is_raised =
            event.from == Some(State::Candidate) && event.to.is_some_and(State::is_served);
        match event.event_type {
            EventType::Created if event.to == Some(State::Candidate) => add(week, 2, 1),
            EventType::Moved | EventType::Reviewed if is_raised => add(week, 3, 1),
            EventType::Applied => {
                add(week, 4, 1);
                add(week, 5, u64::from(event.effect == Some(Effect::Positive)));
            }
            _ => {}
        }
        let is_rejected =
            event.decision == Some(Verdict::Reject) || event.to == Some(State::Rejected);
        if is_rejected {
            rejected.entry(event.reason.as_str()).or_default().insert(&event.memory);
        }
    }
    let hosts: BTreeSet<&str> = hook_log.iter().filter_map(|it| it["host"].as_str()).collect();
    let mut since = None;
    for line in hook_log {
        let Some(at) = line["at"].as_str().and_then(parse_instant) else { continue };
        since = since.min(Some(week_of(at))).or(Some(week_of(at)));
        if host.is_some_and(|host| line["host"] != host) {
            continue;
        }
        add(week_of(at), 0, line["heard"].as_u64().unwrap_or(0));
        add(week_of(at), 1, line["hits"].as_u64().unwrap_or(0));
    }
    let oldest = weeks.keys().next().copied().unwrap_or(last);
    let first = oldest.max(last - WEEKS_MAX as i64 + 1).min(last);
    let step = |(at, name): (usize, &&'static str)| {
        let known = |week: i64| at > 1 || since.is_some_and(|since| week >= since);
        let count = |week: i64| weeks.get(&week).map_or(0, |counts| counts[at]);
        let counts = (first..=last).map(|week| known(week).then(|| count(week))).collect();
        FunnelStep { name, counts }
    };
    Funnel {
        weeks: (first..=last).map(monday).collect(),
        steps: STEPS.iter().enumerate().map(step).collect(),
        hosts: hosts.into_iter().map(str::to_owned).collect(),
        rejected: rejections(rejected),
    }
}

fn rejections(rejected: BTreeMap<&str, BTreeSet<&str>>) -> Vec<Rejection> {
    let one = |(reason, ids): (&str, BTreeSet<&str>)| Rejection {
        reason: if reason.is_empty() { "no reason was given" } else { reason }.to_owned(),
        count: ids.len(),
        ids: ids.into_iter().map(str::to_owned).collect(),
    };
    let mut all: Vec<Rejection> = rejected.into_iter().map(one).collect();
    all.sort_by(|a, b| (b.count, &a.reason).cmp(&(a.count, &b.reason)));
    all
}

#[cfg(test)]
mod tests;
