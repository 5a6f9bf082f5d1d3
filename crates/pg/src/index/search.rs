//! One question: words, vectors and filters of all stores in reach, as candidates with their measures.

use std::collections::HashMap;
use std::rc::Rc;

use deadpool_postgres::Object;
use oldhand_core::recall::chain::Size;
use oldhand_core::recall::rank::Candidate;
use oldhand_core::state::State;
use oldhand_index::{AskTerm, Vector};
use oldhand_store::failure::Failure;
use oldhand_store::index::Embedder;
use oldhand_store::port::index::{Ask, Index, Narrow, Semantic};
use oldhand_store::question::{COUNTED_BELOW, Measures, filters};

use crate::database::query;
use crate::error::PgError;
use crate::sql;

use super::PgIndex;
use super::fresh::Fresh;
use super::gather::{Answer, Question};
use super::snapshot::Snapshot;

impl PgIndex<'_> {
    async fn candidates(
        &self,
        client: &Object,
        answer: &Answer,
        snapshot: &Snapshot,
        measures: &Measures<'_>,
    ) -> Result<Vec<Candidate>, PgError> {
        let no_of = |ordinal: u32| answer.nos[ordinal as usize];
        let (tenant, stores) = (self.access.caller.tenant, self.stores());
        let nos: Vec<i64> = answer.found.hits.iter().map(|hit| no_of(hit.ordinal)).collect();
        let mut known: HashMap<i64, Candidate> = HashMap::new();
        for row in query(client, sql::CARDS, &[&tenant, &stores, &nos]).await? {
            // One that was never indexed has no card yet: it is among the fresh ones.
            if row.get::<_, Option<&str>>("card").is_some() {
                known.insert(row.get("no"), self.candidate_of(&row)?);
            }
        }
        for fresh in &snapshot.fresh {
            known.extend(self.fresh_candidate(fresh).map(|candidate| (fresh.no, candidate)));
        }
        let mut candidates = Vec::new();
        for hit in &answer.found.hits {
            if let Some(mut candidate) = known.remove(&no_of(hit.ordinal)) {
                measures.put(hit, &mut candidate);
                candidates.push(candidate);
            }
        }
        // By store and path, as the segments of the local index have them.
        candidates.sort_by(|a, b| (a.store, &a.path).cmp(&(b.store, &b.path)));
        Ok(candidates)
    }

    pub(super) fn size(&self, snapshot: &Snapshot) -> Result<Size, Failure> {
        let mut live = snapshot.totals;
        for fresh in &snapshot.fresh {
            live.take(&fresh.before.negated());
            live.memories += i32::from(fresh.read.is_ok());
        }
        let memories = usize::try_from(live.memories).unwrap_or(0);
        if memories >= COUNTED_BELOW {
            return Ok(Size { memories, bytes: u64::MAX });
        }
        let active = State::ALL.iter().copied().filter(|state| state.is_active()).collect();
        let all = self.newest(&Narrow { words: Vec::new(), states: active }, usize::MAX)?;
        let bytes = all.iter().map(|candidate| u64::from(candidate.card.bytes)).sum();
        Ok(Size { memories: all.len(), bytes })
    }

    /// Embeds what has no vectors yet, while no connection is held; true when there was something.
    pub(super) fn fill(&self, snapshot: &Snapshot, with_waiting: bool) -> bool {
        let Some(embedder) = self.embedder.filter(|_| !self.access.is_writing()) else {
            return false;
        };
        let mut known = self.known.embedded.borrow_mut();
        let missing = snapshot.missing(with_waiting, &known);
        let wanted: Vec<&Fresh> = missing.into_iter().take(self.fill_max).collect();
        if !wanted.is_empty() {
            self.access.rest();
        }
        for document in wanted.iter().filter_map(|fresh| fresh.read.as_ref().ok()) {
            let passages = document.made.passages.iter();
            let vectors = passages.map(|passage| embedder.embed(passage)).collect();
            known.insert(document.made.passages_mark.clone(), vectors);
        }
        !wanted.is_empty()
    }

    pub(super) fn search(
        &self,
        ask: &Ask<'_>,
        vector: Option<&Vector>,
        terms: &[AskTerm],
    ) -> Result<(Vec<Candidate>, Rc<Snapshot>, bool), Failure> {
        let (groups, states) = filters(ask.narrow);
        let stores = self.stores();
        let embedded = self.known.embedded.borrow();
        self.read(async |client| {
            let snapshot = self.snapshot(client, &stores).await?;
            // Vectors of another model can't be compared.
            let tag = self.embedder.map(Embedder::tag);
            let fits = snapshot.model.is_empty() || tag == Some(snapshot.model.as_str());
            let kernel = self.embedder.map(Embedder::dot_rows);
            let question = Question {
                tenant: self.access.caller.tenant,
                stores: &stores,
                terms,
                groups: &groups,
                states,
                vector: vector.filter(|_| fits).zip(kernel),
                top: ask.top,
                near: self.access.database.near,
            };
            let changed = snapshot.changed(&embedded);
            let answer = question.answer(client, &snapshot.totals, &changed).await?;
            let measures = Measures::of(ask.query, terms, &answer.found.idf);
            let candidates = self.candidates(client, &answer, &snapshot, &measures).await?;
            Ok((candidates, snapshot, fits))
        })
    }

    pub(super) fn semantic(&self, snapshot: &Snapshot, with_waiting: bool) -> Semantic {
        let unindexed = match snapshot.model.is_empty() {
            true => snapshot.totals.memories - snapshot.totals.embedded,
            false => 0,
        };
        let missing = snapshot.missing(with_waiting, &self.known.embedded.borrow()).len()
            + usize::try_from(unindexed).unwrap_or(0);
        let of = usize::try_from(snapshot.totals.memories).unwrap_or(0) + snapshot.fresh.len();
        match missing {
            0 => Semantic::Whole,
            missing => Semantic::Partial { embedded: of.saturating_sub(missing), of },
        }
    }
}
