//! Small documents for tests, and questions about them.

use oldhand_text::terms::{self, Form};
use proptest::prelude::*;

use crate::{
    AskTerm, Builder, DIMENSIONS, Document, FieldWeights, Live, SearchQuery, Segment, SegmentKey,
    Stamp, Vector,
};

pub(super) const KEY: SegmentKey = SegmentKey([7; 32]);

pub(super) const WEIGHTS: FieldWeights =
    FieldWeights { weight: [3.0, 1.0, 2.0, 0.5], b: [0.5, 0.75, 0.3, 0.0], k1: 1.2 };

/// A document that owns its parts.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Page {
    pub(super) path: String,
    pub(super) card: Vec<u8>,
    pub(super) state: u8,
    pub(super) row: [u8; 3],
    pub(super) instant: i64,
    pub(super) fields: [String; 4],
    pub(super) filters: Vec<u64>,
    pub(super) vectors: Option<Vec<Vector>>,
}

impl Page {
    pub(super) fn new(path: &str, body: &str) -> Page {
        Page {
            path: path.to_owned(),
            card: path.to_uppercase().into_bytes(),
            state: 0,
            row: [0; 3],
            instant: 0,
            fields: [path.to_owned(), body.to_owned(), String::new(), String::new()],
            filters: Vec::new(),
            vectors: None,
        }
    }

    pub(super) fn stamp(&self) -> Stamp {
        let size = self.fields[1].len() as i64;
        Stamp([size, -5, i64::MAX, size << 40])
    }

    fn add_to(&self, builder: &mut Builder) {
        builder.add(Document {
            path: self.path.clone(),
            card: self.card.clone(),
            state: self.state,
            row: self.row.to_vec(),
            stamp: self.stamp(),
            instant: self.instant,
            fields: self.fields.clone(),
            filters: self.filters.clone(),
            vectors: self.vectors.clone(),
        });
    }
}

pub(super) fn build(pages: &[Page]) -> Vec<u8> {
    let mut builder = Builder::new(KEY);
    pages.iter().for_each(|page| page.add_to(&mut builder));
    builder.finish()
}

pub(super) fn open(bytes: &[u8]) -> Segment {
    Segment::open(bytes, &KEY).expect("our own bytes")
}

pub(super) fn live(segment: &Segment) -> Live<'_> {
    Live { segment, dead: &[] }
}

/// A question that owns its parts.
#[derive(Debug, Clone)]
pub(super) struct Question {
    pub(super) terms: Vec<AskTerm>,
    pub(super) vector: Option<Vector>,
    pub(super) filter: Vec<Vec<u64>>,
    pub(super) states: u16,
    pub(super) top: usize,
}

impl Question {
    pub(super) fn of(text: &str) -> Question {
        let terms = terms_of(text);
        Question { terms, vector: None, filter: Vec::new(), states: u16::MAX, top: 10 }
    }

    pub(super) fn ask(&self) -> SearchQuery<'_> {
        SearchQuery {
            terms: &self.terms,
            weights: WEIGHTS,
            vector: self.vector.as_ref().map(|vector| (vector, dot_rows as _)),
            filter: &self.filter,
            states: self.states,
            top: self.top,
        }
    }
}

pub(super) fn dot_rows(query: &[i8; DIMENSIONS], rows: &[i8], dots: &mut [i32]) {
    for (row, dot) in rows.chunks(DIMENSIONS).zip(dots) {
        *dot = row.iter().zip(query).map(|(one, other)| i32::from(*one) * i32::from(*other)).sum();
    }
}

/// Each word with its forms is a group.
fn terms_of(text: &str) -> Vec<AskTerm> {
    let mut found = Vec::new();
    for (group, word) in (0..).zip(text.split_whitespace()) {
        terms::each_term(word, &mut |term, form, _| {
            let weight = if form == Form::Stem { 1.0 } else { 0.5 };
            found.push(AskTerm { key: terms::key(term, form), weight, group });
        });
    }
    found
}

const WORDS: [&str; 12] = [
    "index",
    "running",
    "runs",
    "page",
    "src/main.rs",
    "fooBar",
    "v1.2",
    "語彙",
    "the",
    "errors",
    "error",
    "x",
];

pub(super) fn words(
    count: impl Into<prop::collection::SizeRange>,
) -> impl Strategy<Value = String> {
    let word = prop::sample::select(&WORDS[..]);
    prop::collection::vec(word, count).prop_map(|words| words.join(" "))
}

pub(super) fn vector() -> impl Strategy<Value = Vector> {
    // Few different ones, so that there are ties.
    (0..5_i8, prop::sample::select(vec![0.01_f32, 0.02])).prop_map(|(seed, scale)| Vector {
        scale,
        bytes: std::array::from_fn(|at| (at as i8).wrapping_mul(seed).wrapping_add(seed)),
    })
}

pub(super) fn page() -> impl Strategy<Value = Page> {
    let fields = (words(0..4), words(0..20), words(0..3), words(0..3));
    let vectors = prop::option::of(prop::collection::vec(vector(), 0..4));
    let filters = prop::collection::vec(1..5_u64, 0..4);
    ("[a-f]{1,3}", fields, 0..4_u8, filters, vectors).prop_map(
        |(path, (title, body, labels, context), state, filters, vectors)| Page {
            card: body.clone().into_bytes(),
            path,
            state,
            row: [state * 2, 7, state],
            instant: i64::from(state) - 2,
            fields: [title, body, labels, context],
            filters,
            vectors,
        },
    )
}

pub(super) fn question() -> impl Strategy<Value = Question> {
    let filter = prop::collection::vec(prop::collection::vec(1..6_u64, 0..3), 0..2);
    let states = prop_oneof![3 => Just(u16::MAX), 1 => any::<u16>()];
    (words(0..5), prop::option::of(vector()), filter, states, 0..8_usize).prop_map(
        |(text, vector, filter, states, top)| {
            let terms = terms_of(&text);
            Question { terms, vector, filter, states, top }
        },
    )
}

pub(super) fn zero_vector() -> Vector {
    Vector { scale: 0.0, bytes: [0; DIMENSIONS] }
}
