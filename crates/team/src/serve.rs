//! `oldhand-team serve`: what has to be right before the server listens, and what runs beside it.

use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use clap::Args;
use oldhand_desk::meaning;
use oldhand_http::{Limits, bind, end_signal, serve_until};
use oldhand_pg::database::{Database, Settings};
use oldhand_pg::worker::{Rules, Worker};
use oldhand_store::index::Embedder;
use tokio::runtime::{Builder, Runtime};
use tokio_postgres::Config;
use tokio_util::sync::CancellationToken;

use crate::admin::indexes::NearArgs;
use crate::dev::{self, tell};
use crate::door::key::ServerKey;
use crate::door::limits::LimitSettings;
use crate::door::provider::{Client, Provider, ProviderSettings};
use crate::door::{Door, DoorSettings};
use crate::ground::settings_of;
use crate::metrics::Metrics;
use crate::ops::{self, Operations};
use crate::server;

const CONNECTIONS: Limits = Limits { connections: 1024 };
/// A worker that found nothing to do looks again.
const WORKER_PAUSE: Duration = Duration::from_secs(2);
/// The model by which all stores of a server are compared.
const MODEL: &str = "minilm";

/// Serve a team: REST, MCP and the dashboard over PostgreSQL
#[derive(Debug, Args)]
pub struct ServeArgs {
    /// Try it: a private PostgreSQL, a tenant with two repositories, a token; all of it goes at the end
    #[arg(long, conflicts_with_all = ["database", "key_file", "address"])]
    dev: bool,
    /// The database, as `postgres://oldhand_server@host/name`
    #[arg(long, env = "OLDHAND_TEAM_DATABASE", hide_env_values = true)]
    database: Option<String>,
    /// Where to listen; TLS is the proxy's in front
    #[arg(long, default_value = "127.0.0.1:8640")]
    listen: SocketAddr,
    /// How people and clients reach it, such as `https://memory.example.com`
    #[arg(long, env = "OLDHAND_TEAM_ADDRESS")]
    address: Option<String>,
    /// A proxy with TLS is in front
    #[arg(long)]
    behind_proxy: bool,
    /// The file with the server's key
    #[arg(long, env = "OLDHAND_TEAM_KEY_FILE")]
    key_file: Option<PathBuf>,
    /// Where to answer for health and metrics, which are not for the world
    #[arg(long)]
    operations: Option<SocketAddr>,
    /// Threads that index and embed; 0 where another process does
    #[arg(long, default_value_t = 1)]
    workers: usize,
    /// The most connections to the database
    #[arg(long, default_value_t = 16)]
    connections: usize,
    /// The most calls at the same time; by default one per processor, and at most half of the connections. More are of
    /// use where the database has a machine of its own
    #[arg(long)]
    calls: Option<usize>,
    #[command(flatten)]
    near: NearArgs,
    #[command(flatten)]
    provider: ProviderArgs,
}

#[derive(Debug, Args)]
struct ProviderArgs {
    /// The identity provider, as its tokens name it
    #[arg(long, env = "OLDHAND_TEAM_ISSUER", requires = "tenant")]
    issuer: Option<String>,
    /// The tenant whose people the provider knows
    #[arg(long, env = "OLDHAND_TEAM_TENANT")]
    tenant: Option<String>,
    /// Other hosts that answer for the provider; repeatable
    #[arg(long = "provider-host")]
    provider_hosts: Vec<String>,
    /// What the dashboard signs in as
    #[arg(long, env = "OLDHAND_TEAM_CLIENT_ID", requires = "issuer")]
    client_id: Option<String>,
    /// The file with its secret
    #[arg(long, requires = "client_id")]
    client_secret_file: Option<PathBuf>,
    /// Where a token names the groups of its person
    #[arg(long, default_value = "groups")]
    groups_claim: String,
}

/// Why the server does not start, each with what to do about it.
struct Refused(Vec<String>);

impl Refused {
    fn one(problem: impl Into<String>) -> Self {
        Self(vec![problem.into()])
    }
}

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Self {
        Self::one(error.to_string())
    }
}

impl ServeArgs {
    pub fn run(&self) -> ExitCode {
        tracing_subscriber::fmt().with_writer(io::stderr).init();
        let served = if self.dev { self.try_out() } else { self.serve() };
        let Err(Refused(problems)) = served else { return ExitCode::SUCCESS };
        for problem in problems {
            // Whoever does not read it sees the exit code.
            let _ = writeln!(io::stderr(), "error: {problem}");
        }
        ExitCode::from(2)
    }

    fn try_out(&self) -> Result<(), Refused> {
        let runtime = runtime()?;
        let address = format!("http://localhost:{}", self.listen.port());
        let trial = dev::Trial::make(&runtime, &address).map_err(Refused::one)?;
        // The private server goes with it.
        self.listen_with(&runtime, &trial.door, || trial.tell())
    }

