//! The router of the server, made of the table of routes: whoever asks passes the door, what they ask for is compared
//! with what the route needs, and a thread that may block answers.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{FromRequestParts, Path, Query, Request};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, on};
use http::header::{HeaderMap, IF_MATCH, LOCATION, SET_COOKIE};
use http::request::Parts;
use http::{HeaderName, HeaderValue, StatusCode};
use oldhand_http::headers::{cookie, only};
use oldhand_pg::access::Access;
use oldhand_pg::error::PgError;
use tokio_util::sync::CancellationToken;

use crate::answers::{Told, if_match};
use crate::asking::store_of;
use crate::call::Call;
use crate::door::refusal::Refusal;
use crate::door::rights::{Need, find, may};
use crate::door::{self, Door};
use crate::houses::Houses;
use crate::rest::{Asked, Lined};
use crate::routes::{ROUTES, Route, Serves};
use crate::sync::server::{SyncDeed, SyncRequest};
use crate::sync::wire;
use crate::tools::TeamPort;
use crate::visitor::Visitor;
use crate::{admin, ops};

/// The largest body of `/v1`: that of a memory, with room for escapes.
const BODY_BYTES_MAX: usize = 4 * 1024 * 1024;
const KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// The store that a browser looks at. It is no secret, and may be of nobody.
const STORE_COOKIE: &str = "oldhand-store";

/// What all requests share.
pub struct Served {
    pub door: Arc<Door>,
    mcp: oldhand_mcp::Endpoint,
    houses: Houses,
}

/// Everything that this server answers.
pub fn router(door: &Arc<Door>, ending: &CancellationToken) -> Router {
    let port = Arc::new(TeamPort::new(door.database.clone(), door.metrics.clone()));
    let served = Arc::new(Served {
        door: door.clone(),
        mcp: oldhand_mcp::Endpoint::new(port, ending.clone()),
        houses: Houses::new(door.database.clone(), ending.clone()),
    });
    let mut router = Router::new();
    for route in ROUTES {
        let served = served.clone();
        let filter = MethodFilter::try_from(method(route)).unwrap_or(MethodFilter::GET);
        let answer = move |request: Request| async move { answer(&served, route, request).await };
        router = router.route(route.path, on(filter, answer));
    }
    router
        .merge(door::routes::routes(door.clone()))
        .merge(admin::routes::routes(door.clone()))
        .layer(from_fn_with_state(door.metrics.clone(), ops::measure))
}

fn method(route: &Route) -> http::Method {
    route.method.parse().unwrap_or(http::Method::GET)
}

async fn let_in(
    door: &Arc<Door>,
    way: door::Way,
    parts: &Parts,
) -> Result<(Visitor, door::limits::Admission), Refusal> {
    let visitor = door.enter(way, parts).await?;
    let place = door.place(&visitor).await?;
    Ok((visitor, place))
}

async fn answer(served: &Arc<Served>, route: &'static Route, request: Request) -> Response {
    let (mut parts, body) = request.into_parts();
    let (visitor, place) = match let_in(&served.door, route.way, &parts).await {
        Ok(entered) => entered,
        Err(refusal) => return refused(route, &refusal),
    };
    let visitor = Arc::new(visitor);
    match route.serves {
        Serves::Command(line) => rest(served, route, (parts, body), visitor, (line, false)).await,
        Serves::Write(line) => rest(served, route, (parts, body), visitor, (line, true)).await,
        Serves::Tools => {
            // A stream must not keep a place.
            let _place = (parts.method == http::Method::POST).then_some(place);
            let store = named(&mut parts, "id").await;
            if let Some(name) = store.as_deref().filter(|name| find(&visitor, name).is_err()) {
                tracing::debug!(name, "there is no such store");
                return Refusal::NotThere.into_response();
            }
            parts.extensions.insert(TeamPort::guest(visitor, store));
            served.mcp.answer(Request::from_parts(parts, body)).await
        }
        Serves::Sync(deed) => {
            let _place = place;
            synced(served, route.need, (parts, body), visitor, deed).await
        }
        Serves::Pages => pages(served, route, (parts, body), visitor, place).await,
        Serves::Choice => {
            let store = named(&mut parts, "id").await;
            choose(&visitor, store.as_deref())
        }
    }
}

