//! The rows of all documents that pass, or their number, without a look at their cards.

use crate::Damage;
use crate::header::{ENDS_BYTES, Section};
use crate::segment::end_of;

use super::part::Part;
use super::{Live, SearchQuery};

/// Gives path and row of everything alive that passes the filter and the states, segment by segment
/// in the order of paths.
pub fn each_row(
    segments: &[Live<'_>],
    filter: &[Vec<u64>],
    states: u16,
    mut take: impl FnMut(&str, &[u8]) -> Result<(), Damage>,
) -> Result<(), Damage> {
    let ask = SearchQuery::anything(filter, states);
    for (number, live) in segments.iter().enumerate() {
        let part = Part::load(number, live, &ask)?;
        let (mut ends, mut paths, mut rows) = (Vec::new(), Vec::new(), Vec::new());
        let ends = live.segment.column(Section::Ends, &mut ends)?.as_chunks::<ENDS_BYTES>().0;
        let paths = live.segment.column(Section::Paths, &mut paths)?;
        let rows = live.segment.column(Section::Rows, &mut rows)?;
        let size = live.segment.row_bytes();
        let mut start = 0;
        for (ordinal, ends) in ends.iter().enumerate() {
            let end = end_of(ends, Section::Paths) as usize;
            if part.allowed.has(ordinal) {
                let path = paths.get(start..end).ok_or(OUT_OF_PLACE)?;
                let path = std::str::from_utf8(path).map_err(|_| NO_TEXT)?;
                let row = rows.get(ordinal * size..(ordinal + 1) * size).ok_or(OUT_OF_PLACE)?;
                take(path, row)?;
            }
            start = end;
        }
    }
    Ok(())
}

/// How many pass.
pub fn count(segments: &[Live<'_>], filter: &[Vec<u64>], states: u16) -> Result<usize, Damage> {
    let ask = SearchQuery::anything(filter, states);
    let mut count = 0;
    for (number, live) in segments.iter().enumerate() {
        let part = Part::load(number, live, &ask)?;
        count += (0..live.segment.len() as usize).filter(|it| part.allowed.has(*it)).count();
    }
    Ok(count)
}

const OUT_OF_PLACE: Damage = Damage::Contents("a path or row is out of its section");
const NO_TEXT: Damage = Damage::Contents("a path is not text");
