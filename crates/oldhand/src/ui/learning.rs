//! Learning: the funnel, rejected candidates, trouble that came back, and lessons.

use std::collections::{BTreeMap, BTreeSet};

use oldhand_app::funnel::{Funnel, Rejection};
use oldhand_app::sessions::Sessions as _;
use oldhand_charts::Tone;
use oldhand_charts::funnel::{Funnel as Picture, Stage};
use oldhand_charts::health::{Dot, HealthLine, Row};
use oldhand_core::event::{Event, EventType};
use oldhand_core::kind::Kind;
use oldhand_core::state::State;
use oldhand_text::time::parse_instant;
use oldhand_ui::house::Answer;
use oldhand_ui::house::learning::{Learning, LearningPage, LessonGroup, Trigger};
use serde_json::Value;

use super::house::Household;
use super::shelf::Cards;
use super::values::{json_text, named};
use oldhand_desk::desk::Desk;
use oldhand_desk::failure::Fail;

/// How often something has to come back before it is trouble.
const REPEATED: usize = 2;
const TRIGGERS_SHOWN: usize = 20;

impl LearningPage for Household {
    fn learning(&self, host: Option<&str>) -> Answer<Learning> {
        self.at_desk(|desk| {
            let log = desk.sessions().map(|it| it.hook_lines()).unwrap_or_default();
            let key = format!("{host:?} {}", log.len());
            let made = || self.learn_of(desk, &log, host);
            Ok(Learning::clone(&*self.worked_out("learning", desk, &key, made)?))
        })
    }

    fn learning_json(&self, host: Option<&str>) -> Answer<String> {
        self.at_desk(|desk| {
            let log = desk.sessions().map(|it| it.hook_lines()).unwrap_or_default();
            desk.work(|engine| json_text("funnel", engine.learning().funnel(&log, host)?))
        })
    }
}

impl Household {
    fn learn_of(
        &self,
        desk: &Desk<'_>,
        log: &[Value],
        host: Option<&str>,
    ) -> Result<Learning, Fail> {
        let cards = self.cards(desk)?;
        let rejected = |it: &Rejection| {
            (it.reason.clone(), it.ids.iter().map(|id| named(id, &cards)).collect())
        };
        desk.work(|engine| {
            let funnel = engine.learning().funnel(log, host)?;
            let health = engine.care().health()?;
            // Best effort: the trend has one day less.
            let _ = desk.sessions().map(|it| it.note_health(&health, desk.now));
            let unused = health.indicators.iter().find(|it| it.name == "unused share");
            let unused = unused.map(|it| (it.status.as_str().to_owned(), it.reason.clone()));
            let mut tasks = Vec::new();
            engine.vault.visit_events(&mut |event| {
                if event.event_type == EventType::Task {
                    tasks.push(event);
                }
            })?;
            Ok(Learning {
                funnel: picture(&funnel),
                rejected: funnel.rejected.iter().map(rejected).collect(),
                triggers: triggers(&tasks),
                lessons: lessons(&cards),
                unused: unused.unwrap_or_default(),
                hosts: funnel.hosts,
                health: health_line(desk),
            })
        })
    }
}

fn picture(funnel: &Funnel) -> Picture {
    let href = |name: &str| match name {
        "sentences" | "hits" => "/sessions?captured=1",
        "candidates" => "/memories?state=all&origin=capture",
        "promoted" => "/memories?origin=capture",
        _ => "/memories?origin=capture&sort=-uses",
    };
    let short = |week: &String| match week.parse::<jiff::civil::Date>() {
        Ok(monday) => monday.strftime("%-d %b").to_string(),
        Err(_) => week.clone(),
    };
    Picture {
        weeks: funnel.weeks.iter().map(short).collect(),
        steps: funnel
            .steps
            .iter()
            .map(|it| Stage {
                name: it.name.to_owned(),
                href: href(it.name).to_owned(),
                counts: it.counts.clone(),
            })
            .collect(),
    }
}

/// Words of tasks that came back, the most frequent first.
fn triggers(tasks: &[Event]) -> Vec<Trigger> {
    let mut found: BTreeMap<(&str, &str), BTreeSet<&str>> = BTreeMap::new();
    for event in tasks {
        let signals = &event.signals;
        let words = [
            ("failure", signals.failure_class.as_slice()),
            ("concern", &signals.concerns),
            ("recovery", signals.recovery_class.as_slice()),
            ("integration conflict", &signals.integration_conflicts),
        ];
        for (what, words) in words {
            for word in words {
                found.entry((what, word)).or_default().insert(&event.task);
            }
        }
    }
    let mut all: Vec<Trigger> = found
        .into_iter()
        .filter(|(_, tasks)| tasks.len() >= REPEATED)
        .map(|((what, word), tasks)| Trigger {
            what: what.to_owned(),
            word: word.to_owned(),
            tasks: tasks.into_iter().map(str::to_owned).collect(),
        })
        .collect();
    all.sort_by(|a, b| (b.tasks.len(), &a.word).cmp(&(a.tasks.len(), &b.word)));
    all.truncate(TRIGGERS_SHOWN);
    all
}

fn lessons(cards: &Cards) -> Vec<LessonGroup> {
    let lesson = Kind::Lesson.to_string();
    let of = |state: &State| {
        let found = cards.all.iter().filter(|it| it.kind == lesson && it.state == *state);
        let trust: Vec<f64> = found.map(|it| it.trust).collect();
        let count = trust.len();
        let average = trust.iter().sum::<f64>() / count.max(1) as f64;
        (count > 0).then(|| LessonGroup { state: state.as_str().to_owned(), count, trust: average })
    };
    State::ALL.iter().filter_map(of).collect()
}

/// One dot per indicator and day on which somebody looked.
fn health_line(desk: &Desk<'_>) -> HealthLine {
    let lines = desk.sessions().map(|it| it.health_lines()).unwrap_or_default();
    let mut rows: Vec<Row> = Vec::new();
    for line in &lines {
        let Some(at) = line["at"].as_str().and_then(parse_instant) else { continue };
        for one in line["indicators"].as_array().into_iter().flatten() {
            let word = |key: &str| one[key].as_str().unwrap_or_default().to_owned();
            let tone = match one["status"].as_str() {
                Some("healthy") => Tone::Good,
                Some("watch") => Tone::Watch,
                _ => Tone::Bad,
            };
            let dot =
                Dot { at: at.as_second(), tone, word: word("status"), reason: word("reason") };
            match rows.iter_mut().find(|row| row.name == word("name")) {
                Some(row) => row.dots.push(dot),
                None => {
                    let (name, href) = (word("name"), "/#health".to_owned());
                    rows.push(Row { name, href, dots: vec![dot] });
                }
            }
        }
    }
    HealthLine { until: desk.now.as_second(), rows }
}
