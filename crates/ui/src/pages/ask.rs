//! Ask: what an agent would get for a question, how it was weighed, and why something else was not
//! served.

use axum::Router;
use axum::extract::Query;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use maud::{Markup, html};
use oldhand_charts::budget::budget;

use crate::app::App;
use crate::doing::{Posted, told as refused, with_outcome};
use crate::frame::{Scene, Visit, show, twin};
use crate::house::ask::{Asked, Question, ServedAnswer, Weighed};
use crate::parts::inside;
use crate::parts::{command, counted, empty, encoded, memory_link, number};

impl Question {
    pub fn is_empty(&self) -> bool {
        self.q.trim().is_empty() && self.path.trim().is_empty()
    }

    pub fn paths(&self) -> Vec<String> {
        let paths = self.path.split(|c: char| c == ',' || c.is_whitespace());
        paths.filter(|it| !it.is_empty()).map(str::to_owned).collect()
    }

    fn address(&self, why: &str) -> String {
        let fields = [
            ("q", self.q.as_str()),
            ("path", &self.path),
            ("budget", &self.budget),
            ("level", &self.level),
            ("why", why),
        ];
        let set = fields.into_iter().filter(|(_, value)| !value.is_empty());
        let query: Vec<String> = set.map(|(name, it)| format!("{name}={}", encoded(it))).collect();
        format!("/ask?{}", query.join("&"))
    }
}

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/ask", get(page))
        .route("/ask.json", get(json))
        .route("/ask/question", post(keep))
}

async fn page(visit: Visit, Query(ask): Query<Question>) -> Response {
    let asked = ask.clone();
    show(
        visit,
        |_| "Ask".to_owned(),
        move |house| house.ask(&asked),
        move |found, scene| view(found, &ask, scene),
    )
    .await
}

async fn json(visit: Visit, Query(ask): Query<Question>) -> Response {
    twin(visit, move |house| house.ask_json(&ask)).await
}

async fn keep(visit: Visit, posted: Posted) -> Response {
    let (text, right) = (posted.field("q"), posted.field("id"));
    let right: Vec<String> = Some(right).filter(|it| !it.is_empty()).into_iter().collect();
    let done = visit.app.ask(move |house| house.keep_question(&text, &right)).await;
    match done {
        Ok(said) => {
            let back = with_outcome(inside(&posted.field("back")), &said, "");
            Redirect::to(&back).into_response()
        }
        Err(trouble) => refused(visit, &trouble, &posted).await,
    }
}

fn view(asked: &Asked, ask: &Question, scene: &Scene) -> Markup {
    html! {
        @if let Some(said) = &ask.said { p.said role="status" { (said) } }
        h1 { "Ask" }
        p.lede { "What an agent would be given, and why." }
        (form(ask))
        @match &asked.told {
            None => (unasked(asked)),
            Some(told) => {
                @if let Some((done, all)) = asked.meaning { (partly(done, all)) }
                (answer(told))
                (why_not(told, ask))
                (weighed(told, ask, scene))
                (left_out(told, ask))
                p.muted {
                    (counted(asked.kept.0, "question is", "questions are")) " kept in "
                    code { (asked.kept.1) } ". " (command(&format!("oldhand eval {}", asked.kept.1)))
                    " measures recall by them."
                }
            },
        }
    }
}

fn partly(done: usize, all: usize) -> Markup {
    html! {
        p.note role="status" {
            (number(done as u64)) " of " (counted(all, "memory", "memories"))
            " were searched by meaning, the others by words only. The rest is being read in the background: "
            "ask again for a fuller answer."
        }
    }
}

fn unasked(asked: &Asked) -> Markup {
    match asked.memories {
        0 => empty(
            "No memory could be served yet.",
            html! { "Save one first: " (command("oldhand remember \"we decided …\"")) "." },
        ),
        count => empty(
            "Ask as an agent would.",
            html! {
                (counted(count, "memory", "memories")) " can be served. The answer is made exactly as "
                (command("oldhand recall")) " makes it, and leaves no receipt."
            },
        ),
    }
}

fn form(ask: &Question) -> Markup {
    html! {
        form.ask action="/ask" {
            label for="ask-q" { "Task or question" }
            textarea #ask-q name="q" rows="2" required { (ask.q) }
            div.line {
                label { "Paths at hand" input name="path" value=(ask.path) placeholder="src/pay.rs"; }
                label { "Budget in tokens"
                    input name="budget" value=(ask.budget) inputmode="numeric" placeholder="default"; }
                label { "How much"
                    select name="level" {
                        option value="" selected[ask.level != "index"] { "Whole memories" }
                        option value="index" selected[ask.level == "index"] { "Titles" }
                    }
                }
                button.primary type="submit" { "Ask" }
            }
        }
    }
}

