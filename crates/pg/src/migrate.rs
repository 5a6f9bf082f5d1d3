//! Bringing the schema up to date, with a role that may: forward only, one at a time, each in one transaction.

use deadpool_postgres::Object;
use refinery::embed_migrations;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_postgres::{Client, Config, Connection, NoTls};

use crate::error::PgError;
use crate::sql;
use crate::tls::{is_socket, tls};

embed_migrations!("migrations");

/// Applies what is missing, and returns the names of that.
pub async fn run(client: &mut Client) -> Result<Vec<String>, PgError> {
    // Two servers that start at once must not both change the schema.
    client.execute(sql::LOCK_SCHEMA, &[]).await?;
    let report = migrations::runner().set_abort_divergent(true).run_async(client).await;
    client.execute(sql::UNLOCK_SCHEMA, &[]).await?;
    let report = report.map_err(|error| PgError::refused(told(&error)))?;
    Ok(report.applied_migrations().iter().map(ToString::to_string).collect())
}

/// Which step failed, and what the database said to it.
fn told(error: &refinery::Error) -> String {
    let mut cause = std::error::Error::source(error);
    while let Some(it) = cause {
        if let Some(said) =
            it.downcast_ref::<tokio_postgres::Error>().and_then(|it| it.as_db_error())
        {
            return format!("{error}: {}", said.message());
        }
        cause = it.source();
    }
    error.to_string()
}

/// The same over a connection of its own.
pub async fn run_at(config: &Config) -> Result<Vec<String>, PgError> {
    with_client(config, async |client| run(client).await).await
}

/// Runs something over a connection of its own, as whoever the address names: with TLS unless it is a socket.
pub async fn with_client<T>(
    config: &Config,
    run: impl AsyncFnOnce(&mut Client) -> Result<T, PgError>,
) -> Result<T, PgError> {
    if config.get_hosts().iter().all(is_socket) {
        let (client, connection) = config.connect(NoTls).await?;
        return driven(client, connection, run).await;
    }
    let (client, connection) = config.connect(tls()?).await?;
    driven(client, connection, run).await
}

async fn driven<T, S, C>(
    mut client: Client,
    connection: Connection<S, C>,
    run: impl AsyncFnOnce(&mut Client) -> Result<T, PgError>,
) -> Result<T, PgError>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    C: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let driver = tokio::spawn(connection);
    let answer = run(&mut client).await;
    drop(client);
    // The connection ends with its client; how is of no interest any more.
    let _ = driver.await;
    answer
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
        true => "run `oldhand-team migrate` with the role that owns the tables",
        false => "use the program of that version, or a newer one",
    };
    Ok(Some(format!("the schema has version {found}, this program needs {wanted}: {step}")))
}
