//! The index on PostgreSQL: postings and vectors as rows, scores by the code of the local index. It never lags for
//! its reader: what the worker has not looked at yet is weighed from its text.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use deadpool_postgres::Object;
use oldhand_core::kind::Kinds;
use oldhand_core::policy::TrustPolicy;
use oldhand_core::recall::card::Card;
use oldhand_core::recall::rank::{Candidate, Features};
use oldhand_core::recall::row::Row as Line;
use oldhand_core::state::State;
use oldhand_index::Vector;
use oldhand_store::failure::Failure;
use oldhand_store::index::Embedder;
use oldhand_store::port::index::{Ask, Index, IndexFacts, Listed, Looked, Narrow, Rows, Semantic};
use oldhand_store::port::{Stored, Unreadable, Vault};
use oldhand_store::question::terms;
use tokio_postgres::Row;

use crate::access::Access;
use crate::error::PgError;
use crate::sql;
use crate::vault::PgVault;

pub(crate) mod fresh;
pub(crate) mod gather;
mod near;
mod search;
mod snapshot;

use fresh::{Fresh, Reading};
pub use near::{Likeness, PgNearby};
use snapshot::Snapshot;

/// A store to look into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InReach {
    pub store: i32,
    /// What it is called beside others; none for the one that is asked.
    pub name: Option<Arc<str>>,
    /// The caller's own, of all projects.
    pub is_own: bool,
    /// Nobody has accepted it: nothing in it is more than a caution.
    pub is_doubted: bool,
}

impl InReach {
    pub fn plain(store: i32) -> Self {
        Self { store, name: None, is_own: false, is_doubted: false }
    }
}

pub struct PgIndex<'a> {
    pub access: &'a Access<'a>,
    /// The first is the one that lists are of.
    pub reach: Vec<InReach>,
    pub kinds: &'a Kinds,
    pub trust: &'a TrustPolicy,
    pub embedder: Option<&'a dyn Embedder>,
    /// Why there is no embedder, for the log.
    pub why_no_meaning: String,
    /// Memories without vectors that one question embeds on its way.
    pub fill_max: usize,
    pub known: Known,
}

/// These stores as the transaction of that serial has them.
type Seen = (u64, Vec<i32>, Rc<Snapshot>);

/// What an answer has found out already.
#[derive(Default)]
pub struct Known {
    /// The text that was asked for last.
    question: RefCell<Option<(String, Rc<Vector>)>>,
    /// Of texts that were embedded on the way, by the mark of their passages.
    embedded: RefCell<HashMap<String, Vec<Vector>>>,
    snapshot: RefCell<Option<Seen>>,
}

impl PgIndex<'_> {
    fn stores(&self) -> Vec<i32> {
        self.reach.iter().map(|it| it.store).collect()
    }

    fn reading(&self) -> Reading<'_> {
        Reading { kinds: self.kinds, trust: self.trust }
    }

    /// One text is asked for in several ways.
    fn question(&self, embedder: &dyn Embedder, text: &str) -> Rc<Vector> {
        let mut known = self.known.question.borrow_mut();
        if let Some((_, vector)) = known.as_ref().filter(|(asked, _)| asked == text) {
            return vector.clone();
        }
        self.access.rest();
        let vector = Rc::new(embedder.embed(text));
        *known = Some((text.to_owned(), vector.clone()));
        vector
    }

    fn read<T>(&self, run: impl AsyncFn(&Object) -> Result<T, PgError>) -> Result<T, Failure> {
        self.access.read(run).map_err(|error| error.failure("search", "the store"))
    }

    /// Where a store is among those in reach.
    fn place(&self, store: i32) -> usize {
        self.reach.iter().position(|it| it.store == store).unwrap_or(0)
    }

    fn candidate(&self, store: i32, path: String, mut card: Card) -> Candidate {
        let place = self.place(store);
        card.is_own = self.reach[place].is_own;
        card.from = self.reach[place].name.clone();
        if self.reach[place].is_doubted {
            card.doubt(self.trust);
        }
        Candidate {
            card,
            store: place,
            path,
            features: Features::default(),
            matched: Vec::new(),
            replaces: Vec::new(),
        }
    }

    fn candidate_of(&self, row: &Row) -> Result<Candidate, PgError> {
        let (store, path, card): (i32, String, &str) =
            (row.get("store"), row.get("path"), row.get("card"));
        let card = serde_json::from_str(card)
            .map_err(|error| PgError::refused(format!("the card of `{path}`: {error}")))?;
        Ok(self.candidate(store, path, card))
    }

    fn fresh_candidate(&self, fresh: &Fresh) -> Option<Candidate> {
        let card = fresh.read.as_ref().ok()?.card()?;
        Some(self.candidate(fresh.store, fresh.path.clone(), card))
    }
}

