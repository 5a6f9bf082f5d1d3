//! Today: what waits for a person, how the memory is doing, and whether it helped this week.

use axum::Router;
use axum::extract::Query;
use axum::routing::get;
use maud::{Markup, html};
use oldhand_text::strings::capitalised;
use serde::Deserialize;

use crate::app::App;
use crate::frame::{Visit, show, twin};
use crate::house::today::{Day, Happening, Indicator, Today, WaitingGroup};
use crate::parts::{command, counted, empty, memory_links, moment, number, outcome, prose};

#[derive(Deserialize)]
struct Said {
    said: Option<String>,
}

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/", get(page)).route("/today.json", get(json))
}

async fn page(visit: Visit, Query(said): Query<Said>) -> axum::response::Response {
    let title = |_: &Today| "Today".to_owned();
    show(visit, title, |house| house.today(), move |today, _| view(today, &said)).await
}

async fn json(visit: Visit) -> axum::response::Response {
    twin(visit, |house| house.today_json()).await
}

fn view(today: &Today, said: &Said) -> Markup {
    let waits: usize = today.waiting.iter().map(|group| group.count).sum();
    let ill: Vec<&Indicator> = today.health.iter().filter(|it| it.status != "healthy").collect();
    html! {
        (outcome(said.said.as_deref()))
        h1 { "Today" }
        p.lede {
            @match waits {
                0 => "Nothing waits for you. ",
                _ => { a href="/review" { (counted(waits, "item waits", "items wait")) } " for you. " }
            }
            @match ill.len() {
                0 => "The memory is healthy.",
                1 => "One thing needs a look.",
                many => { (number(many as u64)) " things need a look." }
            }
        }
        @if today.memories == 0 {
            (empty("There is no memory here yet.", html! {
                "Hooks capture what people decide: " (command("oldhand install claude-code"))
                " sets them up. Or begin by hand: "
                (command("oldhand remember \"we decided …\"")) "."
            }))
        }
        (waiting(&today.waiting))
        (health(&today.health, &ill))
        (week(&today.days))
        (lately(&today.lately))
    }
}

