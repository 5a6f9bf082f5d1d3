//! What the routes below `/v1/sync` do for somebody who was let in, in a store where they may.

use axum::response::{IntoResponse, Response};
use http::StatusCode;
use jiff::Timestamp;
use oldhand_core::kind::Kinds;
use oldhand_pg::access::Access;
use oldhand_pg::error::{PgError, PgErrorKind};
use oldhand_pg::vault::{PgVault, Push, Pushed, Taken};
use oldhand_store::failure::{Failure, StoreErrorKind};
use oldhand_store::ulid::SystemEntropy;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::wire::{
    Changes, ErrorBody, Files, Hashes, LACKING, MOVED, Outcomes, PushAnswer, PushRequest, Stores,
    TEXTS_MAX, Texts,
};
use crate::door::refusal::{Refusal, again_later};
use crate::door::rights::{Need, may};
use crate::visitor::{Role, Scope, Visitor};

/// Who may replace what does not follow from what was pushed before.
const RESET: Need = Need::Store(Scope::Write, Role::Maintainer);

/// What came to a route, with the rights that it needs.
pub struct SyncRequest<'a> {
    pub visitor: &'a Visitor,
    pub access: Access<'a>,
    /// By its name or by the id of its repository, where the address names one.
    pub store: Option<i32>,
    /// Of what comes in parts: behind this number.
    pub after: i64,
    pub body: &'a [u8],
}

pub type SyncDeed = fn(&SyncRequest<'_>) -> Result<Value, Refused>;

impl SyncRequest<'_> {
    fn store(&self) -> Result<i32, Refused> {
        Ok(self.store.ok_or(Refusal::NotThere)?)
    }

    fn body<T: DeserializeOwned>(&self) -> Result<T, Refused> {
        serde_json::from_slice(self.body).map_err(|error| {
            let message = format!("the body can't be read: {error}");
            let hint = "nothing was written; use an `oldhand-team` as new as the server";
            Refused::new(StatusCode::BAD_REQUEST, "USAGE_ERROR", message, hint)
        })
    }
}

fn answer(said: &impl Serialize) -> Result<Value, Refused> {
    serde_json::to_value(said).map_err(|error| {
        let hint = "look whether it was done before you try again";
        Refused::new(StatusCode::INTERNAL_SERVER_ERROR, "INTERNAL_ERROR", error.to_string(), hint)
    })
}

/// Why not, as a client reads it.
#[derive(Debug)]
pub struct Refused {
    status: StatusCode,
    body: Box<ErrorBody>,
}

impl Refused {
    fn new(status: StatusCode, code: &str, message: impl Into<String>, hint: &str) -> Self {
        let (code, hint, message) = (code.to_owned(), hint.to_owned(), message.into());
        let schema = "oldhand.error/1".to_owned();
        let (head, lacking) = (None, Vec::new());
        let body = Box::new(ErrorBody { schema, code, message, hint, head, lacking });
        Self { status, body }
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
        again_later((self.status, axum::Json(*self.body)).into_response())
    }
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Self {
        Self::new(refusal.status(), refusal.code(), refusal.message(), &refusal.hint())
    }
}

impl From<PgError> for Refused {
    fn from(error: PgError) -> Self {
        let kind = match error.kind {
            PgErrorKind::Locked => StoreErrorKind::Locked,
            PgErrorKind::Busy | PgErrorKind::Full | PgErrorKind::Lost => StoreErrorKind::Io,
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

/// Every store that the visitor sees: one that is no repository may be mirrored.
pub fn stores(asked: &SyncRequest<'_>) -> Result<Value, Refused> {
    let stores = asked.visitor.stores.iter().map(|it| asked.access.sync_state(it.store));
    answer(&Stores { stores: stores.collect::<Result<_, _>>()? })
}

pub fn status(asked: &SyncRequest<'_>) -> Result<Value, Refused> {
    answer(&asked.access.sync_state(asked.store()?)?)
}

pub fn lacking(asked: &SyncRequest<'_>) -> Result<Value, Refused> {
    let Hashes { hashes } = asked.body()?;
    answer(&Hashes { hashes: asked.access.lacking(asked.store()?, &hashes)? })
}

pub fn texts(asked: &SyncRequest<'_>) -> Result<Value, Refused> {
    let Texts { texts } = asked.body()?;
    refuse_binary(&texts)?;
    asked.access.upload(asked.store()?, &texts)?;
    answer(&Hashes { hashes: Vec::new() })
}

fn refuse_binary(texts: &[String]) -> Result<(), Refused> {
    if texts.iter().any(|text| text.contains('\0')) {
        let (status, hint) = (StatusCode::UNPROCESSABLE_ENTITY, "a memory is text");
        return Err(Refused::new(status, "USAGE_ERROR", "a text holds a byte 0", hint));
    }
    Ok(())
}

pub fn push(asked: &SyncRequest<'_>) -> Result<Value, Refused> {
    let (sent, store): (PushRequest, _) = (asked.body()?, asked.store()?);
    refuse_binary(&sent.texts)?;
    if sent.reset {
        let theirs = asked.visitor.stores.iter().find(|it| it.store == store);
        may(asked.visitor, theirs.map(|it| it.name.as_str()), RESET)?;
    }
    let (access, kinds) = (&asked.access, &Kinds::default());
    let vault = PgVault { access, store, kinds, entropy: &SystemEntropy, now: Timestamp::now() };
    let push = Push {
        repository: &sent.repository,
        base: sent.base.as_deref(),
        commit: &sent.commit,
        files: &sent.files,
        logs: &sent.logs,
        config: &sent.config,
        is_reset: sent.reset,
        code: &sent.code,
        texts: &sent.texts,
    };
    answer(&answer_push(vault.push(&push)?, &sent)?)
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

pub fn changes(asked: &SyncRequest<'_>) -> Result<Value, Refused> {
    answer(&Changes { changes: asked.access.changes(asked.store()?, asked.after)? })
}

pub fn outcomes(asked: &SyncRequest<'_>) -> Result<Value, Refused> {
    let Outcomes { outcomes } = asked.body()?;
    asked.access.settle_changes(asked.store()?, &outcomes)?;
    answer(&Hashes { hashes: Vec::new() })
}

pub fn files(asked: &SyncRequest<'_>) -> Result<Value, Refused> {
    let store = asked.store()?;
    // The number first: what changes meanwhile is looked at again the next time.
    let revision = asked.access.sync_state(store)?.revision;
    answer(&Files { revision, files: asked.access.file_hashes(store)? })
}

pub fn read(asked: &SyncRequest<'_>) -> Result<Value, Refused> {
    let Hashes { hashes } = asked.body()?;
    let hashes = &hashes[..hashes.len().min(TEXTS_MAX)];
    answer(&Texts { texts: asked.access.texts(asked.store()?, hashes)? })
}

pub fn log(asked: &SyncRequest<'_>) -> Result<Value, Refused> {
    answer(&asked.access.log_after(asked.store()?, asked.after)?)
}
