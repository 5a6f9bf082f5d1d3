//! The worker: takes jobs, reads and embeds without a transaction, and writes what it made in one, unless the memory
//! has changed meanwhile. Any number of workers may run, and each may die at any moment: a job that was taken comes
//! back after a minute.

use deadpool_postgres::Object;
use oldhand_core::kind::Kinds;
use oldhand_core::policy::TrustPolicy;
use oldhand_index::Vector;
use oldhand_store::index::Embedder;
use pgvector::HalfVector;

use crate::access::{Access, Caller};
use crate::database::{Database, Value, execute, query};
use crate::error::PgError;
use crate::index::fresh::{Fresh, FreshDocument, Reading};
use crate::index::gather::half;
use crate::sql;
use crate::totals::{Totals, drop_words};

/// Jobs that are taken at a time: what a worker that dies leaves for a minute.
const BATCH: i64 = 16;
/// Stores that are looked into per round.
const STORES_MAX: i32 = 64;

pub struct Worker<'a> {
    pub database: &'a Database,
    /// What a store declares, from the text of its configuration.
    pub rules: &'a dyn Fn(&str) -> Rules,
    /// Without one only words are indexed.
    pub embedder: Option<&'a dyn Embedder>,
}

/// What a store's own configuration says of its memories.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    pub kinds: Kinds,
    pub trust: TrustPolicy,
}

/// A memory that was read, with its vectors.
struct Indexed {
    fresh: Fresh,
    /// `None` for those that are stored already, or without a model.
    vectors: Option<Vec<Vector>>,
}

impl Worker<'_> {
    /// One round over all stores that have something to do. Returns how many jobs were taken: with none the caller
    /// waits before the next round.
    pub fn run_once(&self) -> Result<usize, PgError> {
        let due = self.database.block_on(async {
            let client = self.database.client().await?;
            query(&client, sql::DUE, &[&STORES_MAX]).await
        })?;
        let mut taken = 0;
        for row in due {
            let caller = Caller {
                tenant: row.get("tenant"),
                stores: vec![row.get("store")],
                principal: None,
            };
            taken += self.run_store(&Access::new(self.database, caller))?;
        }
        Ok(taken)
    }

    /// Until nothing is due any more.
    pub fn run_all(&self) -> Result<usize, PgError> {
        let mut all = 0;
        loop {
            match self.run_once()? {
                0 => return Ok(all),
                taken => all += taken,
            }
        }
    }

    fn run_store(&self, access: &Access<'_>) -> Result<usize, PgError> {
        let (tenant, store) = (access.caller.tenant, access.caller.stores[0]);
        self.settle_model(access)?;
        let nos: Vec<i64> = access.change(async |client| {
            let rows = query(client, sql::CLAIM_JOBS, &[&tenant, &store, &BATCH]).await?;
            Ok(rows.iter().map(|row| row.get(0)).collect())
        })?;
        if nos.is_empty() {
            return Ok(0);
        }
        let config = access.store_facts(store)?.map(|facts| facts.config).unwrap_or_default();
        let Rules { kinds, trust } = (self.rules)(&config);
        let reading = Reading { kinds: &kinds, trust: &trust };
        let fresh = access.read(async |client| {
            let rows = query(client, sql::TO_INDEX, &[&tenant, &vec![store], &nos]).await?;
            reading.read(client, tenant, &rows).await
        })?;
        let indexed: Vec<Indexed> = fresh.into_iter().map(|fresh| self.embed(fresh)).collect();
        access.change(async |client| Writing { client, tenant, store }.write(indexed).await)?;
        Ok(nos.len())
    }

    fn embed(&self, fresh: Fresh) -> Indexed {
        let document = fresh.read.as_ref().ok().filter(|document| !document.has_vectors);
        let vectors = self.embedder.zip(document).map(|(embedder, document)| {
            document.made.passages.iter().map(|passage| embedder.embed(passage)).collect()
        });
        Indexed { fresh, vectors }
    }

    /// A store has vectors of one model: with another, all are made again.
    fn settle_model(&self, access: &Access<'_>) -> Result<(), PgError> {
        let Some(tag) = self.embedder.map(Embedder::tag) else { return Ok(()) };
        let (tenant, store) = (access.caller.tenant, access.caller.stores[0]);
        access.change(async |client| {
            let rows = query(client, sql::MODEL, &[&tenant, &store]).await?;
            let model: &str = rows.first().map_or("", |row| row.get(0));
            if model == tag {
                return Ok(());
            }
            // Also those that were indexed before there was a model.
            for statement in sql::DROP_MODEL {
                execute(client, statement, &[&tenant, &store]).await?;
            }
            execute(client, sql::SET_MODEL, &[&tenant, &store, &tag]).await.map(drop)
        })
    }
}

