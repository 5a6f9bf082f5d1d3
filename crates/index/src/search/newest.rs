//! The newest documents, whatever they say.

use std::cmp::Reverse;

use crate::header::Section;
use crate::{Damage, Source};

use super::part::Part;
use super::{Ask, Live};

/// Instant, segment and ordinal.
type Dated = (Reverse<i64>, usize, u32);

/// Segment and ordinal of the newest that pass the filter and the states, newest first; of those of
/// one instant the first paths.
pub fn newest<S: Source>(
    segments: &[Live<'_, S>],
    filter: &[Vec<u64>],
    states: u16,
    limit: usize,
) -> Result<Vec<(usize, u32)>, Damage> {
    let ask = Ask::anything(filter, states);
    let mut all: Vec<Dated> = Vec::new();
    for (number, live) in segments.iter().enumerate() {
        let part = Part::load(number, live, &ask)?;
        let mut scratch = Vec::new();
        let instants = live.segment.column(Section::Instants, &mut scratch)?;
        for (ordinal, bytes) in (0..).zip(instants.as_chunks::<8>().0) {
            if part.allowed.has(ordinal as usize) {
                all.push((Reverse(i64::from_le_bytes(*bytes)), number, ordinal));
            }
        }
    }
    all.sort_unstable();
    cut(segments, &mut all, limit)?;
    Ok(all.into_iter().map(|(_, segment, ordinal)| (segment, ordinal)).collect())
}

/// Of documents of the instant at which the limit falls, the first paths stay: which segment they
/// are in does not matter.
fn cut<S: Source>(
    segments: &[Live<'_, S>],
    all: &mut Vec<Dated>,
    limit: usize,
) -> Result<(), Damage> {
    let Some(last) = limit.checked_sub(1).and_then(|last| all.get(last)).map(|it| it.0) else {
        all.truncate(limit);
        return Ok(());
    };
    let (start, end) =
        (all.partition_point(|it| it.0 < last), all.partition_point(|it| it.0 <= last));
    let tied = &all[start..end];
    if tied.iter().any(|it| it.1 != tied[0].1) {
        let named = first_paths(segments, tied, limit - start)?;
        all.truncate(start);
        all.extend(named);
    }
    all.truncate(limit);
    Ok(())
}

/// Ordinals are in the order of paths: only the first few of each segment can be among the first.
fn first_paths<S: Source>(
    segments: &[Live<'_, S>],
    tied: &[Dated],
    count: usize,
) -> Result<Vec<Dated>, Damage> {
    let mut named = Vec::new();
    let mut taken = vec![0_usize; segments.len()];
    for &one in tied {
        let (_, segment, ordinal) = one;
        taken[segment] += 1;
        if taken[segment] <= count {
            named.push((segments[segment].segment.path(ordinal)?, one));
        }
    }
    named.sort_unstable();
    Ok(named.into_iter().take(count).map(|(_, one)| one).collect())
}
