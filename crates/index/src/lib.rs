//! An immutable inverted index with vectors, over bytes. A segment is built in one go, opened
//! without being parsed, and searched together with its siblings; every page carries a checksum, so
//! that damage is an error and never an answer. No file, clock or store is known here, and nothing
//! about memories: documents are texts with a card.

mod build;
mod damage;
mod dictionary;
mod document;
mod header;
mod lengths;
mod merge;
mod pages;
mod postings;
mod search;
mod segment;
mod source;
mod vectors;
mod write;

#[cfg(test)]
mod tests;

pub use build::{Builder, terms_of};
pub use damage::Damage;
pub use document::{DIMENSIONS, Document, DotRows, FIELDS, STATES, SegmentKey, Stamp, Vector};
pub use lengths::decode as length_of;
pub use merge::merge;
pub use postings::Counts;
pub use search::{
    AskTerm, FieldWeights, Found, Gathered, GatheredDocument, Hit, Live, SearchQuery, Weighed,
    count, each_row, newest, search,
};
pub use segment::Segment;
pub use source::Source;

/// Changes with the bytes of a segment: part of what a caller puts into its [`SegmentKey`], and
/// checked by [`Segment::open`] too.
pub const LAYOUT_VERSION: u32 = 2;
