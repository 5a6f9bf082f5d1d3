//! What a question needs of the database: postings and nearest passages, in one snapshot. The scores are those of
//! `oldhand-index`.

use std::collections::{BTreeMap, HashMap, HashSet};

use deadpool_postgres::Object;
use oldhand_index::{
    AskTerm, Counts, DotRows, Found, Gathered, GatheredDocument, STATES, Vector, Weighed,
};
use oldhand_store::question::WEIGHTS;
use pgvector::HalfVector;
use tokio_postgres::Row;

use crate::database::{Value, query};
use crate::error::PgError;
use crate::near::NearPolicy;
use crate::sql;
use crate::totals::{Totals, codes_of};

use super::fresh::Fresh;

/// Memories as near as the last one that is wanted, of which paths may choose.
const TIES_MAX: usize = 64;
/// Passages that an index chooses: they are measured again, exactly.
const CHOSEN_MIN: i64 = 200;

pub(super) struct Question<'q> {
    pub tenant: i32,
    pub stores: &'q [i32],
    pub terms: &'q [AskTerm],
    pub groups: &'q [Vec<u64>],
    pub states: u16,
    pub vector: Option<(&'q Vector, DotRows)>,
    pub top: usize,
    pub near: NearPolicy,
}

pub(super) struct Answer {
    pub found: Found,
    /// By the ordinal of a hit.
    pub nos: Vec<i64>,
}

/// Numbers of memories, and their places among those that were found.
#[derive(Default)]
struct Places {
    nos: Vec<i64>,
    places: HashMap<i64, u32>,
}

impl Places {
    fn of(&mut self, no: i64, found: &mut Vec<GatheredDocument>) -> usize {
        let place = *self.places.entry(no).or_insert_with(|| {
            self.nos.push(no);
            found.push(GatheredDocument::default());
            found.len() as u32 - 1
        });
        place as usize
    }
}

/// Where one term is, as columns.
pub(super) struct Postings {
    term: u64,
    pub nos: Vec<i64>,
    pub tfs: Vec<i32>,
    lens: Vec<i32>,
    states: Vec<i16>,
}

impl Postings {
    pub(super) fn of(row: &Row) -> Self {
        let term = row.get::<_, i64>(0).cast_unsigned();
        Self { term, nos: row.get(1), tfs: row.get(2), lens: row.get(3), states: row.get(4) }
    }
}

/// What the passages of the index are compared with.
struct Nearest<'n> {
    states: Vec<i16>,
    vector: HalfVector,
    /// Memories that pass the filter, if there is one.
    passing: Option<&'n [i64]>,
    /// Changed ones, which are looked at by themselves.
    gone: &'n [i64],
    /// Passages, or memories that pass if they are fewer.
    in_reach: i64,
}

/// What is known of the changed ones, and the vectors that somebody embedded for this question.
pub(super) struct Changed<'f> {
    pub fresh: &'f [Fresh],
    /// By the mark of their passages.
    pub vectors: &'f HashMap<String, Vec<Vector>>,
}

