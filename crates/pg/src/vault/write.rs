//! One write: lock the store, decide, compare, change, commit. Acknowledged means durable; an error means that nothing
//! was changed, unless it says that nobody knows.

use std::time::{Duration, Instant};

use oldhand_core::event::Event;
use oldhand_core::recall::row::LogFacts;
use oldhand_store::failure::Failure;
use oldhand_store::port::Plan;
use oldhand_store::ulid::{successor, ulid};
use tokio_postgres::Row;

use crate::access::Transaction;
use crate::database::{execute, query};
use crate::error::{PgError, PgErrorKind};
use crate::sql;
use crate::sync::ChangeBody;

use super::PgVault;
use super::apply::{Applying, Signed, Source};

/// A server that was killed needs a few seconds to come back.
const LOOK_AGAIN_AFTER: Duration = Duration::from_millis(100);

/// The store as the lock found it.
pub(super) struct Head {
    pub revision: i64,
    pub seq: i64,
    /// The id of the last event.
    pub last: String,
    pub log: LogFacts,
    /// Its truth is in git: here is a mirror of it.
    pub is_mirror: bool,
    /// The commit that it mirrors.
    pub commit: Option<String>,
    /// The id that the repository has in its configuration.
    pub repository: Option<String>,
}

fn head_of(row: &Row) -> Result<Head, PgError> {
    let log: String = row.get("log");
    let log = match log.as_str() {
        "{}" => LogFacts::default(),
        log => serde_json::from_str(log).map_err(|error| PgError::refused(error.to_string()))?,
    };
    Ok(Head {
        revision: row.get("revision"),
        seq: row.get("seq"),
        last: row.get("last"),
        log,
        is_mirror: row.get::<_, &str>("truth") == "git",
        commit: row.get("head"),
        repository: row.get("repository"),
    })
}

