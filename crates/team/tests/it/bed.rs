//! A server with one migrated database and a tenant, and whoever asks in it.

use std::ops::Deref;
use std::sync::Arc;

use jiff::{Timestamp, ToSpan as _};
use oldhand_pg::access::Access;
use oldhand_pg::admin::{NewCredential, NewStore, StoreAccess};
use oldhand_team::door::key::{self, ServerKey, Use};
use oldhand_team::door::limits::LimitSettings;
use oldhand_team::door::tickets::Guest;
use oldhand_team::door::{Door, DoorSettings};
use oldhand_team::metrics::Metrics;
use oldhand_team::server::router;
use oldhand_team::visitor::{Entrance, PrincipalKind, Scope, Visitor};
use oldhand_testkit::postgres::Programs;

use crate::client;

#[expect(dead_code, reason = "what the tests of `crates/pg` use too")]
#[path = "../../../pg/tests/it/bed.rs"]
mod base;

pub(crate) struct Bed(base::Bed);

impl Deref for Bed {
    type Target = base::Bed;

    fn deref(&self) -> &base::Bed {
        &self.0
    }
}

impl Bed {
    pub(crate) fn new(programs: &Programs) -> Self {
        Self(base::Bed::new(programs))
    }

    pub(crate) fn access(&self) -> Access<'_> {
        Access::new(&self.database, self.caller(&[]))
    }

    pub(crate) fn new_store(&self, name: &str, level: &str) -> i32 {
        let truth = "server";
        self.access().create_store(&NewStore { name, level, truth }).expect("a store")
    }

    pub(crate) fn new_principal(&self, kind: &str, name: &str, roles: &[(i32, &str)]) -> i32 {
        let access = self.access();
        let principal = access.create_principal(kind, name).expect("a principal");
        for (store, role) in roles {
            access.grant(*store, principal, role).expect("granted");
        }
        principal
    }

    /// A person with a token that may decide.
    pub(crate) fn person(&self, name: &str, roles: &[(i32, &str)]) -> Arc<Visitor> {
        let principal = self.new_principal("person", name, roles);
        Arc::new(Visitor {
            tenant: self.tenant,
            principal,
            name: name.to_owned(),
            kind: PrincipalKind::Person,
            entrance: Entrance::Token("of a test".to_owned()),
            scopes: Scope::ALL.to_vec(),
            stores: self.stores_of(principal),
        })
    }

    pub(crate) fn stores_of(&self, principal: i32) -> Vec<StoreAccess> {
        self.access().stores_of(principal).expect("readable")
    }
}

/// The whole server, on an address of its own.
pub(crate) struct Open {
    pub door: Arc<Door>,
    pub address: String,
}

impl Bed {
    fn key() -> ServerKey {
        ServerKey::parse(&"7".repeat(64)).expect("a key")
    }

    /// A token of a principal, with these scopes.
    pub(crate) fn token(&self, principal: i32, scopes: &[&str]) -> String {
        let (token, id) = (key::new_token().expect("made"), key::uuid().expect("made"));
        let hash = Self::key().hash(Use::Token, &token);
        let (credential, expires_at) = (id.as_str(), Timestamp::now() + 24.hours());
        let new =
            NewCredential { credential, principal, hash: &hash, scopes, stores: None, expires_at };
        self.access().create_credential(&new).expect("made");
        token
    }

    pub(crate) fn open(&self) -> Open {
        let database = self.another();
        self.runtime.block_on(async {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("listens");
            let address = format!("http://{}", listener.local_addr().expect("an address"));
            let limits = LimitSettings::default();
            let settings = DoorSettings { address: address.clone(), limits };
            let metrics = Arc::new(Metrics::new());
            let door = Door::new(database, Self::key(), None, metrics, settings).expect("a door");
            let door = Arc::new(door);
            let router = router(&door, &Default::default());
            tokio::spawn(async move { axum::serve(listener, router).await });
            Open { door, address }
        })
    }

    /// A browser that came with a ticket: what it sends as its cookie.
    pub(crate) fn sign_in(&self, open: &Open, principal: i32) -> String {
        let ticket = open.door.tickets.issue(Guest { tenant: self.tenant, principal });
        let ticket = ticket.expect("made");
        let answer = client::post_form(
            &format!("{}/enter", open.address),
            &[("origin", &open.address)],
            &[("ticket", &ticket)],
        );
        assert_eq!(answer.status, 200, "{}", answer.body);
        let line = answer.header("set-cookie").to_owned();
        line.split(';').next().expect("a cookie").to_owned()
    }
}
