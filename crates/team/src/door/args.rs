//! What the door is told on the command line of `serve`, and everything that is wrong with it, before it opens.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use oldhand_pg::database::Database;

use super::enter::{Door, DoorSettings};
use super::key::ServerKey;
use super::limits::LimitSettings;
use super::provider::{Client, Provider, ProviderSettings, Unfit};
use crate::metrics::Metrics;
use crate::ops::listen_problems;

/// Longer ones are no secrets of clients.
const SECRET_BYTES_MAX: usize = 4096;

#[derive(Debug, Args)]
pub struct DoorArgs {
    /// The address that people and agents use, such as `https://memory.example.com`
    #[arg(long, env = "OLDHAND_TEAM_ADDRESS")]
    pub address: String,
    /// A proxy with TLS is in front of this server
    #[arg(long)]
    pub behind_proxy: bool,
    /// The file with the server's key; make one with `oldhand-team admin key create`
    #[arg(long, env = "OLDHAND_TEAM_KEY_FILE")]
    pub key_file: PathBuf,
    /// The identity provider, as its tokens name it
    #[arg(long, env = "OLDHAND_TEAM_ISSUER", requires = "issuer_tenant")]
    pub issuer: Option<String>,
    /// A further host that the provider's description may name
    #[arg(long = "issuer-host", env = "OLDHAND_TEAM_ISSUER_HOSTS", value_delimiter = ',')]
    pub issuer_hosts: Vec<String>,
    /// The tenant whose people the provider knows
    #[arg(long, env = "OLDHAND_TEAM_ISSUER_TENANT")]
    pub issuer_tenant: Option<String>,
    /// The dashboard's name at the provider
    #[arg(long, env = "OLDHAND_TEAM_CLIENT_ID", requires = "issuer")]
    pub client_id: Option<String>,
    /// The file with the dashboard's secret at the provider
    #[arg(long, env = "OLDHAND_TEAM_CLIENT_SECRET_FILE", requires = "client_id")]
    pub client_secret_file: Option<PathBuf>,
    /// Where the provider's tokens name groups
    #[arg(long, env = "OLDHAND_TEAM_GROUPS_CLAIM", default_value = "groups")]
    pub groups_claim: String,
}

impl DoorArgs {
    /// The door, or every reason not to open it, each with its fix. Blocks: it asks the database and the provider.
    pub fn open(
        &self,
        database: Database,
        listen: SocketAddr,
        metrics: Arc<Metrics>,
    ) -> Result<Door, Vec<String>> {
        let mut problems = listen_problems(listen, &self.address, self.behind_proxy);
        match database.check() {
            Ok(found) => problems.extend(found),
            Err(error) => problems.push(format!(
                "the database can't be asked: {error}: look at `--database` and whether it runs"
            )),
        }
        let key = ServerKey::load(&self.key_file).map_err(|text| problems.push(text)).ok();
        let provider = self.provider().map_err(|text| problems.push(text)).ok().flatten();
        if let Some(Err(Unfit::Provider(why))) = provider.as_ref().map(Provider::prepare) {
            problems
                .push(format!("the identity provider can't be used: {why}: look at `--issuer`"));
        }
        let (Some(key), true) = (key, problems.is_empty()) else { return Err(problems) };
        let settings =
            DoorSettings { address: self.address.clone(), limits: LimitSettings::default() };
        Door::new(database, key, provider, metrics, settings).map_err(|problem| vec![problem])
    }

    fn provider(&self) -> Result<Option<Provider>, String> {
        let (Some(issuer), Some(tenant)) = (&self.issuer, &self.issuer_tenant) else {
            return Ok(None);
        };
        let client =
            self.client_id.clone().map(|id| Ok::<_, String>(Client { id, secret: self.secret()? }));
        Provider::new(ProviderSettings {
            issuer: issuer.clone(),
            hosts: self.issuer_hosts.clone(),
            tenant: tenant.clone(),
            client: client.transpose()?,
            groups_claim: self.groups_claim.clone(),
        })
        .map(Some)
    }

    fn secret(&self) -> Result<Option<String>, String> {
        let Some(path) = &self.client_secret_file else { return Ok(None) };
        let name = path.display();
        let text = std::fs::read_to_string(path).map_err(|error| {
            format!("could not read `{name}`: {error}: look at `--client-secret-file`")
        })?;
        let text = text.trim();
        match (1..=SECRET_BYTES_MAX).contains(&text.len()) {
            true => Ok(Some(text.to_owned())),
            false => Err(format!("`{name}` holds no secret: look at `--client-secret-file`")),
        }
    }
}
