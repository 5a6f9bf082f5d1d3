//! Store: is it sound, what is set, what has the index, which hosts are set up, and what undo would
//! take back.

use axum::Router;
use axum::extract::Query;
use axum::response::Response;
use axum::routing::{get, post};
use maud::{Markup, html};
use serde::Deserialize;

use crate::app::App;
use crate::doing::Posted;
use crate::frame::{Scene, Visit, show, twin};
use crate::house::store::{Diagnosis, HostRow, Setting, Store, Undo};
use crate::parts::{command, counted, empty, encoded, number, outcome, prose};

#[derive(Deserialize)]
struct Said {
    said: Option<String>,
}

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/store", get(page))
        .route("/store.json", get(json))
        .route("/store/doctor", post(doctor))
}

async fn page(visit: Visit, Query(said): Query<Said>) -> Response {
    let view = move |found: &Store, scene: &Scene| view(found, said.said.as_deref(), scene);
    show(visit, |_| "Store".to_owned(), |house| house.store(false), view).await
}

/// It looks at every file, so a visit alone never starts it.
async fn doctor(mut visit: Visit, _posted: Posted) -> Response {
    visit.here = "/store".to_owned();
    let view = |found: &Store, scene: &Scene| view(found, None, scene);
    show(visit, |_| "Store".to_owned(), |house| house.store(true), view).await
}

async fn json(visit: Visit) -> Response {
    twin(visit, |house| house.store_json()).await
}

fn view(store: &Store, said: Option<&str>, scene: &Scene) -> Markup {
    html! {
        (outcome(said))
        h1 { "Store" }
        p.lede { code { (store.root) } " " a href="/memories?state=all" { (counted(store.memories, "memory", "memories")) }
            ", " (number(store.tokens)) " tokens to read." }
        (doctor_view(store, scene))
        (undo_view(&store.undo, scene))
        (hosts(&store.hosts))
        (facts(store))
        (settings(&store.settings))
    }
}

fn doctor_view(store: &Store, scene: &Scene) -> Markup {
    html! {
        section aria-labelledby="doctor" {
            h2 #doctor { "Doctor" }
            @match &store.diagnosis {
                None => p.muted { "Looks at every file, every event and every hook. It deletes nothing." },
                Some(it) => (diagnosis(it)),
            }
            form method="post" action="/store/doctor" {
                (scene.form_fields())
                button type="submit" { @if store.diagnosis.is_some() { "Run doctor again" } @else { "Run doctor" } }
            }
        }
    }
}

fn diagnosis(it: &Diagnosis) -> Markup {
    html! {
        div role="status" {
            p { "Looked at " (counted(it.memories, "memory", "memories")) " and " (counted(it.events, "event", "events")) ": "
                @match it.findings.len() {
                    0 => strong.c-good { "no problems found" },
                    count => strong.c-bad { (counted(count, "finding", "findings")) " for you to decide" },
                }
            }
            ul.plain {
                @for [path, what, hint] in &it.findings {
                    li { code { (path) } " " (what) @if !hint.is_empty() { p.muted { (hint) } } }
                }
                @for one in &it.repaired { li { span.c-good { "repaired" } " " (one) } }
                @for one in &it.notes { li.muted { (one) } }
            }
        }
    }
}

fn undo_view(undo: &Undo, scene: &Scene) -> Markup {
    html! {
        section aria-labelledby="undo" {
            h2 #undo { "Undo" }
            @if undo.steps.is_empty() {
                p.muted { @if undo.refusal.is_empty() { "There is nothing to undo." } @else { (undo.refusal) } }
            } @else {
                p { "Undo " (prose(&undo.steps.join(", "))) (undo.behind()) "." }
                form method="post" action="/do/undo" {
                    (scene.form_fields())
                    input type="hidden" name="if_match" value=(undo.write);
                    button type="submit" { "Undo" }
                }
            }
        }
    }
}

fn hosts(hosts: &[HostRow]) -> Markup {
    html! {
        section aria-labelledby="hosts" {
            h2 #hosts { "Hosts" }
            @if hosts.is_empty() {
                (empty("No agent is set up on this machine.", html! { (command("oldhand install claude-code")) " sets up its hooks." }))
            } @else {
                div.wide tabindex="0" role="group" aria-label="Hosts" {
                    table {
                        thead { tr { th scope="col" { "Host" } th scope="col" { "Hooks" } th.n scope="col" { "Calls in the log" } th.n scope="col" { "In trouble" } } }
                        tbody {
                            @for host in hosts {
                                @let list = format!("/sessions?host={}", encoded(&host.name));
                                tr {
                                    td { (host.name) }
                                    td {
                                        @if !host.problem.is_empty() { span.c-bad { (host.problem) } }
                                        @else if host.is_set_up { span.c-good { "set up" } }
                                        @else { span.muted { "not set up here; it has called before" } }
                                    }
                                    td.n { a href=(list) { (number(host.calls as u64)) } }
                                    td.n { a href={(list) "&trouble=1"} { (number(host.trouble as u64)) } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn facts(store: &Store) -> Markup {
    html! {
        section aria-labelledby="index" {
            h2 #index { "Index" }
            dl.facts { @for (name, value) in &store.index { div { dt { (name) } dd { (value) } } } }
            p.muted { (command("oldhand reindex")) " rebuilds it from the files." }
            ul.chips {
                @for (kind, count) in &store.kinds {
                    li { a.chip href={"/memories?state=all&kind=" (encoded(kind))} { (kind.replace('_', " ")) span.muted { (number(*count as u64)) } } }
                }
            }
        }
    }
}

fn settings(settings: &[Setting]) -> Markup {
    let set = settings.iter().filter(|it| !it.is_default).count();
    html! {
        section aria-labelledby="settings" {
            h2 #settings { "Settings" span.muted { " · " (counted(set, "differs", "differ")) " from the default" } }
            (setting_table(settings.iter().filter(|it| !it.is_default), "Settings that differ"))
            details {
                summary { "All " (settings.len()) " settings" }
                (setting_table(settings.iter(), "All settings"))
            }
            p.muted { (command("oldhand config set <key> <value>")) " changes one." }
        }
    }
}

fn setting_table<'s>(settings: impl Iterator<Item = &'s Setting>, label: &str) -> Markup {
    let rows: Vec<&Setting> = settings.collect();
    html! {
        @if !rows.is_empty() {
            div.wide tabindex="0" role="group" aria-label=(label) {
                table.settings {
                    thead { tr { th scope="col" { "Key" } th scope="col" { "Value" } th scope="col" { "From" } th scope="col" { "Meaning" } } }
                    tbody {
                        @for one in rows {
                            tr { td { code { (one.key) } } td { code { (one.value) } } td.muted { (one.source) } td.muted { (one.meaning) } }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
