//! The database: a pool of connections, and what must hold of a server before anybody relies on it.

use std::sync::Arc;
use std::time::Duration;

use deadpool_postgres::{
    Manager, ManagerConfig, Object, Pool, PoolError, RecyclingMethod, Runtime, Timeouts,
};
use tokio::runtime::Handle;
use tokio::sync::Mutex;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Config, NoTls, Row};

use crate::error::{PgError, is_short};
use crate::migrate;
use crate::near::NearPolicy;
use crate::sql;
use crate::tls::{is_socket, tls};

/// The oldest server, as `server_version_num` has it.
const SERVER_MIN: i32 = 160_000;
const VECTOR_MIN: (u32, u32) = (0, 8);

/// How long a caller waits for a connection, and for a new one to open.
const CONNECT_WAIT: Duration = Duration::from_secs(10);
const CONNECT_AGAIN_AFTER: Duration = Duration::from_millis(20);

pub struct Settings {
    /// Where and who; hosts, ports and passwords as in a `postgres://` address.
    pub config: Config,
    /// The most connections at a time.
    pub connections_max: usize,
    /// How long a write waits for another one.
    pub lock_wait: Duration,
    /// What a single statement may take.
    pub statement_max: Duration,
    pub near: NearPolicy,
}

impl Settings {
    pub fn new(config: Config) -> Self {
        Self {
            config,
            connections_max: 16,
            lock_wait: Duration::from_secs(10),
            statement_max: Duration::from_secs(30),
            near: NearPolicy::default(),
        }
    }
}

/// Shared by all threads of a server; a clone uses the same connections.
#[derive(Clone)]
pub struct Database {
    pool: Pool,
    runtime: Handle,
    /// Callers who were told that the database has no connection left.
    line: Arc<Mutex<()>>,
    pub(crate) lock_wait: Duration,
    pub(crate) statement_max: Duration,
    pub(crate) near: NearPolicy,
    watch: Option<Watch>,
}

/// Hears of each write how long it took, and how long it waited for the store.
pub type Watch = Arc<dyn Fn(Duration, Duration) + Send + Sync>;

impl Database {
    /// Opens no connection yet. `runtime` drives the connections.
    pub fn new(settings: Settings, runtime: Handle) -> Result<Self, PgError> {
        let manager_config = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        let config = settings.config;
        let manager = match config.get_hosts().iter().all(is_socket) {
            true => Manager::from_config(config, NoTls, manager_config),
            false => Manager::from_config(config, tls()?, manager_config),
        };
        let wait = Some(CONNECT_WAIT);
        let pool = Pool::builder(manager)
            .max_size(settings.connections_max)
            .timeouts(Timeouts { wait, create: wait, recycle: wait })
            .runtime(Runtime::Tokio1)
            .build()
            .map_err(|error| PgError::refused(error.to_string()))?;
        let (lock_wait, statement_max) = (settings.lock_wait, settings.statement_max);
        let near = settings.near;
        let line = Arc::default();
        Ok(Self { pool, runtime, line, lock_wait, statement_max, near, watch: None })
    }

    /// Waits for a future from a thread that is none of the runtime's.
    pub(crate) fn block_on<F: Future>(&self, future: F) -> F::Output {
        self.runtime.block_on(future)
    }

    pub(crate) async fn client(&self) -> Result<Object, PgError> {
        if self.line.try_lock().is_ok() {
            match self.pool.get().await {
                Err(PoolError::Backend(error)) if is_short(&error) => {}
                got => return Ok(got?),
            }
        }
        let waited = tokio::time::timeout(CONNECT_WAIT, self.client_in_line()).await;
        waited.unwrap_or_else(|_| Err(PgError::busy()))
    }

