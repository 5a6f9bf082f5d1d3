//! Which store a memory belongs to: by its scope, its audience and the decision policy (R113).

use oldhand_core::kind::Kind;
use oldhand_core::origin::Audience;
use oldhand_core::policy::WritePolicy;
use oldhand_core::scope::Scope;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// The user's own store.
    User,
    Project,
    /// Decisions that are only examples go to the notes of the session.
    SessionNotes,
}

pub fn placement(
    kind: &Kind,
    audience: Option<Audience>,
    scope: Option<&Scope>,
    policy: &WritePolicy,
) -> Placement {
    if *kind == Kind::Decision && policy.decisions_example_only {
        return Placement::SessionNotes;
    }
    match (scope, audience) {
        (Some(Scope::Global), _) => Placement::User,
        (Some(_), _) => Placement::Project,
        // What is about the person follows the person.
        (None, Some(Audience::User)) => Placement::User,
        (None, _) => Placement::Project,
    }
}

#[cfg(test)]
mod tests;