impl Question<'_> {
    pub(super) fn states(&self) -> Vec<i16> {
        (0..i16::from(STATES)).filter(|state| self.states >> state & 1 == 1).collect()
    }

    pub(super) async fn answer(
        &self,
        client: &Object,
        totals: &Totals,
        changed: &Changed<'_>,
    ) -> Result<Answer, PgError> {
        let mut gathered = self.begin(totals, changed);
        let mut places = Places::default();
        let passing = self.take_words(client, changed, &mut gathered, &mut places).await?;
        self.take_fresh(changed, &mut gathered, &mut places);
        gathered.postings.iter_mut().for_each(|list| list.sort_unstable());
        if let Some((vector, dot_rows)) = self.vector {
            let passing = passing.as_deref();
            let in_reach = i64::from(totals.passages);
            let in_reach = passing.map_or(in_reach, |nos| in_reach.min(nos.len() as i64));
            let gone: Vec<i64> = changed.fresh.iter().map(|fresh| fresh.no).collect();
            let (states, vector_of) = (self.states(), half(vector));
            let nearest = Nearest { states, vector: vector_of, passing, gone: &gone, in_reach };
            let mut near = self.nearest(client, &nearest).await?;
            let by_words = self.weigh(client, &gathered, &places.nos).await?;
            near.extend(by_words.hits.iter().map(|hit| places.nos[hit.ordinal as usize]));
            let known = changed.fresh.iter().filter(|it| has_vectors(it)).map(|it| it.no);
            near.extend(known);
            self.take_products(client, vector, &near, (&mut gathered, &mut places)).await?;
            take_embedded(changed, (vector, dot_rows), (&mut gathered, &mut places));
        }
        let found = self.weigh(client, &gathered, &places.nos).await?;
        Ok(Answer { found, nos: places.nos })
    }

    /// The totals without what has changed, and with it as it is now.
    fn begin(&self, totals: &Totals, changed: &Changed<'_>) -> Gathered {
        let mut live = *totals;
        for fresh in changed.fresh {
            live.take(&fresh.before.negated());
            let Ok(document) = &fresh.read else { continue };
            let is_known = changed.vectors.contains_key(&document.made.passages_mark);
            let is_embedded = is_known || document.has_vectors;
            let lens = i32::from_le_bytes(document.lengths);
            live.take(&Totals::of_one(lens, is_embedded.then_some(1)));
        }
        Gathered {
            documents: u32::try_from(live.memories).unwrap_or(0),
            embedded: u32::try_from(live.embedded).unwrap_or(0),
            length_sums: live.lens.map(|sum| u64::try_from(sum).unwrap_or(0)),
            found: Vec::new(),
            postings: vec![Vec::new(); self.terms.len()],
        }
    }

    /// Postings of all terms; returns the memories that pass the filter, or `None` without one.
    async fn take_words(
        &self,
        client: &Object,
        changed: &Changed<'_>,
        gathered: &mut Gathered,
        places: &mut Places,
    ) -> Result<Option<Vec<i64>>, PgError> {
        let filters = self.groups.iter().flatten();
        let keys = self.terms.iter().map(|term| &term.key).chain(filters);
        let keys: Vec<i64> = keys.map(|key| key.cast_signed()).collect();
        if keys.is_empty() {
            return Ok((!self.groups.is_empty()).then(Vec::new));
        }
        let rows = query(client, sql::WORDS, &[&self.tenant, &self.stores, &keys]).await?;
        let gone: HashSet<i64> = changed.fresh.iter().map(|fresh| fresh.no).collect();
        let mut groups: Vec<HashSet<i64>> = vec![HashSet::new(); self.groups.len()];
        let mut states: Vec<i16> = Vec::new();
        for row in &rows {
            let postings = Postings::of(row);
            let key = postings.term;
            let having = self.groups.iter().zip(&mut groups);
            let mut having: Vec<_> =
                having.filter_map(|(keys, nos)| keys.contains(&key).then_some(nos)).collect();
            let lists = self.terms.iter().zip(&mut gathered.postings);
            let mut lists: Vec<_> =
                lists.filter_map(|(term, list)| (term.key == key).then_some(list)).collect();
            for (at, no) in postings.nos.iter().enumerate() {
                if gone.contains(no) {
                    continue;
                }
                let counts: Counts = codes_of(postings.tfs[at]);
                if counts == Counts::default() {
                    having.iter_mut().for_each(|nos| {
                        nos.insert(*no);
                    });
                    continue;
                }
                let place = places.of(*no, &mut gathered.found);
                gathered.found[place].lengths = codes_of(postings.lens[at]);
                states.resize(gathered.found.len(), 0);
                states[place] = postings.states[at];
                lists.iter_mut().for_each(|list| list.push((place as u32, counts)));
            }
        }
        let passes = |no: i64| groups.iter().all(|nos| nos.contains(&no));
        for ((document, no), state) in gathered.found.iter_mut().zip(&places.nos).zip(&states) {
            document.is_allowed = self.states >> state & 1 == 1 && passes(*no);
        }
        let mut passing: Option<Vec<i64>> = groups.first().map(|nos| nos.iter().copied().collect());
        passing.iter_mut().for_each(|nos| {
            nos.retain(|no| passes(*no));
            nos.sort_unstable();
        });
        Ok(passing)
    }

    fn take_fresh(&self, changed: &Changed<'_>, gathered: &mut Gathered, places: &mut Places) {
        for fresh in changed.fresh {
            let Ok(document) = &fresh.read else { continue };
            let place = places.of(fresh.no, &mut gathered.found);
            gathered.found[place].lengths = document.lengths;
            gathered.found[place].is_allowed = document.passes(self.groups, self.states);
            for (term, list) in self.terms.iter().zip(&mut gathered.postings) {
                let counts = document.counts(term.key);
                list.extend(counts.map(|counts| (place as u32, counts)));
            }
        }
    }

    async fn nearest(&self, client: &Object, asked: &Nearest<'_>) -> Result<Vec<i64>, PgError> {
        let most = self.top.saturating_add(TIES_MAX);
        let of_memories = i64::try_from(most).unwrap_or(i64::MAX);
        let chosen = of_memories.max(CHOSEN_MIN);
        if self.is_for_index(client, asked.in_reach).await? {
            query(client, sql::near::BY_INDEX, &[]).await?;
            let rows =
                query(client, sql::near::NEAREST_BY_INDEX, &self.near_values(asked, &chosen))
                    .await?;
            query(client, sql::near::BY_ALL, &[]).await?;
            // With fewer the filters let so little pass that the search in the index ended before it was done.
            if rows.len() as i64 == chosen {
                let mut nos: Vec<i64> = rows.iter().map(|row| row.get(0)).collect();
                nos.sort_unstable();
                nos.dedup();
                return Ok(nos);
            }
        }
        // A memory may have several of the nearest passages.
        let mut passages = of_memories.saturating_mul(2);
        loop {
            let values = self.near_values(asked, &passages);
            let rows = query(client, sql::NEAREST, &values).await?;
            let mut known = HashSet::new();
            let nos = rows.iter().map(|row| row.get(0)).filter(|no: &i64| known.insert(*no));
            let nos: Vec<i64> = nos.take(most).collect();
            if nos.len() == most || (rows.len() as i64) < passages {
                return Ok(nos);
            }
            passages = passages.saturating_mul(4);
        }
    }

    fn near_values<'v>(&'v self, asked: &'v Nearest<'_>, limit: &'v i64) -> [Value<'v>; 7] {
        let Nearest { states, vector, passing, gone, .. } = asked;
        [&self.tenant, &self.stores, states, passing, gone, vector, limit]
    }

    async fn is_for_index(&self, client: &Object, in_reach: i64) -> Result<bool, PgError> {
        // Nearly always: then nothing more is asked.
        if in_reach <= self.near.exact_max {
            return Ok(false);
        }
        let rows = query(client, sql::near::PROMOTED, &[&self.tenant]).await?;
        let is_for = |row: &Row| {
            row.get("is_promoted") && self.near.is_for_index(in_reach, row.get("passages"))
        };
        Ok(rows.first().is_some_and(is_for))
    }

    /// Cosines as the local index has them: the product is a whole number, and scaled in the same order.
    async fn take_products(
        &self,
        client: &Object,
        vector: &Vector,
        nos: &[i64],
        (gathered, places): (&mut Gathered, &mut Places),
    ) -> Result<(), PgError> {
        let asked = half(vector);
        let values: [Value<'_>; 4] = [&self.tenant, &self.stores, &nos, &asked];
        let known = places.nos.len();
        for row in query(client, sql::PRODUCTS, &values).await? {
            let place = places.of(row.get("no"), &mut gathered.found);
            let document = &mut gathered.found[place];
            if place >= known {
                // Found by meaning alone, among those that may be returned.
                document.is_allowed = true;
            }
            let (dot, scale): (f64, f32) = (row.get("dot"), row.get("scale"));
            closer(document, dot as f32 * (scale * vector.scale));
        }
        Ok(())
    }

    async fn weigh(
        &self,
        client: &Object,
        gathered: &Gathered,
        nos: &[i64],
    ) -> Result<Found, PgError> {
        let weighed = Weighed::of(gathered, self.terms, &WEIGHTS, self.top);
        let tied: Vec<u32> = weighed.tied().into_iter().collect();
        let mut paths = BTreeMap::new();
        if !tied.is_empty() {
            let of: HashMap<i64, u32> =
                tied.iter().map(|place| (nos[*place as usize], *place)).collect();
            let tied: Vec<i64> = tied.iter().map(|place| nos[*place as usize]).collect();
            let rows = query(client, sql::PATHS, &[&self.tenant, &self.stores, &tied]).await?;
            paths.extend(rows.iter().filter_map(|row| {
                Some((*of.get(&row.get::<_, i64>("no"))?, row.get::<_, String>("path")))
            }));
        }
        Ok(weighed.finish(&paths))
    }
}

fn has_vectors(fresh: &Fresh) -> bool {
    fresh.read.as_ref().is_ok_and(|document| document.has_vectors)
}

fn closer(document: &mut GatheredDocument, cosine: f32) {
    document.closest = Some(document.closest.map_or(cosine, |best| best.max(cosine)));
}

/// What was embedded for this question, compared as the local index does.
fn take_embedded(
    changed: &Changed<'_>,
    (asked, dot_rows): (&Vector, DotRows),
    (gathered, places): (&mut Gathered, &mut Places),
) {
    for fresh in changed.fresh {
        let Ok(document) = &fresh.read else { continue };
        let vectors = changed.vectors.get(&document.made.passages_mark);
        for vector in vectors.into_iter().flatten() {
            let mut dots = [0];
            dot_rows(&asked.bytes, &vector.bytes, &mut dots);
            let place = places.of(fresh.no, &mut gathered.found);
            closer(&mut gathered.found[place], dots[0] as f32 * (vector.scale * asked.scale));
        }
    }
}

pub(crate) fn half(vector: &Vector) -> HalfVector {
    HalfVector::from_f32_slice(&vector.bytes.map(f32::from))
}
