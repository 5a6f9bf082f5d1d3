//! Code: where knowledge is thin or stale. A map of folders, then the memories of the chosen one.

use axum::Router;
use axum::extract::Query;
use axum::response::Response;
use axum::routing::get;
use maud::{Markup, html};
use oldhand_charts::map::{CELLS_MAX, map};
use serde::Deserialize;

use crate::app::App;
use crate::frame::{Scene, Visit, show, twin};
use crate::house::code::{Code, CodeMemory};
use crate::parts::{
    code_path, command, counted, empty, memory_link, memory_path, number, outcome, prose, state,
};

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct CodeAsk {
    path: String,
    said: Option<String>,
}

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/code", get(page)).route("/code.json", get(json))
}

async fn page(visit: Visit, Query(ask): Query<CodeAsk>) -> Response {
    let path = ask.path.clone();
    show(
        visit,
        |_| "Code".to_owned(),
        move |house| house.code(&path),
        move |code, scene| view(code, &ask, scene),
    )
    .await
}

async fn json(visit: Visit, Query(ask): Query<CodeAsk>) -> Response {
    twin(visit, move |house| house.code_json(&ask.path)).await
}

fn view(code: &Code, ask: &CodeAsk, scene: &Scene) -> Markup {
    let bare = code.folders.iter().filter(|it| it.memories == 0).count();
    html! {
        (outcome(ask.said.as_deref()))
        h1 { "Code" }
        (crumbs(&code.path))
        @for note in &code.notes { p.note { (note) } }
        @if code.files == 0 && code.total == 0 {
            (empty("There are no files here.", html! {
                "The map shows the files that git knows, and the memories that name them. "
                (command("oldhand remember \"… in src/pay.rs\"")) " names one."
            }))
        } @else {
            p.lede {
                (counted(code.files, "file", "files")) ", "
                a href="#memories" { (counted(code.total, "memory", "memories")) }
                @if bare > 0 { ", " (counted(bare, "folder", "folders")) " without one" } "."
            }
            // One cell would say what stands above already.
            @if code.folders.len() > 1 || code.folders.iter().any(|it| it.children.len() > 1) {
                (map(&code.folders).figure("Folders by files; the fill is the worst verdict, hatched where there is no memory"))
                @if code.folders.len() > CELLS_MAX {
                    p.muted { (number((code.folders.len() - CELLS_MAX) as u64)) " smaller folders are not drawn." }
                }
            }
            (memories(code, scene))
        }
    }
}

fn crumbs(path: &str) -> Markup {
    let parts: Vec<&str> = path.split('/').filter(|it| !it.is_empty()).collect();
    html! {
        nav.crumb aria-label="Folder" {
            a href="/code" aria-current=[parts.is_empty().then_some("page")] { "repository" }
            @for (at, part) in parts.iter().enumerate() {
                " / "
                a href=(code_path(&parts[..=at].join("/"))) aria-current=[(at + 1 == parts.len()).then_some("page")] { (part) }
            }
        }
    }
}

fn memories(code: &Code, scene: &Scene) -> Markup {
    html! {
        section aria-labelledby="memories" {
            h2 #memories { (counted(code.total, "memory speaks", "memories speak")) " about this folder" }
            @if code.unchecked > 0 {
                p.note { (number(code.unchecked as u64)) " were not checked against the code here; "
                    (command("oldhand fresh")) " checks all." }
            }
            @if code.memories.is_empty() {
                (empty("Nothing is known about this folder.", html! {
                    "A memory that names a file of it shows up here: "
                    (command(&format!("oldhand add decision --title \"…\" --file {}", if code.path.is_empty() { "src/pay.rs" } else { &code.path }))) "."
                }))
            } @else {
                ul.cards { @for one in &code.memories { (card(one, scene)) } }
                @let more = code.total.saturating_sub(code.memories.len() + code.unchecked);
                @if more > 0 {
                    p.muted { (number(more as u64)) " more are not listed here; the folders above have fewer, and "
                        (command("oldhand fresh")) " has all." }
                }
            }
        }
    }
}

/// Paths of one memory; its own page has them all.
const PATHS_SHOWN: usize = 6;

fn card(one: &CodeMemory, scene: &Scene) -> Markup {
    html! {
        li {
            span class={"verdict " (one.tone)} { (one.verdict) }
            div {
                div.head {
                    strong { (memory_link(&one.memory)) }
                    span.muted { (one.kind.replace('_', " ")) } (state(&one.state))
                }
                @for reason in one.reasons.iter().take(PATHS_SHOWN) { p.muted { (told(reason, &one.paths)) } }
                @let others: Vec<&String> = one.paths.iter().filter(|path| !is_told(path, &one.reasons)).collect();
                p {
                    @for path in others.iter().take(PATHS_SHOWN) { a.mono href=(code_path(path)) { (path) } " " }
                    @if others.len() > PATHS_SHOWN { a href=(memory_path(&one.memory.id)) { (others.len() - PATHS_SHOWN) " more" } }
                }
            }
            @if one.asks { (verbs(one, scene)) }
        }
    }
}

/// The path that a reason begins with.
fn subject(reason: &str) -> Option<(&str, &str)> {
    reason.strip_prefix('`')?.split_once('`')
}

fn is_told(path: &str, reasons: &[String]) -> bool {
    reasons.iter().take(PATHS_SHOWN).any(|reason| subject(reason).is_some_and(|it| it.0 == path))
}

/// A reason; the path that it is about leads to its folder.
fn told(reason: &str, paths: &[String]) -> Markup {
    match subject(reason).filter(|(path, _)| paths.iter().any(|it| it == path)) {
        Some((path, rest)) => html! { a.mono href=(code_path(path)) { (path) } (prose(rest)) },
        None => prose(reason),
    }
}

/// What can be done about a memory that may no longer be true.
fn verbs(one: &CodeMemory, scene: &Scene) -> Markup {
    let page = memory_path(&one.memory.id);
    html! {
        div.line {
            form method="post" action="/do/verify" {
                (scene.form_fields())
                input type="hidden" name="id" value=(one.memory.id);
                input type="hidden" name="if_match" value=(one.hash);
                button type="submit" aria-label={"Verify: it still holds: " (one.memory.title)} { "Still holds" }
            }
            a.button href={(page) "#update"} { "Update" }
            a.button href={(page) "#supersede"} { "Supersede" }
        }
    }
}

#[cfg(test)]
mod tests;
