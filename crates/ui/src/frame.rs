//! What stands around every page: the head, the links, the search field; and pages that are nothing
//! but a message.

use std::collections::BTreeMap;

use axum::extract::Form;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::post;
use axum::{Extension, Router};
use http::StatusCode;
use http::header::{HeaderName, HeaderValue, SET_COOKIE};
use maud::{DOCTYPE, Markup, html};
use oldhand_http::Refusal;
use serde::Deserialize;

use crate::app::{App, state_word};
use crate::assets::{ICON_PATH, SCRIPT_PATH, STYLE_PATH};
use crate::door::{Session, THEME_COOKIE};
use crate::house::{Answer, Frame, House, Trouble};
use crate::links::NAVIGATION;
use crate::parts::prose;
use crate::reply;

const PARTS_HEADER: HeaderName = HeaderName::from_static("x-parts");

/// Who asks, and for what: every page takes it first.
#[derive(Clone)]
pub(crate) struct Visit {
    pub(crate) app: App,
    pub(crate) session: Session,
    /// The path and query, to come back to.
    pub(crate) here: String,
    /// The script asks, to exchange parts of the page that it is on.
    pub(crate) wants_parts: bool,
}

impl axum::extract::FromRequestParts<App> for Visit {
    type Rejection = Response;

    async fn from_request_parts(
        parts: &mut http::request::Parts,
        app: &App,
    ) -> Result<Self, Response> {
        let Some(session) = parts.extensions.get::<Session>().cloned() else {
            let text = "this browser was not let in; open the address that `oldhand ui` prints";
            return Err(Refusal::new(StatusCode::UNAUTHORIZED, text).into_response());
        };
        let here = parts.uri.path_and_query().map_or("/", |it| it.as_str()).to_owned();
        let wants_parts = parts.headers.contains_key(PARTS_HEADER);
        Ok(Self { app: app.clone(), session, here, wants_parts })
    }
}

/// What a view may need beside its own values.
pub(crate) struct Scene {
    pub(crate) frame: Frame,
    pub(crate) form_token: String,
    pub(crate) here: String,
    /// Of the store: the script compares it with the news.
    pub(crate) state: String,
}

impl Scene {
    /// The hidden fields of every form: the token, and the page to come back to.
    pub(crate) fn form_fields(&self) -> Markup {
        html! {
            input type="hidden" name="token" value=(self.form_token);
            input type="hidden" name="back" value=(self.here);
        }
    }
}

/// One page: its values from the house, then its view within the frame.
pub(crate) async fn show<T: Send + 'static>(
    visit: Visit,
    title: impl Fn(&T) -> String,
    ask: impl FnOnce(&dyn House) -> Answer<T> + Send + 'static,
    view: impl FnOnce(&T, &Scene) -> Markup,
) -> Response {
    let asked = visit.app.ask(|house| Ok((house.frame(), ask(house), state_word(house)))).await;
    let (frame, value, state) = match asked {
        Ok(found) => found,
        Err(trouble) => (Ok(Frame::default()), Err(trouble), String::new()),
    };
    let (frame, value) = match frame {
        Ok(frame) => (frame, value),
        Err(trouble) => (Frame::default(), Err(trouble)),
    };
    let form_token = visit.session.form_token.clone();
    let scene = Scene { frame, form_token, here: visit.here.clone(), state };
    let (status, title, body) = match value {
        Ok(value) => (StatusCode::OK, title(&value), view(&value, &scene)),
        Err(trouble) => {
            let body = trouble_view(&trouble);
            (reply::status_of(&trouble), "Could not be shown".to_owned(), body)
        }
    };
    let title = format!("{title} · oldhand");
    let page = around(&title, &visit, &scene, body);
    match visit.wants_parts {
        true => reply::parts(status, &title, &scene.state, page),
        false => reply::page(status, page),
    }
}

/// The same for its twin: exactly what the command answers.
pub(crate) async fn twin(
    visit: Visit,
    ask: impl FnOnce(&dyn House) -> Answer<String> + Send + 'static,
) -> Response {
    reply::json_of(visit.app.ask(ask).await)
}

pub(crate) fn trouble_view(trouble: &Trouble) -> Markup {
    html! {
        h1 { "This could not be shown" }
        p.warn role="alert" { (prose(&trouble.message)) }
        @if !trouble.hint.is_empty() { p.muted { (prose(&trouble.hint)) } }
        p.muted { code { (trouble.code) } }
    }
}

