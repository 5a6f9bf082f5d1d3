//! A PostgreSQL of one's own, the server in front of it as a process, and whoever asks there.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use oldhand_pg::access::{Access, Caller};
use oldhand_pg::admin::{self, NewStore};
use oldhand_pg::database::{Database, Settings};
use oldhand_pg::migrate;
use oldhand_postgres::{Durability, Programs, Server};
use oldhand_store::ulid::{Entropy as _, SystemEntropy};
use serde_json::Value;
use tokio::runtime::Runtime;
use tokio_postgres::{Client, Config, NoTls};
use ureq::Agent;

use crate::{Outcome, gauge};

const SERVER_ROLE: &str = "oldhand_server";
pub(crate) const OWNER: &str = "postgres";
/// What a database of this size is given; the rest is as it comes.
const SETTINGS: &[&str] = &[
    "shared_buffers=1GB",
    "max_wal_size=8GB",
    "maintenance_work_mem=2GB",
    "log_line_prefix=@%p ",
    "jit=off",
];

pub(crate) struct House {
    pub server: Server,
    pub runtime: Runtime,
    pub owner: Client,
    pub database: Database,
    pub tenant: i32,
    pub postmaster: u32,
    folder: tempfile::TempDir,
    programs: PathBuf,
}

impl House {
    pub(crate) fn open(programs: &Path) -> Outcome<Self> {
        let found = Programs::find().ok_or("there is no PostgreSQL: run `cargo xtask pg`")?;
        let server = found.start_in(&std::env::temp_dir(), Durability::Full, SETTINGS)?;
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let owner = config(server.socket(), OWNER);
        runtime.block_on(migrate::run_at(&owner))?;
        let mut owner = connect(&runtime, &owner)?;
        let tenant = runtime.block_on(admin::create_tenant(&mut owner, "acme"))?;
        let settings = Settings::new(config(server.socket(), SERVER_ROLE));
        let database = Database::new(settings, runtime.handle().clone())?;
        let folder = tempfile::tempdir()?;
        let postmaster = gauge::postmaster(server.socket())?;
        let programs = programs.to_owned();
        let house = Self { server, runtime, owner, database, tenant, postmaster, folder, programs };
        house.admin("acme", &["key", "create", &house.key().display().to_string()])?;
        Ok(house)
    }

    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.programs.join(name)
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A plain connection, and the process that serves it.
    pub(crate) fn connect(&self, role: &str) -> Outcome<(Client, u32)> {
        let client = connect(&self.runtime, &config(self.server.socket(), role))?;
        let row = self.runtime.block_on(client.query_one("select pg_backend_pid()", &[]))?;
        Ok((client, u32::try_from(row.get::<_, i32>(0))?))
    }

    /// The pool once more, for connections with the settings that its role has now.
    pub(crate) fn pool(&self) -> Outcome<Database> {
        let settings = Settings::new(config(self.server.socket(), SERVER_ROLE));
        Ok(Database::new(settings, self.runtime.handle().clone())?)
    }

    pub(crate) fn another_tenant(&mut self, name: &str) -> Outcome<i32> {
        Ok(self.runtime.block_on(admin::create_tenant(&mut self.owner, name))?)
    }

    pub(crate) fn caller(&self, tenant: i32, stores: Vec<i32>) -> Caller {
        Caller { tenant, stores, principal: None }
    }

    pub(crate) fn new_store(
        &self,
        tenant: i32,
        (name, level, truth): (&str, &str, &str),
    ) -> Outcome<i32> {
        let access = Access::new(&self.database, self.caller(tenant, Vec::new()));
        let store = access.create_store(&NewStore { name, level, truth })?;
        // More memories of one kind than a store keeps in force, as many benchmarks of files have them.
        let config =
            "update store set settings = jsonb_build_object('config', $2::text) where store = $1";
        let text = "[limits]\nmax_memories_per_kind = 0\n";
        self.runtime.block_on(self.owner.execute(config, &[&store, &text]))?;
        Ok(store)
    }

    /// An agent that may write into these stores, with tokens of its own: each may ask 600 times a minute.
    pub(crate) fn agent(
        &self,
        (id, tenant): (i32, &str),
        name: &str,
        stores: &[i32],
        tokens: usize,
    ) -> Outcome<Vec<String>> {
        let access = Access::new(&self.database, self.caller(id, Vec::new()));
        let principal = access.create_principal("agent", name)?;
        for store in stores {
            access.grant(*store, principal, "writer")?;
        }
        let scopes = ["--scope", "memory:read", "--scope", "memory:write"];
        let create = [&["--json", "token", "create", name][..], &scopes[..]].concat();
        let token = |_| {
            let said: Value = serde_json::from_str(&self.admin(tenant, &create)?)?;
            Ok(said["token"].as_str().ok_or("no token was made")?.to_owned())
        };
        (0..tokens).map(token).collect()
    }

    fn key(&self) -> PathBuf {
        self.folder.path().join("key")
    }

    fn address(&self) -> String {
        format!("host={} user={SERVER_ROLE} dbname=postgres", self.server.socket().display())
    }

    /// `oldhand-team admin` in that tenant.
    fn admin(&self, tenant: &str, arguments: &[&str]) -> Outcome<String> {
        let mut command = Command::new(self.program("oldhand-team"));
        command.arg("admin").args(["--tenant", tenant, "--database", &self.address()]);
        let output = command.arg("--key-file").arg(self.key()).args(arguments).output()?;
        match output.status.success() {
            true => Ok(String::from_utf8(output.stdout)?),
            false => Err(String::from_utf8_lossy(&output.stderr).into_owned().into()),
        }
    }

