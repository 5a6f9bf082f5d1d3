//! Sessions: what was told to whom, what it cost, and why there was silence.

use axum::Router;
use axum::extract::{Path, Query};
use axum::response::Response;
use axum::routing::get;
use maud::{Markup, html};
use oldhand_charts::Tone;
use oldhand_charts::budget::budget;
use oldhand_charts::served::served;
use oldhand_charts::small::bars;

use crate::app::App;
use crate::frame::{Scene, Visit, show, twin};
use crate::house::sessions::{Call, Session, Sessions, SessionsAsk};
use crate::parts::{command, counted, empty, encoded, memory_link, memory_links, moment, number};

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/sessions", get(page))
        .route("/sessions.json", get(json))
        .route("/s/{id}", get(one))
}

async fn page(visit: Visit, Query(ask): Query<SessionsAsk>) -> Response {
    let asked = ask.clone();
    show(
        visit,
        |_| "Sessions".to_owned(),
        move |house| house.sessions(&asked),
        move |found, _| view(found, &ask),
    )
    .await
}

async fn json(visit: Visit, Query(ask): Query<SessionsAsk>) -> Response {
    twin(visit, move |house| house.sessions_json(&ask)).await
}

async fn one(visit: Visit, Path(id): Path<String>) -> Response {
    // A name may end in `.json` itself, so the twin comes first.
    if let Some(id) = id.strip_suffix(".json") {
        let id = id.to_owned();
        return twin(visit, move |house| house.session_json(&id)).await;
    }
    show(
        visit,
        |it: &Session| format!("Session {}", it.row.id),
        move |house| house.session(&id),
        one_view,
    )
    .await
}

impl SessionsAsk {
    fn address(&self) -> String {
        let flags =
            [("trouble", &self.trouble), ("served", &self.served), ("captured", &self.captured)];
        let host = self.host.iter().map(|it| format!("host={}", encoded(it)));
        let flags = flags.into_iter().filter(|it| it.1.is_some()).map(|it| format!("{}=1", it.0));
        let from = (self.from > 0).then(|| format!("from={}", self.from));
        let query: Vec<String> = host.chain(flags).chain(from).collect();
        if query.is_empty() {
            "/sessions".to_owned()
        } else {
            format!("/sessions?{}", query.join("&"))
        }
    }

    fn is_narrow(&self) -> bool {
        self.host.is_some()
            || self.trouble.is_some()
            || self.served.is_some()
            || self.captured.is_some()
    }
}

fn view(found: &Sessions, ask: &SessionsAsk) -> Markup {
    html! {
        h1 { "Sessions" }
        @if found.hosts.is_empty() {
            (empty("No session of an agent has been seen on this machine.", html! {
                "Hooks keep a line per call: " (command("oldhand install claude-code")) " sets them up."
            }))
        } @else {
            p.lede {
                "What agents were told here, and what it cost: " (number(found.median_tokens))
                " tokens in the median session."
            }
            (pictures(found))
            section aria-labelledby="list" {
                h2 #list {
                    (counted(found.total, "session", "sessions"))
                    @if ask.is_narrow() { " " a.small href="/sessions" { "show all" } }
                }
                (chips(found, ask))
                @if found.rows.is_empty() {
                    (empty("No session matches.", html! { a href="/sessions" { "Show all" } }))
                } @else { (table(found)) (pager(found, ask)) }
            }
        }
    }
}

fn pictures(found: &Sessions) -> Markup {
    html! {
        section aria-labelledby="readers" {
            h2 #readers { "Served to whom" }
            (served(&found.readers).figure("Memories served by host and day"))
            @if !found.tokens.is_empty() {
                p.line { span.muted { "Tokens by day" } (bars("Tokens by day", &found.tokens, Tone::Link)) }
            }
        }
    }
}

fn chips(found: &Sessions, ask: &SessionsAsk) -> Markup {
    let other = |host: &str| SessionsAsk {
        host: (ask.host.as_deref() != Some(host)).then(|| host.to_owned()),
        from: 0,
        ..ask.clone()
    };
    let trouble = SessionsAsk {
        trouble: ask.trouble.is_none().then(|| "1".to_owned()),
        from: 0,
        ..ask.clone()
    };
    html! {
        nav.chips aria-label="Filters" {
            @for (host, count) in &found.hosts {
                a.chip href=(other(host).address()) aria-current=[(ask.host.as_deref() == Some(host)).then_some("true")] {
                    (host) span.muted { (number(*count as u64)) }
                }
            }
            @if found.in_trouble > 0 {
                a.chip href=(trouble.address()) aria-current=[ask.trouble.is_some().then_some("true")] {
                    "in trouble" span.muted { (number(found.in_trouble as u64)) }
                }
            }
        }
    }
}

fn session_path(id: &str) -> String {
    format!("/s/{}", encoded(id))
}

