//! What one caller may do with the database, one thing after the other. Every transaction begins with who asks:
//! poolers hand connections on, so nothing is ever set for longer.

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use deadpool_postgres::Object;
use futures_util::future::try_join;

use crate::database::{Database, Value, query};
use crate::error::{PgError, PgErrorKind};
use crate::sql;

/// Who asks, and which stores they may see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    pub tenant: i32,
    pub stores: Vec<i32>,
    /// None for the server itself.
    pub principal: Option<i32>,
}

/// A request that may come again with the same key, as one run of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// A UUID that the client chose.
    pub key: String,
    /// Of this run alone: the writes of another one are refused.
    pub run: String,
}

/// For one request on one thread: a vault and an index of the same request share it, so that what is asked inside
/// of a write is asked in its transaction, and needs no second connection.
pub struct Access<'d> {
    pub(crate) database: &'d Database,
    pub(crate) caller: Caller,
    pub(crate) attempt: Option<Attempt>,
    open: RefCell<Option<Transaction>>,
    shared: Option<SharedReading>,
    /// Of the transaction that is read in.
    serial: Cell<u64>,
}

/// One transaction for all that an answer reads: between its reads it is open, and it ends before anything is written
/// and before anything that takes long. A clone is the same one.
#[derive(Clone)]
pub struct SharedReading(Arc<Reading>);

struct Reading {
    database: Database,
    open: Mutex<Option<Transaction>>,
}

/// An open transaction. Dropped, it takes its connection with it, so that no other caller ever gets one that is
/// in the middle of something.
pub(crate) struct Transaction {
    client: Option<Object>,
    /// No other one has it.
    serial: u64,
}

static SERIALS: AtomicU64 = AtomicU64::new(1);

const BEGIN_READ: &str = "begin isolation level repeatable read read only";
const BEGIN_WRITE: &str = "begin isolation level read committed";
const COMMIT: &str = "commit";
const ROLLBACK: &str = "rollback";

impl Transaction {
    pub(crate) fn client(&self) -> &Object {
        self.client.as_ref().expect("it is there until the end")
    }

    pub(crate) async fn commit(self) -> Result<(), PgError> {
        self.end(COMMIT).await
    }

    pub(crate) async fn rollback(self) -> Result<(), PgError> {
        self.end(ROLLBACK).await
    }

    async fn end(mut self, statement: &'static str) -> Result<(), PgError> {
        self.client().batch_execute(statement).await?;
        drop(self.client.take());
        Ok(())
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        if let Some(client) = self.client.take() {
            drop(Object::take(client));
        }
    }
}

impl SharedReading {
    pub fn new(database: &Database) -> Self {
        Self(Arc::new(Reading { database: database.clone(), open: Mutex::default() }))
    }

    fn take(&self) -> Option<Transaction> {
        self.0.open.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn keep(&self, transaction: Transaction) {
        let before =
            self.0.open.lock().unwrap_or_else(PoisonError::into_inner).replace(transaction);
        drop(before);
    }

    /// It only read: if its end gets lost, so does its connection and nothing else.
    async fn end(&self) {
        if let Some(transaction) = self.take() {
            let _ = transaction.commit().await;
        }
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        let open = self.open.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(transaction) = open {
            // As above.
            let _ = self.database.block_on(transaction.commit());
        }
    }
}

impl Caller {
    fn stores_text(&self) -> String {
        let stores: Vec<String> = self.stores.iter().map(ToString::to_string).collect();
        format!("{{{}}}", stores.join(","))
    }
}

impl<'d> Access<'d> {
    pub fn new(database: &'d Database, caller: Caller) -> Self {
        let (open, serial) = (RefCell::new(None), Cell::new(0));
        Self { database, caller, attempt: None, open, shared: None, serial }
    }

    /// The same, reading in that transaction.
    #[must_use]
    pub fn sharing(self, reading: SharedReading) -> Self {
        Self { shared: Some(reading), ..self }
    }

