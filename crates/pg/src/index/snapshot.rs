//! The stores as one transaction sees them: totals, what has changed since it was indexed, and what passes a filter.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;

use deadpool_postgres::Object;
use oldhand_core::memory::CANDIDATES_FOLDER;
use oldhand_core::recall::row::LogFacts;
use oldhand_index::Vector;
use oldhand_store::port::Unreadable;
use oldhand_store::port::index::Narrow;
use oldhand_store::question::filters;
use oldhand_text::hint::Hint;
use tokio_postgres::Row;

use crate::database::{Value, query};
use crate::error::PgError;
use crate::sql;
use crate::totals::Totals;

use super::PgIndex;
use super::fresh::Fresh;
use super::gather::{Changed, Postings, Question};

/// Changed memories that a question reads by itself. With more the worker is far behind: the newest are weighed.
const CHANGED_MAX: i64 = 2_000;

/// The stores as a snapshot has them.
pub(super) struct Snapshot {
    pub totals: Totals,
    /// Whose vectors there are; empty without any.
    pub model: String,
    /// Of the first store.
    pub log: LogFacts,
    pub fresh: Vec<Fresh>,
    /// Once somebody has asked.
    unreadable: OnceCell<Vec<Unreadable>>,
}

impl Snapshot {
    /// Changed ones that pass, and those that can't be read.
    pub(super) fn passing(&self, narrow: &Narrow) -> impl Iterator<Item = &Fresh> {
        let (groups, states) = filters(narrow);
        let passes = move |fresh: &&Fresh| match &fresh.read {
            Ok(document) => document.passes(&groups, states),
            Err(_) => true,
        };
        self.fresh.iter().filter(passes)
    }

    pub(super) fn changed<'f>(&'f self, vectors: &'f HashMap<String, Vec<Vector>>) -> Changed<'f> {
        Changed { fresh: &self.fresh, vectors }
    }

    fn unreadable_fresh(&self) -> impl Iterator<Item = &Unreadable> {
        self.fresh.iter().filter_map(|fresh| fresh.read.as_ref().err())
    }

    /// The worker is further behind than a question goes.
    pub(super) fn is_behind(&self) -> bool {
        self.fresh.len() >= CHANGED_MAX as usize
    }

    /// Memories without vectors. What waits is not served, so it needs them only where somebody asks for it.
    pub(super) fn missing(
        &self,
        with_waiting: bool,
        known: &HashMap<String, Vec<Vector>>,
    ) -> Vec<&Fresh> {
        let is_missing = |fresh: &&Fresh| {
            let is_meant = with_waiting || !fresh.path.starts_with(CANDIDATES_FOLDER);
            let document = fresh.read.as_ref().ok().filter(|it| !it.has_vectors && is_meant);
            document.is_some_and(|it| !known.contains_key(&it.made.passages_mark))
        };
        self.fresh.iter().filter(is_missing).collect()
    }
}

impl PgIndex<'_> {
    /// As the transaction of this moment has them, read once in it.
    pub(super) async fn snapshot(
        &self,
        client: &Object,
        stores: &[i32],
    ) -> Result<Rc<Snapshot>, PgError> {
        let serial = self.access.serial();
        if let Some((of, known, snapshot)) = &*self.known.snapshot.borrow()
            && (*of, known.as_slice()) == (serial, stores)
        {
            return Ok(snapshot.clone());
        }
        let snapshot = Rc::new(self.read_snapshot(client, stores).await?);
        *self.known.snapshot.borrow_mut() = Some((serial, stores.to_vec(), snapshot.clone()));
        Ok(snapshot)
    }

    async fn read_snapshot(&self, client: &Object, stores: &[i32]) -> Result<Snapshot, PgError> {
        let tenant = self.access.caller.tenant;
        let mut snapshot = Snapshot {
            totals: Totals::default(),
            model: String::new(),
            log: LogFacts::default(),
            fresh: Vec::new(),
            unreadable: OnceCell::new(),
        };
        for row in query(client, sql::TOTALS, &[&tenant, &stores]).await? {
            snapshot.totals.take(&Totals::of_totals(&row));
            let model: String = row.get("model");
            if !model.is_empty() {
                snapshot.model = model;
            }
            if Some(&row.get("store")) == stores.first() {
                snapshot.log = serde_json::from_str(row.get("log")).unwrap_or_default();
            }
        }
        let changed = query(client, sql::CHANGED, &[&tenant, &stores, &CHANGED_MAX]).await?;
        snapshot.fresh = self.reading().read(client, tenant, &changed).await?;
        Ok(snapshot)
    }

    /// Memories that pass, without the changed ones; `None` for no filter.
    async fn passing(
        &self,
        client: &Object,
        stores: &[i32],
        groups: &[Vec<u64>],
    ) -> Result<Option<Vec<i64>>, PgError> {
        let mut passing: Option<Vec<i64>> = None;
        for group in groups {
            let keys: Vec<i64> = group.iter().map(|key| key.cast_signed()).collect();
            let rows =
                query(client, sql::WORDS, &[&self.access.caller.tenant, &stores, &keys]).await?;
            let mut nos = Vec::new();
            for Postings { nos: all, tfs, .. } in rows.iter().map(Postings::of) {
                let filters = all.into_iter().zip(tfs).filter(|(_, tf)| *tf == 0);
                nos.extend(filters.map(|(no, _)| no));
            }
            nos.sort_unstable();
            nos.dedup();
            passing = Some(match passing {
                None => nos,
                Some(mut before) => {
                    before.retain(|no| nos.binary_search(no).is_ok());
                    before
                }
            });
        }
        Ok(passing)
    }

    /// What passes in these stores: rows of a statement, and the changed ones.
    pub(super) async fn select(
        &self,
        client: &Object,
        stores: &[i32],
        narrow: &Narrow,
        (statement, limit): (&'static str, Option<usize>),
    ) -> Result<(Vec<Row>, Rc<Snapshot>), PgError> {
        let snapshot = self.snapshot(client, stores).await?;
        let (groups, states) = filters(narrow);
        let question = Question {
            tenant: self.access.caller.tenant,
            stores,
            terms: &[],
            groups: &groups,
            states,
            vector: None,
            top: 0,
            near: self.access.database.near,
        };
        let passing = self.passing(client, stores, &groups).await?;
        let states_of = question.states();
        let mut values: Vec<Value<'_>> = vec![&question.tenant, &stores, &states_of, &passing];
        let limit = limit.map(|limit| i64::try_from(limit).unwrap_or(i64::MAX));
        if let Some(limit) = &limit {
            values.push(limit);
        }
        let rows = query(client, statement, &values).await?;
        Ok((rows, snapshot))
    }

    pub(super) async fn unreadable<'s>(
        &self,
        client: &Object,
        stores: &[i32],
        snapshot: &'s Snapshot,
    ) -> Result<&'s [Unreadable], PgError> {
        if let Some(known) = snapshot.unreadable.get() {
            return Ok(known);
        }
        let rows = query(client, sql::UNREADABLE, &[&self.access.caller.tenant, &stores]).await?;
        let of_row = |row: &Row| Unreadable {
            path: row.get("path"),
            why: row.get("why"),
            hint: Hint::default(),
            is_disk: false,
        };
        let mut all: Vec<Unreadable> = rows.iter().map(of_row).collect();
        all.extend(snapshot.unreadable_fresh().cloned());
        all.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(snapshot.unreadable.get_or_init(|| all))
    }
}