fn table(found: &Sessions) -> Markup {
    html! {
        div.wide tabindex="0" role="group" aria-label="Sessions" {
            table.sessions {
                thead { tr {
                    th scope="col" { "Began" } th scope="col" { "Host" } th.roomy scope="col" { "Task" }
                    th.n.roomy scope="col" { "Calls" } th.n scope="col" { "Served" }
                    th.n.roomy scope="col" { "Captured" } th.n scope="col" { "Tokens" }
                    th.n.roomy scope="col" { "Trouble" }
                } }
                tbody {
                    @for row in &found.rows {
                        tr {
                            td.who { a href=(session_path(&row.id)) title=(row.id) { (moment(&row.began)) } }
                            td { (row.host) }
                            td.roomy { (or_dash(&row.task)) }
                            td.n.roomy { (count(row.calls, &session_path(&row.id), "calls")) }
                            td.n { (count(row.served, &session_path(&row.id), "served")) }
                            td.n.roomy { (count(row.captured, &session_path(&row.id), "captured")) }
                            td.n { @if row.tokens == 0 { span.muted { "–" } } @else { (number(row.tokens)) } }
                            td.n.roomy { (count(row.trouble, &session_path(&row.id), "trouble")) }
                        }
                    }
                }
            }
        }
    }
}

fn or_dash(text: &str) -> Markup {
    html! { @if text.is_empty() { span.muted { "–" } } @else { (text) } }
}

/// A number leads to the first call that it counts.
fn count(count: usize, path: &str, what: &str) -> Markup {
    html! {
        @if count == 0 { span.muted { "–" } }
        @else { a.c-bad[what == "trouble"] href={(path) "#" (what)} { (number(count as u64)) } }
    }
}

fn pager(found: &Sessions, ask: &SessionsAsk) -> Markup {
    let last = ask.from + found.rows.len();
    html! {
        @if found.total > found.rows.len() {
            nav.pager aria-label="More of the list" {
                span.muted { (number(ask.from as u64 + 1)) "–" (number(last as u64)) " of " (number(found.total as u64)) }
                @if ask.from > 0 { a href=(SessionsAsk { from: 0, ..ask.clone() }.address()) { "First page" } }
                @if last < found.total {
                    a rel="next" href=(SessionsAsk { from: last, ..ask.clone() }.address()) { "Next page" }
                }
            }
        }
    }
}

fn one_view(session: &Session, _scene: &Scene) -> Markup {
    let row = &session.row;
    html! {
        p.crumb { a href="/sessions" { "Sessions" } }
        h1 { (row.host) ", " (moment(&row.began)) }
        p.muted { code { (row.id) } }
        dl.facts {
            div { dt { "Task" } dd { (or_dash(&row.task)) @if !session.outcome.is_empty() { " " span.chip { (session.outcome) } } } }
            div { dt { "Calls" } dd { (count(row.calls, "", "calls")) } }
            div { dt { "Served" } dd { (count(row.served, "", "served")) } }
            div { dt { "Captured" } dd { (count(row.captured, "", "captured")) } }
            div { dt { "Tokens" } dd { (number(row.tokens)) } }
            div { dt { "Trouble" } dd { (count(row.trouble, "", "trouble")) } }
        }
        @if !session.answers.answers.is_empty() {
            section aria-labelledby="budget" {
                h2 #budget { "Tokens of the budget" }
                (budget(&session.answers).figure("Each answer, and what its budget left over"))
            }
        }
        section aria-labelledby="calls" {
            h2 #calls { "Call by call" }
            @if session.more > 0 { p.muted { (number(session.more as u64)) " older calls are not shown: " (command(&format!("oldhand log --session {} --limit 10000", row.id))) } }
            (calls(&session.calls))
        }
    }
}

fn calls(calls: &[Call]) -> Markup {
    let first = |is: fn(&Call) -> bool| calls.iter().position(is);
    let anchors = [
        ("served", first(|it| !it.served.is_empty())),
        ("captured", first(|it| !it.captured.is_empty())),
        ("trouble", first(|it| it.is_trouble)),
    ];
    html! {
        ol.calls {
            @for (at, call) in calls.iter().enumerate() {
                li class=[call.is_trouble.then_some("bad")] {
                    span.when {
                        @for (name, first) in anchors { @if first == Some(at) { span id=(name) {} } }
                        time datetime=(call.at.iso) title=(call.at.iso) { (call.clock) }
                    }
                    (call_view(call))
                    span.cost.muted {
                        @if call.tokens > 0 { (number(call.tokens)) " tokens" }
                        @if let Some(ms) = call.ms { @if call.tokens > 0 { " · " } (format!("{ms:.0} ms")) }
                    }
                }
            }
        }
    }
}

fn call_view(call: &Call) -> Markup {
    html! {
        div.what {
            strong { (call.event.replace('_', " ")) } @if !call.tool.is_empty() { " " code { (call.tool) } }
            " " span.muted { (said(&call.said)) }
            @if call.is_trouble { " " span.chip.c-bad { "trouble" } }
            @if !call.query.is_empty() { p.query { "“" (call.query) "”" } }
            @if !call.served.is_empty() { p { span.muted { "served " } (memory_links(&call.served)) } }
            @if !call.captured.is_empty() { p { span.muted { "captured " } (memory_links(&call.captured)) } }
            @if !call.note.is_empty() { p.muted { (call.note) } }
            @if !call.dropped.is_empty() {
                details {
                    summary.muted { (counted(call.dropped.len(), "memory was", "memories were")) " left out" }
                    ul.plain { @for (memory, reason) in &call.dropped { li { (memory_link(memory)) " " span.muted { (reason) } } } }
                }
            }
        }
    }
}

fn said(word: &str) -> &str {
    match word {
        "nothing" => "said nothing",
        "context" => "gave context",
        "deny" => "refused the call",
        "allow" => "allowed the call",
        "go_on" => "asked the agent to go on",
        other => other,
    }
}

#[cfg(test)]
mod tests;
