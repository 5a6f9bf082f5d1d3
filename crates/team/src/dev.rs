//! `serve --dev`: everything that it takes to look at the server on this machine, made in a few seconds and gone at
//! the end.

use std::io::{self, Write as _};
use std::sync::Arc;

use jiff::{Timestamp, ToSpan as _};
use oldhand_desk::desk::GlobalFlags;
use oldhand_desk::desks::Desks as _;
use oldhand_pg::access::{Access, Caller};
use oldhand_pg::admin::{self, NewCredential, NewStore};
use oldhand_pg::database::{Database, Settings};
use oldhand_pg::migrate;
use oldhand_postgres::{Durability, Programs, Server};
use tokio::runtime::Runtime;
use tokio_postgres::Config;

use crate::desks::PgDesks;
use crate::door::key::{self, ServerKey, Use};
use crate::door::limits::LimitSettings;
use crate::door::routes::TICKET_PATH;
use crate::door::tickets::Guest;
use crate::door::{Door, DoorSettings};
use crate::metrics::Metrics;
use crate::visitor::{Entrance, PrincipalKind, Scope, Visitor};

const TENANT: &str = "dev";
const PERSON: &str = "ada";
/// Each with its level, and what is remembered there, by kind, title and text.
const STORES: &[(&str, &str, &[[&str; 3]])] = &[
    (
        "shop",
        "repository",
        &[
            [
                "decision",
                "Keep money in integer cents",
                "All amounts are integers of the smallest unit.",
            ],
            ["runbook", "Release the shop", "Tag the commit, wait for CI, run the release job."],
        ],
    ),
    (
        "search",
        "repository",
        &[
            [
                "decision",
                "Index products at night",
                "The index of products is rebuilt at two o'clock.",
            ],
            [
                "lesson",
                "Warm the cache before a release",
                "A cold cache made the first minute slow.",
            ],
        ],
    ),
    (
        "acme",
        "org",
        &[["constraint", "No card numbers in logs", "Never write a card number into a log."]],
    ),
    ("ada's own", "person", &[]),
];

/// If nobody reads it, the server serves all the same.
pub(crate) fn tell(line: &str) {
    let _ = writeln!(io::stdout(), "{line}");
}

/// A private database, with a door to it.
pub(crate) struct Trial {
    /// Gone when this is.
    _server: Server,
    pub(crate) door: Arc<Door>,
    tenant: i32,
    principal: i32,
    token: String,
}

impl Trial {
    pub(crate) fn make(runtime: &Runtime, address: &str) -> Result<Self, String> {
        let folder = oldhand_postgres::folder();
        oldhand_postgres::make(&folder, &mut tell).map_err(|it| format!("{it}; {}", it.hint))?;
        let programs = Programs::at(&folder).ok_or("PostgreSQL was not made ready")?;
        let server = programs.start(Durability::None).map_err(|error| error.to_string())?;
        let config = |role: &str| {
            let mut config = Config::new();
            config.host_path(server.socket()).user(role).dbname("postgres");
            config
        };
        let owner = config("postgres");
        let tenant = runtime.block_on(async {
            migrate::run_at(&owner).await?;
            migrate::with_client(&owner, async |it| admin::create_tenant(it, TENANT).await).await
        });
        let tenant = tenant.map_err(|error| error.text)?;
        let settings = Settings::new(config("oldhand_server"));
        let database = Database::new(settings, runtime.handle().clone());
        let database = database.map_err(|error| error.text)?;
        let digits = key::random().map_err(|error| error.to_string())?;
        let key = ServerKey::parse(&digits).ok_or("there is no key")?;
        let (principal, token) = furnish(&database, tenant, &key)?;
        let limits = LimitSettings::default();
        let settings = DoorSettings { address: address.to_owned(), limits };
        let door = Door::new(database, key, None, Arc::new(Metrics::new()), settings)?;
        Ok(Self { _server: server, door: Arc::new(door), tenant, principal, token })
    }

    pub(crate) fn tell(&self) {
        let address = self.door.address();
        tell(&format!("token   {}", self.token));
        tell(&format!(
            "try     curl -H 'Authorization: Bearer <token>' '{address}/v1/memories?store=shop'"
        ));
        tell(&format!("MCP     {address}/mcp/token/shop"));
        let guest = Guest { tenant: self.tenant, principal: self.principal };
        if let Ok(ticket) = self.door.tickets.issue(guest) {
            tell(&format!(
                "browser {address}{TICKET_PATH}?ticket={ticket} (once, within a minute)"
            ));
        }
    }
}

/// A person who may do everything, their token, and a few memories.
fn furnish(database: &Database, tenant: i32, key: &ServerKey) -> Result<(i32, String), String> {
    let nobody = Caller { tenant, stores: Vec::new(), principal: None };
    let access = Access::new(database, nobody);
    let said = |error: oldhand_pg::error::PgError| error.text;
    let principal = access.create_principal("person", PERSON).map_err(said)?;
    access.set_admin(principal, true).map_err(said)?;
    for (name, level, _) in STORES {
        let store =
            access.create_store(&NewStore { name, level, truth: "server" }).map_err(said)?;
        access.grant(store, principal, "maintainer").map_err(said)?;
    }
    let visitor = Arc::new(Visitor {
        tenant,
        principal,
        name: PERSON.to_owned(),
        kind: PrincipalKind::Person,
        entrance: Entrance::Browser,
        scopes: Scope::ALL.to_vec(),
        stores: access.stores_of(principal).map_err(said)?,
    });
    for (name, _, memories) in STORES {
        let here = visitor.stores.iter().find(|it| it.name == *name).ok_or("a store is gone")?;
        let desks = PgDesks::new(database, &visitor, here);
        for [kind, title, text] in *memories {
            let words =
                ["remember", &format!("--kind={kind}"), &format!("--title={title}"), "--", text];
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            desks.at(GlobalFlags::default(), None, &mut |desk| {
                drop(oldhand::answer(&words, b"", desk));
            });
        }
    }
    let (token, id) = key::new_token()
        .and_then(|token| Ok((token, key::uuid()?)))
        .map_err(|error| error.to_string())?;
    let scopes: Vec<&str> = Scope::ALL.map(Scope::name).to_vec();
    let hash = key.hash(Use::Token, &token);
    let new = NewCredential {
        credential: &id,
        principal,
        hash: &hash,
        scopes: &scopes,
        stores: None,
        expires_at: Timestamp::now() + 24.hours(),
    };
    access.create_credential(&new).map_err(said)?;
    Ok((principal, token))
}
