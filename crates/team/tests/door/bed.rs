//! A server with a migrated database, a tenant with two stores, and the door on an address of its own.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use axum::Router;
use axum::extract::{Path as Named, State};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use http::request::Parts;
use jiff::{Timestamp, ToSpan as _};
use oldhand_pg::access::Access;
use oldhand_pg::admin::{NewCredential, NewStore};
use oldhand_team::door::key::{self, ServerKey, Use};
use oldhand_team::door::limits::LimitSettings;
use oldhand_team::door::provider::Provider;
use oldhand_team::door::refusal::Refusal;
use oldhand_team::door::rights::{Need, may};
use oldhand_team::door::{Door, DoorSettings, Way, routes};
use oldhand_team::metrics::Metrics;
use oldhand_team::ops::Operations;
use oldhand_testkit::postgres::{Durability, Programs, Server};

pub(crate) const KEY: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

#[expect(dead_code, reason = "what the tests of `crates/pg` use too")]
#[path = "../../../pg/tests/it/bed.rs"]
mod base;

pub(crate) struct Bed {
    base: base::Bed,
    /// `payments` and `search`.
    pub(crate) stores: [i32; 2],
}

impl Deref for Bed {
    type Target = base::Bed;

    fn deref(&self) -> &base::Bed {
        &self.base
    }
}

impl DerefMut for Bed {
    fn deref_mut(&mut self) -> &mut base::Bed {
        &mut self.base
    }
}

/// A door that listens.
pub(crate) struct Open {
    pub(crate) door: Arc<Door>,
    pub(crate) address: String,
}

impl Bed {
    pub(crate) fn new(programs: &Programs) -> Self {
        Self::with(programs, Durability::None)
    }

    pub(crate) fn with(programs: &Programs, durability: Durability) -> Self {
        let mut bed = Self { base: base::Bed::with(programs, durability), stores: [0; 2] };
        let access = bed.access(&[]);
        let store = |name| {
            let new = NewStore { name, level: "team", truth: "server" };
            access.create_store(&new).expect("a store")
        };
        bed.stores = [store("payments"), store("search")];
        bed
    }

    /// The same tenant on another server, whose database is there already.
    pub(crate) fn at(self, server: Server) -> Self {
        let database = self.through(server.socket());
        Self { base: base::Bed { server, database, ..self.base }, ..self }
    }

    /// One statement of the owner; how many rows it changed.
    pub(crate) fn sql(&self, statement: &str) -> u64 {
        self.as_owner(async |client| client.execute(statement, &[]).await.expect("it runs"))
    }

    pub(crate) fn access(&self, stores: &[i32]) -> Access<'_> {
        Access::new(&self.database, self.caller(stores))
    }

    pub(crate) fn key(&self) -> ServerKey {
        ServerKey::parse(KEY).expect("a key")
    }

    /// A token, and its id.
    pub(crate) fn token(
        &self,
        of: i32,
        scopes: &[&str],
        stores: Option<&[i32]>,
    ) -> (String, String) {
        self.token_until(of, scopes, stores, Timestamp::now() + 24.hours())
    }

    pub(crate) fn token_until(
        &self,
        principal: i32,
        scopes: &[&str],
        stores: Option<&[i32]>,
        expires_at: Timestamp,
    ) -> (String, String) {
        let (token, id) = (key::new_token().expect("made"), key::uuid().expect("made"));
        let hash = self.key().hash(Use::Token, &token);
        let new =
            NewCredential { credential: &id, principal, hash: &hash, scopes, stores, expires_at };
        self.access(&[]).create_credential(&new).expect("made");
        (token, id)
    }

    pub(crate) fn open(&self, provider: Option<Provider>) -> Open {
        self.open_with(provider, LimitSettings::default())
    }

    /// The whole server.
    pub(crate) fn open_server(&self, limits: LimitSettings) -> Open {
        self.listening(None, limits, |door| oldhand_team::server::router(door, &Default::default()))
    }

    /// The door with a few routes behind it, over a pool of its own, as another server has.
    pub(crate) fn open_with(&self, provider: Option<Provider>, limits: LimitSettings) -> Open {
        self.listening(provider, limits, |door| {
            let operations =
                Operations { database: door.database.clone(), metrics: door.metrics.clone() };
            Router::new()
                .route("/mcp", any(mcp))
                .route("/mcp/token", any(mcp_token))
                .route("/v1/read/{store}", any(read))
                .route("/page", any(page))
                .with_state(door.clone())
                .merge(routes::routes(door.clone()))
                .merge(oldhand_team::admin::routes::routes(door.clone()))
                .merge(oldhand_team::ops::routes(operations))
        })
    }

    fn listening(
        &self,
        provider: Option<Provider>,
        limits: LimitSettings,
        router: impl FnOnce(&Arc<Door>) -> Router,
    ) -> Open {
        let database = self.another();
        self.runtime.block_on(async {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("listens");
            let address = format!("http://{}", listener.local_addr().expect("an address"));
            let settings = DoorSettings { address: address.clone(), limits };
            let metrics = Arc::new(Metrics::new());
            let door = Door::new(database, self.key(), provider, metrics, settings);
            let door = Arc::new(door.expect("a door"));
            let router = router(&door);
            tokio::spawn(async move { axum::serve(listener, router).await });
            Open { door, address }
        })
    }
}

async fn who(door: Arc<Door>, way: Way, parts: Parts, store: Option<&str>) -> Response {
    let visitor = match door.enter(way, &parts).await {
        Ok(visitor) => visitor,
        Err(refusal) => return refusal.into_response(),
    };
    let _place = door.place(&visitor).await.expect("a place");
    let may: Result<(), Refusal> = may(&visitor, store, Need::READ);
    match may {
        Ok(()) => format!("{visitor:?}").into_response(),
        Err(refusal) => refusal.into_response(),
    }
}

async fn mcp(State(door): State<Arc<Door>>, parts: Parts) -> Response {
    who(door, Way::Mcp, parts, None).await
}

async fn mcp_token(State(door): State<Arc<Door>>, parts: Parts) -> Response {
    who(door, Way::McpToken, parts, None).await
}

async fn read(
    State(door): State<Arc<Door>>,
    Named(store): Named<String>,
    parts: Parts,
) -> Response {
    who(door, Way::Rest, parts, Some(&store)).await
}

async fn page(State(door): State<Arc<Door>>, parts: Parts) -> Response {
    who(door, Way::Browser, parts, None).await
}
