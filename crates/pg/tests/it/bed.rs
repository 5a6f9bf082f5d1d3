//! A server with one migrated database, a tenant, and as many stores as a test wants.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use jiff::Timestamp;
use oldhand_core::kind::Kinds;
use oldhand_core::policy::TrustPolicy;
use oldhand_pg::access::{Access, Caller};
use oldhand_pg::admin::{self, NewStore};
use oldhand_pg::database::{Database, Settings};
use oldhand_pg::migrate;
use oldhand_pg::vault::PgVault;
use oldhand_pg::worker::{Rules, Worker};
use oldhand_store::index::Embedder;
use oldhand_store::ulid::Entropy;
use oldhand_testkit::postgres::{Durability, Programs, Server};
use oldhand_testkit::small_disk::SmallDisk;
use oldhand_text::hash::ContentHash;
use tokio_postgres::{Client, Config, NoTls};

pub(crate) struct Bed {
    pub server: Server,
    pub runtime: tokio::runtime::Runtime,
    pub database: Database,
    pub tenant: i32,
    pub kinds: Kinds,
    pub entropy: Counting,
    pub trust: TrustPolicy,
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
        Self::on(programs.start(durability).expect("PostgreSQL starts"))
    }

    /// The cluster takes 40 MB, its log 64 at the most.
    pub(crate) fn on_small_disk(programs: &Programs, disk: &SmallDisk) -> Self {
        let server =
            programs.start_in(&disk.path(), Durability::Full, &[]).expect("PostgreSQL starts");
        let bed = Self::on(server);
        bed.as_owner(async |client| {
            for line in [
                "alter system set max_wal_size = '64MB'",
                "alter system set min_wal_size = '32MB'",
                "select pg_reload_conf()",
                "checkpoint",
            ] {
                client.batch_execute(line).await.expect("set");
            }
        });
        bed
    }

    pub(crate) fn on(server: Server) -> Self {
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
            trust: TrustPolicy::default(),
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

    /// Connects as the server's role until the database has no place left but those for superusers.
    pub(crate) fn take_all_connections(&self) -> Vec<Client> {
        let config = config(self.server.socket(), SERVER_ROLE);
        let mut held = Vec::new();
        self.runtime.block_on(async {
            while let Ok((client, connection)) = config.connect(NoTls).await {
                tokio::spawn(connection);
                held.push(client);
            }
        });
        held
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

    pub(crate) fn worker<'a>(&'a self, embedder: Option<&'a dyn Embedder>) -> Worker<'a> {
        Worker { database: &self.database, rules: &|_| Rules::default(), embedder }
    }

    /// Puts a file in place without a write, as whoever mirrors a repository would.
    pub(crate) fn put(&self, store: i32, path: &str, text: &str) {
        let (folder, name) = path.split_once('/').expect("a folder");
        let (id, hash) =
            (name.trim_end_matches(".md"), ContentHash::of(text.as_bytes()).to_string());
        self.as_owner(async |client| {
            let transaction = client.transaction().await.expect("begins");
            let next = "update store set revision = revision + 1 where tenant = $1 and store = $2 returning revision";
            let row = transaction.query_one(next, &[&self.tenant, &store]).await.expect("a store");
            let revision: i64 = row.get(0);
            let put = "insert into memory (tenant, store, path, folder, id, text, hash, revision) \
                 values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (tenant, store, path) \
                 do update set text = excluded.text, hash = excluded.hash, revision = excluded.revision returning no";
            let row = transaction
                .query_one(put, &[&self.tenant, &store, &path, &folder, &id, &text, &hash, &revision])
                .await
                .expect("put");
            let job = "insert into job (tenant, store, no, revision) values ($1, $2, $3, $4) \
                 on conflict (tenant, store, no) do update set revision = excluded.revision, not_before = now()";
            let no: i64 = row.get(0);
            transaction.execute(job, &[&self.tenant, &store, &no, &revision]).await.expect("a job");
            transaction.commit().await.expect("ends");
        });
    }

    /// Returns when somebody waits for a lock.
    pub(crate) fn wait_for_a_waiter(&self) {
        let waiting = "select count(*) from pg_stat_activity where wait_event_type = 'Lock'";
        self.as_owner(async |client| {
            while client.query_one(waiting, &[]).await.expect("readable").get::<_, i64>(0) == 0 {
                tokio::task::yield_now().await;
            }
        });
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