    /// The same for a request with a key: its writes count once, whoever repeats it.
    pub fn with_attempt(database: &'d Database, caller: Caller, attempt: Attempt) -> Self {
        Self { attempt: Some(attempt), ..Self::new(database, caller) }
    }

    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// One look at the database, in the open write if there is one. A connection that was lost meanwhile is
    /// replaced once: reading twice harms nobody.
    pub(crate) fn read<T>(
        &self,
        run: impl AsyncFn(&Object) -> Result<T, PgError>,
    ) -> Result<T, PgError> {
        let open = self.open.borrow();
        if let Some(transaction) = &*open {
            self.serial.set(transaction.serial);
            return self.database.block_on(run(transaction.client()));
        }
        self.database.block_on(async {
            match self.read_once(&run).await {
                Err(error) if error.is_lost() => self.read_once(&run).await,
                answer => answer,
            }
        })
    }

    async fn read_once<T>(
        &self,
        run: &impl AsyncFn(&Object) -> Result<T, PgError>,
    ) -> Result<T, PgError> {
        let known = self.shared.as_ref().and_then(SharedReading::take);
        let transaction = match known {
            Some(known) => known,
            None => self.begin(BEGIN_READ).await?,
        };
        self.serial.set(transaction.serial);
        let answer = run(transaction.client()).await;
        match (answer, &self.shared) {
            (Ok(answer), Some(shared)) => {
                shared.keep(transaction);
                Ok(answer)
            }
            (Ok(answer), None) => transaction.commit().await.map(|()| answer),
            (Err(error), _) => {
                if !error.is_lost() {
                    transaction.rollback().await?;
                }
                Err(error)
            }
        }
    }

    /// Before something that takes long: what is read from now on is read in another transaction.
    pub(crate) fn rest(&self) {
        if let Some(shared) = &self.shared {
            self.database.block_on(shared.end());
        }
    }

    /// What was read in a transaction need not be read in it again: another one has another serial.
    pub(crate) fn serial(&self) -> u64 {
        self.serial.get()
    }

    /// A change that stands for itself.
    pub(crate) fn change<T>(
        &self,
        run: impl AsyncFnOnce(&Object) -> Result<T, PgError>,
    ) -> Result<T, PgError> {
        self.database.block_on(async {
            let transaction = self.begin_write().await?;
            match run(transaction.client()).await {
                Ok(answer) => transaction.commit().await.map(|()| answer),
                Err(error) => {
                    if !error.is_lost() {
                        transaction.rollback().await?;
                    }
                    Err(error)
                }
            }
        })
    }

    pub(crate) async fn begin_write(&self) -> Result<Transaction, PgError> {
        if let Some(shared) = &self.shared {
            shared.end().await;
        }
        self.begin(BEGIN_WRITE).await
    }

    /// Both statements in one round trip. If the first fails, the second sets nothing, and nothing is seen.
    async fn begin(&self, statement: &'static str) -> Result<Transaction, PgError> {
        let serial = SERIALS.fetch_add(1, Ordering::Relaxed);
        let transaction = Transaction { client: Some(self.database.client().await?), serial };
        let client = transaction.client();
        let (tenant, stores) = (self.caller.tenant.to_string(), self.caller.stores_text());
        let wait = self.database.lock_wait.as_millis().to_string();
        let statement_max = self.database.statement_max.as_millis().to_string();
        // Prepared first, as that may need a round trip of its own.
        client.prepare_cached(sql::CONTEXT).await?;
        let begin = async { Ok::<_, PgError>(client.batch_execute(statement).await?) };
        let values: [Value<'_>; 4] = [&tenant, &stores, &wait, &statement_max];
        let context = query(client, sql::CONTEXT, &values);
        try_join(begin, context).await?;
        Ok(transaction)
    }

    pub(crate) fn is_writing(&self) -> bool {
        self.open.borrow().is_some()
    }

    /// From here on reads happen in this transaction.
    pub(crate) fn enter(&self, transaction: Transaction) -> Result<Writing<'_, 'd>, PgError> {
        if self.is_writing() {
            let text = "this request is writing already".to_owned();
            return Err(PgError { kind: PgErrorKind::Locked, text });
        }
        *self.open.borrow_mut() = Some(transaction);
        Ok(Writing { access: self })
    }
}

/// While it lives, the access is inside of a write.
pub(crate) struct Writing<'a, 'd> {
    access: &'a Access<'d>,
}

impl Writing<'_, '_> {
    pub(crate) fn leave(self) -> Transaction {
        self.access.open.borrow_mut().take().expect("it is open while this lives")
    }
}

impl Drop for Writing<'_, '_> {
    fn drop(&mut self) {
        drop(self.access.open.borrow_mut().take());
    }
}
