//! The routes below `/v1/sync`. Whoever mounts them puts the [`Visitor`] into each request; what that one may do is
//! asked here, for each store.

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Extension, Path, Query, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use http::StatusCode;
use jiff::Timestamp;
use oldhand_core::kind::Kinds;
use oldhand_pg::access::Access;
use oldhand_pg::database::Database;
use oldhand_pg::error::{PgError, PgErrorKind};
use oldhand_pg::vault::{PgVault, Push, Pushed, Taken};
use oldhand_store::failure::{Failure, StoreErrorKind};
use oldhand_store::ulid::SystemEntropy;
use serde::{Deserialize, Serialize};

use super::wire::{
    BODY_BYTES_MAX, Changes, ErrorBody, Files, Hashes, LACKING, MOVED, NOT_FOUND, Outcomes,
    PushAnswer, PushRequest, Stores, TEXTS_MAX, Texts,
};
use crate::visitor::{Role, Scope, Visitor};

#[derive(Clone)]
pub struct SyncState {
    pub database: Database,
    pub kinds: Arc<Kinds>,
}

pub fn router(state: SyncState) -> Router {
    Router::new()
        .route("/v1/sync", get(stores))
        .route("/v1/sync/{store}", get(status))
        .route("/v1/sync/{store}/lacking", post(lacking))
        .route("/v1/sync/{store}/texts", post(texts))
        .route("/v1/sync/{store}/push", post(push))
        .route("/v1/sync/{store}/changes", get(changes))
        .route("/v1/sync/{store}/outcomes", post(outcomes))
        .route("/v1/sync/{store}/files", get(files))
        .route("/v1/sync/{store}/read", post(read))
        .route("/v1/sync/{store}/log", get(log))
        .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
        .with_state(state)
}

type Answer<T> = Result<axum::Json<T>, Refused>;

/// Of what comes in parts: behind this number.
#[derive(Deserialize)]
struct After {
    #[serde(default)]
    after: i64,
}

#[derive(Debug)]
struct Refused {
    status: StatusCode,
    body: ErrorBody,
}

impl Refused {
    fn new(status: StatusCode, code: &str, message: impl Into<String>, hint: &str) -> Self {
        let (code, hint, message) = (code.to_owned(), hint.to_owned(), message.into());
        let schema = "oldhand.error/1".to_owned();
        let body = ErrorBody { schema, code, message, hint, head: None, lacking: Vec::new() };
        Self { status, body }
    }

    /// Not there, or not theirs: nobody learns which.
    fn not_there() -> Self {
        let hint = "ask `/v1/stores` for the stores that you can use";
        Self::new(StatusCode::NOT_FOUND, NOT_FOUND, "there is no such store here", hint)
    }

    fn store(kind: StoreErrorKind, message: String) -> Self {
        let status = match kind {
            StoreErrorKind::Conflict => StatusCode::CONFLICT,
            StoreErrorKind::Locked | StoreErrorKind::Io => StatusCode::SERVICE_UNAVAILABLE,
            StoreErrorKind::Corrupt | StoreErrorKind::Missing => StatusCode::UNPROCESSABLE_ENTITY,
        };
        Self::new(status, "STORE_ERROR", message, "try again in a few seconds; nothing is lost")
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        (self.status, axum::Json(self.body)).into_response()
    }
}

impl From<PgError> for Refused {
    fn from(error: PgError) -> Self {
        let kind = match error.kind {
            PgErrorKind::Locked => StoreErrorKind::Locked,
            PgErrorKind::Lost => StoreErrorKind::Io,
            PgErrorKind::Refused => StoreErrorKind::Corrupt,
        };
        Self::store(kind, error.text)
    }
}

impl From<Failure> for Refused {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Store(error) => Self::store(error.kind, error.to_string()),
            failure => {
                let hint = "nothing was written";
                Self::new(StatusCode::CONFLICT, "REFUSED", failure.to_string(), hint)
            }
        }
    }
}

/// A store of the visitor's, in which they may do that.
struct Allowed<'a> {
    access: &'a Access<'a>,
    store: i32,
    state: &'a SyncState,
}

