//! Every need with every role, set of scopes, kind and entrance: what comes of it is written down a second time
//! here, as sentences, and must be the same (R411).

use oldhand_pg::admin::StoreAccess;

use super::{Need, may};
use crate::door::refusal::Refusal;
use crate::visitor::{Entrance, PrincipalKind, Role, Scope, Visitor};

const NEEDS: [Need; 7] = [
    Need::Entry,
    Need::READ,
    Need::WRITE,
    Need::REVIEW,
    Need::MAINTAIN,
    Need::Store(Scope::Review, Role::Writer),
    Need::Tenant,
];
const KINDS: [PrincipalKind; 3] = [PrincipalKind::Person, PrincipalKind::Agent, PrincipalKind::Ci];

fn entrances() -> [Entrance; 3] {
    [Entrance::Token("a".to_owned()), Entrance::OAuth, Entrance::Browser]
}

/// All 16 sets.
fn scopes() -> impl Iterator<Item = Vec<Scope>> {
    (0..16_u32).map(|bits| {
        let has = |at: &usize| bits & (1 << at) != 0;
        (0..4).filter(has).map(|at| Scope::ALL[at]).collect()
    })
}

fn visitor(role: Role, scopes: Vec<Scope>, kind: PrincipalKind, entrance: Entrance) -> Visitor {
    let mine = StoreAccess {
        store: 1,
        name: "mine".to_owned(),
        level: "team".to_owned(),
        truth: "server".to_owned(),
        role: role.name().to_owned(),
    };
    Visitor {
        tenant: 1,
        principal: 1,
        name: "ada".to_owned(),
        kind,
        entrance,
        scopes,
        stores: vec![mine],
    }
}

fn all() -> Vec<Visitor> {
    let mut visitors = Vec::new();
    for role in Role::ALL {
        for scopes in scopes() {
            for kind in KINDS {
                for entrance in entrances() {
                    visitors.push(visitor(role, scopes.clone(), kind, entrance));
                }
            }
        }
    }
    visitors
}

#[test]
fn every_need_with_every_visitor() {
    let mut let_in = 0;
    for who in all() {
        let role = Role::parse(&who.stores[0].role).expect("a role");
        for need in NEEDS {
            let has_scope = need.scope().is_none_or(|it| who.scopes.contains(&it));
            let has_role = need.role().is_none_or(|it| role >= it);
            let needs_person = matches!(need, Need::Person(..));
            let want = match (has_scope, has_role) {
                (false, _) => Err(Refusal::Scope(need.scope().expect("one was missing"))),
                (true, false) => Err(Refusal::Role(need.role().expect("one was missing"))),
                (true, true) if needs_person && !who.is_person() => Err(Refusal::NoPerson),
                (true, true) => Ok(()),
            };
            let_in += usize::from(want.is_ok());
            assert_eq!(may(&who, Some("mine"), need), want, "{need:?} {who:?}");
        }
    }
    assert!(let_in > 500, "the table lets somebody in: {let_in}");
}

#[test]
fn a_store_of_others_is_not_there_for_anybody() {
    for who in all() {
        for need in NEEDS {
            let refused = may(&who, Some("theirs"), need).expect_err("not theirs");
            let has_scope = need.scope().is_none_or(|it| who.scopes.contains(&it));
            // Without the scope it is not even looked for.
            assert_eq!(refused == Refusal::NotThere, has_scope, "{need:?} {who:?}");
        }
    }
}

/// Only a person in a browser, or a token of a person that may review.
#[test]
fn no_agent_speaks_as_a_person() {
    for who in all().into_iter().filter(|who| may(who, Some("mine"), Need::REVIEW).is_ok()) {
        assert_eq!(who.kind, PrincipalKind::Person);
        assert_ne!(who.entrance, Entrance::OAuth);
    }
}
