//! What ends an evaluation early: a message and what to do about it.

use oldhand_store::failure::{Failure, StoreError};

#[derive(Debug)]
pub(crate) struct Fail {
    pub message: String,
    pub hint: String,
}

impl Fail {
    pub(crate) fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { message: message.into(), hint: hint.into() }
    }
}

impl From<std::io::Error> for Fail {
    fn from(error: std::io::Error) -> Self {
        Self::new(error.to_string(), "")
    }
}

impl From<StoreError> for Fail {
    fn from(error: StoreError) -> Self {
        Self::new(error.to_string(), error.hint().to_string())
    }
}

impl From<Failure> for Fail {
    fn from(failure: Failure) -> Self {
        Self::new(failure.to_string(), "")
    }
}
