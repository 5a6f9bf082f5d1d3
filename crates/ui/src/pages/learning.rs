//! Learning: does capture work, what keeps going wrong, and what becomes of lessons.

use axum::Router;
use axum::extract::Query;
use axum::response::Response;
use axum::routing::get;
use maud::{Markup, html};
use oldhand_charts::funnel::funnel;
use oldhand_charts::health::health;
use serde::Deserialize;

use crate::app::App;
use crate::frame::{Visit, show, twin};
use crate::house::learning::Learning;
use crate::parts::{command, counted, empty, encoded, memory_links, number, state, trust};

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct LearningAsk {
    host: Option<String>,
}

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/learning", get(page)).route("/learning.json", get(json))
}

async fn page(visit: Visit, Query(ask): Query<LearningAsk>) -> Response {
    let host = given(&ask);
    show(
        visit,
        |_| "Learning".to_owned(),
        move |house| house.learning(host.as_deref()),
        move |found, _| view(found, &ask),
    )
    .await
}

async fn json(visit: Visit, Query(ask): Query<LearningAsk>) -> Response {
    twin(visit, move |house| house.learning_json(given(&ask).as_deref())).await
}

fn given(ask: &LearningAsk) -> Option<String> {
    ask.host.clone().filter(|it| !it.is_empty())
}

fn view(found: &Learning, ask: &LearningAsk) -> Markup {
    let is_empty =
        found.funnel.steps.iter().all(|it| it.counts.iter().all(|it| it.unwrap_or(0) == 0));
    html! {
        h1 { "Learning" }
        p.lede { "From what was heard to what helped." }
        (hosts(found, ask))
        @if is_empty {
            (empty("Nothing has been captured yet.", html! {
                "Hooks listen to what people decide: " (command("oldhand install claude-code"))
                " sets them up, and " (command("oldhand capture from <transcript>")) " reads a conversation of before."
            }))
        } @else {
            (funnel(&found.funnel).figure("By week; beside each total its share of the step before"))
        }
        (rejected(found))
        (triggers(found))
        (lessons(found))
        section aria-labelledby="unused" {
            h2 #unused { "Unused" }
            p { a href="/memories?sort=uses" { (found.unused.1) } " " span.muted { (found.unused.0) } }
        }
        @if found.health.rows.iter().any(|row| !row.dots.is_empty()) {
            section aria-labelledby="health" {
                h2 #health { "Health over time" }
                (health(&found.health).figure("One dot per indicator and day on which somebody looked"))
            }
        }
    }
}

fn hosts(found: &Learning, ask: &LearningAsk) -> Markup {
    let here = given(ask);
    html! {
        @if !found.hosts.is_empty() {
            nav.chips aria-label="Hosts" {
                a.chip href="/learning" aria-current=[here.is_none().then_some("true")] { "all hosts" }
                @for host in &found.hosts {
                    a.chip href={"/learning?host=" (encoded(host))} aria-current=[(here.as_ref() == Some(host)).then_some("true")] { (host) }
                }
            }
        }
    }
}

/// Candidates that a reason names before the rest is folded in, and where the list of all takes over.
const NAMED: usize = 5;
const FOLDED: usize = 25;
/// Reasons with their candidates; there may be as many as decisions.
const REASONS: usize = 30;
/// Tasks that are named beside their number.
const TASKS: usize = 10;

fn rejected(found: &Learning) -> Markup {
    let total: usize = found.rejected.iter().map(|it| it.1.len()).sum();
    html! {
        section aria-labelledby="rejected" {
            h2 #rejected { "Rejected candidates" span.muted { " · " a href="/memories?state=rejected" { (number(total as u64)) } } }
            @if found.rejected.is_empty() { p.muted { "None yet. A reason that comes back says what capture should no longer pick up." } }
            @else {
                ul.plain {
                    @for (reason, ids) in found.rejected.iter().take(REASONS) {
                        li {
                            strong { (reason) } " " span.muted { (counted(ids.len(), "candidate", "candidates")) }
                            p { (memory_links(ids.iter().take(NAMED))) }
                            @if ids.len() > NAMED {
                                details {
                                    summary.muted { (ids.len() - NAMED) " more" }
                                    p {
                                        (memory_links(ids.iter().skip(NAMED).take(FOLDED)))
                                        @if ids.len() > NAMED + FOLDED { ", " a href="/memories?state=rejected" { "all rejected ones" } }
                                    }
                                }
                            }
                        }
                    }
                }
                @if found.rejected.len() > REASONS {
                    p.muted { (number((found.rejected.len() - REASONS) as u64)) " more reasons; "
                        a href="/memories?state=rejected" { "all rejected candidates" } "." }
                }
            }
        }
    }
}

fn triggers(found: &Learning) -> Markup {
    html! {
        section aria-labelledby="triggers" {
            h2 #triggers { "What keeps going wrong" }
            @if found.triggers.is_empty() {
                p.muted { "Nothing came back twice. " (command("oldhand task end --failure-class flaky-test")) " records what went wrong in a task." }
            } @else {
                table.short {
                    thead { tr { th scope="col" { "What" } th scope="col" { "Which" } th.n scope="col" { "Tasks" } th scope="col" { "In" } } }
                    tbody {
                        @for one in &found.triggers {
                            tr { td.muted { (one.what) } td { (one.word) } td.n { (one.tasks.len()) } td.muted { (one.tasks.iter().take(TASKS).cloned().collect::<Vec<_>>().join(", ")) @if one.tasks.len() > TASKS { " …" } } }
                        }
                    }
                }
            }
        }
    }
}

fn lessons(found: &Learning) -> Markup {
    html! {
        section aria-labelledby="lessons" {
            h2 #lessons { "Lessons" }
            @if found.lessons.is_empty() {
                p.muted { "No lesson yet. " (command("oldhand learn <retrospective>")) " takes them from a retrospective." }
            } @else {
                table.short {
                    thead { tr { th scope="col" { "State" } th.n scope="col" { "Lessons" } th scope="col" { "Trust on average" } } }
                    tbody {
                        @for group in &found.lessons {
                            tr {
                                td { (state(&group.state)) }
                                td.n { a href={"/memories?kind=lesson&state=" (encoded(&group.state))} { (group.count) } }
                                td { (trust(group.trust)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