impl Index for PgIndex<'_> {
    fn look(&self, ask: &Ask<'_>) -> Result<Looked, Failure> {
        let text = ask.query.semantic_text();
        let embedder = self.embedder.filter(|_| ask.semantic && !text.is_empty());
        let vector = embedder.map(|embedder| self.question(embedder, &text));
        let terms = terms(ask.query);
        let with_waiting = ask.narrow.states.contains(&State::Candidate);
        let (mut candidates, mut snapshot, mut fits) =
            self.search(ask, vector.as_deref(), &terms)?;
        if vector.is_some() && fits && self.fill(&snapshot, with_waiting) {
            (candidates, snapshot, fits) = self.search(ask, vector.as_deref(), &terms)?;
        }
        let semantic = match &vector {
            None if ask.semantic => Semantic::Off { why: self.why_no_meaning.clone() },
            None => Semantic::Off { why: String::new() },
            Some(_) if !fits => {
                Semantic::Off { why: "the vectors are of another model".to_owned() }
            }
            Some(_) => self.semantic(&snapshot, with_waiting),
        };
        let size = self.size(&snapshot)?;
        Ok(Looked { candidates, semantic, size })
    }

    fn newest(&self, narrow: &Narrow, limit: usize) -> Result<Vec<Candidate>, Failure> {
        let stores = self.stores();
        let mut newest = self.read(async |client| {
            let which = (sql::NEWEST, Some(limit));
            let (rows, snapshot) = self.select(client, &stores, narrow, which).await?;
            let mut all =
                rows.iter().map(|row| self.candidate_of(row)).collect::<Result<Vec<_>, _>>()?;
            all.extend(snapshot.passing(narrow).filter_map(|fresh| self.fresh_candidate(fresh)));
            Ok(all)
        })?;
        newest.sort_by(|a, b| {
            (Reverse(a.card.instant()), &a.path).cmp(&(Reverse(b.card.instant()), &b.path))
        });
        newest.truncate(limit);
        newest.sort_by(|a, b| {
            (Reverse(a.card.instant()), &a.card.id).cmp(&(Reverse(b.card.instant()), &b.card.id))
        });
        Ok(newest)
    }

    fn cards(&self, narrow: &Narrow) -> Result<Vec<Candidate>, Failure> {
        let mut all = self.newest(narrow, usize::MAX)?;
        all.sort_by(|a, b| a.card.id.cmp(&b.card.id));
        Ok(all)
    }

    fn count(&self, narrow: &Narrow) -> Result<usize, Failure> {
        let stores = self.stores();
        self.read(async |client| {
            let which = (sql::COUNT_INDEXED, None);
            let (rows, snapshot) = self.select(client, &stores, narrow, which).await?;
            let fresh = snapshot.passing(narrow).filter(|fresh| fresh.read.is_ok()).count();
            Ok(usize::try_from(rows[0].get::<_, i64>(0)).unwrap_or(0) + fresh)
        })
    }

    fn rows(&self, narrow: &Narrow) -> Result<Option<Rows>, Failure> {
        let Some(first) = self.reach.first().map(|it| it.store) else { return Ok(None) };
        self.read(async |client| {
            let which = (sql::LINES, None);
            let (lines, snapshot) = self.select(client, &[first], narrow, which).await?;
            if snapshot.is_behind() {
                return Ok(None);
            }
            let mut rows = Rows { log: snapshot.log, ..Rows::default() };
            for row in &lines {
                let (path, line): (String, &[u8]) = (row.get("path"), row.get("line"));
                let row = Line::of_bytes(line)
                    .ok_or_else(|| PgError::refused(format!("the row of `{path}` is damaged")))?;
                rows.listed.push(Listed { path, row });
            }
            for fresh in snapshot.passing(narrow) {
                let line = fresh.read.as_ref().ok();
                let row = line.and_then(|it| Line::of_bytes(&it.made.document.row));
                rows.listed.extend(row.map(|row| Listed { path: fresh.path.clone(), row }));
            }
            rows.listed.sort_unstable_by(|a, b| a.path.cmp(&b.path));
            rows.unreadable = self.unreadable(client, &[first], &snapshot).await?.to_vec();
            Ok(Some(rows))
        })
    }

    /// What has changed is always looked at.
    fn recheck(&self) -> Result<bool, Failure> {
        Ok(false)
    }

    fn read(&self, candidate: &Candidate) -> Result<Option<Stored>, Failure> {
        let Some(in_reach) = self.reach.get(candidate.store) else { return Ok(None) };
        let vault = PgVault::reader(self.access, in_reach.store, self.kinds);
        let stored = vault.find_at(&candidate.path)?;
        if let Some(stored) = &stored {
            // Of two files with one id nobody knows which is meant: neither is served.
            vault.find_raw(&stored.memory.id)?;
        }
        Ok(stored)
    }

    fn facts(&self) -> Result<IndexFacts, Failure> {
        let stores = self.stores();
        let snapshot = self.read(async |client| self.snapshot(client, &stores).await)?;
        let number = |count: i32| usize::try_from(count).unwrap_or(0);
        let fresh = snapshot.fresh.iter().filter(|it| it.read.is_ok()).count();
        let before: i32 = snapshot.fresh.iter().map(|it| it.before.memories).sum();
        Ok(IndexFacts {
            memories: number(snapshot.totals.memories - before) + fresh,
            embedded: number(snapshot.totals.embedded),
            model: self.embedder.map_or("none", Embedder::tag).to_owned(),
            is_kept: true,
            ..IndexFacts::default()
        })
    }

    fn notes(&self) -> Vec<String> {
        let stores = self.stores();
        let looked = self.read(async |client| {
            let snapshot = self.snapshot(client, &stores).await?;
            let is_behind = snapshot.is_behind();
            Ok((self.unreadable(client, &stores, &snapshot).await?.to_vec(), is_behind))
        });
        let (unreadable, is_behind) = match looked {
            Ok(looked) => looked,
            Err(failure) => return vec![failure.to_string()],
        };
        let note = |it: Unreadable| format!("could not read `{}`: {}", it.path, it.why);
        let behind = is_behind.then(|| "the index is behind: the worker catches up".to_owned());
        unreadable.into_iter().map(note).chain(behind).collect()
    }

    fn mark(&self) -> String {
        let mark = |it: &InReach| {
            let facts = self.access.store_facts(it.store).ok().flatten();
            let revision = facts.map_or(0, |facts| facts.revision);
            format!("{}:{revision}:{};", it.store, it.is_doubted)
        };
        self.reach.iter().map(mark).collect()
    }
}
