//! `oldhand-team admin` and `migrate`: administration from the shell of the server.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use oldhand_pg::admin::{NewStore, create_tenant, set_limits};
use oldhand_pg::database::{Database, Settings};
use oldhand_pg::migrate;
use serde_json::{Value as Json, json};
use tokio::runtime::{Builder, Runtime};
use tokio_postgres::Config;

use super::Trouble;
use super::deeds::Administrator;
use super::tokens::{DAYS_DEFAULT, NewToken, OVERLAP_HOURS_DEFAULT};
use crate::door::key::ServerKey;

/// Administer tenants, people, stores and tokens
#[derive(Debug, Args)]
pub struct AdminArgs {
    /// The database, as `postgres://oldhand_server@host/name`
    #[arg(long, env = "OLDHAND_TEAM_DATABASE", hide_env_values = true, global = true)]
    database: Option<String>,
    /// The same with the role that owns the tables; only tenants and limits need it
    #[arg(long, env = "OLDHAND_TEAM_OWNER_DATABASE", hide_env_values = true, global = true)]
    owner_database: Option<String>,
    /// The file with the server's key
    #[arg(long, env = "OLDHAND_TEAM_KEY_FILE", global = true)]
    key_file: Option<PathBuf>,
    /// The tenant by its name
    #[arg(long, env = "OLDHAND_TEAM_TENANT", global = true)]
    tenant: Option<String>,
    /// Print the answer as JSON
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// The key that tokens are hashed with
    #[command(subcommand)]
    Key(KeyDeed),
    /// Organisations; they share nothing
    #[command(subcommand)]
    Tenant(TenantDeed),
    /// People, agents, CI and groups
    #[command(subcommand)]
    Principal(PrincipalDeed),
    /// Stores of a tenant
    #[command(subcommand)]
    Store(StoreDeed),
    /// Give access to a store, or take it
    #[command(subcommand)]
    Grant(GrantDeed),
    /// Tokens of agents, CI and command lines
    #[command(subcommand)]
    Token(TokenDeed),
    /// What was done, line by line
    Audit {
        /// Check that no line was changed or taken out
        #[arg(long)]
        verify: bool,
        /// Lines behind this one
        #[arg(long, default_value_t = 0)]
        after: i64,
    },
    /// Take a memory or a person out of every table
    #[command(subcommand)]
    Erase(EraseDeed),
    /// Write a store as files that `oldhand` opens
    Export { store: String, folder: PathBuf },
    /// Every reason not to work with this database, each with what to do
    Check,
    /// Compare every memory with its last event, and check the audit
    Verify { store: Option<String> },
}

#[derive(Debug, Subcommand)]
enum KeyDeed {
    /// Make a new key in a file that only you can read
    Create { path: PathBuf },
}

#[derive(Debug, Subcommand)]
enum TenantDeed {
    Create {
        name: String,
    },
    /// How much each store of the tenant may hold
    Limits {
        #[arg(long)]
        memories: Option<i64>,
        #[arg(long)]
        bytes: Option<i64>,
    },
}

#[derive(Debug, Subcommand)]
enum PrincipalDeed {
    Create {
        name: String,
        /// `person`, `agent`, `ci` or `group`; a group has the name that the identity provider gives it
        #[arg(long)]
        kind: String,
        /// Administers the tenant
        #[arg(long)]
        admin: bool,
    },
    List,
    /// Nothing of theirs counts any more
    Disable {
        name: String,
    },
    Enable {
        name: String,
    },
    /// Let somebody administer the tenant
    Admin {
        name: String,
        /// Take it back
        #[arg(long)]
        remove: bool,
    },
}

#[derive(Debug, Subcommand)]
enum StoreDeed {
    Create {
        name: String,
        /// `org`, `team`, `repository` or `person`
        #[arg(long)]
        level: String,
        /// `server`, or `git` for the mirror of a repository
        #[arg(long, default_value = "server")]
        truth: String,
    },
    List,
}

#[derive(Debug, Subcommand)]
enum GrantDeed {
    /// `reader`, `writer`, `reviewer` or `maintainer`; each may do what those before it may
    Give {
        store: String,
        principal: String,
        role: String,
    },
    Take {
        store: String,
        principal: String,
    },
    List {
        store: String,
    },
}

