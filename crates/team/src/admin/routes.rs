//! Administration over `/v1`, for people who administer and maintainers of stores. The needs are data, and are tested
//! with all others.

use std::sync::Arc;

use axum::extract::{Path, Query, Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post, put};
use axum::{Json as Body, Router};
use http::header::CONTENT_TYPE;
use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::Trouble;
use super::deeds::Administrator;
use super::export::Piece;
use super::tokens::{DAYS_DEFAULT, NewToken, OVERLAP_HOURS_DEFAULT};
use crate::door::refusal::Refusal;
use crate::door::rights::{Need, may};
use crate::door::{Door, Way};
use crate::visitor::{Entrance, Role, Scope, Visitor};

/// Method, path and need of each; the table of all routes has these rows too.
pub const NEEDS: &[(&str, &str, Need)] = &[
    ("GET", "/v1/stores", Need::Entry),
    ("GET", "/v1/access/{store}", MAINTAIN),
    ("PUT", "/v1/access/{store}", MAINTAIN),
    ("DELETE", "/v1/access/{store}/{principal}", MAINTAIN),
    ("GET", "/v1/tokens", Need::Entry),
    ("POST", "/v1/tokens", OWN_TOKENS),
    ("DELETE", "/v1/tokens/{id}", OWN_TOKENS),
    ("POST", "/v1/tokens/{id}/rotate", OWN_TOKENS),
    ("GET", "/v1/audit", Need::Tenant),
    ("GET", "/v1/export/{store}", MAINTAIN),
    ("POST", "/v1/erase", Need::Tenant),
];

/// Longer ones ask for nothing that there is here.
const BODY_BYTES_MAX: usize = 64 * 1024;
const MAINTAIN: Need = Need::MAINTAIN;
/// A token never makes one: only a person does.
const OWN_TOKENS: Need = Need::Person(Scope::Read, Role::Reader);

pub fn routes(door: Arc<Door>) -> Router {
    Router::new()
        .route("/v1/stores", get(stores))
        .route("/v1/access/{store}", get(access))
        .route("/v1/access/{store}", put(grant))
        .route("/v1/access/{store}/{principal}", delete(ungrant))
        .route("/v1/tokens", get(tokens))
        .route("/v1/tokens", post(create_token))
        .route("/v1/tokens/{id}", delete(revoke_token))
        .route("/v1/tokens/{id}/rotate", post(rotate_token))
        .route("/v1/audit", get(audit))
        .route("/v1/export/{store}", get(export))
        .route("/v1/erase", post(erase))
        .with_state(door)
}

/// Lets in, checks the need, waits for a place, reads the body, and runs a deed on a thread that may block.
async fn deed<T: IntoResponse + Send + 'static>(
    door: Arc<Door>,
    request: Request,
    store: Option<&str>,
    need: Need,
    run: impl FnOnce(&Administrator<'_>, &Visitor, &[u8]) -> Result<T, Trouble> + Send + 'static,
) -> Response {
    let (parts, body) = request.into_parts();
    let entered = async {
        let visitor = door.enter(Way::Rest, &parts).await?;
        may(&visitor, store, need).inspect_err(|it| door.metrics.refused(it.word()))?;
        let place = door.place(&visitor).await?;
        Ok::<_, Refusal>((visitor, place))
    };
    let (visitor, place) = match entered.await {
        Ok(entered) => entered,
        Err(refusal) => return refusal.into_response(),
    };
    let Ok(body) = axum::body::to_bytes(body, BODY_BYTES_MAX).await else {
        return Refusal::Bad("the body is too long, or broke off").into_response();
    };
    let done = tokio::task::spawn_blocking(move || {
        let administrator = Administrator {
            database: &door.database,
            key: Some(&door.key),
            tenant: visitor.tenant,
            principal: Some(visitor.principal),
            name: &visitor.name,
        };
        run(&administrator, &visitor, &body)
    });
    let done = done.await;
    drop(place);
    match done {
        Ok(Ok(answer)) => answer.into_response(),
        Ok(Err(trouble)) => trouble.into_response(),
        Err(_) => Refusal::Unavailable("the request failed inside the server").into_response(),
    }
}

fn read<T: serde::de::DeserializeOwned>(body: &[u8]) -> Result<T, Trouble> {
    serde_json::from_slice(body).map_err(|error| {
        Trouble::asked(
            format!("the body can't be read: {error}"),
            "send JSON as docs/team/operate.md says",
        )
    })
}

async fn stores(State(door): State<Arc<Door>>, request: Request) -> Response {
    deed(door, request, None, Need::Entry, |_, visitor, _| {
        let one = |it: &oldhand_pg::admin::StoreAccess| {
            json!({ "store": it.name, "level": it.level, "truth": it.truth, "role": it.role })
        };
        Ok(Body(json!({ "stores": visitor.stores.iter().map(one).collect::<Vec<_>>() })))
    })
    .await
}

