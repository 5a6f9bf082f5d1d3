//! The addresses of the door itself: what `/mcp` says about its tokens, and getting in and out with a browser.

use std::sync::Arc;

use axum::extract::{Form, Query, State};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use http::StatusCode;
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderMap, HeaderValue, LOCATION, REFERRER_POLICY,
    SET_COOKIE,
};
use http::request::Parts;
use oldhand_http::headers::cookie;
use oldhand_pg::access::{Access, Caller};
use oldhand_pg::door::Visit;
use serde::Deserialize;
use serde_json::json;

use super::enter::{COOKIE_NAME, Door, METADATA_PATH, VISIT_LASTS, Way, unavailable};
use super::key::{self, Use};
use super::provider::Unfit;
use super::refusal::Refusal;
use super::signin::{self, DONE_PATH, Returned};
use super::tickets::Guest;
use crate::visitor::Scope;

/// Holds what a sign-in has to bring back; Lax, because the provider sends the browser here.
const FLOW_COOKIE: &str = "__Host-oldhand-sign-in";
const FLOW_SECONDS: u32 = 600;
pub const SIGN_IN_PATH: &str = "/sign-in";
pub const SIGN_OUT_PATH: &str = "/sign-out";
pub const TICKET_PATH: &str = "/enter";

/// All of them; open to everybody.
pub fn routes(door: Arc<Door>) -> Router {
    Router::new()
        .route(METADATA_PATH, get(metadata))
        .route("/.well-known/oauth-protected-resource/mcp", get(metadata))
        .route(SIGN_IN_PATH, get(begin))
        .route(DONE_PATH, get(finish))
        .route(SIGN_OUT_PATH, post(leave))
        .route(TICKET_PATH, get(ticket_page).post(take_ticket))
        .with_state(door)
}

async fn metadata(State(door): State<Arc<Door>>) -> Result<Response, Refusal> {
    let provider = door.provider.as_ref().ok_or(Refusal::NotThere)?;
    let body = json!({
        "resource": door.resource(),
        "authorization_servers": [provider.settings.issuer],
        "scopes_supported": Scope::ALL.map(Scope::name),
        "bearer_methods_supported": ["header"],
        "resource_name": "oldhand",
    });
    Ok(Json(body).into_response())
}

async fn begin(State(door): State<Arc<Door>>) -> Result<Response, Refusal> {
    let begun = blocking(door, |door| {
        let provider = door.provider.as_ref().ok_or(Refusal::NotThere)?;
        signin::begin(provider, &door.key, door.address()).map_err(refused)
    })
    .await?;
    let mut response = StatusCode::SEE_OTHER.into_response();
    let flow = &begun.cookie;
    let flow = format!(
        "{FLOW_COOKIE}={flow}; Secure; HttpOnly; SameSite=Lax; Path=/; Max-Age={FLOW_SECONDS}"
    );
    set(&mut response, &[&flow]);
    response
        .headers_mut()
        .extend(HeaderValue::from_str(&begun.location).ok().map(|it| (LOCATION, it)));
    Ok(response)
}

async fn finish(
    State(door): State<Arc<Door>>,
    Query(returned): Query<Returned>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let flow = cookie(&headers, FLOW_COOKIE).unwrap_or_default().to_owned();
    let secret = blocking(door, move |door| {
        let provider = door.provider.as_ref().ok_or(Refusal::NotThere)?;
        let claims = signin::finish(provider, &door.key, door.address(), &returned, &flow);
        let visit = door.person(Way::Browser, provider, &claims.map_err(refused)?)?;
        open(door, &visit)
    })
    .await?;
    Ok(come_in(&secret))
}

/// The cookie of a new visit.
fn open(door: &Door, visit: &Visit) -> Result<String, Refusal> {
    let secret = key::random().map_err(|_| Refusal::Unavailable("there are no random numbers"))?;
    let (tenant, principal) = (visit.tenant, visit.principal);
    let caller = Caller { tenant, stores: Vec::new(), principal: Some(principal) };
    let hash = door.key.hash(Use::Cookie, &secret);
    let access = Access::new(&door.database, caller);
    access.begin_visit(&hash, principal, &visit.groups, VISIT_LASTS).map_err(unavailable)?;
    Ok(secret)
}

