//! All documents that pass, whatever they say: their number, their rows, the newest of them.

use crate::Damage;
use crate::header::Section;

use super::Live;
use super::top::{Spot, first};

/// How many pass the filter and the states.
pub fn count(segments: &[Live<'_>], filter: &[Vec<u64>], states: u16) -> Result<usize, Damage> {
    segments.iter().try_fold(0, |count, live| {
        let allowed = live.allowed(filter, states)?;
        Ok(count + allowed.into_iter().filter(|it| *it).count())
    })
}

/// Gives path and row of everything that passes, segment by segment in the order of paths.
pub fn each_row(
    segments: &[Live<'_>],
    filter: &[Vec<u64>],
    states: u16,
    mut take: impl FnMut(&str, &[u8]) -> Result<(), Damage>,
) -> Result<(), Damage> {
    for live in segments {
        let allowed = live.allowed(filter, states)?;
        let mut scratch = Vec::new();
        let rows = live.segment.column(Section::Rows, &mut scratch)?;
        let size = live.segment.row_bytes();
        live.segment.each_path(0..live.segment.len(), |ordinal, path| {
            let ordinal = ordinal as usize;
            let row = &rows[ordinal * size..(ordinal + 1) * size];
            if allowed[ordinal] { take(path, row) } else { Ok(()) }
        })?;
    }
    Ok(())
}

/// Segment and ordinal of the newest that pass, newest first; of those of one instant the first
/// paths.
pub fn newest(
    segments: &[Live<'_>],
    filter: &[Vec<u64>],
    states: u16,
    limit: usize,
) -> Result<Vec<(usize, u32)>, Damage> {
    let mut all: Vec<(i64, Spot)> = Vec::new();
    for (number, live) in segments.iter().enumerate() {
        let allowed = live.allowed(filter, states)?;
        let mut scratch = Vec::new();
        let instants = live.segment.column(Section::Instants, &mut scratch)?;
        for (ordinal, bytes) in (0..).zip(instants.as_chunks::<8>().0) {
            if allowed[ordinal as usize] {
                all.push((i64::from_le_bytes(*bytes), (number, ordinal)));
            }
        }
    }
    let path = |(segment, ordinal): Spot| segments[segment].segment.path(ordinal);
    first(all, limit, |left, right| right.cmp(left), path)
}