    fn serve(&self) -> Result<(), Refused> {
        let wanted = |what: &str, hint: &str| Refused::one(format!("{what} is missing: {hint}"));
        let text = self.database.as_deref().ok_or_else(|| {
            wanted("`--database`", "`oldhand-team serve --dev` tries it without one")
        })?;
        // Without the reason, which may quote a part of a password.
        let config = text.parse::<Config>().map_err(|_| {
            let hint = "write it as `postgres://oldhand_server@host/name`, and other characters than letters \
                        and digits in a password as `%40`";
            Refused::one(format!("`--database` is no address of a database: {hint}"))
        })?;
        let key = self.key_file.as_deref().ok_or_else(|| {
            wanted("`--key-file`", "make one with `oldhand-team admin key create <file>`")
        })?;
        let key = ServerKey::load(key).map_err(Refused::one)?;
        let local = format!("http://{}", self.listen);
        let address = self.address.clone().unwrap_or(local);
        let runtime = runtime()?;
        let mut settings = Settings::new(config);
        settings.connections_max = self.connections.max(2);
        settings.near = self.near.policy();
        let database = Database::new(settings, runtime.handle().clone())
            .map_err(|error| Refused::one(error.text))?;
        let mut problems = ops::listen_problems(self.listen, &address, self.behind_proxy);
        match database.check() {
            Ok(found) => problems.extend(found),
            Err(error) => {
                problems
                    .push(format!("the database can't be asked: {error}; look at `--database`"));
            }
        }
        if !problems.is_empty() {
            return Err(Refused(problems));
        }
        let provider = self.provider.provider().map_err(Refused::one)?;
        if let Some(Err(unfit)) = provider.as_ref().map(Provider::prepare) {
            // Tokens count without it, and it is asked again by whoever signs in.
            tracing::error!(
                ?unfit,
                "the identity provider can't be asked: look at `--issuer` and `--provider-host`"
            );
        }
        let limits = LimitSettings::default();
        // An answer that writes may read over a second connection.
        let by_default = limits.calls.min(self.connections / 2);
        let limits = LimitSettings { calls: self.calls.unwrap_or(by_default), ..limits };
        let settings = DoorSettings { address, limits };
        let metrics = Arc::new(Metrics::new());
        let door = Door::new(database, key, provider, metrics, settings).map_err(Refused::one)?;
        self.listen_with(&runtime, &Arc::new(door), || {})
    }

    /// Until a signal to end.
    fn listen_with(
        &self,
        runtime: &Runtime,
        door: &Arc<Door>,
        ready: impl FnOnce(),
    ) -> Result<(), Refused> {
        let ending = CancellationToken::new();
        let workers: Vec<_> = (0..self.workers)
            .map(|_| {
                let (database, ending) = (door.database.clone(), ending.clone());
                thread::spawn(move || work(&database, &ending))
            })
            .collect();
        runtime.block_on(async {
            let listener = bind(self.listen).await?;
            let router = server::router(door, &ending);
            let audit = tokio::spawn(ops::keep_audit(door.database.clone()));
            if let Some(address) = self.operations {
                let (database, metrics) = (door.database.clone(), door.metrics.clone());
                let routes = ops::routes(Operations { database, metrics });
                let (listener, ending) = (bind(address).await?, ending.clone());
                let end = ending.clone().cancelled_owned();
                tokio::spawn(serve_until(listener, routes, CONNECTIONS, ending, end));
            }
            let end = end_signal()?;
            let end = async {
                tell(&format!("serving {}", door.address()));
                ready();
                end.await;
            };
            serve_until(listener, router, CONNECTIONS, ending.clone(), end).await;
            audit.abort();
            Ok::<_, io::Error>(())
        })?;
        ending.cancel();
        for worker in workers {
            // One that panicked has said so.
            let _ = worker.join();
        }
        Ok(())
    }
}

impl ProviderArgs {
    fn provider(&self) -> Result<Option<Provider>, String> {
        let (Some(issuer), Some(tenant)) = (&self.issuer, &self.tenant) else { return Ok(None) };
        let secret = self.client_secret_file.as_ref().map(|path| {
            let text = std::fs::read_to_string(path);
            text.map(|it| it.trim().to_owned())
                .map_err(|error| format!("could not read `{}`: {error}", path.display()))
        });
        let secret = secret.transpose()?;
        let client = self.client_id.clone().map(|id| Client { id, secret });
        let settings = ProviderSettings {
            issuer: issuer.clone(),
            hosts: self.provider_hosts.clone(),
            tenant: tenant.clone(),
            client,
            groups_claim: self.groups_claim.clone(),
        };
        Provider::new(settings).map(Some)
    }
}

fn runtime() -> io::Result<Runtime> {
    Builder::new_multi_thread().enable_all().build()
}

/// A configuration that can't be used declares nothing: whoever asks is told what is wrong with it.
fn rules_of(config: &str) -> Rules {
    let settings = settings_of((Path::new("config.toml"), config), &[])
        .map(|resolved| resolved.settings)
        .unwrap_or_default();
    Rules { kinds: settings.kinds, trust: settings.trust }
}

/// Indexes what was written, until the end.
fn work(database: &Database, ending: &CancellationToken) {
    let meaning = meaning::open(MODEL);
    if let Err(why) = &meaning {
        tracing::warn!(why, "the worker indexes words alone");
    }
    let embedder = meaning.as_ref().ok().map(|it| it as &dyn Embedder);
    let worker = Worker { database, rules: &rules_of, embedder };
    while !ending.is_cancelled() {
        match worker.run_once() {
            Ok(0) => thread::sleep(WORKER_PAUSE),
            Ok(_) => {}
            Err(error) => {
                tracing::warn!(error = %error, "the worker waits for the database");
                thread::sleep(WORKER_PAUSE);
            }
        }
    }
}