/// A page, not a redirect: a browser keeps a strict cookie to itself as long as it follows those of the provider.
fn come_in(secret: &str) -> Response {
    let page = "<!doctype html><meta charset=utf-8><meta http-equiv=refresh content=\"0;url=/\">\
                <title>oldhand</title><p><a href=/>Go on</a>";
    let mut response = sealed(Html(page).into_response());
    let lasts = VISIT_LASTS.as_secs();
    let visit = format!(
        "{COOKIE_NAME}={secret}; Secure; HttpOnly; SameSite=Strict; Path=/; Max-Age={lasts}"
    );
    let flow = format!("{FLOW_COOKIE}=; Secure; HttpOnly; SameSite=Lax; Path=/; Max-Age=0");
    set(&mut response, &[&visit, &flow]);
    response
}

#[derive(Deserialize)]
struct Leaving {
    form_token: String,
}

async fn leave(
    State(door): State<Arc<Door>>,
    parts: Parts,
    Form(said): Form<Leaving>,
) -> Result<Response, Refusal> {
    let visitor = door.enter(Way::Browser, &parts).await?;
    let wanted = door.form_token(&parts.headers).unwrap_or_default();
    if !oldhand_http::headers::is_same(said.form_token.as_bytes(), wanted.as_bytes()) {
        return Err(Refusal::Bad("another page sent this request"));
    }
    let secret = cookie(&parts.headers, COOKIE_NAME).unwrap_or_default().to_owned();
    blocking(door, move |door| {
        let hash = door.key.hash(Use::Cookie, &secret);
        Access::new(&door.database, visitor.caller()).end_visit(&hash).map_err(unavailable)
    })
    .await?;
    let page = "<!doctype html><meta charset=utf-8><title>oldhand</title>\
                <p>You are signed out. <a href=/sign-in>Sign in</a>";
    let mut response = sealed(Html(page).into_response());
    set(
        &mut response,
        &[&format!("{COOKIE_NAME}=; Secure; HttpOnly; SameSite=Strict; Path=/; Max-Age=0")],
    );
    Ok(response)
}

#[derive(Deserialize)]
struct Ticket {
    ticket: String,
}

/// A button, so that whatever looks at a link beforehand does not use it up.
async fn ticket_page(Query(said): Query<Ticket>) -> Result<Response, Refusal> {
    let is_digit = |byte: u8| byte.is_ascii_hexdigit();
    if !said.ticket.bytes().all(is_digit) {
        return Err(Refusal::NotThere);
    }
    let page = format!(
        "<!doctype html><meta charset=utf-8><title>oldhand</title><form method=post action={TICKET_PATH}>\
         <input type=hidden name=ticket value=\"{}\"><button autofocus>Open the dashboard</button></form>",
        said.ticket
    );
    Ok(sealed(Html(page).into_response()))
}

async fn take_ticket(
    State(door): State<Arc<Door>>,
    Form(said): Form<Ticket>,
) -> Result<Response, Refusal> {
    let guest = door.tickets.take(said.ticket.trim());
    let Guest { tenant, principal } = guest.ok_or_else(|| {
        door.unknown(Way::Browser, "this ticket was used already, or is older than a minute")
    })?;
    let secret = blocking(door, move |door| {
        let (kind, name) = (String::new(), String::new());
        open(door, &Visit { tenant, principal, kind, name, is_admin: false, groups: Vec::new() })
    })
    .await?;
    Ok(come_in(&secret))
}

fn refused(unfit: Unfit) -> Refusal {
    match unfit {
        Unfit::Token(why) => {
            tracing::info!(why, "a sign-in was refused");
            Refusal::Bad(why)
        }
        Unfit::Provider(why) => {
            tracing::warn!(why, "the identity provider can't be asked");
            Refusal::Unavailable("the identity provider can't be asked")
        }
    }
}

async fn blocking<T: Send + 'static>(
    door: Arc<Door>,
    run: impl FnOnce(&Door) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let done = tokio::task::spawn_blocking(move || run(&door)).await;
    done.unwrap_or(Err(Refusal::Unavailable("the request failed inside the server")))
}

fn set(response: &mut Response, cookies: &[&str]) {
    for cookie in cookies {
        if let Ok(value) = HeaderValue::from_str(cookie) {
            response.headers_mut().append(SET_COOKIE, value);
        }
    }
}

/// These pages run no script, load nothing, are in no frame and are kept by nobody.
fn sealed(mut response: Response) -> Response {
    let policy = "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}
