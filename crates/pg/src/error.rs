//! What a database says, as something that a caller can branch on.

use std::io;
use std::path::Path;

use oldhand_store::failure::{Failure, StoreError};
use tokio_postgres::error::SqlState;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PgErrorKind {
    /// Somebody else held a row for too long, or two waited for each other.
    Locked,
    /// The connection is gone, or there never was one: nobody knows what became of the last statement.
    Lost,
    /// The database said no.
    Refused,
}

#[derive(Debug, Clone, thiserror::Error)]
#[error("{text}")]
pub struct PgError {
    pub kind: PgErrorKind,
    pub text: String,
}

impl PgError {
    pub fn refused(text: impl Into<String>) -> Self {
        Self { kind: PgErrorKind::Refused, text: text.into() }
    }

    pub(crate) fn lost(text: impl Into<String>) -> Self {
        Self { kind: PgErrorKind::Lost, text: text.into() }
    }

    pub fn is_lost(&self) -> bool {
        self.kind == PgErrorKind::Lost
    }

    /// The same as an error of a store: `op` is what was attempted, `name` on what.
    pub fn at(self, op: &'static str, name: &str) -> StoreError {
        match self.kind {
            PgErrorKind::Locked => StoreError::locked(Path::new(name), self.text),
            PgErrorKind::Lost => {
                let source = io::Error::new(io::ErrorKind::NotConnected, self.text);
                StoreError::io(op, Path::new(name), source)
            }
            PgErrorKind::Refused => {
                StoreError::io(op, Path::new(name), io::Error::other(self.text))
            }
        }
    }

    pub(crate) fn failure(self, op: &'static str, name: &str) -> Failure {
        self.at(op, name).into()
    }
}

/// How the driver begins what is a mistake of this program, and was never sent. It has no other way to tell.
const OURS: &[&str] =
    &["error serializing", "error deserializing", "parameters but got", "invalid column"];

impl From<tokio_postgres::Error> for PgError {
    fn from(error: tokio_postgres::Error) -> Self {
        let Some(said) = error.as_db_error() else {
            // Without an answer of the server it may have done what it was asked for.
            let text = match std::error::Error::source(&error) {
                Some(source) => format!("{error}: {source}"),
                None => error.to_string(),
            };
            let is_ours = OURS.iter().any(|ours| text.contains(ours));
            return if is_ours { Self::refused(text) } else { Self::lost(text) };
        };
        let kind = match said.code() {
            code if is_locked(code) => PgErrorKind::Locked,
            code if is_lost(code) => PgErrorKind::Lost,
            _ => PgErrorKind::Refused,
        };
        Self { kind, text: said.message().to_owned() }
    }
}

impl From<deadpool_postgres::PoolError> for PgError {
    fn from(error: deadpool_postgres::PoolError) -> Self {
        match error {
            deadpool_postgres::PoolError::Backend(error) => error.into(),
            deadpool_postgres::PoolError::Timeout(_) => Self {
                kind: PgErrorKind::Locked,
                text: "all connections to the database are in use".to_owned(),
            },
            error => Self::lost(error.to_string()),
        }
    }
}

fn is_locked(code: &SqlState) -> bool {
    [
        SqlState::LOCK_NOT_AVAILABLE,
        SqlState::T_R_DEADLOCK_DETECTED,
        SqlState::T_R_SERIALIZATION_FAILURE,
        SqlState::TOO_MANY_CONNECTIONS,
    ]
    .contains(code)
}

/// The server goes down, comes up, or only reads since a failover.
fn is_lost(code: &SqlState) -> bool {
    code.code().starts_with("08")
        || code.code().starts_with("57P")
        || *code == SqlState::READ_ONLY_SQL_TRANSACTION
}
