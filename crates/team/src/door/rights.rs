//! What a request needs, as data, and whether a visitor has it. Pure: the table of routes is tested against it
//! for every role, scope and kind.

use oldhand_pg::admin::StoreAccess;

use super::refusal::Refusal;
use crate::visitor::{Role, Scope, Visitor};

/// What a route asks of its visitor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// To be let in.
    Entry,
    /// A scope, and a role in each store that the request names.
    Store(Scope, Role),
    /// The same, said by a person: promoting, settling, deciding.
    Person(Scope, Role),
    /// The scope `memory:admin`, which only administrators of the tenant have.
    Tenant,
}

impl Need {
    pub const READ: Self = Self::Store(Scope::Read, Role::Reader);
    pub const WRITE: Self = Self::Store(Scope::Write, Role::Writer);
    pub const REVIEW: Self = Self::Person(Scope::Review, Role::Reviewer);
    pub const MAINTAIN: Self = Self::Person(Scope::Review, Role::Maintainer);

    pub fn scope(self) -> Option<Scope> {
        match self {
            Self::Entry => None,
            Self::Store(scope, _) | Self::Person(scope, _) => Some(scope),
            Self::Tenant => Some(Scope::Admin),
        }
    }

    pub fn role(self) -> Option<Role> {
        match self {
            Self::Entry | Self::Tenant => None,
            Self::Store(_, role) | Self::Person(_, role) => Some(role),
        }
    }
}

/// Whether a visitor may do this in the store of that name, or at all where a request names none. A store that
/// is not theirs is not there: the answer never tells which.
pub fn may(visitor: &Visitor, store: Option<&str>, need: Need) -> Result<(), Refusal> {
    if let Some(scope) = need.scope().filter(|scope| !visitor.scopes.contains(scope)) {
        return Err(Refusal::Scope(scope));
    }
    let theirs = store.map(|name| find(visitor, name)).transpose()?;
    if let (Some(wanted), Some(theirs)) = (need.role(), theirs) {
        let role = Role::parse(&theirs.role).ok_or(Refusal::NotThere)?;
        if role < wanted {
            return Err(Refusal::Role(wanted));
        }
    }
    match need {
        Need::Person(..) if !visitor.is_person() => Err(Refusal::NoPerson),
        _ => Ok(()),
    }
}

/// A store by its name, if it is one of the visitor's.
pub fn find<'v>(visitor: &'v Visitor, name: &str) -> Result<&'v StoreAccess, Refusal> {
    visitor.stores.iter().find(|it| it.name == name).ok_or(Refusal::NotThere)
}

#[cfg(test)]
mod tests;
