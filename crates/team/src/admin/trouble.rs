//! Why a deed was not done.

use axum::response::{IntoResponse, Response};
use http::StatusCode;
use oldhand_pg::error::{PgError, PgErrorKind};
use oldhand_store::failure::Failure;
use serde_json::json;

use crate::door::refusal::Refusal;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// What was asked for can't be: the field, what was expected, and the next step.
    Asked {
        message: String,
        hint: String,
    },
    Missing {
        message: String,
        hint: String,
    },
    Refused(Refusal),
    /// The database, or the disk.
    World(String),
}

impl Trouble {
    pub fn asked(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Asked { message: message.into(), hint: hint.into() }
    }

    pub fn missing(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Missing { message: message.into(), hint: hint.into() }
    }

    pub fn message(&self) -> String {
        match self {
            Self::Asked { message, .. } | Self::Missing { message, .. } => message.clone(),
            Self::Refused(refusal) => refusal.message(),
            Self::World(message) => message.clone(),
        }
    }

    pub fn hint(&self) -> String {
        match self {
            Self::Asked { hint, .. } | Self::Missing { hint, .. } => hint.clone(),
            Self::Refused(refusal) => refusal.hint(),
            Self::World(_) => "look at the database and its address, and try again".to_owned(),
        }
    }
}

impl From<PgError> for Trouble {
    fn from(error: PgError) -> Self {
        match error.kind {
            PgErrorKind::Refused if error.text.contains("violates unique constraint") => {
                Self::asked("that name is taken", "choose another; `list` shows what there is")
            }
            PgErrorKind::Refused => Self::asked(error.text, "see docs/team/operate.md"),
            PgErrorKind::Locked | PgErrorKind::Busy | PgErrorKind::Full | PgErrorKind::Lost => {
                Self::World(error.text)
            }
        }
    }
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused(refusal) => Self::asked(refusal.message, refusal.hint.to_string()),
            other => Self::World(other.to_string()),
        }
    }
}

impl From<Refusal> for Trouble {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl IntoResponse for Trouble {
    fn into_response(self) -> Response {
        let (status, code) = match &self {
            Self::Refused(refusal) => return refusal.clone().into_response(),
            Self::Asked { .. } => (StatusCode::BAD_REQUEST, "VALIDATION_ERROR"),
            Self::Missing { .. } => return Refusal::NotThere.into_response(),
            Self::World(why) => {
                tracing::error!(why, "an administrator's request failed");
                return Refusal::Unavailable("the database can't be asked").into_response();
            }
        };
        let (message, hint) = (self.message(), self.hint());
        let body =
            json!({ "schema": "oldhand.error/1", "code": code, "message": message, "hint": hint });
        (status, axum::Json(body)).into_response()
    }
}
