//! From documents to a segment: their terms are counted as they come, and sorted at the end.

use std::ops::Range;

use foldhash::HashMap;
use oldhand_text::terms::{self, Form, Terms};

use crate::document::{FIELDS, Mark};
use crate::postings::{Counts, Posting};
use crate::write::{Assembly, Row};
use crate::{Document, SegmentKey, Vector, lengths};

pub struct Builder {
    key: SegmentKey,
    terms: Terms,
    known: HashMap<u64, Known>,
    /// By the number of a term.
    keys: Vec<u64>,
    /// The keys of one field, while it is counted.
    field: Vec<u64>,
    counted: Vec<Counted>,
    documents: Vec<Added>,
}

struct Known {
    number: u32,
    /// Where the term was counted last.
    slot: u32,
}

/// A term of a document, by its number.
struct Counted {
    term: u32,
    counts: Counts,
}

/// Leaves room for the largest document below the numbers that a slot can have.
const COUNTED_MAX: usize = 1 << 31;

struct Added {
    row: Row,
    counted: Range<usize>,
    filters: Vec<u64>,
    vectors: Vec<Vector>,
}

impl Builder {
    pub fn new(key: SegmentKey) -> Builder {
        Builder {
            key,
            terms: Terms::default(),
            known: HashMap::default(),
            keys: Vec::new(),
            field: Vec::new(),
            counted: Vec::new(),
            documents: Vec::new(),
        }
    }

    /// Documents may come in any order.
    pub fn add(&mut self, document: Document) {
        let start = self.counted.len();
        assert!(start < COUNTED_MAX, "a segment holds at most {COUNTED_MAX} postings");
        let mut lengths = [0; FIELDS];
        for (field, text) in document.fields.iter().enumerate() {
            lengths[field] = lengths::encode(self.count(text, field, start as u32));
        }
        let mut filters = document.filters;
        filters.sort_unstable();
        filters.dedup();
        let row = Row {
            path: document.path,
            card: document.card,
            mark: Mark::new(document.state, document.vectors.as_ref().map(Vec::len)),
            row: document.row,
            stamp: document.stamp,
            instant: document.instant,
            lengths,
        };
        self.documents.push(Added {
            row,
            counted: start..self.counted.len(),
            filters,
            vectors: document.vectors.unwrap_or_default(),
        });
    }

    /// Counts the terms of one field of the document that begins at `start`, and gives its length:
    /// the other forms of a word don't make a text longer.
    fn count(&mut self, text: &str, field: usize, start: u32) -> u32 {
        let Builder { terms, known, keys, field: of_field, counted, .. } = self;
        let mut length = 0;
        of_field.clear();
        terms.each_term(text, &mut |term, form, _| {
            length += u32::from(form == Form::Stem);
            of_field.push(terms::key(term, form));
        });
        // A loop of its own, as the processor then waits for several places in memory at a time.
        for &key in of_field.iter() {
            let next = counted.len() as u32;
            let known = known.entry(key).or_insert_with(|| {
                keys.push(key);
                Known { number: keys.len() as u32 - 1, slot: u32::MAX }
            });
            if known.slot < start || known.slot == u32::MAX {
                known.slot = next;
                counted.push(Counted { term: known.number, counts: [0; FIELDS] });
            }
            let count = &mut counted[known.slot as usize].counts[field];
            *count = count.saturating_add(1);
        }
        length
    }

    pub fn finish(mut self) -> Vec<u8> {
        let mut assembly = Assembly::default();
        let documents = last_of_each_path(std::mem::take(&mut self.documents));
        for (ordinal, document) in (0..).zip(&documents) {
            assembly.push_document(&document.row);
            for vector in &document.vectors {
                assembly.push_vector(ordinal, vector);
            }
        }
        self.push_terms(&documents, &mut assembly);
        push_filters(&documents, &mut assembly);
        assembly.finish(self.key)
    }

    /// Postings by term: counted first, so that each goes to its place at once.
    fn push_terms(&self, documents: &[Added], assembly: &mut Assembly) {
        let mut starts = vec![0_usize; self.keys.len() + 1];
        for counted in documents.iter().flat_map(|it| &self.counted[it.counted.clone()]) {
            starts[counted.term as usize + 1] += 1;
        }
        for term in 1..starts.len() {
            starts[term] += starts[term - 1];
        }
        let nothing = Posting { ordinal: 0, counts: [0; FIELDS] };
        let mut postings = vec![nothing; starts.last().copied().unwrap_or(0)];
        let mut next = starts.clone();
        for (ordinal, document) in (0..).zip(documents) {
            for counted in &self.counted[document.counted.clone()] {
                let place = &mut next[counted.term as usize];
                postings[*place] = Posting { ordinal, counts: counted.counts };
                *place += 1;
            }
        }
        let mut order: Vec<usize> = (0..self.keys.len()).collect();
        order.sort_unstable_by_key(|&term| self.keys[term]);
        for term in order {
            let of_term = &postings[starts[term]..starts[term + 1]];
            if !of_term.is_empty() {
                assembly.push_term(self.keys[term], of_term);
            }
        }
    }
}

/// What the index would keep of the words of one document: each term with how often it is in each field, and the codes
/// of the fields' lengths.
pub fn terms_of(fields: &[String; FIELDS]) -> (Vec<(u64, Counts)>, [u8; FIELDS]) {
    let mut builder = Builder::new(SegmentKey([0; 32]));
    let mut lengths = [0; FIELDS];
    for (field, text) in fields.iter().enumerate() {
        lengths[field] = lengths::encode(builder.count(text, field, 0));
    }
    let key = |counted: &Counted| (builder.keys[counted.term as usize], counted.counts);
    (builder.counted.iter().map(key).collect(), lengths)
}

/// In the order of their paths.
fn last_of_each_path(mut documents: Vec<Added>) -> Vec<Added> {
    documents.reverse();
    documents.sort_by(|left, right| left.row.path.cmp(&right.row.path));
    documents.dedup_by(|later, kept| later.row.path == kept.row.path);
    documents
}

fn push_filters(documents: &[Added], assembly: &mut Assembly) {
    let mut pairs: Vec<(u64, u32)> = (0..)
        .zip(documents)
        .flat_map(|(ordinal, it)| it.filters.iter().map(move |key| (*key, ordinal)))
        .collect();
    pairs.sort_unstable();
    for of_key in pairs.chunk_by(|left, right| left.0 == right.0) {
        let ordinals: Vec<u32> = of_key.iter().map(|pair| pair.1).collect();
        assembly.push_filter(of_key[0].0, &ordinals);
    }
}
