//! Requests with a key: whoever repeats one gets the first answer, and what it writes is written once. A claim is part
//! of the transaction that writes, so there is no moment in which one is there without the other.

use tokio_postgres::Row;

use crate::access::Access;
use crate::database::{Value, execute, query};
use crate::error::PgError;
use crate::sql;

/// What is known of a request with this key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Known {
    /// Nobody has written anything for it: it may be carried out, also if somebody has begun.
    Open,
    /// Its writes are committed; the server went away before it had an answer. `run` is the one that wrote.
    Written { run: String },
    /// Give this again.
    Answered { status: i32, body: String },
    /// The key was used for another request.
    Different,
}

impl Access<'_> {
    /// Registers a request; `asked` is a hash of all that it asks for.
    pub fn begin_answer(&self, key: &str, asked: &[u8]) -> Result<Known, PgError> {
        let (tenant, principal) = (self.caller.tenant, self.caller.principal.unwrap_or_default());
        let rows = self.change(async |client| {
            execute(client, sql::NEW_ANSWER, &[&tenant, &principal, &key, &asked]).await?;
            query(client, sql::ANSWER, &[&tenant, &principal, &key]).await
        })?;
        Ok(rows.first().map_or(Known::Different, |row| known(row, asked)))
    }

    /// Keeps the answer; one that is there already stays.
    pub fn end_answer(&self, key: &str, status: i32, body: &str) -> Result<(), PgError> {
        let (tenant, principal) = (self.caller.tenant, self.caller.principal.unwrap_or_default());
        self.change(async |client| {
            let values: [Value<'_>; 5] = [&tenant, &principal, &key, &status, &body];
            execute(client, sql::END_ANSWER, &values).await.map(drop)
        })
    }

    /// Drops answers that are older than a day.
    pub fn forget_answers(&self) -> Result<u64, PgError> {
        let tenant = self.caller.tenant;
        self.change(async |client| execute(client, sql::FORGET_ANSWERS, &[&tenant]).await)
    }
}

fn known(row: &Row, asked: &[u8]) -> Known {
    if row.get::<_, &[u8]>("asked") != asked {
        return Known::Different;
    }
    let answer: (Option<i32>, Option<String>) = (row.get("status"), row.get("body"));
    match (answer, row.get("attempt")) {
        ((Some(status), Some(body)), _) => Known::Answered { status, body },
        (_, Some(run)) => Known::Written { run },
        _ => Known::Open,
    }
}
