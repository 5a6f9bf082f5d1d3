//! Today: the inbox by cause, health, a week of hooks, and the last events.

use std::collections::BTreeMap;

use jiff::Timestamp;
use oldhand_app::history::describe;
use oldhand_app::pending::waiting_name;
use oldhand_app::sessions::Sessions;
use oldhand_core::event::{Event, EventType};
use oldhand_text::time::{days_after, format_day, parse_instant};
use oldhand_ui::house::today::{Day, Happening, Indicator, Today, TodayPage, WaitingGroup};
use oldhand_ui::house::{Answer, Named};
use serde_json::Value;

use super::house::{Household, moment};
use super::shelf::Cards;
use crate::cli::Command;
use oldhand_desk::failure::Fail;

const DAYS_SHOWN: i64 = 7;

impl TodayPage for Household {
    fn today(&self) -> Answer<Today> {
        self.at_desk(|desk| {
            let cards = self.cards(desk)?;
            let waiting = self.kept_inbox(desk)?;
            let lines = desk.sessions().map(|it| it.hook_lines()).unwrap_or_default();
            desk.work(|engine| {
                let waiting = waiting.counts.iter().map(|it| WaitingGroup {
                    cause: it.cause.to_owned(),
                    count: it.count,
                    oldest: it.oldest.map(|at| moment(at, engine.now)),
                });
                let health =
                    self.health(engine, desk)?.indicators.into_iter().map(|it| Indicator {
                        name: it.name.to_owned(),
                        status: it.status.as_str().to_owned(),
                        reason: it.reason,
                        command: it.command,
                    });
                let last = &self.log(engine, desk)?.last;
                Ok::<_, Fail>(Today {
                    memories: cards.all.len(),
                    waiting: waiting.collect(),
                    health: health.collect(),
                    days: days(&lines, engine.now),
                    lately: last.iter().rev().map(|it| happening(it, &cards, engine.now)).collect(),
                })
            })
        })
    }

    fn today_json(&self) -> Answer<String> {
        self.command_json(Command::Health)
    }
}

fn happening(event: &Event, cards: &Cards, now: Timestamp) -> Happening {
    let id = event.memory.as_str();
    let is_memory = !id.is_empty() && waiting_name(id).is_none();
    Happening {
        at: moment(event.at, now),
        by: event.via.beside(&event.by),
        sentence: sentence(event),
        memory: is_memory.then(|| Named { id: id.to_owned(), title: cards.title(id) }),
    }
}

fn sentence(event: &Event) -> String {
    if event.event_type == EventType::Task {
        let outcome = event.outcome.map(|it| format!(": {it}")).unwrap_or_default();
        return format!("task `{}` ended{outcome}", event.task);
    }
    describe(event).replace(" -> ", " → ")
}

fn days(lines: &[Value], now: Timestamp) -> Vec<Day> {
    let first = DAYS_SHOWN - 1;
    let dates: Vec<Timestamp> = (0..DAYS_SHOWN).map(|at| days_after(now, at - first)).collect();
    let mut days: BTreeMap<String, Day> = dates
        .iter()
        .map(|at| {
            (format_day(*at), Day { label: at.strftime("%a %-d").to_string(), ..Day::default() })
        })
        .collect();
    for line in lines {
        let at = line["at"].as_str().and_then(parse_instant).map(format_day);
        let Some(day) = at.and_then(|at| days.get_mut(&at)) else { continue };
        let count = |key: &str| line[key].as_array().map_or(0, Vec::len) as u64;
        day.served += count("served");
        day.captured += count("captured");
        day.silent += u64::from(line["event"] == "prompt" && line["said"] == "nothing");
        day.trouble += u64::from(line["trouble"] == true);
        day.tokens += line["tokens"].as_u64().unwrap_or_default();
    }
    days.into_values().collect()
}
