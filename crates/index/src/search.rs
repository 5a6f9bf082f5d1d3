//! One question to several segments: best documents by words and by meaning. Frequencies and
//! averages are taken over what is alive in all segments, so that an answer does not depend on how
//! the documents are spread.

mod allowed;
mod dense;
mod features;
mod gathered;
mod lexical;
mod part;
mod rows;
mod top;

use crate::document::FIELDS;
use crate::{Damage, DotRows, Segment, Vector};

use self::part::Part;

pub use self::gathered::{Gathered, GatheredDocument, Weighed};
pub use self::rows::{count, each_row, newest};

/// A segment and what of it newer segments have replaced.
pub struct Live<'a> {
    pub segment: &'a Segment,
    /// Ordinals of documents that are gone.
    pub dead: &'a [u32],
}

pub struct SearchQuery<'a> {
    pub terms: &'a [AskTerm],
    pub weights: FieldWeights,
    /// With the kernel that compares it with many.
    pub vector: Option<(&'a Vector, DotRows)>,
    /// A document must have one key of each of these.
    pub filter: &'a [Vec<u64>],
    /// One bit per state that may be returned.
    pub states: u16,
    /// How many are wanted by words, and how many by meaning.
    pub top: usize,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AskTerm {
    pub key: u64,
    pub weight: f32,
    /// The terms of one word of the question share a group.
    pub group: u16,
}

/// BM25F: what an occurrence in a field weighs, how much longer fields count less (0 to 1), and how
/// fast further occurrences stop to count.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FieldWeights {
    pub weight: [f32; FIELDS],
    pub b: [f32; FIELDS],
    pub k1: f32,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The best by words and the best by meaning, ordered by segment and ordinal.
    pub hits: Vec<Hit>,
    /// Live documents, allowed or not.
    pub documents: u32,
    /// How rare each term of the question is.
    pub idf: Vec<f32>,
    /// Live documents that have vectors.
    pub embedded: u32,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    pub segment: usize,
    pub ordinal: u32,
    /// The score by words; 0 without any.
    pub lexical: f32,
    /// The share of the question's groups that the document has, by their rarity: 0 to 1.
    pub coverage: f32,
    /// The same for the title alone.
    pub title_coverage: f32,
    /// The best cosine over the document's vectors.
    pub dense: Option<f32>,
    /// Groups of the question that the document has, sorted.
    pub matched: Vec<u16>,
}

pub fn search(segments: &[Live<'_>], ask: &SearchQuery<'_>) -> Result<Found, Damage> {
    let parts = segments.iter().enumerate().map(|(number, live)| Part::load(number, live, ask));
    let mut parts = parts.collect::<Result<Vec<_>, _>>()?;
    let documents = parts.iter().map(Part::documents).sum();
    let embedded = parts.iter().map(|part| part.embedded).sum();
    let terms = lexical::score(&mut parts, ask)?;
    if let Some((vector, dot_rows)) = ask.vector {
        for part in &mut parts {
            dense::score(part, vector, dot_rows)?;
        }
    }
    let by_words = top::best(&parts, |part| &part.scores, 0.0, ask.top)?;
    let by_meaning = top::best(&parts, |part| &part.closest, f32::NEG_INFINITY, ask.top)?;
    let mut places = [by_words, by_meaning].concat();
    places.sort_unstable();
    places.dedup();
    let hits = features::hits(&parts, &terms, ask, &places)?;
    let idf = terms.iter().map(|term| term.idf).collect();
    Ok(Found { hits, documents, idf, embedded })
}
