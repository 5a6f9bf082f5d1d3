//! A server with one migrated database and a tenant, and whoever asks in it.

use std::path::Path;
use std::sync::Arc;

use jiff::{Timestamp, ToSpan as _};
use oldhand_pg::access::{Access, Caller};
use oldhand_pg::admin::{self, NewCredential, NewStore, StoreAccess};
use oldhand_pg::database::{Database, Settings};
use oldhand_pg::migrate;
use oldhand_team::door::key::{self, ServerKey, Use};
use oldhand_team::door::limits::LimitSettings;
use oldhand_team::door::tickets::Guest;
use oldhand_team::door::{Door, DoorSettings};
use oldhand_team::metrics::Metrics;
use oldhand_team::server::router;
use oldhand_team::visitor::{Entrance, PrincipalKind, Scope, Visitor};
use oldhand_testkit::postgres::{Durability, Programs, Server};
use tokio_postgres::{Client, Config, NoTls};

use crate::client;

pub(crate) struct Bed {
    pub server: Server,
    pub runtime: tokio::runtime::Runtime,
    pub database: Database,
    pub tenant: i32,
}

const SERVER_ROLE: &str = "oldhand_server";
const OWNER: &str = "postgres";

impl Bed {
    pub(crate) fn new(programs: &Programs) -> Self {
        let server = programs.start(Durability::None).expect("PostgreSQL starts");
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .expect("a runtime");
        let owner = config(server.socket(), OWNER);
        runtime.block_on(migrate::run_at(&owner)).expect("the schema is made");
        let settings = Settings::new(config(server.socket(), SERVER_ROLE));
        let database = Database::new(settings, runtime.handle().clone()).expect("a pool");
        let bed = Self { server, runtime, database, tenant: 0 };
        let tenant =
            bed.as_owner(async |client| admin::create_tenant(client, "acme").await.expect("made"));
        Self { tenant, ..bed }
    }

    /// Runs as who owns the tables.
    pub(crate) fn as_owner<T>(&self, run: impl AsyncFnOnce(&mut Client) -> T) -> T {
        let config = config(self.server.socket(), OWNER);
        self.runtime.block_on(async {
            let (mut client, connection) = config.connect(NoTls).await.expect("a connection");
            let driver = tokio::spawn(connection);
            let answer = run(&mut client).await;
            drop(client);
            let _ = driver.await;
            answer
        })
    }

    pub(crate) fn access(&self) -> Access<'_> {
        let caller = Caller { tenant: self.tenant, stores: Vec::new(), principal: None };
        Access::new(&self.database, caller)
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
        let settings = Settings::new(config(self.server.socket(), SERVER_ROLE));
        let database = Database::new(settings, self.runtime.handle().clone()).expect("a pool");
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

fn config(socket: &Path, role: &str) -> Config {
    let mut config = Config::new();
    config.host_path(socket).user(role).dbname("postgres");
    config
}
