//! How the door says no. Every refusal names the next step, and none says whether what was asked for exists.

use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::{HeaderName, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use oldhand_pg::error::{PgError, PgErrorKind};
use serde_json::json;

use crate::visitor::{Role, Scope};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// No token, or one that does not count. `challenge` is for `WWW-Authenticate`, where clients look.
    Unknown {
        challenge: String,
        why: &'static str,
    },
    /// Not there, or not theirs: nobody learns which.
    NotThere,
    Scope(Scope),
    Role(Role),
    /// Only a person may say this.
    NoPerson,
    /// A request that is none of a page of ours, or asks for something that can't be.
    Bad(&'static str),
    Busy {
        seconds: u64,
        what: &'static str,
    },
    /// The database or the identity provider can't be asked.
    Unavailable(&'static str),
}

impl Refusal {
    /// Why the database can't do it: what it said itself is for the log.
    pub(crate) fn of_database(error: &PgError) -> Self {
        Self::Unavailable(match error.kind {
            PgErrorKind::Full => "the disk of the database is full",
            PgErrorKind::Busy => "all connections to the database are in use",
            _ => "the database can't be asked",
        })
    }

    /// For counting: the number of words is fixed.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Unknown { .. } => "unknown",
            Self::NotThere => "not_there",
            Self::Scope(_) => "scope",
            Self::Role(_) => "role",
            Self::NoPerson => "no_person",
            Self::Bad(_) => "bad",
            Self::Busy { .. } => "busy",
            Self::Unavailable(_) => "unavailable",
        }
    }

    pub fn status(&self) -> StatusCode {
        match self {
            Self::Unknown { .. } => StatusCode::UNAUTHORIZED,
            Self::NotThere => StatusCode::NOT_FOUND,
            Self::Scope(_) | Self::Role(_) | Self::NoPerson => StatusCode::FORBIDDEN,
            Self::Bad(_) => StatusCode::BAD_REQUEST,
            Self::Busy { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::Unavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    pub fn code(&self) -> &'static str {
        match self {
            Self::Unknown { .. } => "SIGN_IN_ERROR",
            Self::NotThere => "NOT_FOUND",
            Self::Scope(_) | Self::Role(_) | Self::NoPerson => "ACCESS_ERROR",
            Self::Bad(_) => "USAGE_ERROR",
            Self::Busy { .. } => "LIMIT_ERROR",
            Self::Unavailable(_) => "STORE_ERROR",
        }
    }

    pub fn message(&self) -> String {
        match self {
            Self::Unknown { why, .. } => (*why).to_owned(),
            Self::NotThere => "there is no such thing here".to_owned(),
            Self::Scope(scope) => format!("the token has no scope `{}`", scope.name()),
            Self::Role(role) => format!("this needs the role `{}` in the store", role.name()),
            Self::NoPerson => "only a person may do this".to_owned(),
            Self::Bad(what) | Self::Unavailable(what) => (*what).to_owned(),
            Self::Busy { what, .. } => (*what).to_owned(),
        }
    }

    pub fn hint(&self) -> String {
        match self {
            Self::Unknown { .. } => {
                "send `Authorization: Bearer <token>` with a token that is in force".to_owned()
            }
            Self::NotThere => "ask `/v1/stores` for the stores that you can use".to_owned(),
            Self::Scope(scope) => format!("use a token with `{}`", scope.name()),
            Self::Role(_) => "ask a maintainer of the store for access".to_owned(),
            Self::NoPerson => {
                "sign in with a browser, or use a person's token with `memory:review`".to_owned()
            }
            Self::Bad(_) => "open the address of this server and try again".to_owned(),
            Self::Busy { seconds, .. } => format!("try again in {seconds} seconds"),
            Self::Unavailable(_) => "nothing was done; try again in a few seconds".to_owned(),
        }
    }

    fn header(&self) -> Option<(HeaderName, HeaderValue)> {
        let (name, value) = match self {
            Self::Unknown { challenge, .. } => (WWW_AUTHENTICATE, challenge.clone()),
            Self::Scope(scope) => {
                let scope = scope.name();
                (
                    WWW_AUTHENTICATE,
                    format!("Bearer error=\"insufficient_scope\", scope=\"{scope}\""),
                )
            }
            Self::Busy { seconds, .. } => (RETRY_AFTER, seconds.to_string()),
            Self::NotThere
            | Self::Role(_)
            | Self::NoPerson
            | Self::Bad(_)
            | Self::Unavailable(_) => {
                return None;
            }
        };
        Some((name, HeaderValue::from_str(&value).ok()?))
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = json!({
            "schema": "oldhand.error/1",
            "code": self.code(),
            "message": self.message(),
            "hint": self.hint(),
        });
        let mut response = (self.status(), axum::Json(body)).into_response();
        response.headers_mut().extend(self.header());
        again_later(response)
    }
}

/// Whoever is told that the database can't do it now is told when to ask again.
pub(crate) fn again_later(mut response: Response) -> Response {
    if response.status() == StatusCode::SERVICE_UNAVAILABLE {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("5"));
    }
    response
}