#[derive(Debug, Subcommand)]
enum TokenDeed {
    /// Print a new token: this once, and never again
    Create {
        principal: String,
        /// `memory:read`, `memory:write`, `memory:review` or `memory:admin`; again for more
        #[arg(long = "scope", default_value = "memory:read")]
        scopes: Vec<String>,
        /// Only these stores; without it all that the principal has access to
        #[arg(long = "store")]
        stores: Vec<String>,
        /// How long it lasts
        #[arg(long, default_value_t = DAYS_DEFAULT)]
        days: u32,
    },
    List {
        #[arg(long)]
        of: Option<String>,
    },
    /// End a token at once, on all servers
    Revoke { id: String },
    /// Replace a token; the old one counts for some hours more
    Rotate {
        id: String,
        #[arg(long, default_value_t = DAYS_DEFAULT)]
        days: u32,
        /// Hours
        #[arg(long, default_value_t = OVERLAP_HOURS_DEFAULT)]
        overlap: u32,
    },
}

#[derive(Debug, Subcommand)]
enum EraseDeed {
    Memory { store: String, id: String },
    Person { name: String },
}

/// Bring the schema up to date, with the role that owns the tables
#[derive(Debug, Args)]
pub struct MigrateArgs {
    #[arg(long, env = "OLDHAND_TEAM_OWNER_DATABASE", hide_env_values = true)]
    owner_database: Option<String>,
}

pub(super) fn config(address: Option<&str>, option: &str, role: &str) -> Result<Config, Trouble> {
    let address = address.ok_or_else(|| {
        let hint = format!("add `--{option} postgres://{role}@host/name`");
        Trouble::asked(format!("`--{option}` is missing"), hint)
    })?;
    // The address may hold a password: what is wrong with it is not repeated.
    address.parse().map_err(|_| {
        let hint = format!("write it as `postgres://{role}@host/name`");
        Trouble::asked(format!("`--{option}` is no address of a database"), hint)
    })
}

impl MigrateArgs {
    pub fn run(&self) -> Result<Json, Trouble> {
        let runtime = runtime()?;
        let config = config(self.owner_database.as_deref(), "owner-database", "owner")?;
        let applied = runtime.block_on(migrate::run_at(&config))?;
        Ok(json!({ "applied": applied }))
    }
}

impl AdminArgs {
    pub fn is_json(&self) -> bool {
        self.json
    }

    pub fn run(&self) -> Result<Json, Trouble> {
        let runtime = &runtime()?;
        // For the lines that name who used the shell; nothing is decided by it.
        let user = std::env::var("USER").unwrap_or_else(|_| "administrator".to_owned());
        if let What::Key(KeyDeed::Create { path }) = &self.what {
            ServerKey::create(path).map_err(|error| {
                let message = format!("could not make `{}`: {error}", path.display());
                Trouble::asked(message, "name a file that is not there; a key in use must stay")
            })?;
            return Ok(json!({ "key_file": path.display().to_string() }));
        }
        if let What::Tenant(TenantDeed::Create { name }) = &self.what {
            self.as_owner(runtime, async |client| create_tenant(client, name).await)?;
            return Ok(json!({ "tenant": name }));
        }
        let config = config(self.database.as_deref(), "database", "oldhand_server")?;
        let settings = Settings { connections_max: 2, ..Settings::new(config) };
        let database = Database::new(settings, runtime.handle().clone())?;
        if matches!(self.what, What::Check) {
            let problems = database.check()?;
            return Ok(json!({ "is_whole": problems.is_empty(), "problems": problems }));
        }
        let tenant = self.tenant(&database)?;
        let key = self.key_file.as_deref().map(ServerKey::load).transpose();
        let key = key.map_err(|text| Trouble::asked(text, "see docs/team/operate.md"))?;
        let administrator = Administrator {
            database: &database,
            key: key.as_ref(),
            tenant,
            principal: None,
            name: &user,
        };
        match &self.what {
            What::Tenant(TenantDeed::Limits { memories, bytes }) => {
                let limits = json!({ "memories": memories, "bytes": bytes });
                let text = limits.to_string();
                self.as_owner(runtime, async |client| set_limits(client, tenant, &text).await)?;
                administrator
                    .outside()
                    .audit("settings", &json!({ "did": "limits", "limits": limits }))?;
                Ok(limits)
            }
            what => run(what, &administrator),
        }
    }

    fn tenant(&self, database: &Database) -> Result<i32, Trouble> {
        let name = self.tenant.as_deref().ok_or_else(|| {
            Trouble::asked("`--tenant` is missing", "add the name that `tenant create` was given")
        })?;
        database.tenant_named(name)?.ok_or_else(|| {
            let hint = format!("make it with `oldhand-team admin tenant create {name}`");
            Trouble::missing(format!("there is no tenant `{name}`"), hint)
        })
    }