impl PgVault<'_> {
    pub(super) fn write_plan(
        &self,
        decide: &mut dyn FnMut() -> Result<Plan, Failure>,
    ) -> Result<(), Failure> {
        let failed = |error: PgError| error.failure("write", "the store");
        if self.access.is_writing() {
            let text = "this request is writing already".to_owned();
            return Err(failed(PgError { kind: PgErrorKind::Locked, text }));
        }
        let database = self.access.database;
        let began = Instant::now();
        let (transaction, head) = database.block_on(self.lock()).map_err(failed)?;
        let waited = began.elapsed();
        let writing = self.access.enter(transaction).map_err(failed)?;
        let decided = decide();
        let transaction = writing.leave();
        let done = database.block_on(async {
            let applied = match decided {
                Ok(plan) if plan.files.is_empty() && plan.events.is_empty() => Ok(None),
                Ok(plan) if head.is_mirror => self.leave(&transaction, head, plan).await.map(Some),
                Ok(plan) => self.apply(&transaction, head, plan).await.map(Some),
                Err(failure) => Err(failure),
            };
            match applied {
                Ok(Some(signed)) => self.commit(transaction, &signed).await.map_err(failed),
                Ok(None) => transaction.rollback().await.map_err(failed),
                Err(failure) => {
                    // A connection that can't even do this is closed, which does the same.
                    let _ = transaction.rollback().await;
                    Err(failure)
                }
            }
        });
        database.tell_of_write(began.elapsed(), waited);
        done
    }

    /// Nothing has happened before the lock: a connection that was lost meanwhile is replaced once.
    pub(super) async fn lock(&self) -> Result<(Transaction, Head), PgError> {
        match self.lock_once().await {
            Err(error) if error.is_lost() => self.lock_once().await,
            locked => locked,
        }
    }

    async fn lock_once(&self) -> Result<(Transaction, Head), PgError> {
        let transaction = self.access.begin_write().await?;
        let (tenant, store) = (self.tenant(), self.store);
        let rows = query(transaction.client(), sql::LOCK_STORE, &[&tenant, &store]).await?;
        let Some(row) = rows.first() else {
            transaction.rollback().await?;
            return Err(PgError::refused("there is no such store"));
        };
        let head = head_of(row)?;
        Ok((transaction, head))
    }

    /// An answer that was lost is looked up. The old transaction holds the store until it has ended one way or the
    /// other, so whoever gets the lock sees how.
    pub(super) async fn commit(
        &self,
        transaction: Transaction,
        signed: &Signed,
    ) -> Result<(), PgError> {
        let error = match transaction.commit().await {
            Err(error) if error.is_lost() => error,
            done => return done,
        };
        match self.was_written(signed).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(PgError::lost(format!("nothing was written: {}", error.text))),
            Err(_) => {
                let text = "the connection was lost, and it is not known whether this was written";
                Err(PgError::lost(format!("{text}: look before you repeat it: {}", error.text)))
            }
        }
    }

    async fn was_written(&self, signed: &Signed) -> Result<bool, PgError> {
        let until = tokio::time::Instant::now() + self.access.database.lock_wait;
        loop {
            match self.look_up(signed).await {
                Err(error) if error.is_lost() && tokio::time::Instant::now() < until => {
                    tokio::time::sleep(LOOK_AGAIN_AFTER).await;
                }
                looked => return looked,
            }
        }
    }

    async fn look_up(&self, signed: &Signed) -> Result<bool, PgError> {
        let (transaction, _) = self.lock_once().await?;
        let (tenant, store) = (self.tenant(), self.store);
        let client = transaction.client();
        let Signed { write, token, .. } = signed;
        let rows = query(client, sql::WAS_WRITTEN, &[&tenant, &store, write, token]).await?;
        transaction.rollback().await?;
        Ok(!rows.is_empty())
    }

    /// Everything but the commit.
    async fn apply(
        &self,
        transaction: &Transaction,
        head: Head,
        mut plan: Plan,
    ) -> Result<Signed, Failure> {
        let signed = self.sign(&head.last, &mut plan.events);
        let applying = Applying {
            client: transaction.client(),
            tenant: self.tenant(),
            store: self.store,
            revision: head.revision + 1,
            access: self.access,
        };
        applying.files(&plan.files).await?;
        let ended = async {
            applying.events(&plan.events, head.seq, Source::Server).await?;
            applying.touch(&plan.events).await?;
            let mut log = head.log;
            plan.events.iter().for_each(|event| log.take(event));
            let seq = head.seq + plan.events.len() as i64;
            applying.end(&signed, seq, &log).await
        };
        ended.await.map_err(|error: PgError| error.failure("write", "the store"))?;
        Ok(signed)
    }

    /// A store whose truth is in git is not written here: what was decided waits for its repository.
    async fn leave(
        &self,
        transaction: &Transaction,
        head: Head,
        mut plan: Plan,
    ) -> Result<Signed, Failure> {
        let signed = self.sign(&head.last, &mut plan.events);
        let (client, tenant, store) = (transaction.client(), self.tenant(), self.store);
        let applying =
            Applying { client, tenant, store, revision: head.revision + 1, access: self.access };
        applying.compare(&plan.files).await?;
        let change = ChangeBody::of(plan);
        let left = async {
            let body = serde_json::to_string(&change);
            let body = body.map_err(|error| PgError::refused(error.to_string()))?;
            let kind = change.kind();
            execute(client, sql::sync::ADD_CHANGE, &[&tenant, &store, &kind, &body]).await?;
            applying.end(&signed, head.seq, &head.log).await
        };
        left.await.map_err(|error: PgError| error.failure("write", "the store"))?;
        Ok(signed)
    }

    /// Gives the events their ids, behind the last one of the store.
    pub(super) fn sign(&self, before: &str, events: &mut [Event]) -> Signed {
        let fresh = ulid(self.now, self.entropy.next());
        // A clock that went back, or a second write in one millisecond.
        let write = match fresh.as_str() > before {
            true => fresh,
            false => successor(before).unwrap_or(fresh),
        };
        let mut last = write.clone();
        for event in events {
            last = successor(&last).unwrap_or_else(|| ulid(self.now, self.entropy.next()));
            event.id.clone_from(&last);
            event.write.clone_from(&write);
        }
        Signed { write, token: self.entropy.next().to_string(), last }
    }
}
