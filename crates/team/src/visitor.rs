//! Who asks: what the door found out about a request before anything else looks at it.

use oldhand_pg::access::Caller;
use oldhand_pg::admin::StoreAccess;

/// Whoever made a request, and what they may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visitor {
    pub tenant: i32,
    pub principal: i32,
    pub name: String,
    pub kind: PrincipalKind,
    pub entrance: Entrance,
    pub scopes: Vec<Scope>,
    /// Only those that this request may use.
    pub stores: Vec<StoreAccess>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrincipalKind {
    Person,
    Agent,
    Ci,
}

/// How a request came in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entrance {
    /// A token of ours, by its id.
    Token(String),
    /// A token of the customer's identity provider.
    OAuth,
    /// Somebody who signed in with a browser.
    Browser,
}

/// What a token may be used for, whatever its owner may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    Read,
    Write,
    Review,
    Admin,
}

/// What a principal may do in one store; each includes those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    Reader,
    Writer,
    Reviewer,
    Maintainer,
}

impl Visitor {
    /// The same for the database: it shows only these stores.
    pub fn caller(&self) -> Caller {
        let stores = self.stores.iter().map(|it| it.store).collect();
        Caller { tenant: self.tenant, stores, principal: Some(self.principal) }
    }

    /// Whether what is said here is a person's word. A person's token in an agent's hands is not.
    pub fn is_person(&self) -> bool {
        let has_signed_in = match self.entrance {
            Entrance::Browser => true,
            Entrance::Token(_) => self.scopes.contains(&Scope::Review),
            Entrance::OAuth => false,
        };
        self.kind == PrincipalKind::Person && has_signed_in
    }
}

impl Scope {
    pub const ALL: [Self; 4] = [Self::Read, Self::Write, Self::Review, Self::Admin];

    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "memory:read",
            Self::Write => "memory:write",
            Self::Review => "memory:review",
            Self::Admin => "memory:admin",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == text)
    }
}

impl Role {
    pub const ALL: [Self; 4] = [Self::Reader, Self::Writer, Self::Reviewer, Self::Maintainer];

    pub fn name(self) -> &'static str {
        match self {
            Self::Reader => "reader",
            Self::Writer => "writer",
            Self::Reviewer => "reviewer",
            Self::Maintainer => "maintainer",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == text)
    }
}
