//! `oldhand-team indexes`: the vector indexes of large tenants, kept up by a process of its own with the role that owns
//! the tables. The server never has that role.

use std::thread;
use std::time::Duration;

use clap::Args;
use oldhand_pg::migrate;
use oldhand_pg::near::NearPolicy;
use oldhand_pg::promotion::{Round, keep_indexes};
use serde_json::{Value as Json, json};

use super::Trouble;
use super::cli::{config, runtime};

/// Make, check and drop the vector indexes of large tenants, with the role that owns the tables
#[derive(Debug, Args)]
pub struct IndexesArgs {
    #[arg(long, env = "OLDHAND_TEAM_OWNER_DATABASE", hide_env_values = true)]
    owner_database: Option<String>,
    /// Look again after so many minutes, until the end; without it once
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    every: Option<u64>,
    #[command(flatten)]
    near: NearArgs,
}

/// The servers and whoever keeps the indexes must agree.
#[derive(Debug, Args)]
pub struct NearArgs {
    /// Passages that are compared one by one; a tenant with more gets a vector index
    #[arg(long, env = "OLDHAND_TEAM_EXACT_PASSAGES", default_value_t = NearPolicy::default().exact_max)]
    exact_passages: i64,
}

impl NearArgs {
    pub fn policy(&self) -> NearPolicy {
        NearPolicy { exact_max: self.exact_passages.max(0), ..NearPolicy::default() }
    }
}

impl IndexesArgs {
    pub fn run(&self) -> Result<Json, Trouble> {
        let runtime = runtime()?;
        let config = config(self.owner_database.as_deref(), "owner-database", "owner")?;
        let policy = self.near.policy();
        let round = || {
            let look = migrate::with_client(&config, async |it| keep_indexes(it, &policy).await);
            runtime.block_on(look).map(|round| told(&round))
        };
        let Some(minutes) = self.every else { return Ok(round()?) };
        tracing_subscriber::fmt().with_writer(std::io::stderr).init();
        loop {
            match round() {
                Ok(done) => tracing::info!(%done, "looked after the vector indexes"),
                Err(error) => tracing::warn!(error = %error, "the vector indexes wait"),
            }
            thread::sleep(Duration::from_secs(minutes * 60));
        }
    }
}

/// Tenants by their numbers: the owner of the tables does not see their names.
fn told(round: &Round) -> Json {
    match round {
        Round::Busy => json!({ "is_busy": true }),
        Round::Done(it) => json!({ "made": it.make, "dropped": it.drop, "kept": it.kept }),
    }
}