/// Runs on a thread that may block.
async fn at<T: Serialize + Send + 'static>(
    state: SyncState,
    visitor: Visitor,
    (name, scope, role): (String, Scope, Role),
    job: impl FnOnce(&Allowed<'_>) -> Result<T, Refused> + Send + 'static,
) -> Answer<T> {
    let done = tokio::task::spawn_blocking(move || {
        if !visitor.scopes.contains(&scope) {
            let (message, hint) = (
                format!("the token has no scope `{}`", scope.name()),
                format!("use a token with `{}`", scope.name()),
            );
            return Err(Refused::new(StatusCode::FORBIDDEN, "ACCESS_ERROR", message, &hint));
        }
        let access = Access::new(&state.database, visitor.caller());
        let store = access.find_store(&name)?.ok_or_else(Refused::not_there)?;
        let theirs = visitor.stores.iter().find(|it| it.store == store);
        let theirs = theirs.ok_or_else(Refused::not_there)?;
        if Role::parse(&theirs.role).is_none_or(|theirs| theirs < role) {
            let message = format!("this needs the role `{}` in the store", role.name());
            let hint = "ask a maintainer of the store for access";
            return Err(Refused::new(StatusCode::FORBIDDEN, "ACCESS_ERROR", message, hint));
        }
        job(&Allowed { access: &access, store, state: &state }).map(axum::Json)
    });
    done.await.unwrap_or_else(|_| {
        let hint = "look whether it was done before you try again";
        let message = "the request failed inside the server";
        Err(Refused::new(StatusCode::INTERNAL_SERVER_ERROR, "INTERNAL_ERROR", message, hint))
    })
}

const READER: (Scope, Role) = (Scope::Read, Role::Reader);
const WRITER: (Scope, Role) = (Scope::Write, Role::Writer);

fn needs(name: String, (scope, role): (Scope, Role)) -> (String, Scope, Role) {
    (name, scope, role)
}

/// Every store that the visitor sees: one that is no repository may be mirrored.
async fn stores(
    State(state): State<SyncState>,
    Extension(visitor): Extension<Visitor>,
) -> Answer<Stores> {
    let done = tokio::task::spawn_blocking(move || {
        let access = Access::new(&state.database, visitor.caller());
        let stores = visitor.stores.iter().map(|it| access.sync_state(it.store));
        Ok(axum::Json(Stores { stores: stores.collect::<Result<_, _>>()? }))
    });
    done.await.unwrap_or_else(|_| Err(Refused::not_there()))
}

async fn status(
    State(state): State<SyncState>,
    Extension(visitor): Extension<Visitor>,
    Path(store): Path<String>,
) -> Answer<super::wire::SyncState> {
    at(state, visitor, needs(store, READER), |place| Ok(place.access.sync_state(place.store)?))
        .await
}

async fn lacking(
    State(state): State<SyncState>,
    Extension(visitor): Extension<Visitor>,
    Path(store): Path<String>,
    axum::Json(asked): axum::Json<Hashes>,
) -> Answer<Hashes> {
    at(state, visitor, needs(store, WRITER), move |place| {
        Ok(Hashes { hashes: place.access.lacking(place.store, &asked.hashes)? })
    })
    .await
}

async fn texts(
    State(state): State<SyncState>,
    Extension(visitor): Extension<Visitor>,
    Path(store): Path<String>,
    axum::Json(sent): axum::Json<Texts>,
) -> Answer<Hashes> {
    at(state, visitor, needs(store, WRITER), move |place| {
        if sent.texts.iter().any(|text| text.contains('\0')) {
            let hint = "a memory is text";
            let message = "a text holds a byte 0";
            return Err(Refused::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "USAGE_ERROR",
                message,
                hint,
            ));
        }
        place.access.upload(place.store, &sent.texts)?;
        Ok(Hashes { hashes: Vec::new() })
    })
    .await
}

async fn push(
    State(state): State<SyncState>,
    Extension(visitor): Extension<Visitor>,
    Path(store): Path<String>,
    axum::Json(asked): axum::Json<PushRequest>,
) -> Answer<PushAnswer> {
    let role = if asked.reset { Role::Maintainer } else { Role::Writer };
    at(state, visitor, (store, Scope::Write, role), move |place| {
        let vault = PgVault {
            access: place.access,
            store: place.store,
            kinds: &place.state.kinds,
            entropy: &SystemEntropy,
            now: Timestamp::now(),
        };
        let push = Push {
            repository: &asked.repository,
            base: asked.base.as_deref(),
            commit: &asked.commit,
            files: &asked.files,
            logs: &asked.logs,
            config: &asked.config,
            is_reset: asked.reset,
            code: &asked.code,
        };
        answer_push(vault.push(&push)?, &asked)
    })
    .await
}

