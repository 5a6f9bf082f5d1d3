//! What is printed: a line for a step that held, and the first that did not.

use std::fmt::Debug;

const SHOWN_CHARS_MAX: usize = 2000;

/// A step that did not come out as expected: the end of the day.
#[derive(Debug)]
pub(crate) struct Wrong(pub(crate) String);

impl From<std::io::Error> for Wrong {
    fn from(error: std::io::Error) -> Self {
        Self(error.to_string())
    }
}

impl From<rmcp::ServiceError> for Wrong {
    fn from(error: rmcp::ServiceError) -> Self {
        Self(error.to_string())
    }
}

pub(crate) fn ok(what: &str) {
    println!("ok {what}");
}

pub(crate) fn wrong(what: &str, expected: impl Debug, found: impl Debug) -> Wrong {
    let found: String = format!("{found:?}").chars().take(SHOWN_CHARS_MAX).collect();
    Wrong(format!("{what}\n  expected: {expected:?}\n  found:    {found}"))
}

pub(crate) fn expect(
    what: &str,
    holds: bool,
    expected: impl Debug,
    found: impl Debug,
) -> Result<(), Wrong> {
    if !holds {
        return Err(wrong(what, expected, found));
    }
    ok(what);
    Ok(())
}

pub(crate) fn same<T: PartialEq + Debug>(what: &str, expected: T, found: T) -> Result<(), Wrong> {
    let holds = expected == found;
    expect(what, holds, expected, found)
}