fn answer(told: &ServedAnswer) -> Markup {
    html! {
        section aria-labelledby="answer" {
            h2 #answer {
                @match told.served {
                    0 => "Nothing would be said",
                    served => (counted(served, "memory", "memories")),
                }
                span.muted { " · " (number(told.tokens as u64)) " of " (number(told.budget as u64)) " tokens" }
            }
            @if told.served > 0 {
                (budget(&told.picture).figure("How the budget is used"))
            }
            @if !told.text.is_empty() {
                pre.bundle tabindex="0" role="group" aria-label="The answer as text" { (told.text) }
            }
            details {
                summary { "How this came about" }
                ol.steps { @for step in &told.steps { li { (step) } } }
            }
        }
    }
}

fn why_not(told: &ServedAnswer, ask: &Question) -> Markup {
    html! {
        section aria-labelledby="why" {
            h2 #why { "Why not …?" }
            form.line action="/ask" {
                @for (name, value) in [("q", &ask.q), ("path", &ask.path), ("budget", &ask.budget), ("level", &ask.level)] {
                    @if !value.is_empty() { input type="hidden" name=(name) value=(value); }
                }
                label.hidden for="why-id" { "Id of a memory that you expected" }
                input #why-id name="why" value=(ask.why) placeholder="Id or alias of a memory that you expected" required;
                button type="submit" { "Explain" }
            }
            @if let Some(why) = &told.why {
                p {
                    (memory_link(&why.memory)) " "
                    @if let Some(rank) = why.rank { span.muted { "place " (rank) } " " }
                    strong class=(if why.is_served { "c-good" } else { "c-bad" }) { (why.why) }
                }
            }
        }
    }
}

const PARTS: [&str; 6] = ["Words", "Names", "Meaning", "Recency", "Trust", "Near"];

fn weighed(told: &ServedAnswer, ask: &Question, scene: &Scene) -> Markup {
    let floor = told.weighed.iter().position(|it| !it.is_relevant);
    html! {
        section aria-labelledby="weighed" {
            h2 #weighed { "How candidates were weighed" }
            @if told.weighed.is_empty() {
                p.muted { "No memory has a word or a meaning in common with this." }
            } @else {
                div.wide tabindex="0" role="group" aria-label="How candidates were weighed" {
                    table.weighed {
                        thead { tr {
                            th scope="col" { "Memory" } th.n scope="col" { "Score" }
                            @for part in PARTS { th.n.roomy scope="col" { (part) } }
                            th.n scope="col" { "Chance" } th scope="col" { "Right?" }
                        } }
                        tbody {
                            @for (at, one) in told.weighed.iter().enumerate() {
                                @if floor == Some(at) {
                                    tr.floor { td colspan="10" { "The floor: what is below fits too little to be said" } }
                                }
                                (weighed_row(one, ask, scene))
                            }
                        }
                    }
                }
            }
            @if !ask.q.trim().is_empty() {
                form.line method="post" action="/ask/question" {
                    (scene.form_fields())
                    input type="hidden" name="q" value=(ask.q);
                    span.muted { "None of them?" }
                    button.quiet type="submit" { "Keep: silence would be right" }
                }
            }
        }
    }
}

fn weighed_row(one: &Weighed, ask: &Question, scene: &Scene) -> Markup {
    html! {
        tr {
            td { (memory_link(&one.memory)) @if one.is_served { " " span.chip { "served" } } }
            td.n { strong { (format!("{:.2}", one.score)) } }
            @for part in one.parts { td.n.muted.roomy { (format!("{part:.2}")) } }
            td.n { (format!("{:.2}", one.confidence)) }
            td {
                @if !ask.q.trim().is_empty() {
                    form method="post" action="/ask/question" {
                        (scene.form_fields())
                        input type="hidden" name="q" value=(ask.q);
                        input type="hidden" name="id" value=(one.memory.id);
                        button.quiet type="submit" aria-label={"Keep as the right answer: " (one.memory.title)} { "Keep" }
                    }
                }
            }
        }
    }
}

fn left_out(told: &ServedAnswer, ask: &Question) -> Markup {
    html! {
        @if !told.left_out.is_empty() {
            section aria-labelledby="left" {
                h2 #left { "Left out" span.muted { " · " (number(told.left_out.len() as u64)) } }
                ul.plain {
                    @for (memory, reason) in &told.left_out {
                        li {
                            (memory_link(memory)) " " span.muted { (reason) } " "
                            a.small href=(ask.address(&memory.id)) { "why" }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