async fn access(
    State(door): State<Arc<Door>>,
    Path(store): Path<String>,
    request: Request,
) -> Response {
    let name = store.clone();
    deed(door, request, Some(&store), MAINTAIN, move |by, _, _| by.access(&name).map(Body)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Grant {
    principal: String,
    role: String,
}

async fn grant(
    State(door): State<Arc<Door>>,
    Path(store): Path<String>,
    request: Request,
) -> Response {
    let name = store.clone();
    deed(door, request, Some(&store), MAINTAIN, move |by, _, body| {
        let Grant { principal, role } = read(body)?;
        by.grant(&name, &principal, &role).map(Body)
    })
    .await
}

async fn ungrant(
    State(door): State<Arc<Door>>,
    Path((store, principal)): Path<(String, String)>,
    request: Request,
) -> Response {
    let name = store.clone();
    deed(door, request, Some(&store), MAINTAIN, move |by, _, _| {
        by.ungrant(&name, &principal).map(Body)
    })
    .await
}

#[derive(Deserialize)]
struct Whose {
    #[serde(default)]
    all: bool,
}

async fn tokens(
    State(door): State<Arc<Door>>,
    Query(whose): Query<Whose>,
    request: Request,
) -> Response {
    let need = if whose.all { Need::Tenant } else { Need::Entry };
    deed(door, request, None, need, move |by, visitor, _| {
        by.tokens((!whose.all).then_some(visitor.principal)).map(Body)
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AskedToken {
    /// Nobody else's without the scope of an administrator.
    #[serde(default)]
    principal: Option<String>,
    scopes: Vec<String>,
    #[serde(default)]
    stores: Vec<String>,
    #[serde(default = "days_default")]
    days: u32,
}

fn days_default() -> u32 {
    DAYS_DEFAULT
}

async fn create_token(State(door): State<Arc<Door>>, request: Request) -> Response {
    deed(door, request, None, OWN_TOKENS, move |by, visitor, body| {
        let AskedToken { principal, scopes, mut stores, days } = read(body)?;
        let principal = principal.unwrap_or_else(|| visitor.name.clone());
        if principal == visitor.name {
            // No more than who asks for it has.
            let has =
                |name: &String| Scope::parse(name).is_none_or(|it| visitor.scopes.contains(&it));
            if let Some(scope) = scopes.iter().find(|it| !has(it)).and_then(|it| Scope::parse(it)) {
                return Err(Refusal::Scope(scope).into());
            }
            for store in &stores {
                may(visitor, Some(store), Need::READ)?;
            }
            if stores.is_empty() && visitor.entrance != Entrance::Browser {
                // A token that is for some stores must not make one for all.
                stores = visitor.stores.iter().map(|it| it.name.clone()).collect();
                if stores.is_empty() {
                    return Err(Trouble::asked(
                        "you have access to no store",
                        "ask a maintainer for access",
                    ));
                }
            }
        } else {
            may(visitor, None, Need::Tenant)?;
        }
        by.create_token(&NewToken { principal, scopes, stores, days }).map(Body)
    })
    .await
}

/// Own tokens, or as an administrator. Those of others are not there.
fn owned(by: &Administrator<'_>, visitor: &Visitor, id: &str) -> Result<(), Trouble> {
    let is_own = by.token_owner(id)? == visitor.principal;
    match is_own || visitor.scopes.contains(&Scope::Admin) {
        true => Ok(()),
        false => Err(Refusal::NotThere.into()),
    }
}

async fn revoke_token(
    State(door): State<Arc<Door>>,
    Path(id): Path<String>,
    request: Request,
) -> Response {
    deed(door, request, None, OWN_TOKENS, move |by, visitor, _| {
        owned(by, visitor, &id)?;
        by.revoke_token(&id).map(Body)
    })
    .await
}

async fn rotate_token(
    State(door): State<Arc<Door>>,
    Path(id): Path<String>,
    request: Request,
) -> Response {
    deed(door, request, None, OWN_TOKENS, move |by, visitor, _| {
        owned(by, visitor, &id)?;
        // One token must not get the secret of a stronger one.
        let is_itself = visitor.entrance == Entrance::Token(id.clone());
        let is_free =
            visitor.entrance == Entrance::Browser || visitor.scopes.contains(&Scope::Admin);
        if !is_itself && !is_free {
            return Err(Refusal::NotThere.into());
        }
        by.rotate_token(&id, DAYS_DEFAULT, OVERLAP_HOURS_DEFAULT).map(Body)
    })
    .await
}

#[derive(Deserialize)]
struct Which {
    #[serde(default)]
    after: i64,
    #[serde(default)]
    verify: bool,
}

async fn audit(
    State(door): State<Arc<Door>>,
    Query(which): Query<Which>,
    request: Request,
) -> Response {
    deed(door, request, None, Need::Tenant, move |by, _, _| match which.verify {
        true => by.verify_audit().map(Body),
        false => by.audit(which.after).map(Body),
    })
    .await
}

/// One line of JSON per file and event.
async fn export(
    State(door): State<Arc<Door>>,
    Path(store): Path<String>,
    request: Request,
) -> Response {
    let name = store.clone();
    deed(door, request, Some(&store), MAINTAIN, move |by, _, _| {
        let mut lines = String::new();
        by.export(&name, &mut |piece| {
            let line = match piece {
                Piece::File { path, text } => json!({ "path": path, "text": text }),
                Piece::Event(event) => json!({ "event": *event }),
            };
            lines.push_str(&line.to_string());
            lines.push('\n');
            Ok(())
        })?;
        Ok(([(CONTENT_TYPE, "application/x-ndjson")], lines))
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, untagged)]
enum AskedErase {
    Memory { store: String, memory: String },
    Person { principal: String },
}

async fn erase(State(door): State<Arc<Door>>, request: Request) -> Response {
    deed(door, request, None, Need::Tenant, move |by, _, body| {
        let erased: Result<Json, Trouble> = match &read(body)? {
            AskedErase::Memory { store, memory } => by.erase_memory(store, memory),
            AskedErase::Person { principal } => by.erase_person(principal),
        };
        erased.map(Body)
    })
    .await
}
