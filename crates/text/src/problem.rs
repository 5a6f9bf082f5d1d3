//! What is wrong with a value: the field, what was expected, what came, and how to fix it.

use serde::Serialize;

use crate::strings::{shorten, visible_line};

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    pub field: String,
    pub expected: String,
    pub found: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub fix: String,
}

impl Problem {
    pub fn new(field: &str, expected: &str, found: &str) -> Self {
        Self {
            field: field.to_owned(),
            expected: expected.to_owned(),
            found: shorten(&visible_line(found), 80),
            fix: String::new(),
        }
    }

    #[must_use]
    pub fn with_fix(mut self, fix: impl Into<String>) -> Self {
        self.fix = fix.into();
        self
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}`: expected {}, found `{}`", self.field, self.expected, self.found)
    }
}
