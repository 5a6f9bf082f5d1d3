//! How much of a store is indexed: what the averages and frequencies of BM25F are taken over.

use deadpool_postgres::Object;
use oldhand_index::FIELDS;
use tokio_postgres::Row;

use crate::database::{Value, execute, query};
use crate::error::PgError;
use crate::sql;

/// As a whole, or as a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Totals {
    pub memories: i32,
    /// Those that have vectors.
    pub embedded: i32,
    pub passages: i32,
    /// The lengths of each field, as the index stores them.
    pub lens: [i64; FIELDS],
}

/// Four codes of lengths in one number.
pub(crate) fn codes_of(lens: i32) -> [u8; FIELDS] {
    lens.to_le_bytes()
}

impl Totals {
    /// What one row of `memory` counts, as it is indexed: nothing before it was.
    pub(crate) fn of_row(row: &Row) -> Self {
        let (lens, passages): (Option<i32>, Option<i16>) = (row.get("lens"), row.get("passages"));
        lens.map_or_else(Self::default, |lens| Self::of_one(lens, passages))
    }

    /// A row of `totals`.
    pub(crate) fn of_totals(row: &Row) -> Self {
        let lens: Vec<i64> = row.get("lens");
        let lens = std::array::from_fn(|field| lens.get(field).copied().unwrap_or(0));
        let (memories, embedded) = (row.get("memories"), row.get("embedded"));
        Self { memories, embedded, passages: row.get("passages"), lens }
    }

    pub(crate) fn of_one(lens: i32, passages: Option<i16>) -> Self {
        let lens = codes_of(lens).map(|code| i64::from(oldhand_index::length_of(code)));
        let passages = i32::from(passages.unwrap_or(0));
        Self { memories: 1, embedded: i32::from(passages > 0), passages, lens }
    }

    pub(crate) fn take(&mut self, other: &Self) {
        self.memories += other.memories;
        self.embedded += other.embedded;
        self.passages += other.passages;
        self.lens.iter_mut().zip(other.lens).for_each(|(sum, more)| *sum += more);
    }

    pub(crate) fn negated(&self) -> Self {
        let Self { memories, embedded, passages, lens } = *self;
        let lens = lens.map(|it| -it);
        Self { memories: -memories, embedded: -embedded, passages: -passages, lens }
    }

    /// Adds the difference to the row of the store.
    pub(crate) async fn add(
        &self,
        client: &Object,
        tenant: i32,
        store: i32,
    ) -> Result<(), PgError> {
        if *self == Self::default() {
            return Ok(());
        }
        let Self { memories, embedded, passages, lens } = self;
        let lens = lens.as_slice();
        let values: [Value<'_>; 6] = [&tenant, &store, memories, embedded, &lens, passages];
        execute(client, sql::ADD_TOTALS, &values).await.map(drop)
    }
}

/// Takes the words of some memories out of the index.
pub(crate) async fn drop_words(
    client: &Object,
    tenant: i32,
    store: i32,
    nos: &[i64],
) -> Result<(), PgError> {
    let rows = query(client, sql::TERMS_OF, &[&tenant, &store, &nos]).await?;
    let terms: Vec<i64> = rows.iter().map(|row| row.get(0)).collect();
    if terms.is_empty() {
        return Ok(());
    }
    execute(client, sql::DROP_WORDS, &[&tenant, &store, &terms, &nos]).await.map(drop)
}
