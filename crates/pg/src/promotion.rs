//! The upkeep of vector indexes, one for each tenant that `near` finds large enough. A tenant's index is
//! partial, `where tenant = <n>`, so that no other tenant's rows are in it. Making one needs the role that owns the
//! tables, which the server does not have: it only asks what is there.

use tokio_postgres::{Client, Row};

use crate::database::{Database, query};
use crate::error::PgError;
use crate::near::{NearIndex, NearPolicy, Upkeep};
use crate::sql;

/// What one round of upkeep did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Round {
    /// Another process is at it.
    Busy,
    Done(Upkeep),
}

/// One round, over a connection of the owner of the tables. Whoever makes an index holds a lock of the session, which
/// the database keeps until it has ended the work of a process that died: what is invalid under the lock is nobody's.
pub async fn keep_indexes(owner: &Client, policy: &NearPolicy) -> Result<Round, PgError> {
    if !owner.query_one(sql::near::OWNS, &[]).await?.get::<_, bool>(0) {
        let text =
            "this role does not own the tables: use the one that runs `oldhand-team migrate`";
        return Err(PgError::refused(text));
    }
    if !owner.query_one(sql::near::TRY_LOCK, &[]).await?.get::<_, bool>(0) {
        return Ok(Round::Busy);
    }
    let done = upkeep(owner, policy).await;
    owner.query_one(sql::near::UNLOCK, &[]).await?;
    done.map(Round::Done)
}

async fn upkeep(owner: &Client, policy: &NearPolicy) -> Result<Upkeep, PgError> {
    let sizes = owner.query(sql::near::SIZES, &[&policy.counted_above()]).await?;
    let there = owner.query(sql::near::INDEXES, &[]).await?;
    let upkeep = policy.upkeep(&sizes_of(&sizes), &indexes_of(&there));
    for tenant in &upkeep.drop {
        run(owner, sql::near::DROP, *tenant).await?;
    }
    for tenant in &upkeep.make {
        run(owner, sql::near::MAKE, *tenant).await?;
    }
    Ok(upkeep)
}

/// The database writes the statement, as it takes no values; the only thing put into it is a number.
async fn run(owner: &Client, statement: &str, tenant: i32) -> Result<(), PgError> {
    let written: String = owner.query_one(statement, &[&tenant]).await?.get(0);
    Ok(owner.batch_execute(&written).await?)
}

fn sizes_of(rows: &[Row]) -> Vec<(i32, i64)> {
    rows.iter().map(|row| (row.get("tenant"), row.get("passages"))).collect()
}

fn indexes_of(rows: &[Row]) -> Vec<NearIndex> {
    let one = |row: &Row| NearIndex { tenant: row.get("tenant"), is_valid: row.get("is_valid") };
    rows.iter().map(one).collect()
}

impl Database {
    /// What a round of upkeep would do now, as far as the server's role can tell.
    pub fn indexes(&self) -> Result<Upkeep, PgError> {
        self.block_on(async {
            let client = self.client().await?;
            let sizes = query(&client, sql::near::SIZES, &[&self.near.counted_above()]).await?;
            let there = query(&client, sql::near::INDEXES, &[]).await?;
            Ok(self.near.upkeep(&sizes_of(&sizes), &indexes_of(&there)))
        })
    }
}
