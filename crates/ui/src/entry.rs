//! Getting in: the printed address carries a ticket behind its `#`, which goes into no log. The
//! script posts it; without script a person pastes it.

use std::sync::Arc;

use axum::Router;
use axum::extract::Form;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::StatusCode;
use http::header::{HeaderValue, LOCATION, SET_COOKIE};
use maud::{Markup, html};
use serde::Deserialize;

use crate::app::App;
use crate::door::{COOKIE_NAME, Door};
use crate::frame::bare;
use crate::reply;

pub(crate) const PATH: &str = "/enter";

#[derive(Deserialize)]
struct Ticket {
    ticket: String,
}

pub(crate) fn routes(ours: Arc<Door>) -> Router<App> {
    let page = || async { reply::page(StatusCode::OK, door("")) };
    Router::new().route(PATH, get(page).post(|said| async move { enter(&ours, said) }))
}

fn enter(ours: &Door, Form(said): Form<Ticket>) -> Response {
    let Some(cookie) = ours.enter(said.ticket.trim()) else {
        let why = "This ticket was used already, or is older than a minute.";
        return reply::page(StatusCode::FORBIDDEN, door(why));
    };
    let cookie = format!("{COOKIE_NAME}={cookie}; HttpOnly; SameSite=Strict; Path=/");
    let mut response = StatusCode::SEE_OTHER.into_response();
    response.headers_mut().insert(LOCATION, HeaderValue::from_static("/"));
    response.headers_mut().extend(HeaderValue::from_str(&cookie).ok().map(|it| (SET_COOKIE, it)));
    response
}

fn door(why: &str) -> Markup {
    bare(
        "Come in",
        html! {
            h1 { "oldhand" }
            @if !why.is_empty() {
                p.warn role="alert" { (why) " " (another()) }
            }
            p.lede { "This is the dashboard of a program that runs on this machine." }
            form #enter method="post" action=(PATH) {
                label for="ticket" { "Ticket" }
                p.muted { "What follows the " code { "#" } " in the address that "
                    code { "oldhand ui" } " printed." }
                div.line {
                    input #ticket name="ticket" autocomplete="off" spellcheck="false" required;
                    button.primary type="submit" { "Open" }
                }
            }
        },
    )
}

fn another() -> Markup {
    html! { "Press " kbd { "Enter" } " in the terminal that runs " code { "oldhand ui" }
    " and open the address that it prints." }
}

/// For a browser that has not come in.
pub(crate) fn closed() -> Response {
    let page = bare(
        "Not let in",
        html! {
            h1 { "oldhand" }
            p.lede { "This browser has not been let in, or the server was started again." }
            p { (another()) }
        },
    );
    reply::page(StatusCode::UNAUTHORIZED, page)
}
