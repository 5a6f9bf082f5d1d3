//! A server with one migrated database, a tenant, and as many stores as a test wants.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use jiff::Timestamp;
use oldhand_core::kind::Kinds;
use oldhand_pg::access::{Access, Caller};
use oldhand_pg::admin::{self, NewStore};
use oldhand_pg::database::{Database, Settings};
use oldhand_pg::migrate;
use oldhand_pg::vault::PgVault;
use oldhand_store::ulid::Entropy;
use oldhand_testkit::postgres::{Durability, Programs, Server};
use tokio_postgres::{Client, Config, NoTls};

pub(crate) struct Bed {
    pub server: Server,
    pub runtime: tokio::runtime::Runtime,
    pub database: Database,
    pub tenant: i32,
    pub kinds: Kinds,
    pub entropy: Counting,
}

#[derive(Default)]
pub(crate) struct Counting(AtomicU64);

impl Entropy for Counting {
    fn next(&self) -> u128 {
        u128::from(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

const SERVER_ROLE: &str = "oldhand_server";
const OWNER: &str = "postgres";

impl Bed {
    pub(crate) fn new(programs: &Programs) -> Self {
        Self::with(programs, Durability::None)
    }

    pub(crate) fn with(programs: &Programs, durability: Durability) -> Self {
        let server = programs.start(durability).expect("PostgreSQL starts");
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .expect("a runtime");
        let owner = config(server.socket(), OWNER);
        runtime.block_on(migrate::run_at(&owner)).expect("the schema is made");
        let database = open(server.socket(), &runtime);
        let bed = Self {
            server,
            runtime,
            database,
            tenant: 0,
            kinds: Kinds::default(),
            entropy: Counting::default(),
        };
        let tenant = bed.create_tenant("acme");
        Self { tenant, ..bed }
    }

    pub(crate) fn create_tenant(&self, name: &str) -> i32 {
        self.as_owner(async |client| admin::create_tenant(client, name).await.expect("a tenant"))
    }

    /// Runs as who owns the tables.
    pub(crate) fn as_owner<T>(&self, run: impl AsyncFnOnce(&mut Client) -> T) -> T {
        self.connected(OWNER, run)
    }

    /// Runs as the server does, over a connection of its own.
    pub(crate) fn as_server<T>(&self, run: impl AsyncFnOnce(&mut Client) -> T) -> T {
        self.connected(SERVER_ROLE, run)
    }

    fn connected<T>(&self, role: &str, run: impl AsyncFnOnce(&mut Client) -> T) -> T {
        let config = config(self.server.socket(), role);
        self.runtime.block_on(async {
            let (mut client, connection) = config.connect(NoTls).await.expect("a connection");
            let driver = tokio::spawn(connection);
            let answer = run(&mut client).await;
            drop(client);
            let _ = driver.await;
            answer
        })
    }

    /// Another pool to the same database, as a second server has.
    pub(crate) fn another(&self) -> Database {
        self.through(self.server.socket())
    }

    /// The same over another socket.
    pub(crate) fn through(&self, socket: &Path) -> Database {
        open(socket, &self.runtime)
    }

    pub(crate) fn caller(&self, stores: &[i32]) -> Caller {
        Caller { tenant: self.tenant, stores: stores.to_vec(), principal: None }
    }

    pub(crate) fn new_store(&self) -> i32 {
        let name = format!("store {}", self.entropy.next());
        let access = Access::new(&self.database, self.caller(&[]));
        let new = NewStore { name: &name, level: "team", truth: "server" };
        access.create_store(&new).expect("a store")
    }

    pub(crate) fn vault<'a>(&'a self, access: &'a Access<'a>, store: i32) -> PgVault<'a> {
        PgVault {
            access,
            store,
            kinds: &self.kinds,
            entropy: &self.entropy,
            now: Timestamp::UNIX_EPOCH,
        }
    }

    /// A new store, as its vault.
    pub(crate) fn with_vault<T>(&self, run: impl FnOnce(&PgVault<'_>) -> T) -> T {
        let store = self.new_store();
        let access = Access::new(&self.database, self.caller(&[store]));
        run(&self.vault(&access, store))
    }
}

fn config(socket: &Path, role: &str) -> Config {
    let mut config = Config::new();
    config.host_path(socket).user(role).dbname("postgres");
    config
}

fn open(socket: &Path, runtime: &tokio::runtime::Runtime) -> Database {
    let mut settings = Settings::new(config(socket, SERVER_ROLE));
    settings.lock_wait = Duration::from_secs(20);
    settings.connections_max = 20;
    Database::new(settings, runtime.handle().clone()).expect("a pool")
}