fn answer_push(pushed: Pushed, asked: &PushRequest) -> Result<PushAnswer, Refused> {
    let refused = |status, code: &str, message: String, hint: &str| {
        Err(Refused::new(status, code, message, hint))
    };
    let (conflict, unfit) = (StatusCode::CONFLICT, StatusCode::UNPROCESSABLE_ENTITY);
    let head = asked.commit.clone();
    match pushed {
        Pushed::Taken(taken) => Ok(PushAnswer { head, is_there: false, taken }),
        Pushed::There => Ok(PushAnswer { head, is_there: true, taken: Taken::default() }),
        Pushed::Moved { head } => {
            let message = "the server mirrors another commit by now".to_owned();
            let mut refused = Refused::new(conflict, MOVED, message, "push again");
            refused.body.head = head;
            Err(refused)
        }
        Pushed::Lacking(lacking) => {
            let message = format!("{} texts are missing", lacking.len());
            let mut refused =
                Refused::new(conflict, LACKING, message, "send them, then push again");
            refused.body.lacking = lacking;
            Err(refused)
        }
        Pushed::OtherRepository => {
            let message = "this store belongs to another repository".to_owned();
            let hint = "push to a store of its own with `--store`; a copy of a repository needs another \
                        `team.id` in `.oldhand/config.toml`";
            refused(conflict, "OTHER_REPOSITORY", message, hint)
        }
        Pushed::NoMirror => {
            let message = "the truth of this store is on the server, not in git".to_owned();
            refused(unfit, "NO_MIRROR", message, "push to a store of the level `repository`")
        }
        Pushed::BadPath(path) => {
            let message = format!("`{path}` is no place for a memory");
            refused(unfit, "USAGE_ERROR", message, "use a newer `oldhand-team`")
        }
        Pushed::Secret { place, rule, line } => {
            let message = format!("`{place}` holds a secret in line {line} (rule `{rule}`)");
            let hint = "nothing was taken: replace the secret, commit, push again, and change it where it \
                        is used, because git keeps it";
            refused(unfit, "SECRET", message, hint)
        }
    }
}

async fn changes(
    State(state): State<SyncState>,
    Extension(visitor): Extension<Visitor>,
    Path(store): Path<String>,
    Query(part): Query<After>,
) -> Answer<Changes> {
    at(state, visitor, needs(store, WRITER), move |place| {
        Ok(Changes { changes: place.access.changes(place.store, part.after)? })
    })
    .await
}

async fn outcomes(
    State(state): State<SyncState>,
    Extension(visitor): Extension<Visitor>,
    Path(store): Path<String>,
    axum::Json(told): axum::Json<Outcomes>,
) -> Answer<Hashes> {
    at(state, visitor, needs(store, WRITER), move |place| {
        place.access.settle_changes(place.store, &told.outcomes)?;
        Ok(Hashes { hashes: Vec::new() })
    })
    .await
}

async fn files(
    State(state): State<SyncState>,
    Extension(visitor): Extension<Visitor>,
    Path(store): Path<String>,
) -> Answer<Files> {
    at(state, visitor, needs(store, READER), |place| {
        // The number first: what changes meanwhile is looked at again the next time.
        let revision = place.access.sync_state(place.store)?.revision;
        Ok(Files { revision, files: place.access.file_hashes(place.store)? })
    })
    .await
}

async fn read(
    State(state): State<SyncState>,
    Extension(visitor): Extension<Visitor>,
    Path(store): Path<String>,
    axum::Json(asked): axum::Json<Hashes>,
) -> Answer<Texts> {
    at(state, visitor, needs(store, READER), move |place| {
        let hashes = &asked.hashes[..asked.hashes.len().min(TEXTS_MAX)];
        Ok(Texts { texts: place.access.texts(place.store, hashes)? })
    })
    .await
}

async fn log(
    State(state): State<SyncState>,
    Extension(visitor): Extension<Visitor>,
    Path(store): Path<String>,
    Query(part): Query<After>,
) -> Answer<super::wire::LogPart> {
    at(state, visitor, needs(store, READER), move |place| {
        Ok(place.access.log_after(place.store, part.after)?)
    })
    .await
}