    /// Others have the last connections of the database, perhaps callers of this pool. Whoever came first gets the
    /// first that is given back.
    async fn client_in_line(&self) -> Result<Object, PgError> {
        let _turn = self.line.lock().await;
        loop {
            match self.pool.get().await {
                Err(PoolError::Backend(error)) if is_short(&error) => {
                    tokio::time::sleep(CONNECT_AGAIN_AFTER).await;
                }
                got => return Ok(got?),
            }
        }
    }

    /// The same connections with other patience: how long a statement may take, and a wait for a lock.
    pub fn with_patience(&self, statement_max: Duration, lock_wait: Duration) -> Self {
        Self { statement_max, lock_wait, ..self.clone() }
    }

    /// The same connections, with another idea of when an index chooses what is near.
    pub fn with_near(&self, near: NearPolicy) -> Self {
        Self { near, ..self.clone() }
    }

    /// The same connections, and somebody who hears of each write.
    pub fn with_watch(&self, watch: Watch) -> Self {
        Self { watch: Some(watch), ..self.clone() }
    }

    pub(crate) fn tell_of_write(&self, took: Duration, waited: Duration) {
        if let Some(watch) = &self.watch {
            watch(took, waited);
        }
    }

    /// How many connections are open, and how many of them idle.
    pub fn connections(&self) -> (usize, usize) {
        let status = self.pool.status();
        (status.size, status.available)
    }

    /// Every reason not to work with this database, each with what to do about it.
    pub fn check(&self) -> Result<Vec<String>, PgError> {
        self.block_on(async {
            let client = self.client().await?;
            let row = client.query_one(sql::SERVER_FACTS, &[]).await?;
            let mut problems = facts_problems(&row);
            problems.extend(migrate::problem(&client).await?);
            Ok(problems)
        })
    }
}

fn facts_problems(row: &Row) -> Vec<String> {
    let mut problems = Vec::new();
    let version: i32 = row.get("version");
    if version < SERVER_MIN {
        problems.push(format!("PostgreSQL is {}: use 16 or later", version / 10_000));
    }
    let vector: Option<String> = row.get("vector");
    if vector.as_deref().and_then(pair).is_none_or(|version| version < VECTOR_MIN) {
        problems.push(match vector {
            Some(found) => format!(
                "pgvector is {found}: install 0.8 or later, then run `alter extension vector update`"
            ),
            None => "pgvector is not in this database: install 0.8 or later, then run \
                     `create extension vector` as a superuser"
                .to_owned(),
        });
    }
    for setting in ["fsync", "full_page_writes", "synchronous_commit"] {
        if row.get::<_, String>(setting) == "off" {
            problems.push(format!(
                "`{setting}` is off, so acknowledged writes can be lost: set it to on"
            ));
        }
    }
    if row.get("bypasses") {
        problems.push("the role bypasses row security: use `oldhand_server`".to_owned());
    }
    if row.get("owns") {
        problems.push(
            "the role owns tables, or belongs to one that does: use `oldhand_server`".to_owned(),
        );
    }
    let open: Vec<String> = row.get("open");
    if !open.is_empty() {
        let open = open.join("`, `");
        problems.push(format!(
            "row security is not forced on `{open}`: run `alter table … force row level security`"
        ));
    }
    problems
}

fn pair(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// What a statement takes for one of its places.
pub(crate) type Value<'v> = &'v (dyn ToSql + Sync);

/// Runs one statement, which is prepared once per connection. That it is a constant is checked here: no
/// statement is made from text.
pub(crate) async fn query(
    client: &Object,
    statement: &'static str,
    values: &[Value<'_>],
) -> Result<Vec<Row>, PgError> {
    let prepared = client.prepare_cached(statement).await?;
    Ok(Client::query(client, &prepared, values).await?)
}

/// The same for one that gives no rows; returns how many it changed.
pub(crate) async fn execute(
    client: &Object,
    statement: &'static str,
    values: &[Value<'_>],
) -> Result<u64, PgError> {
    let prepared = client.prepare_cached(statement).await?;
    Ok(Client::execute(client, &prepared, values).await?)
}