fn waiting(groups: &[WaitingGroup]) -> Markup {
    html! {
        section aria-labelledby="waits" {
            h2 #waits { "What waits" }
            @if groups.iter().all(|group| group.count == 0) {
                p.muted { "Nothing. What hooks find, and what contradicts a decision, comes here first." }
            }
            ul.causes {
                @for group in groups.iter().filter(|group| group.count > 0) {
                    li {
                        a href={"/review?cause=" (group.cause)} {
                            span.figure { (number(group.count as u64)) }
                            span.what {
                                strong { (cause_title(&group.cause, group.count)) }
                                span.muted { (cause_words(&group.cause)) }
                            }
                            @if let Some(oldest) = &group.oldest {
                                span.age.muted { "oldest " (moment(oldest)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

pub(crate) fn cause_title(cause: &str, count: usize) -> &'static str {
    match (cause, count) {
        ("conflict", 1) => "Conflict",
        ("conflict", _) => "Conflicts",
        ("approval", 1) => "Approval",
        ("approval", _) => "Approvals",
        ("unrecorded", _) => "Without a record",
        ("under_review", _) => "Under review",
        ("candidate", 1) => "Candidate",
        ("candidate", _) => "Candidates",
        ("ready", _) => "Ready to rise",
        ("review_due", _) => "Due for a look",
        _ => "Other",
    }
}

pub(crate) fn cause_words(cause: &str) -> &'static str {
    match cause {
        "conflict" => "proposals that contradict what was decided",
        "approval" => "promotions that need another name",
        "unrecorded" => "files that claim more than the log carries",
        "under_review" => "doubted, or failed in use",
        "candidate" => "found by hooks or proposed, and not in force yet",
        "ready" => "proven in use; a promotion needs your word",
        "review_due" => "nobody has looked for a while",
        _ => "",
    }
}

fn health(all: &[Indicator], ill: &[&Indicator]) -> Markup {
    let well: Vec<&Indicator> = all.iter().filter(|it| it.status == "healthy").collect();
    html! {
        section aria-labelledby="health" {
            h2 #health { "Health" }
            ul.indicators {
                @for one in ill { (indicator(one)) }
            }
            @if !well.is_empty() {
                details.well {
                    summary { (dot("healthy")) (counted(well.len(), "indicator is", "indicators are"))
                        " healthy" }
                    ul.indicators { @for one in &well { (indicator(one)) } }
                }
            }
        }
    }
}

fn indicator(one: &Indicator) -> Markup {
    html! {
        li {
            (dot(&one.status))
            span.what {
                strong { (capitalised(&one.name)) } " " span.muted { (prose(&one.reason)) }
                @if !one.command.is_empty() { " " (command(&one.command)) }
            }
            span.status { (one.status) }
        }
    }
}

fn dot(status: &str) -> Markup {
    let class = match status {
        "healthy" => "good",
        "watch" => "watch",
        _ => "bad",
    };
    html! {
        svg class={"dot " (class)} viewBox="0 0 10 10" width="10" height="10" aria-hidden="true" {
            @match class {
                "good" => circle cx="5" cy="5" r="4" {},
                "watch" => path d="M5 0.6 9.6 9H0.4z" {},
                _ => rect x="1" y="1" width="8" height="8" rx="1" {},
            }
        }
    }
}

type Measure = (&'static str, fn(&Day) -> u64);

const MEASURES: [Measure; 5] = [
    ("Served", |day| day.served),
    ("Silent", |day| day.silent),
    ("Captured", |day| day.captured),
    ("Trouble", |day| day.trouble),
    ("Tokens", |day| day.tokens),
];

fn week(days: &[Day]) -> Markup {
    html! {
        section aria-labelledby="week" {
            h2 #week { "Seven days of hooks" }
            @if days.iter().all(|day| day.served + day.silent + day.captured + day.trouble == 0) {
                p.muted { "No hook has run this week. " (command("oldhand install --list"))
                    " shows which agents are set up." }
            } @else {
                div.multiples {
                    @for (name, of) in MEASURES {
                        figure {
                            figcaption {
                                span.muted { (name) }
                                span.figure { (number(days.iter().map(of).sum())) }
                            }
                            (bars(days, of, name == "Trouble"))
                        }
                    }
                }
                details.table {
                    summary { "As a table" }
                    table {
                        thead { tr {
                            th scope="col" { "Day" }
                            @for (name, _) in MEASURES { th.n scope="col" { (name) } }
                        } }
                        tbody {
                            @for day in days {
                                tr {
                                    th scope="row" { (day.label) }
                                    @for (_, of) in MEASURES { td.n { (number(of(day))) } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn bars(days: &[Day], of: fn(&Day) -> u64, is_bad: bool) -> Markup {
    let most = days.iter().map(of).max().unwrap_or(0).max(1);
    let bar = |at: usize, value: u64| {
        let height = if value == 0 { 1.0 } else { (value as f64 / most as f64 * 34.0).max(2.0) };
        (at * 18, 36.0 - height, height)
    };
    html! {
        svg class=(if is_bad { "bars bad" } else { "bars" }) viewBox="0 0 122 36" width="122" height="36"
            role="img" aria-label={(days.iter().map(|it| of(it).to_string()).collect::<Vec<_>>().join(", "))} {
            @for (at, day) in days.iter().enumerate() {
                @let (x, y, height) = bar(at, of(day));
                rect.none[of(day) == 0] x=(x) y=(format!("{y:.1}")) width="14" height=(format!("{height:.1}")) rx="2" {
                    title { (day.label) ": " (number(of(day))) }
                }
            }
        }
    }
}

fn lately(all: &[Happening]) -> Markup {
    html! {
        section aria-labelledby="lately" {
            h2 #lately { "Lately" }
            @if all.is_empty() {
                p.muted { "Nothing has happened yet. Every change of a memory is listed here." }
            }
            ol.events {
                // What one write or session did to many memories is one line.
                @for alike in all.chunk_by(|one, next| one.is_like(next)) {
                    @let one = &alike[0];
                    li {
                        span.when.muted { (moment(&one.at)) }
                        span.what {
                            (memory_links(alike.iter().filter_map(|it| it.memory.as_ref()))) " "
                            span { (prose(&one.sentence)) }
                            @if !one.by.is_empty() { " " span.muted { "by " (one.by) } }
                        }
                    }
                }
            }
        }
    }
}