    fn as_owner<T>(
        &self,
        runtime: &Runtime,
        run: impl AsyncFnOnce(&mut tokio_postgres::Client) -> Result<T, oldhand_pg::error::PgError>,
    ) -> Result<T, Trouble> {
        let config = config(self.owner_database.as_deref(), "owner-database", "owner")?;
        Ok(runtime.block_on(migrate::with_client(&config, run))?)
    }
}

fn run(what: &What, by: &Administrator<'_>) -> Result<Json, Trouble> {
    match what {
        What::Key(_) | What::Tenant(_) | What::Check => Ok(Json::Null),
        What::Principal(deed) => match deed {
            PrincipalDeed::Create { name, kind, admin } => by.create_principal(kind, name, *admin),
            PrincipalDeed::List => by.principals(),
            PrincipalDeed::Disable { name } => by.set_disabled(name, true),
            PrincipalDeed::Enable { name } => by.set_disabled(name, false),
            PrincipalDeed::Admin { name, remove } => by.set_admin(name, !remove),
        },
        What::Store(StoreDeed::Create { name, level, truth }) => {
            by.create_store(&NewStore { name, level, truth })
        }
        What::Store(StoreDeed::List) => by.stores(),
        What::Grant(deed) => match deed {
            GrantDeed::Give { store, principal, role } => by.grant(store, principal, role),
            GrantDeed::Take { store, principal } => by.ungrant(store, principal),
            GrantDeed::List { store } => by.access(store),
        },
        What::Token(deed) => token(deed, by),
        What::Audit { verify: true, .. } => by.verify_audit(),
        What::Audit { after, .. } => by.audit(*after),
        What::Erase(EraseDeed::Memory { store, id }) => by.erase_memory(store, id),
        What::Erase(EraseDeed::Person { name }) => by.erase_person(name),
        What::Export { store, folder } => by.export_to(store, folder),
        What::Verify { store } => by.verify(store.as_deref()),
    }
}

fn token(deed: &TokenDeed, by: &Administrator<'_>) -> Result<Json, Trouble> {
    match deed {
        TokenDeed::Create { principal, scopes, stores, days } => {
            let (principal, scopes, stores) = (principal.clone(), scopes.clone(), stores.clone());
            by.create_token(&NewToken { principal, scopes, stores, days: *days })
        }
        TokenDeed::List { of } => {
            let of = of.as_deref().map(|name| by.principal_named(name)).transpose()?;
            by.tokens(of.map(|it| it.principal))
        }
        TokenDeed::Revoke { id } => by.revoke_token(id),
        TokenDeed::Rotate { id, days, overlap } => by.rotate_token(id, *days, *overlap),
    }
}

pub(super) fn runtime() -> Result<Runtime, Trouble> {
    let made = Builder::new_multi_thread().worker_threads(1).enable_all().build();
    made.map_err(|error| Trouble::World(error.to_string()))
}

/// Prints what became of a deed. A finding ends with 1, an error with 2.
pub fn report(is_json: bool, answer: Result<Json, Trouble>) -> ExitCode {
    match answer {
        Ok(answer) => {
            let text = if is_json { format!("{answer}\n") } else { text(&answer) };
            // Nobody reads a pipe that is closed.
            let _ = std::io::stdout().write_all(text.as_bytes());
            ExitCode::from(u8::from(answer["is_whole"] == json!(false)))
        }
        Err(trouble) => {
            let text = format!("error: {}\nhint: {}\n", trouble.message(), trouble.hint());
            // The exit code says it too.
            let _ = std::io::stderr().write_all(text.as_bytes());
            ExitCode::from(2)
        }
    }
}

/// An answer for people: a line per field, a table per list.
fn text(answer: &Json) -> String {
    let mut lines = Vec::new();
    for (name, value) in answer.as_object().into_iter().flatten() {
        match value.as_array() {
            Some(rows) if rows.iter().any(Json::is_object) => {
                lines.extend(rows.iter().map(|row| {
                    let cells = row.as_object().into_iter().flatten();
                    cells.map(|(_, cell)| plain(cell)).collect::<Vec<_>>().join("\t")
                }));
            }
            Some(rows) if name == "problems" => {
                lines.extend(rows.iter().map(|row| format!("problem: {}", plain(row))));
            }
            _ => lines.push(format!("{name}: {}", plain(value))),
        }
    }
    lines.join("\n") + "\n"
}

fn plain(value: &Json) -> String {
    match value {
        Json::Null => "-".to_owned(),
        Json::String(text) => text.clone(),
        Json::Array(all) => all.iter().map(plain).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}
