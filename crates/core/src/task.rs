//! The outcome of a task, and the signals by which repeated trouble is recognised later.

use serde::{Deserialize, Serialize};

use oldhand_text::word::words;

words! {
    Outcome, "outcome" {
        Passed = "passed",
        Failed = "failed",
    }
}

/// Each one feeds a rule of `trigger`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TaskSignals {
    /// What kind of failure it was: `flaky-test`, `missing-migration`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure_class: Option<String>,
    /// What a reviewer objected to, as categories: `error-handling`, `naming`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub concerns: Vec<String>,
    /// How it was recovered: `rollback`, `retry`, `manual-fix`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recovery_class: Option<String>,
    /// What kind of work it was: `migration`, `refactoring`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task_kind: Option<String>,
    /// How sure the worker was of its own result, 1 to 5.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub self_check: Option<u8>,
    /// Demos or tests that showed the result works.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recipes: Vec<String>,
    /// Paths or domains where its result did not fit together with other work.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub integration_conflicts: Vec<String>,
}

impl TaskSignals {
    pub fn words(&self) -> impl Iterator<Item = &str> {
        let words = [&self.failure_class, &self.recovery_class, &self.task_kind];
        let lists = [&self.concerns, &self.recipes, &self.integration_conflicts];
        words.into_iter().flatten().chain(lists.into_iter().flatten()).map(String::as_str)
    }

    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
