//! Sessions: the hook log and the receipts of this machine.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use oldhand_app::sessions::Sessions as _;
use oldhand_app::told::{SessionCall, SessionLine, SessionList, calls, sessions};
use oldhand_charts::budget::{Answer as Bar, Budget};
use oldhand_charts::served::{Reader, Served};
use oldhand_core::event::EventType;
use oldhand_core::refusal::{Code, Refusal};
use oldhand_store::port::session::Log;
use oldhand_text::time::{format_day, parse_instant};
use oldhand_ui::Moment;
use oldhand_ui::house::Answer;
use oldhand_ui::house::sessions::{
    Call, ROWS_SHOWN, Session, SessionRow, Sessions, SessionsAsk, SessionsPage,
};
use oldhand_ui::parts::encoded;
use serde_json::Value;

use super::house::{Household, moment};
use super::shelf::Cards;
use super::values::{json_text, named};
use crate::cli::{Command, LogArgs};
use oldhand_desk::desk::Desk;
use oldhand_desk::failure::Fail;

const DAYS_SHOWN: i64 = 30;
const CALLS_SHOWN: usize = 200;
const ANSWERS_SHOWN: usize = 100;
const LINES_MAX: usize = 1_000_000;
const DAY: i64 = 86_400;

/// Both logs of this machine, oldest first.
pub(super) fn logs(desk: &Desk<'_>) -> (Vec<Value>, Vec<Value>) {
    let Some(sessions) = desk.sessions() else { return (Vec::new(), Vec::new()) };
    let lines = sessions.lines(Log::Receipts);
    let receipts = lines.iter().filter_map(|line| serde_json::from_str(line).ok()).collect();
    (sessions.hook_lines(), receipts)
}

impl SessionsPage for Household {
    fn sessions(&self, ask: &SessionsAsk) -> Answer<Sessions> {
        self.at_desk(|desk| {
            desk.layout()?;
            let (hooks, receipts) = logs(desk);
            let all = sessions(&hooks, &receipts);
            let mut hosts: BTreeMap<&str, usize> = BTreeMap::new();
            all.iter().for_each(|it| *hosts.entry(host_name(&it.host)).or_default() += 1);
            let found: Vec<&SessionLine> = all.iter().filter(|it| is_meant(it, ask)).collect();
            let shown = found.iter().skip(ask.from).take(ROWS_SHOWN);
            let mut tokens: Vec<u64> = all.iter().map(|it| it.tokens).collect();
            tokens.sort_unstable();
            Ok(Sessions {
                rows: shown.map(|it| row(it, desk.now)).collect(),
                total: found.len(),
                hosts: hosts.into_iter().map(|(name, count)| (name.to_owned(), count)).collect(),
                in_trouble: all.iter().filter(|it| it.trouble > 0).count(),
                readers: readers(&hooks, desk.now),
                tokens: tokens_by_day(&hooks, desk.now),
                median_tokens: tokens.get(tokens.len() / 2).copied().unwrap_or_default(),
            })
        })
    }

    fn session(&self, id: &str) -> Answer<Session> {
        self.at_desk(|desk| {
            let cards = self.cards(desk)?;
            let (hooks, receipts) = logs(desk);
            let line = sessions(&hooks, &receipts).into_iter().find(|it| it.session == id);
            let Some(line) = line else {
                let message =
                    format!("no call of the session `{id}` is in the log of this machine");
                let hint = "the log keeps the newest calls; `oldhand log` prints them";
                return Err(Refusal::new(Code::NotFound, message).with_hint(hint).into());
            };
            let calls = calls(id, &hooks, &receipts);
            let outcome = match &line.task {
                Some(task) => outcome_of(desk, task)?,
                None => String::new(),
            };
            let more = calls.len().saturating_sub(CALLS_SHOWN);
            Ok(Session {
                row: row(&line, desk.now),
                outcome,
                answers: answers(&calls),
                calls: calls[more..].iter().map(|it| call(it, &cards, desk.now)).collect(),
                more,
            })
        })
    }

    fn sessions_json(&self, ask: &SessionsAsk) -> Answer<String> {
        self.at_desk(|desk| {
            desk.layout()?;
            let (hooks, receipts) = logs(desk);
            let mut all = sessions(&hooks, &receipts);
            all.retain(|it| is_meant(it, ask));
            json_text("session-list", SessionList { sessions: all })
        })
    }

    fn session_json(&self, id: &str) -> Answer<String> {
        let session = Some(id.to_owned());
        let args = LogArgs { session, event: None, host: None, trouble: false, limit: LINES_MAX };
        self.command_json(Command::Log(args))
    }
}

/// A session that only asked `recall` has no host.
fn host_name(host: &str) -> &str {
    if host.is_empty() { "recall" } else { host }
}