/// A browser that is not signed in is shown the way.
fn refused(route: &Route, refusal: &Refusal) -> Response {
    if matches!(route.serves, Serves::Pages | Serves::Choice)
        && matches!(refusal, Refusal::Unknown { .. })
        && route.method == "GET"
    {
        return see_other(door::routes::SIGN_IN_PATH);
    }
    refusal.clone().into_response()
}

fn see_other(address: &'static str) -> Response {
    (StatusCode::SEE_OTHER, [(LOCATION, HeaderValue::from_static(address))]).into_response()
}

/// What the address names behind the route.
async fn named(parts: &mut Parts, what: &str) -> Option<String> {
    let names = Path::<BTreeMap<String, String>>::from_request_parts(parts, &()).await.ok()?;
    names.0.get(what).cloned()
}

async fn rest(
    served: &Arc<Served>,
    route: &Route,
    (mut parts, body): (Parts, Body),
    visitor: Arc<Visitor>,
    (line, is_write): (fn(&Asked<'_>) -> Lined, bool),
) -> Response {
    let query = Query::<BTreeMap<String, String>>::try_from_uri(&parts.uri);
    let query = query.map(|it| it.0).unwrap_or_default();
    let id = named(&mut parts, "id").await.unwrap_or_default();
    let Ok(body) = to_bytes(body, BODY_BYTES_MAX).await else {
        let hint = "send at most 4 MiB";
        let status = StatusCode::PAYLOAD_TOO_LARGE;
        return Told::error(status, "LIMIT_ERROR", "the body is too large", hint).into_response();
    };
    let here = match store_of(&visitor, query.get("store").map(String::as_str)) {
        Ok(here) => here.clone(),
        Err(told) => return told.into_response(),
    };
    if let Err(refusal) = may(&visitor, Some(&here.name), route.need) {
        served.door.metrics.refused(refusal.word());
        return refusal.into_response();
    }
    let matching = header(&parts.headers, IF_MATCH).map(str::to_owned);
    let asked = Asked {
        id: &id,
        query: &query,
        body: &body,
        if_match: matching.as_deref().and_then(if_match),
    };
    let line = match line(&asked) {
        Ok(line) => line,
        Err(misshapen) => return Told::from(misshapen).into_response(),
    };
    let key = header(&parts.headers, KEY).filter(|_| is_write).map(str::to_owned);
    let call = Call { door: served.door.clone(), visitor, here, line, key };
    let done = tokio::task::spawn_blocking(move || call.answer()).await;
    done.unwrap_or_else(|_| {
        Refusal::Unavailable("the request failed inside the server").into_response()
    })
}

/// Rights first: a body may be large.
async fn synced(
    served: &Arc<Served>,
    need: Need,
    (mut parts, body): (Parts, Body),
    visitor: Arc<Visitor>,
    deed: SyncDeed,
) -> Response {
    let query = Query::<BTreeMap<String, String>>::try_from_uri(&parts.uri);
    let after = query.ok().and_then(|it| it.get("after")?.parse().ok()).unwrap_or(0);
    let store = match named(&mut parts, "store").await {
        None => may(&visitor, None, need).map(|()| None),
        Some(name) => entered(served, need, &visitor, name).await.map(Some),
    };
    let store = match store {
        Ok(store) => store,
        Err(refusal) => {
            served.door.metrics.refused(refusal.word());
            return refusal.into_response();
        }
    };
    let Ok(body) = to_bytes(body, wire::BODY_BYTES_MAX).await else {
        let hint = "send less at a time";
        let status = StatusCode::PAYLOAD_TOO_LARGE;
        return Told::error(status, "LIMIT_ERROR", "the body is too large", hint).into_response();
    };
    let database = served.door.database.clone();
    let done = tokio::task::spawn_blocking(move || {
        let access = Access::new(&database, visitor.caller());
        let asked = SyncRequest { visitor: &visitor, access, store, after, body: &body };
        match deed(&asked) {
            Ok(answer) => axum::Json(answer).into_response(),
            Err(refused) => refused.into_response(),
        }
    });
    done.await.unwrap_or_else(|_| {
        Refusal::Unavailable("the request failed inside the server").into_response()
    })
}

/// The store of that name, or of the repository with that id, if the visitor may do this there.
async fn entered(
    served: &Arc<Served>,
    need: Need,
    visitor: &Arc<Visitor>,
    name: String,
) -> Result<i32, Refusal> {
    let (database, who) = (served.door.database.clone(), visitor.clone());
    let found =
        tokio::task::spawn_blocking(move || Access::new(&database, who.caller()).find_store(&name));
    let found = found.await.unwrap_or_else(|_| Err(PgError::refused("the look broke off")));
    let found = found.map_err(|error| {
        tracing::error!(error = %error, "a store could not be looked up");
        Refusal::of_database(&error)
    })?;
    let theirs = visitor.stores.iter().find(|it| Some(it.store) == found);
    // Without the scope nobody learns which stores there are.
    may(visitor, None, need)?;
    let theirs = theirs.ok_or(Refusal::NotThere)?;
    may(visitor, Some(&theirs.name), need).map(|()| theirs.store)
}

fn header(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    only(headers, name).and_then(|it| it.to_str().ok())
}

async fn pages(
    served: &Arc<Served>,
    route: &Route,
    (mut parts, body): (Parts, Body),
    visitor: Arc<Visitor>,
    place: door::limits::Admission,
) -> Response {
    let chosen = cookie(&parts.headers, STORE_COOKIE).and_then(decoded);
    let chosen = chosen.filter(|name| find(&visitor, name).is_ok());
    let Ok(here) = store_of(&visitor, chosen.as_deref()) else { return see_other("/in") };
    if let Err(refusal) = may(&visitor, Some(&here.name), route.need) {
        return refusal.into_response();
    }
    let Some(form_token) = served.door.form_token(&parts.headers) else {
        return Refusal::Bad("sign in with this browser").into_response();
    };
    let house = served.houses.of(&visitor, here);
    // Without what the outer router has put beside it: the names in its own pattern.
    parts.extensions = http::Extensions::new();
    parts.extensions.insert(oldhand_ui::Visiting { form_token });
    let answer = tower::ServiceExt::oneshot(house, Request::from_parts(parts, body)).await;
    // What is streamed behind the head must not keep a place.
    drop(place);
    answer.unwrap_or_else(|never| match never {})
}

/// The stores as links, or one of them from now on.
fn choose(visitor: &Visitor, name: Option<&str>) -> Response {
    let Some(name) = name else { return crate::houses::list(visitor) };
    if let Err(refusal) = may(visitor, Some(name), Need::READ) {
        return refusal.into_response();
    }
    let line = format!("{STORE_COOKIE}={}; SameSite=Strict; HttpOnly; Path=/", encoded(name));
    let mut response = see_other("/");
    response.headers_mut().extend(HeaderValue::from_str(&line).ok().map(|it| (SET_COOKIE, it)));
    response
}

/// In letters and digits: a name may have any characters.
fn encoded(name: &str) -> String {
    name.bytes().map(|byte| format!("{byte:02x}")).collect()
}

fn decoded(text: &str) -> Option<String> {
    let pairs = text.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).ok());
    let bytes = pairs.map(|pair| u8::from_str_radix(pair?, 16).ok()).collect::<Option<Vec<_>>>()?;
    String::from_utf8(bytes).ok()
}
