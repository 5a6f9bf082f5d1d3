//! Conflicts: what contradicts what, and how it was settled.

use axum::Router;
use axum::extract::Query;
use axum::response::Response;
use axum::routing::get;
use maud::{Markup, html};
use serde::Deserialize;

use crate::app::App;
use crate::frame::{Scene, Visit, show, twin};
use crate::house::conflicts::{Conflict, Conflicts, Settled};
use crate::parts::{command, counted, empty, memory_link, moment, number, outcome, prose, unread};

#[derive(Deserialize)]
struct Said {
    said: Option<String>,
}

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/conflicts", get(page)).route("/conflicts.json", get(json))
}

async fn page(visit: Visit, Query(said): Query<Said>) -> Response {
    show(
        visit,
        |_| "Conflicts".to_owned(),
        |house| house.conflicts(),
        move |found, scene| view(found, &said, scene),
    )
    .await
}

async fn json(visit: Visit) -> Response {
    twin(visit, |house| house.conflicts_json()).await
}

fn view(found: &Conflicts, said: &Said, scene: &Scene) -> Markup {
    html! {
        (outcome(said.said.as_deref()))
        h1 { "Conflicts" }
        p.lede { "What contradicts what was decided, and how it was settled." }
        (unread(&found.odd))
        section aria-labelledby="open" {
            h2 #open {
                @match found.open.len() + found.more {
                    0 => "Nothing waits for a person",
                    some => { (counted(some, "waits", "wait")) " for a person" }
                }
            }
            @if found.open.is_empty() {
                (empty("No proposal clashes with a decision.", html! {
                    "A proposal that contradicts what was decided is stopped and waits here. "
                    (command("oldhand check \"use MySQL\"")) " asks beforehand."
                }))
            }
            @for one in &found.open { (open_view(one, scene)) }
            @if found.more > 0 {
                p.muted { (counted(found.more, "more conflict is", "more conflicts are")) " in the "
                    a href="/review?cause=conflict" { "inbox" } "." }
            }
        }
        section aria-labelledby="settled" {
            h2 #settled { "Settled" span.muted { " · " (number(found.settled.len() as u64)) } }
            @if found.settled.is_empty() { p.muted { "None yet: what a person decides about a conflict is listed here." } }
            @for one in &found.settled { (settled_view(one)) }
        }
    }
}

fn sides(conflict: &Conflict) -> Markup {
    html! {
        @for side in &conflict.sides {
            div.sides {
                div.side {
                    p.muted { "decided" @if !side.date.is_empty() { " " (side.date) } " in " (memory_link(&side.against)) }
                    blockquote { (side.theirs) }
                }
                div.side {
                    p.muted { "proposed in " strong { (conflict.title) } }
                    blockquote { (side.ours) }
                }
            }
            p.muted { (prose(&side.why)) }
        }
    }
}

/// The way, its words, and whether it needs a reason.
const WAYS: [(&str, &str); 3] = [
    ("follow", "Follow the decision: drop the proposal"),
    ("supersede", "Supersede: the proposal replaces it"),
    ("keep_both", "Keep both: they don't exclude each other"),
];

fn open_view(one: &Conflict, scene: &Scene) -> Markup {
    html! {
        article.conflict id=(one.id) {
            h3 { (one.title) }
            p.muted { "proposed by " (one.by) ", " (moment(&one.at)) }
            (sides(one))
            form.stack method="post" action="/do/resolve" {
                (scene.form_fields())
                input type="hidden" name="pending" value=(one.id);
                input type="hidden" name="if_match" value=(one.hash);
                label for={"reason-" (one.id)} { "Reason" }
                input id={"reason-" (one.id)} name="reason" autocomplete="off" required;
                div.line {
                    @for (way, words) in WAYS { button type="submit" name="resolution" value=(way) { (words) } }
                }
            }
        }
    }
}

fn settled_view(one: &Settled) -> Markup {
    let words = match one.outcome.as_str() {
        "follow" => "The decision holds, the proposal was dropped",
        "supersede" => "The proposal replaced the decision",
        "keep_both" => "Both hold",
        other => other,
    };
    html! {
        article.conflict {
            h3 { @match &one.conflict { Some(it) => (it.title), None => (one.id) } }
            p { strong { (words) } " " span.muted { "by " (one.by) ", " (moment(&one.at)) }
                @if !one.reason.is_empty() { ": " (one.reason) } }
            @match &one.conflict {
                Some(it) => (sides(it)),
                None => p.muted { "The text of the proposal is no longer kept on this machine." },
            }
        }
    }
}

#[cfg(test)]
mod tests;