fn is_meant(line: &SessionLine, ask: &SessionsAsk) -> bool {
    ask.host.as_deref().is_none_or(|host| host_name(&line.host) == host)
        && (ask.trouble.is_none() || line.trouble > 0)
        && (ask.served.is_none() || line.served > 0)
        && (ask.captured.is_none() || line.captured > 0)
}

fn told_at(text: &str, now: Timestamp) -> Moment {
    let unread = || Moment { iso: text.to_owned(), ago: text.to_owned() };
    parse_instant(text).map_or_else(unread, |at| moment(at, now))
}

fn row(line: &SessionLine, now: Timestamp) -> SessionRow {
    SessionRow {
        id: line.session.clone(),
        host: host_name(&line.host).to_owned(),
        task: line.task.clone().unwrap_or_default(),
        began: told_at(&line.began, now),
        calls: line.calls,
        served: line.served,
        captured: line.captured,
        tokens: line.tokens,
        trouble: line.trouble,
    }
}

fn call(call: &SessionCall, cards: &Cards, now: Timestamp) -> Call {
    let names = |ids: &[String]| ids.iter().map(|id| named(id, cards)).collect();
    Call {
        at: told_at(&call.at, now),
        clock: call.at.get(11..19).unwrap_or(&call.at).to_owned(),
        event: call.event.clone(),
        tool: call.tool.clone(),
        said: call.said.clone(),
        ms: call.ms,
        tokens: call.tokens,
        is_trouble: call.trouble,
        note: call.note.clone(),
        query: call.query.clone(),
        served: names(&call.served),
        captured: names(&call.captured),
        dropped: call.dropped.iter().map(|(id, why)| (named(id, cards), why.clone())).collect(),
    }
}

/// The newest answers whose budget is known, oldest first.
fn answers(calls: &[SessionCall]) -> Budget {
    let known = calls.iter().filter(|it| it.tokens > 0 && it.budget.is_some());
    let bar = |it: &SessionCall| Bar {
        label: format!("{} {}", it.at.get(11..16).unwrap_or_default(), it.event),
        href: String::new(),
        parts: vec![it.tokens],
        budget: it.budget.unwrap_or_default(),
        left_out: 0,
    };
    let mut answers: Vec<Bar> = known.rev().take(ANSWERS_SHOWN).map(bar).collect();
    answers.reverse();
    Budget { parts: vec!["served".to_owned()], answers }
}

/// What came of a task, as it was told last.
fn outcome_of(desk: &Desk<'_>, task: &str) -> Result<String, Fail> {
    desk.work(|engine| {
        let mut outcome = String::new();
        engine.vault.visit_events(&mut |event| {
            if event.event_type == EventType::Task && event.task == task {
                outcome = event.outcome.map(|it| it.to_string()).unwrap_or_default();
            }
        })?;
        Ok(outcome)
    })
}

fn day_of(line: &Value) -> Option<i64> {
    line["at"].as_str().and_then(parse_instant).map(|at| at.as_second().div_euclid(DAY))
}

fn readers(hooks: &[Value], now: Timestamp) -> Served {
    let last = now.as_second().div_euclid(DAY);
    let first = last - DAYS_SHOWN + 1;
    let hosts: BTreeSet<&str> = hooks.iter().filter_map(|it| it["host"].as_str()).collect();
    let reader = |host: &str| {
        let mut counts = vec![0; DAYS_SHOWN as usize];
        for line in hooks.iter().filter(|it| it["host"] == host) {
            let at = day_of(line).and_then(|day| usize::try_from(day - first).ok());
            let served = line["served"].as_array().map_or(0, Vec::len) as u64;
            at.and_then(|at| counts.get_mut(at)).into_iter().for_each(|count| *count += served);
        }
        let href = format!("/sessions?served=1&host={}", encoded(host));
        Reader { name: host.to_owned(), href, counts }
    };
    Served { first_day: first * DAY, readers: hosts.into_iter().map(reader).collect() }
}

fn tokens_by_day(hooks: &[Value], now: Timestamp) -> Vec<(String, u64)> {
    let last = now.as_second().div_euclid(DAY);
    let mut days: BTreeMap<i64, u64> = (last - DAYS_SHOWN + 1..=last).map(|day| (day, 0)).collect();
    for line in hooks {
        if let Some(sum) = day_of(line).and_then(|day| days.get_mut(&day)) {
            *sum += line["tokens"].as_u64().unwrap_or(0);
        }
    }
    let name = |day: i64| Timestamp::from_second(day * DAY).map(format_day).unwrap_or_default();
    days.into_iter().map(|(day, tokens)| (name(day), tokens)).collect()
}