/// The transaction that a batch is written in.
struct Writing<'a> {
    client: &'a Object,
    tenant: i32,
    store: i32,
}

impl Writing<'_> {
    async fn write(&self, mut batch: Vec<Indexed>) -> Result<(), PgError> {
        let (client, tenant, store) = (self.client, &self.tenant, &self.store);
        let nos: Vec<i64> = batch.iter().map(|it| it.fresh.no).collect();
        let held = query(client, sql::HOLD, &[tenant, store, &nos]).await?;
        // What has changed since it was read has a job of its own by now.
        batch.retain(|it| {
            held.iter()
                .any(|row| (row.get("no"), row.get("revision")) == (it.fresh.no, it.fresh.revision))
        });
        let mut difference = Totals::default();
        for it in &batch {
            difference.take(&it.fresh.before.negated());
            if let Ok(document) = &it.fresh.read {
                let lens = i32::from_le_bytes(document.lengths);
                difference.take(&Totals::of_one(lens, passages_of(it, document)));
            }
        }
        self.words(&batch).await?;
        self.passages(&batch).await?;
        self.memories(&batch).await?;
        let nos: Vec<i64> = batch.iter().map(|it| it.fresh.no).collect();
        let revisions: Vec<i64> = batch.iter().map(|it| it.fresh.revision).collect();
        execute(client, sql::END_JOBS, &[tenant, store, &nos, &revisions]).await?;
        // Last, because everybody waits for this row.
        difference.add(client, self.tenant, self.store).await
    }

    async fn words(&self, batch: &[Indexed]) -> Result<(), PgError> {
        let (client, tenant, store) = (self.client, &self.tenant, &self.store);
        let all: Vec<i64> = batch.iter().map(|it| it.fresh.no).collect();
        drop_words(client, self.tenant, self.store, &all).await?;
        let (mut terms, mut nos, mut counts) = (Vec::new(), Vec::new(), Vec::new());
        let (mut lens, mut states) = (Vec::new(), Vec::new());
        for (no, document) in documents(batch) {
            for (term, count) in words_of(document) {
                terms.push(term.cast_signed());
                nos.push(no);
                counts.push(i32::from_le_bytes(count));
                lens.push(i32::from_le_bytes(document.lengths));
                states.push(i16::from(document.made.document.state));
            }
        }
        let values: [Value<'_>; 7] = [tenant, store, &terms, &nos, &counts, &lens, &states];
        execute(client, sql::ADD_WORDS, &values).await.map(drop)
    }

    async fn passages(&self, batch: &[Indexed]) -> Result<(), PgError> {
        let (client, tenant, store) = (self.client, &self.tenant, &self.store);
        let is_gone = |it: &&Indexed| it.vectors.is_some() || it.fresh.read.is_err();
        let gone: Vec<i64> = batch.iter().filter(is_gone).map(|it| it.fresh.no).collect();
        if !gone.is_empty() {
            execute(client, sql::DROP_PASSAGES, &[tenant, store, &gone]).await?;
        }
        let (mut nos, mut nths, mut states) = (Vec::new(), Vec::new(), Vec::new());
        let (mut scales, mut vectors): (Vec<f32>, Vec<HalfVector>) = (Vec::new(), Vec::new());
        for it in batch {
            let Ok(document) = &it.fresh.read else { continue };
            for (nth, vector) in (0_i16..).zip(it.vectors.iter().flatten()) {
                nos.push(it.fresh.no);
                nths.push(nth);
                states.push(i16::from(document.made.document.state));
                // A scale that is no number would make every comparison with it false.
                scales.push(if vector.scale.is_finite() { vector.scale } else { 0.0 });
                vectors.push(half(vector));
            }
        }
        if !nos.is_empty() {
            let values: [Value<'_>; 7] = [tenant, store, &nos, &nths, &states, &scales, &vectors];
            execute(client, sql::ADD_PASSAGES, &values).await?;
        }
        let kept = documents(batch).filter(|(_, document)| document.has_vectors);
        let (nos, states): (Vec<i64>, Vec<i16>) =
            kept.map(|(no, document)| (no, i16::from(document.made.document.state))).unzip();
        if !nos.is_empty() {
            execute(client, sql::SET_PASSAGES, &[tenant, store, &nos, &states]).await?;
        }
        Ok(())
    }

    async fn memories(&self, batch: &[Indexed]) -> Result<(), PgError> {
        let mut rows = Columns::default();
        for it in batch {
            rows.push(it);
        }
        let values: [Value<'_>; 13] = [
            &self.tenant,
            &self.store,
            &rows.nos,
            &rows.revisions,
            &rows.states,
            &rows.instants,
            &rows.lens,
            &rows.passages,
            &rows.cards,
            &rows.lines,
            &rows.term_nos,
            &rows.terms,
            &rows.whys,
        ];
        execute(self.client, sql::SET_INDEXED, &values).await.map(drop)
    }
}

/// The derived columns of `memory`.
#[derive(Default)]
struct Columns {
    nos: Vec<i64>,
    revisions: Vec<i64>,
    states: Vec<Option<i16>>,
    instants: Vec<Option<i64>>,
    lens: Vec<Option<i32>>,
    passages: Vec<Option<i16>>,
    cards: Vec<Option<String>>,
    lines: Vec<Option<Vec<u8>>>,
    whys: Vec<Option<String>>,
    /// The keys of their words, so that these are found again.
    term_nos: Vec<i64>,
    terms: Vec<i64>,
}

impl Columns {
    fn push(&mut self, it: &Indexed) {
        let document = it.fresh.read.as_ref().ok();
        let made = document.map(|document| &document.made.document);
        self.nos.push(it.fresh.no);
        self.revisions.push(it.fresh.revision);
        self.states.push(made.map(|made| i16::from(made.state)));
        self.instants.push(made.map(|made| made.instant));
        self.lens.push(document.map(|document| i32::from_le_bytes(document.lengths)));
        self.passages.push(document.and_then(|document| passages_of(it, document)));
        let card = made.and_then(|made| String::from_utf8(made.card.clone()).ok());
        self.cards.push(card);
        self.lines.push(made.map(|made| made.row.clone()));
        self.whys.push(it.fresh.read.as_ref().err().map(|unreadable| unreadable.why.clone()));
        for (term, _) in document.into_iter().flat_map(words_of) {
            self.term_nos.push(it.fresh.no);
            self.terms.push(term.cast_signed());
        }
    }
}

fn documents(batch: &[Indexed]) -> impl Iterator<Item = (i64, &FreshDocument)> {
    batch.iter().filter_map(|it| Some((it.fresh.no, it.fresh.read.as_ref().ok()?)))
}

/// How many passages are stored; `None` for not embedded yet.
fn passages_of(it: &Indexed, document: &FreshDocument) -> Option<i16> {
    let is_embedded = it.vectors.is_some() || document.has_vectors;
    is_embedded.then(|| i16::try_from(document.made.passages.len()).unwrap_or(i16::MAX))
}

/// Its terms, and what it can be filtered by as terms in no field.
fn words_of(document: &FreshDocument) -> Vec<(u64, oldhand_index::Counts)> {
    let mut words = document.terms.clone();
    let filters = document.made.document.filters.iter();
    words.extend(filters.map(|key| (*key, oldhand_index::Counts::default())));
    words.sort_unstable_by_key(|(key, counts)| (*key, std::cmp::Reverse(*counts)));
    words.dedup_by_key(|(key, _)| *key);
    words
}