/// A deed that was refused: why, and what was typed.
pub(crate) fn refused_view(
    trouble: &Trouble,
    typed: &BTreeMap<String, String>,
    verb_path: &str,
) -> Markup {
    let field = |name: &str| typed.get(name).map(String::as_str).unwrap_or_default();
    let is_stale = trouble.code == "OCC_CONFLICT";
    html! {
        h1 { @if is_stale { "It has changed meanwhile" } @else { "Not done" } }
        p.warn role="alert" { (prose(&trouble.message)) }
        @for (name, wrong) in &trouble.problems { p { strong { (name) } ": " (prose(wrong)) } }
        @if !trouble.hint.is_empty() { p.muted { (prose(&trouble.hint)) } }
        p.muted { code { (trouble.code) } }
        @if is_stale && !field("id").is_empty() {
            p { a href=(crate::parts::memory_path(field("id"))) target="_blank" { "See it as it is now" } }
        }
        form.stack method="post" action=(verb_path) {
            @for (name, value) in typed.iter().filter(|(name, _)| {
                *name != "reason" && (!is_stale || *name != "if_match")
            }) {
                input type="hidden" name=(name) value=(value);
            }
            @if typed.contains_key("reason") {
                label for="reason" { "Reason" }
                textarea #reason name="reason" rows="3" { (field("reason")) }
            }
            div.line {
                button.primary type="submit" {
                    @if is_stale { "Decide all the same" } @else { "Try again" }
                }
                a.button href=(crate::parts::inside(field("back"))) { "Back to the page" }
            }
        }
    }
}

fn head(title: &str, theme: &str, scene: Option<&Scene>, body: Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" data-theme=[(!theme.is_empty()).then_some(theme)] {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                @if let Some(scene) = scene {
                    meta name="form-token" content=(scene.form_token);
                    meta name="state" content=(scene.state);
                }
                title { (title) }
                link rel="icon" type="image/svg+xml" href=(*ICON_PATH);
                link rel="stylesheet" href=(*STYLE_PATH);
                script src=(*SCRIPT_PATH) defer {}
            }
            (body)
        }
    }
}

/// A page without a frame, for who is not in yet.
pub(crate) fn bare(title: &str, body: Markup) -> Markup {
    head(&format!("{title} · oldhand"), "", None, html! { body.bare { main #main { (body) } } })
}

fn around(title: &str, visit: &Visit, scene: &Scene, body: Markup) -> Markup {
    let page = html! {
        body {
            a.skip href="#main" { "Skip to the content" }
            (top(visit, scene))
            (links(visit, scene))
            main #main tabindex="-1" {
                @for note in &scene.frame.notes { p.note { (note) } }
                (body)
            }
            div #outcome.outcome role="status" aria-live="polite" {}
            (crate::keys::keys())
        }
    };
    head(title, visit.session.theme, Some(scene), page)
}

fn top(visit: &Visit, scene: &Scene) -> Markup {
    let frame = &scene.frame;
    let (other, word) = match visit.session.theme {
        "dark" => ("light", "Dark"),
        "light" => ("system", "Light"),
        _ => ("dark", "Auto"),
    };
    html! {
        header.top {
            a.brand href="/" { "oldhand" }
            span.place {
                span.store { (frame.store) }
                @if let Some(branch) = &frame.branch { span.branch { (branch) } }
            }
            form.find role="search" action="/memories" {
                input type="search" name="q" placeholder="Search memories" id="search"
                    aria-label="Search memories" autocomplete="off";
            }
            span.who title="Decisions are recorded under this name" { span.muted { "as " } (frame.by) }
            form.theme method="post" action="/theme" {
                (scene.form_fields())
                button type="submit" name="theme" value=(other) title={"Colours: " (word) ", next: " (other)} { (word) }
            }
        }
    }
}

fn links(visit: &Visit, scene: &Scene) -> Markup {
    let path = visit.here.split('?').next().unwrap_or_default();
    let is_here =
        |link: &str, below: &str| path == link || (!below.is_empty() && path.starts_with(below));
    html! {
        nav.pages aria-label="Pages" {
            @for page in NAVIGATION {
                @let here = is_here(page.path, page.below);
                @let part = (page.path == "/review").then_some("inbox-link");
                a href=(page.path) aria-current=[here.then_some("page")] data-key=(page.key) data-part=[part] {
                    (page.label)
                    @if page.path == "/review" && scene.frame.waiting > 0 {
                        span.count { (scene.frame.waiting) }
                    }
                }
            }
        }
    }
}

#[derive(Deserialize)]
struct Theme {
    theme: String,
    token: String,
    back: String,
}

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/theme", post(choose_theme))
}

async fn choose_theme(session: Extension<Session>, Form(said): Form<Theme>) -> Response {
    if !session.takes(&said.token) {
        return reply::json_of(Err(reply::foreign_form()));
    }
    let cookie = match said.theme.as_str() {
        theme @ ("light" | "dark") => {
            format!("{THEME_COOKIE}={theme}; HttpOnly; SameSite=Strict; Path=/; Max-Age=31536000")
        }
        _ => format!("{THEME_COOKIE}=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0"),
    };
    let mut response = Redirect::to(crate::parts::inside(&said.back)).into_response();
    response.headers_mut().extend(HeaderValue::from_str(&cookie).ok().map(|it| (SET_COOKIE, it)));
    response
}

pub(crate) async fn nothing_here(visit: Visit) -> Response {
    let trouble = Trouble {
        code: "NOT_FOUND".to_owned(),
        message: format!("there is no page `{}`", visit.here),
        hint: "the navigation leads to all pages".to_owned(),
        ..Trouble::default()
    };
    show(visit, |()| String::new(), move |_| Err(trouble), |(), _| html! {}).await
}
