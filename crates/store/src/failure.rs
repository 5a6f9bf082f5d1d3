//! Why a journey did not arrive: a rule said no, or the world did.

use std::io;
use std::path::{Path, PathBuf};

use oldhand_core::pending::Pending;
use oldhand_core::refusal::Refusal;
use oldhand_text::hint::{Hint, NextStep};
use oldhand_text::problem::Problem;

#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error("{0}")]
    Refused(Refusal),
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The gate: the proposal waits for a person, and nothing else was written.
    #[error("{}", .0.pending.headline())]
    Stopped(Box<Stop>),
}

/// A proposal that clashes with what was decided.
#[derive(Debug, Clone)]
pub struct Stop {
    pub pending: Pending,
    /// Remarks about what could not be brought up to date.
    pub notes: Vec<String>,
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self::Refused(problem.into())
    }
}

/// What a caller may branch on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreErrorKind {
    /// Another process held the lock for too long.
    Locked,
    /// The file is not what it was when the decision was made.
    Conflict,
    Corrupt,
    Missing,
    Io,
}

#[derive(Debug, thiserror::Error)]
#[error("could not {op} `{}`: {}", path.display(), source_text(.source))]
pub struct StoreError {
    pub op: &'static str,
    pub path: PathBuf,
    pub kind: StoreErrorKind,
    pub source: io::Error,
}

fn source_text(source: &io::Error) -> String {
    match source.kind() {
        io::ErrorKind::StorageFull => "the disk is full".to_owned(),
        io::ErrorKind::ReadOnlyFilesystem => "the disk is read-only".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::NotFound => "it is not there".to_owned(),
        _ => source.to_string(),
    }
}

/// What was done to which file, for errors that don't say it.
pub(crate) trait At<T> {
    fn at(self, op: &'static str, path: &Path) -> Result<T, StoreError>;
}

impl<T> At<T> for io::Result<T> {
    fn at(self, op: &'static str, path: &Path) -> Result<T, StoreError> {
        self.map_err(|error| StoreError::io(op, path, error))
    }
}

impl StoreError {
    pub fn io(op: &'static str, path: &Path, source: io::Error) -> Self {
        let kind = match source.kind() {
            io::ErrorKind::NotFound => StoreErrorKind::Missing,
            _ => StoreErrorKind::Io,
        };
        Self { op, path: path.to_owned(), kind, source }
    }

    fn of(kind: StoreErrorKind, op: &'static str, path: &Path, why: impl Into<String>) -> Self {
        Self { op, path: path.to_owned(), kind, source: io::Error::other(why.into()) }
    }

    pub fn conflict(path: &Path) -> Self {
        let why = "somebody else changed it in the meantime";
        Self::of(StoreErrorKind::Conflict, "write", path, why)
    }

    /// Another command holds a lock for longer than anybody waits.
    pub fn locked(path: &Path, why: impl Into<String>) -> Self {
        Self::of(StoreErrorKind::Locked, "lock", path, why)
    }

    /// The same of a session's lock.
    pub fn at_work(path: &Path) -> Self {
        Self::locked(path, "another command of this session is at work")
    }

    pub fn corrupt(op: &'static str, path: &Path, why: impl Into<String>) -> Self {
        Self::of(StoreErrorKind::Corrupt, op, path, why)
    }

    /// The next safe step.
    pub fn hint(&self) -> Hint {
        let text = match (self.kind, self.source.kind()) {
            (StoreErrorKind::Locked, _) => "another command is writing; try again in a moment",
            (StoreErrorKind::Conflict, _) => {
                let step = NextStep::Show("<id>".to_owned());
                return Hint::with_steps("read it again with {}, then repeat", [step]);
            }
            (_, io::ErrorKind::StorageFull) => {
                "nothing was acknowledged; free some space and repeat"
            }
            (_, io::ErrorKind::ResourceBusy) => "nothing was begun; try again in a moment",
            (_, io::ErrorKind::ReadOnlyFilesystem) => {
                "reading works; write where the disk is writable"
            }
            (_, io::ErrorKind::PermissionDenied) => "check who owns its folder",
            (StoreErrorKind::Corrupt, _) => "fix the file, or move it away; {} checks the store",
            (StoreErrorKind::Missing | StoreErrorKind::Io, _) => {
                "nothing was acknowledged; {} tells more"
            }
        };
        Hint::with_steps(text, [NextStep::Doctor])
    }
}
