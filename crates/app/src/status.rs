//! What a person wants to know first: what waits, what this week brought, how the memory is doing, and
//! what to do next.

use oldhand_text::time::{days_between, parse_instant};
use serde_json::Value;

use crate::context::Care;
use crate::health::{Health, Status};
use crate::prelude::*;

pub const WEEK_DAYS: usize = 7;

#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StoreStatus {
    /// The folder of the store; empty where there is none.
    pub store: String,
    /// Those that are active.
    pub memories: usize,
    /// What waits for a person, by its cause; `conflict` is what the gate stopped.
    pub waiting: BTreeMap<&'static str, usize>,
    /// Since when the oldest of these waits.
    pub waiting_since: Option<String>,
    pub week: Week,
    pub health: HealthLine,
    pub next: NextCommand,
}

/// The last seven days on this machine, today last.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Week {
    pub served: usize,
    pub captured: usize,
    /// Memories that were written.
    pub added: usize,
    pub served_by_day: [usize; WEEK_DAYS],
    pub captured_by_day: [usize; WEEK_DAYS],
}

/// The worst indicator.
#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HealthLine {
    pub status: Status,
    pub reason: String,
    pub command: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NextCommand {
    pub command: String,
    pub why: String,
}

impl StoreStatus {
    /// Where there is no store yet.
    pub fn without_store() -> Self {
        let next = NextCommand::new("oldhand init", "makes a store in this repository");
        Self { next, ..Self::default() }
    }

    /// What waits, conflicts first: others can't go on without them.
    pub fn causes(&self) -> Vec<(&'static str, usize)> {
        let mut causes: Vec<_> =
            self.waiting.iter().map(|(cause, count)| (*cause, *count)).collect();
        causes.sort_by_key(|(cause, _)| *cause != "conflict");
        causes
    }
}

impl NextCommand {
    fn new(command: &str, why: &str) -> Self {
        Self { command: command.to_owned(), why: why.to_owned() }
    }
}

impl Care<'_> {
    /// `receipts` and `hook_log` are what this machine knows of answers and of hooks.
    pub fn status(&self, receipts: &[Value], hook_log: &[Value]) -> Result<StoreStatus> {
        let inbox = self.upkeep().inbox()?;
        let mut waiting: BTreeMap<&'static str, usize> = BTreeMap::new();
        if !inbox.pending.is_empty() {
            waiting.insert("conflict", inbox.pending.len());
        }
        for one in &inbox.waiting {
            *waiting.entry(one.cause.as_str()).or_default() += 1;
        }
        let since = inbox.waiting.iter().filter_map(|one| one.since);
        let since = since.chain(inbox.pending.iter().map(|one| one.at)).min();
        let rows = self.rows(None)?.listed;
        let created = rows.iter().filter_map(|one| one.row.created_at());
        let week = Week {
            added: created.filter(|at| day_of(*at, self.now).is_some()).count(),
            ..Week::of(receipts, hook_log, self.now)
        };
        let health = HealthLine::of(&self.health()?);
        let memories = rows.iter().filter(|one| one.row.state().is_active()).count();
        let waits = waiting.values().sum();
        let next = next(memories, waits, &health, !hook_log.is_empty());
        let waiting_since = since.map(format_instant);
        Ok(StoreStatus {
            store: String::new(),
            memories,
            waiting,
            waiting_since,
            week,
            health,
            next,
        })
    }
}

/// Its place in the last seven days.
fn day_of(at: Timestamp, now: Timestamp) -> Option<usize> {
    let days = usize::try_from(days_between(at, now)).ok()?;
    (WEEK_DAYS - 1).checked_sub(days)
}

impl Week {
    pub fn of(receipts: &[Value], hook_log: &[Value], now: Timestamp) -> Self {
        let by_day = |lines: &[Value], key: &str| {
            let mut days = [0; WEEK_DAYS];
            for line in lines {
                let at = line["at"].as_str().and_then(parse_instant);
                if let Some(day) = at.and_then(|at| day_of(at, now)) {
                    days[day] += line[key].as_array().map_or(0, Vec::len);
                }
            }
            days
        };
        let served_by_day = by_day(receipts, "served");
        let captured_by_day = by_day(hook_log, "captured");
        Self {
            served: served_by_day.iter().sum(),
            captured: captured_by_day.iter().sum(),
            added: 0,
            served_by_day,
            captured_by_day,
        }
    }
}

impl HealthLine {
    fn of(health: &Health) -> Self {
        let worst = health.indicators.iter().find(|it| it.status == health.status);
        match worst.filter(|it| it.status != Status::Healthy) {
            Some(it) => {
                Self { status: it.status, reason: it.reason.clone(), command: it.command.clone() }
            }
            None => Self::default(),
        }
    }
}

fn next(memories: usize, waits: usize, health: &HealthLine, has_hooks: bool) -> NextCommand {
    if waits > 0 {
        let why = counted(waits, "waits for your decision", "wait for your decision");
        return NextCommand::new("oldhand review", &why);
    }
    if memories == 0 {
        let why = "writes the first memory; `oldhand import` takes over what you have";
        return NextCommand::new("oldhand remember \"We decided …\"", why);
    }
    if !has_hooks {
        return NextCommand::new("oldhand install all", "lets your agents recall and capture");
    }
    if !health.command.is_empty() {
        return NextCommand::new(&health.command, &health.reason);
    }
    NextCommand::new("oldhand recall \"…\"", "finds what a task needs")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_week_is_the_last_seven_days() {
        let now = parse_instant("2026-11-15T12:00:00Z").unwrap();
        let receipt = |at: &str, served: &[&str]| json!({"at": at, "served": served});
        let receipts = [
            receipt("2026-11-15T11:00:00Z", &["a", "b"]),
            receipt("2026-11-14T11:00:00Z", &["a"]),
            receipt("2026-11-08T13:00:00Z", &["a"]),
            receipt("2026-11-08T11:00:00Z", &["a"]),
            receipt("not a date", &["a"]),
        ];
        let week = Week::of(&receipts, &[], now);
        assert_eq!((week.served, week.served_by_day), (4, [1, 0, 0, 0, 0, 1, 2]));
    }

    #[test]
    fn the_next_command_is_the_most_useful_one() {
        let bad = HealthLine { command: "oldhand fresh".to_owned(), ..HealthLine::default() };
        let command = |memories, waits, health: &HealthLine, hooks| {
            next(memories, waits, health, hooks).command
        };
        assert_eq!(command(3, 2, &bad, true), "oldhand review");
        assert_eq!(command(0, 0, &bad, true), "oldhand remember \"We decided …\"");
        assert_eq!(command(3, 0, &bad, false), "oldhand install all");
        assert_eq!(command(3, 0, &bad, true), "oldhand fresh");
        assert_eq!(command(3, 0, &HealthLine::default(), true), "oldhand recall \"…\"");
    }
}