    /// The vector indexes that `oldhand-team indexes` finds due.
    pub(crate) fn make_indexes(&self) -> Outcome<()> {
        let owner = format!("host={} user={OWNER} dbname=postgres", self.server.socket().display());
        let mut command = Command::new(self.program("oldhand-team"));
        let output = command.args(["indexes", "--owner-database", &owner]).output()?;
        match output.status.success() {
            true => Ok(()),
            false => Err(String::from_utf8_lossy(&output.stderr).into_owned().into()),
        }
    }

    /// One statement as the owner.
    pub(crate) fn sql(&self, statement: &str) -> Outcome<()> {
        Ok(self.runtime.block_on(self.owner.batch_execute(statement))?)
    }

    pub(crate) fn number(&self, statement: &str) -> Outcome<i64> {
        Ok(self.runtime.block_on(self.owner.query_one(statement, &[]))?.get(0))
    }

    pub(crate) fn database_cpu(&self) -> Outcome<f64> {
        Ok(gauge::ms(gauge::database_cpu(self.postmaster)?))
    }

    pub(crate) fn serve(&self, workers: usize) -> Outcome<Served> {
        // A port that is free now.
        let port = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let address = format!("http://127.0.0.1:{port}");
        let mut command = Command::new(self.program("oldhand-team"));
        command.arg("serve").args(["--listen", &format!("127.0.0.1:{port}")]);
        command
            .args(["--database", &self.address(), "--workers", &workers.to_string()])
            .arg("--key-file")
            .arg(self.key())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn()?;
        let output = child.stdout.take().ok_or("no standard output")?;
        let mut served = Served { child, address };
        let mut line = String::new();
        if BufReader::new(output).read_line(&mut line)? == 0 {
            return Err(format!("the server did not start: {}", served.child.wait()?).into());
        }
        Ok(served)
    }
}

/// `oldhand-team serve`, until this is dropped.
pub(crate) struct Served {
    child: Child,
    pub address: String,
}

impl Served {
    pub(crate) fn cpu(&self) -> Outcome<f64> {
        Ok(gauge::ms(gauge::cpu(self.child.id())?))
    }

    pub(crate) fn recall(&self, agent: &Agent, token: &str, (store, task): (&str, &str)) -> Reply {
        let body = serde_json::json!({ "task": task });
        self.post(agent, token, (&format!("/v1/recall?store={store}"), None), &body)
    }

    pub(crate) fn remember(
        &self,
        agent: &Agent,
        token: &str,
        (store, kind, text, key): (&str, &str, &str, &str),
    ) -> Reply {
        let body = serde_json::json!({ "kind": kind, "text": text });
        self.post(agent, token, (&format!("/v1/memories?store={store}"), Some(key)), &body)
    }

    fn post(
        &self,
        agent: &Agent,
        token: &str,
        (route, key): (&str, Option<&str>),
        body: &Value,
    ) -> Reply {
        let mut request = agent
            .post(format!("{}{route}", self.address))
            .header("authorization", format!("Bearer {token}"))
            .header("content-type", "application/json");
        if let Some(key) = key {
            request = request.header("idempotency-key", key);
        }
        let broken = |error: ureq::Error| No { said: error.to_string(), again_after: None };
        let mut answer = request.send(body.to_string()).map_err(broken)?;
        let text = answer.body_mut().read_to_string().map_err(broken)?;
        match answer.status().as_u16() {
            200 | 201 => Ok(text),
            status => {
                let start: String = text.chars().take(300).collect();
                let after = answer.headers().get("retry-after").and_then(|it| it.to_str().ok());
                let again_after = after.filter(|_| status == 429).and_then(|it| it.parse().ok());
                Err(No { said: format!("status {status}: {start}"), again_after })
            }
        }
    }
}

/// The body, or what was answered instead.
pub(crate) type Reply = Result<String, No>;

#[derive(Debug)]
pub(crate) struct No {
    pub said: String,
    /// Seconds after which a busy server wants to be asked again.
    pub again_after: Option<u64>,
}

impl std::fmt::Display for No {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.said)
    }
}

impl std::error::Error for No {}

/// The key of a write, which its repetitions have too.
pub(crate) fn idempotency_key() -> String {
    let digits = format!("{:032x}", SystemEntropy.next());
    let (a, b, c, d) = (&digits[..8], &digits[8..12], &digits[13..16], &digits[20..]);
    format!("{a}-{b}-4{c}-8{}-{d}", &digits[17..20])
}

impl Drop for Served {
    fn drop(&mut self) {
        // It holds nothing that is not in the database.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A client that keeps its connection.
pub(crate) fn agent() -> Agent {
    Agent::config_builder()
        .http_status_as_error(false)
        .proxy(None)
        .timeout_global(Some(std::time::Duration::from_secs(60)))
        .build()
        .into()
}

fn config(socket: &Path, role: &str) -> Config {
    let mut config = Config::new();
    config.host_path(socket).user(role).dbname("postgres");
    config
}

fn connect(runtime: &Runtime, config: &Config) -> Outcome<Client> {
    let (client, connection) = runtime.block_on(config.connect(NoTls))?;
    runtime.spawn(connection);
    Ok(client)
}
