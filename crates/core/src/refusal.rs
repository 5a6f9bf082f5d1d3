//! A rule said no: part of the normal result of asking for a write.

use oldhand_text::hint::Hint;
use oldhand_text::problem::Problem;
use oldhand_text::word::words;

words! {
    Code, "code" {
        Validation = "VALIDATION_ERROR",
        Merge = "MERGE_ERROR",
        Occ = "OCC_CONFLICT",
        AntiResurrection = "ANTI_RESURRECTION_ERROR",
        Overwrite = "CREATE_OVERWRITE_ERROR",
        Path = "PATH_ERROR",
        Secret = "SECRET_ERROR",
        Limit = "LIMIT_ERROR",
        State = "STATE_ERROR",
        /// Who writes must say how it stands to what was decided.
        Judge = "JUDGE",
        NotFound = "NOT_FOUND",
        Ambiguous = "AMBIGUOUS_ERROR",
        Disabled = "DISABLED_ERROR",
        Unreadable = "READ_ERROR",
        Version = "VERSION_ERROR",
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    pub code: Code,
    pub message: String,
    pub problems: Vec<Problem>,
    /// The next safe step.
    pub hint: Hint,
}

impl Refusal {
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), problems: Vec::new(), hint: Hint::default() }
    }

    /// Wrong values, each with its field.
    pub fn invalid(problems: Vec<Problem>) -> Self {
        let message = match problems.as_slice() {
            [only] => only.to_string(),
            many => format!("{} values are wrong", many.len()),
        };
        let fix = problems.first().map(|problem| problem.fix.clone());
        Self { code: Code::Validation, message, problems, hint: fix.unwrap_or_default().into() }
    }

    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<Hint>) -> Self {
        self.hint = hint.into();
        self
    }
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Self::invalid(vec![problem])
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}
