//! What a database says, as something that a caller can branch on.

use std::io;
use std::path::Path;

use oldhand_store::failure::{Failure, StoreError};
use tokio_postgres::error::SqlState;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PgErrorKind {
    /// Somebody else held a row for too long, or two waited for each other.
    Locked,
    /// There is no connection, no memory or no lock left for this: nothing was begun.
    Busy,
    /// The disk of the database is full. Reading goes on.
    Full,
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

    pub(crate) fn busy() -> Self {
        let text = "all connections to the database are in use".to_owned();
        Self { kind: PgErrorKind::Busy, text }
    }

    pub fn is_lost(&self) -> bool {
        self.kind == PgErrorKind::Lost
    }

    /// The same as an error of a store: `op` is what was attempted, `name` on what.
    pub fn at(self, op: &'static str, name: &str) -> StoreError {
        match self.kind {
            PgErrorKind::Locked => StoreError::locked(Path::new(name), self.text),
            PgErrorKind::Busy => self.io(op, name, io::ErrorKind::ResourceBusy),
            PgErrorKind::Full => self.io(op, name, io::ErrorKind::StorageFull),
            PgErrorKind::Lost => self.io(op, name, io::ErrorKind::NotConnected),
            PgErrorKind::Refused => self.io(op, name, io::ErrorKind::Other),
        }
    }

    fn io(self, op: &'static str, name: &str, kind: io::ErrorKind) -> StoreError {
        StoreError::io(op, Path::new(name), io::Error::new(kind, self.text))
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
            code if *code == SqlState::DISK_FULL => PgErrorKind::Full,
            code if is_busy(code) => PgErrorKind::Busy,
            _ => PgErrorKind::Refused,
        };
        Self { kind, text: said.message().to_owned() }
    }
}

impl From<deadpool_postgres::PoolError> for PgError {
    fn from(error: deadpool_postgres::PoolError) -> Self {
        match error {
            deadpool_postgres::PoolError::Backend(error) => error.into(),
            deadpool_postgres::PoolError::Timeout(_) => Self::busy(),
            error => Self::lost(error.to_string()),
        }
    }
}

fn is_locked(code: &SqlState) -> bool {
    [
        SqlState::LOCK_NOT_AVAILABLE,
        SqlState::T_R_DEADLOCK_DETECTED,
        SqlState::T_R_SERIALIZATION_FAILURE,
    ]
    .contains(code)
}

/// The database has as many connections as it may have.
pub(crate) fn is_short(error: &tokio_postgres::Error) -> bool {
    error.code() == Some(&SqlState::TOO_MANY_CONNECTIONS)
}

fn is_busy(code: &SqlState) -> bool {
    [SqlState::TOO_MANY_CONNECTIONS, SqlState::OUT_OF_MEMORY].contains(code)
}

/// The server goes down, comes up, only reads since a failover, or lets nobody in by this name and password.
fn is_lost(code: &SqlState) -> bool {
    code.code().starts_with("08")
        || code.code().starts_with("28")
        || *code == SqlState::INVALID_CATALOG_NAME
        || code.code().starts_with("57P")
        || *code == SqlState::READ_ONLY_SQL_TRANSACTION
}
