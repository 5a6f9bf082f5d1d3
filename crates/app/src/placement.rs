//! Which store a memory belongs to: by its scope, its audience and the decision policy (R113).

use oldhand_core::origin::Audience;
use oldhand_core::policy::WritePolicy;

use crate::prelude::*;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// The user's own store.
    User,
    Project,
    /// Meant for every project by somebody who is no person: it stays in its own, or waits in the
    /// user's store as a candidate, until a person lifts it.
    Confined,
    /// Decisions that are only examples go to the notes of the session.
    SessionNotes,
}

impl Placement {
    /// Only a person's word reaches every project.
    pub fn said_by(self, is_person: bool) -> Self {
        if self == Self::User && !is_person { Self::Confined } else { self }
    }
}

/// Where a draft belongs. `is_global` says outright that the user's own store is meant; only a
/// person's word reaches every project.
pub fn placement_of(
    draft: &Draft,
    kind: &Kind,
    policy: &WritePolicy,
    is_global: bool,
    is_person: bool,
) -> Result<Placement, Problem> {
    let text = |key: &str| draft.get(key).and_then(Yaml::as_text);
    let scope = text("scope").map(Scope::parse).transpose()?;
    let audience = text("audience").map(Audience::parse).transpose()?;
    let placed = match placement(kind, audience, scope.as_ref(), policy) {
        Placement::SessionNotes => Placement::SessionNotes,
        _ if is_global => Placement::User,
        other => other,
    };
    Ok(placed.said_by(is_person))
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
