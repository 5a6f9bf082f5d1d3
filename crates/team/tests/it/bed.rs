//! A server with one migrated database and a tenant, and whoever asks in it.

use std::path::Path;
use std::sync::Arc;

use oldhand_pg::access::{Access, Caller};
use oldhand_pg::admin::{self, NewStore, StoreAccess};
use oldhand_pg::database::{Database, Settings};
use oldhand_pg::migrate;
use oldhand_team::visitor::{Entrance, PrincipalKind, Scope, Visitor};
use oldhand_testkit::postgres::{Durability, Programs, Server};
use tokio_postgres::{Client, Config, NoTls};

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

fn config(socket: &Path, role: &str) -> Config {
    let mut config = Config::new();
    config.host_path(socket).user(role).dbname("postgres");
    config
}
