//! The newest documents, whatever they say.

use std::cmp::Reverse;

use crate::Damage;
use crate::header::Section;

use super::part::Part;
use super::top::{Spot, cut};
use super::{Live, SearchQuery};

/// Segment and ordinal of the newest that pass the filter and the states, newest first; of those of
/// one instant the first paths.
pub fn newest(
    segments: &[Live<'_>],
    filter: &[Vec<u64>],
    states: u16,
    limit: usize,
) -> Result<Vec<(usize, u32)>, Damage> {
    let ask = SearchQuery::anything(filter, states);
    let mut all: Vec<(Reverse<i64>, Spot)> = Vec::new();
    for (number, live) in segments.iter().enumerate() {
        let part = Part::load(number, live, &ask)?;
        let mut scratch = Vec::new();
        let instants = live.segment.column(Section::Instants, &mut scratch)?;
        for (ordinal, bytes) in (0..).zip(instants.as_chunks::<8>().0) {
            if part.allowed.has(ordinal as usize) {
                all.push((Reverse(i64::from_le_bytes(*bytes)), (number, ordinal)));
            }
        }
    }
    all.sort_unstable();
    let path = |(segment, ordinal): Spot| segments[segment].segment.path(ordinal);
    cut(&all, limit, Reverse::cmp, path)
}
