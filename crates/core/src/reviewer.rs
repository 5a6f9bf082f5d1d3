//! Who reviews what: a role for each type of lesson and each kind of memory, and what makes an
//! approval a joint one.

use std::collections::{BTreeMap, BTreeSet};

use crate::kind::Kind;
use crate::kind::schema::LESSON_TYPES;
use crate::memory::Memory;
use crate::policy::SIGNAL_CHARS_MAX;
use oldhand_text::problem::Problem;
use oldhand_text::strings::normalise_line;
use oldhand_text::word::words;

words! {
    Role, "role" {
        /// Steers the work as a whole.
        Orchestrator = "orchestrator",
        Architect = "architect",
        Security = "security",
        Performance = "performance",
        Quality = "quality",
        Integration = "integration",
        Design = "design",
        Product = "product",
        Process = "process",
        /// Looks after the project where nobody more particular does.
        Maintainer = "maintainer",
    }
}

/// The row for custom kinds, and for lessons of an unknown type.
pub const OTHER: &str = "other";

/// The twelve types of lessons (R197), then the other kinds.
const ROLES: [(&str, Role); 21] = [
    ("project_rule", Role::Maintainer),
    ("agent_rule", Role::Orchestrator),
    ("decision_precedent", Role::Architect),
    ("failure_lesson", Role::Quality),
    ("security_pattern", Role::Security),
    ("performance_tip", Role::Performance),
    ("test_strategy", Role::Quality),
    ("integration_pattern", Role::Integration),
    ("ux_pattern", Role::Design),
    ("architecture_precedent", Role::Architect),
    ("process_improvement", Role::Process),
    ("risk_pattern", Role::Quality),
    ("decision", Role::Architect),
    ("constraint", Role::Architect),
    ("architecture", Role::Architect),
    ("preference", Role::Maintainer),
    ("runbook", Role::Maintainer),
    ("tech_debt", Role::Maintainer),
    ("session_summary", Role::Maintainer),
    ("reference", Role::Maintainer),
    (OTHER, Role::Maintainer),
];

/// The role for each type of lesson, each other kind, and `other`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reviewers(BTreeMap<&'static str, Role>);

impl Default for Reviewers {
    fn default() -> Self {
        Self(ROLES.into())
    }
}

impl Reviewers {
    pub fn role_mut(&mut self, of: &str) -> Option<&mut Role> {
        self.0.get_mut(of)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&'static str, Role)> {
        self.0.iter().map(|(of, role)| (*of, *role))
    }

    pub fn of(&self, memory: &Memory) -> Role {
        let row = match &memory.kind {
            // A lesson without a type is what a new one would be.
            Kind::Lesson => memory.content.text("lesson_type").unwrap_or(LESSON_TYPES[0]),
            Kind::Custom(_) => OTHER,
            kind => kind.as_str(),
        };
        let found = self.0.get(row).or_else(|| self.0.get(OTHER));
        found.copied().unwrap_or(Role::Maintainer)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    pub by: String,
    role: Option<Role>,
}

impl Approval {
    pub fn new(by: &str, role: Option<Role>) -> Result<Self, Problem> {
        let by = normalise_line(by);
        if by.is_empty() || by.chars().count() > SIGNAL_CHARS_MAX {
            let expected = format!("a name of 1 to {SIGNAL_CHARS_MAX} characters");
            return Err(Problem::new("by", &expected, &by));
        }
        Ok(Self { by, role })
    }
}

/// R202: two names, one for the orchestrator and one for the role that the memory needs (for the
/// orchestrator's own memories the maintainer). The error says what is still missing.
pub fn joint(approvals: &[Approval], needed: Role) -> Result<(), String> {
    let domain = if needed == Role::Orchestrator { Role::Maintainer } else { needed };
    let names = |role: Role| -> BTreeSet<String> {
        let standing = approvals.iter().filter(|it| it.role.is_none_or(|own| own == role));
        standing.map(|it| it.by.to_lowercase()).collect()
    };
    let (general, special) = (names(Role::Orchestrator), names(domain));
    let for_general = "an approval for the `orchestrator`";
    Err(match (general.is_empty(), special.is_empty()) {
        (true, true) => format!("{for_general} and one by another name for the `{domain}`"),
        (true, false) => for_general.to_owned(),
        (false, true) => format!("an approval for the `{domain}`"),
        // One person can't approve for both.
        (false, false) if general.len() == 1 && general == special => {
            let besides = general.into_iter().collect::<String>();
            format!("{for_general} or the `{domain}` by somebody besides `{besides}`")
        }
        (false, false) => return Ok(()),
    })
}

#[cfg(test)]
mod tests;
