//! The best documents of all segments by one score. Of equal scores the first paths win, so that
//! the choice does not depend on which segment a document is in.

use std::cmp::Ordering;

use crate::Damage;

use super::part::Part;

/// Number of a segment, and ordinal.
pub(super) type Spot = (usize, u32);

/// The `count` best allowed documents that score above the floor.
pub(super) fn best<'a>(
    parts: &'a [Part<'a>],
    scores: impl Fn(&'a Part<'a>) -> &'a [f32],
    floor: f32,
    count: usize,
) -> Result<Vec<Spot>, Damage> {
    let mut all = Vec::new();
    for part in parts {
        for (ordinal, (&score, &allowed)) in (0..).zip(scores(part).iter().zip(&part.allowed)) {
            if score > floor && allowed {
                all.push((score, (part.number, ordinal)));
            }
        }
    }
    let path = |(part, ordinal): Spot| parts[part].segment.path(ordinal);
    first(all, count, |left, right| right.total_cmp(left), path)
}

/// The `count` documents whose keys come first, in the order of their keys.
pub(super) fn first<K: Copy>(
    all: Vec<(K, Spot)>,
    count: usize,
    order: impl Fn(&K, &K) -> Ordering,
    path: impl Fn(Spot) -> Result<String, Damage>,
) -> Result<Vec<Spot>, Damage> {
    let (mut places, ties) = split(all, count, order);
    places.extend(first_paths(ties, count - places.len(), path)?);
    Ok(places)
}

/// Those that are surely among the first, in their order, and those of one key of which only some are, or all.
pub(super) fn split<K: Copy>(
    mut all: Vec<(K, Spot)>,
    count: usize,
    order: impl Fn(&K, &K) -> Ordering,
) -> (Vec<Spot>, Vec<Spot>) {
    let mut ties = Vec::new();
    if let Some(place) = count.min(all.len()).checked_sub(1) {
        let last = all.select_nth_unstable_by(place, |left, right| order(&left.0, &right.0)).1.0;
        ties = all.extract_if(.., |it| order(&it.0, &last).is_eq()).map(|it| it.1).collect();
        all.retain(|it| order(&it.0, &last).is_lt());
    } else {
        all.clear();
    }
    all.sort_unstable_by(|left, right| order(&left.0, &right.0).then(left.1.cmp(&right.1)));
    (all.into_iter().map(|it| it.1).collect(), ties)
}

/// Ordinals are in the order of paths: only the first few of each segment can be among the first.
fn first_paths(
    mut ties: Vec<Spot>,
    count: usize,
    path: impl Fn(Spot) -> Result<String, Damage>,
) -> Result<Vec<Spot>, Damage> {
    ties.sort_unstable();
    let of_segments: Vec<&[Spot]> = ties.chunk_by(|one, next| one.0 == next.0).collect();
    if ties.len() > count && of_segments.len() > 1 {
        let first = of_segments.iter().flat_map(|it| it.iter().take(count));
        let named = first.map(|place| Ok((path(*place)?, *place)));
        let mut named = named.collect::<Result<Vec<_>, Damage>>()?;
        named.sort_unstable();
        ties = named.into_iter().map(|it| it.1).collect();
    }
    ties.truncate(count);
    Ok(ties)
}
