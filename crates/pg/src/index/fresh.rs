//! Memories as their texts have them now: what the worker writes into the index, and what a question weighs by itself
//! until it has.

use std::collections::HashMap;

use deadpool_postgres::Object;
use oldhand_core::event::{Event, in_order};
use oldhand_core::kind::Kinds;
use oldhand_core::policy::TrustPolicy;
use oldhand_core::recall::card::Card;
use oldhand_core::signals::Signals;
use oldhand_index::{Counts, FIELDS, Stamp, terms_of};
use oldhand_store::document::Made;
use oldhand_store::port::{Stored, Unreadable};
use tokio_postgres::Row;

use crate::database::query;
use crate::error::PgError;
use crate::sql;
use crate::totals::Totals;

/// How memories are read.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'a> {
    pub kinds: &'a Kinds,
    pub trust: &'a TrustPolicy,
}

pub(crate) struct Fresh {
    pub store: i32,
    pub no: i64,
    pub path: String,
    pub revision: i64,
    /// What the index still counts for it.
    pub before: Totals,
    pub read: Result<FreshDocument, Unreadable>,
}

pub(crate) struct FreshDocument {
    pub made: Made,
    /// Those that a question can ask for: terms of the text, and filters, which are in no field.
    pub terms: Vec<(u64, Counts)>,
    pub lengths: [u8; FIELDS],
    /// The vectors that are stored are those of its passages.
    pub has_vectors: bool,
}

impl FreshDocument {
    pub(crate) fn counts(&self, key: u64) -> Option<Counts> {
        self.terms.iter().find(|(term, _)| *term == key).map(|(_, counts)| *counts)
    }

    pub(crate) fn card(&self) -> Option<Card> {
        serde_json::from_slice(&self.made.document.card).ok()
    }

    /// Of one of these states, and with one key of each group.
    pub(crate) fn passes(&self, groups: &[Vec<u64>], states: u16) -> bool {
        let document = &self.made.document;
        let has_one = |group: &Vec<u64>| group.iter().any(|key| document.filters.contains(key));
        states >> document.state & 1 == 1 && groups.iter().all(has_one)
    }
}

impl Reading<'_> {
    /// Rows of `memory` with their texts, and the log of each.
    pub(crate) async fn read(
        &self,
        client: &Object,
        tenant: i32,
        rows: &[Row],
    ) -> Result<Vec<Fresh>, PgError> {
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let stores: Vec<i32> = rows.iter().map(|row| row.get("store")).collect();
        let ids: Vec<&str> = rows.iter().map(|row| row.get("id")).collect();
        let logged = query(client, sql::EVENTS_OF_MANY, &[&tenant, &stores, &ids]).await?;
        let mut events: HashMap<(i32, String), Vec<Event>> = HashMap::new();
        for row in &logged {
            let key = (row.get("store"), row.get("memory"));
            events.entry(key).or_default().push(crate::rows::event_of(row)?);
        }
        events.values_mut().for_each(in_order);
        let one = |row: &Row| {
            let key = (row.get("store"), row.get("id"));
            self.fresh(row, events.get(&key).map_or(&[][..], Vec::as_slice))
        };
        Ok(rows.iter().map(one).collect())
    }

    fn fresh(&self, row: &Row, events: &[Event]) -> Fresh {
        let (path, text): (String, String) = (row.get("path"), row.get("text"));
        let before = Totals::of_row(row);
        let read = Stored::parse(&path, text.into_bytes(), self.kinds).map(|stored| {
            let signals = Signals::fold(&stored.memory, events, self.trust);
            let made = Made::of(&stored, self.kinds, Stamp::default(), &signals);
            let (terms, lengths) = terms_of(&made.document.fields);
            let card: Option<&str> = row.get("card");
            let card: Option<Card> = card.and_then(|card| serde_json::from_str(card).ok());
            let is_embedded = row.get::<_, Option<i16>>("passages").is_some();
            let is_same = card.is_some_and(|card| card.passages_mark == made.passages_mark);
            FreshDocument { terms, lengths, has_vectors: is_embedded && is_same, made }
        });
        let (store, no, revision) = (row.get("store"), row.get("no"), row.get("revision"));
        Fresh { store, no, path, revision, before, read }
    }
}
