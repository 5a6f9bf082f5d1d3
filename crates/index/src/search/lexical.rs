//! Scores by words: BM25F over all segments as if they were one.

use crate::document::{BODY, FIELDS};
use crate::header::Section;
use crate::postings::{self, Counts, ONCE};
use crate::{Damage, dictionary, lengths};

use super::part::Part;
use super::{FieldWeights, SearchQuery};

/// A term of the question with its postings, one list per segment.
pub(super) struct Sought {
    pub(super) idf: f32,
    pub(super) lists: Vec<List>,
}

/// Where a term is in one segment.
#[derive(Default)]
pub(super) struct List {
    pub(super) bytes: Vec<u8>,
    /// Dead ones too.
    pub(super) documents: u32,
}

/// The sums of every term's contribution, always added in the order of the question.
pub(super) fn score(parts: &mut [Part<'_>], ask: &SearchQuery<'_>) -> Result<Vec<Sought>, Damage> {
    let documents = parts.iter().map(|part| part.documents()).sum();
    // A forged sum may be anything.
    let sum = |field: usize| {
        parts.iter().map(|part| part.length_sums[field]).fold(0, u64::saturating_add)
    };
    let norms = Norms::of(std::array::from_fn(sum), documents, &ask.weights);
    let mut terms = Vec::with_capacity(ask.terms.len());
    let mut scratch = Vec::new();
    for term in ask.terms {
        let sought = seek(parts, term.key, documents, &mut scratch)?;
        let factor = sought.idf * term.weight;
        let table = norms.table(factor);
        for (part, list) in parts.iter_mut().zip(&sought.lists).filter(|it| it.1.documents > 0) {
            add_scores(part, list, &table, &norms)?;
        }
        terms.push(sought);
    }
    Ok(terms)
}

fn seek(
    parts: &[Part<'_>],
    key: u64,
    documents: u32,
    scratch: &mut Vec<u8>,
) -> Result<Sought, Damage> {
    let mut lists = Vec::with_capacity(parts.len());
    let mut having = 0;
    for part in parts {
        let list = read_list(part, key, scratch)?;
        let mut dead = 0;
        if !part.dead.is_empty() {
            let mut count = |ordinal: u32, _: Counts| {
                dead += u32::from(part.dead.binary_search(&ordinal).is_ok());
                Some(())
            };
            postings::visit_near(&list.bytes, list.documents, &part.dead, &mut count)?;
        }
        having += list.documents.saturating_sub(dead);
        lists.push(list);
    }
    Ok(Sought { idf: idf(documents, having), lists })
}

fn read_list(part: &Part<'_>, key: u64, scratch: &mut Vec<u8>) -> Result<List, Damage> {
    let segment = part.segment;
    let Some(entry) = dictionary::find(segment, Section::Terms, key, scratch)? else {
        return Ok(List::default());
    };
    let range = entry.range(&segment.header().section(Section::Postings))?;
    Ok(List { bytes: segment.pages().read_owned(range)?, documents: entry.documents })
}

pub(super) fn idf(documents: u32, having: u32) -> f32 {
    let (documents, having) = (f64::from(documents), f64::from(having));
    // A forged list may name more documents than there are.
    (1.0 + (documents - having + 0.5).max(0.0) / (having + 0.5)).ln() as f32
}

/// What one occurrence in each field counts, by the stored length of the field.
pub(super) struct Norms {
    fields: [[f32; 256]; FIELDS],
    k1: f32,
}

/// What a term adds to a document that has it once, in the body, by the length of the body.
struct Table {
    once: [f32; 256],
    factor: f32,
}

impl Norms {
    pub(super) fn of(length_sums: [u64; FIELDS], documents: u32, weights: &FieldWeights) -> Norms {
        let mut fields = [[0.0; 256]; FIELDS];
        for (field, norms) in fields.iter_mut().enumerate() {
            let average = (length_sums[field] as f64 / f64::from(documents.max(1))).max(1.0) as f32;
            let (weight, b) = (weights.weight[field], weights.b[field]);
            for (norm, code) in norms.iter_mut().zip(0..=u8::MAX) {
                let length = lengths::decode(code).max(1) as f32;
                *norm = weight / (1.0 - b + b * length / average);
            }
        }
        Norms { fields, k1: weights.k1 }
    }

    fn table(&self, factor: f32) -> Table {
        let once = std::array::from_fn(|code| {
            let mut codes = [0; FIELDS];
            codes[BODY] = code as u8;
            self.contribution(ONCE, codes, factor)
        });
        Table { once, factor }
    }

    #[inline(always)]
    pub(super) fn contribution(&self, counts: Counts, codes: [u8; FIELDS], factor: f32) -> f32 {
        let mut frequency = 0.0;
        for field in 0..FIELDS {
            frequency += f32::from(counts[field]) * self.fields[field][usize::from(codes[field])];
        }
        factor * frequency / (self.k1 + frequency)
    }
}

fn add_scores(
    part: &mut Part<'_>,
    list: &List,
    table: &Table,
    norms: &Norms,
) -> Result<(), Damage> {
    let mut scores = std::mem::take(&mut part.scores);
    if scores.is_empty() {
        scores = vec![0.0; part.segment.len() as usize];
    }
    let lengths: [&[u8]; FIELDS] = std::array::from_fn(|field| part.field_lengths(field));
    postings::visit(&list.bytes, list.documents, &mut |ordinal, counts| {
        let ordinal = ordinal as usize;
        let score = scores.get_mut(ordinal)?;
        *score += if counts == ONCE {
            table.once[usize::from(*lengths[BODY].get(ordinal)?)]
        } else {
            let mut codes = [0; FIELDS];
            for (code, lengths) in codes.iter_mut().zip(lengths) {
                *code = *lengths.get(ordinal)?;
            }
            norms.contribution(counts, codes, table.factor)
        };
        Some(())
    })?;
    part.scores = scores;
    Ok(())
}
