//! Bringing the schema up to date, with a role that may: forward only, one at a time, each in one transaction.

use deadpool_postgres::Object;
use refinery::embed_migrations;
use tokio_postgres::{Client, Config, NoTls};

use crate::error::PgError;
use crate::sql;

embed_migrations!("migrations");

/// Applies what is missing, and returns the names of that.
pub async fn run(client: &mut Client) -> Result<Vec<String>, PgError> {
    // Two servers that start at once must not both change the schema.
    client.execute(sql::LOCK_SCHEMA, &[]).await?;
    let report = migrations::runner().set_abort_divergent(true).run_async(client).await;
    client.execute(sql::UNLOCK_SCHEMA, &[]).await?;
    let report = report.map_err(|error| PgError::refused(error.to_string()))?;
    Ok(report.applied_migrations().iter().map(ToString::to_string).collect())
}

/// The same over a connection of its own, to a server on a local socket.
pub async fn run_at(config: &Config) -> Result<Vec<String>, PgError> {
    let (mut client, connection) = config.connect(NoTls).await?;
    let driver = tokio::spawn(connection);
    let applied = run(&mut client).await;
    drop(client);
    // The connection ends with its client; how is of no interest any more.
    let _ = driver.await;
    applied
}

/// Why the schema is not the one that this program was built for.
pub(crate) async fn problem(client: &Object) -> Result<Option<String>, PgError> {
    let wanted = migrations::runner().get_migrations().iter().map(|it| it.version()).max();
    let there = client.query_one(sql::HAS_SCHEMA, &[]).await?.get::<_, bool>(0);
    let found: Option<i32> = match there {
        true => client.query_one(sql::SCHEMA_VERSION, &[]).await?.get(0),
        false => None,
    };
    if found == wanted {
        return Ok(None);
    }
    let (found, wanted) = (found.unwrap_or(0), wanted.unwrap_or(0));
    let step = match found < wanted {
        true => "migrate the database",
        false => "use the newer program",
    };
    Ok(Some(format!("the schema has version {found}, this program needs {wanted}: {step}")))
}
