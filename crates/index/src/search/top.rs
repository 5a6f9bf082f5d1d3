//! The best documents of all segments by one score. Equal scores are ordered by path, so that the
//! choice does not depend on which segment a document is in.

use std::cmp::Ordering;

use crate::Damage;

use super::part::Part;

/// Spot of a part, and ordinal.
pub(super) type Spot = (usize, u32);

/// The places of the `count` best allowed documents that score above the floor.
pub(super) fn best<'a>(
    parts: &'a [Part<'a>],
    scores: impl Fn(&'a Part<'a>) -> &'a [f32],
    floor: f32,
    count: usize,
) -> Result<Vec<Spot>, Damage> {
    let mut all = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        let best = best_of_part(scores(part), part, floor, count);
        all.extend(best.into_iter().map(|(score, ordinal)| (score, (number, ordinal))));
    }
    let order = |left: &f32, right: &f32| right.total_cmp(left);
    all.sort_by(|left, right| order(&left.0, &right.0));
    cut(&all, count, order, |(part, ordinal)| parts[part].segment.path(ordinal))
}

/// Ordinals are in the order of paths: of equal scores the first ones win.
fn best_of_part(scores: &[f32], part: &Part<'_>, mut floor: f32, count: usize) -> Vec<(f32, u32)> {
    let better = |left: &(f32, u32), right: &(f32, u32)| {
        right.0.total_cmp(&left.0).then(left.1.cmp(&right.1))
    };
    let room = count.saturating_mul(2).max(64).min(scores.len() + 1);
    let mut best: Vec<(f32, u32)> = Vec::with_capacity(room);
    if count == 0 {
        return best;
    }
    for (ordinal, &score) in scores.iter().enumerate() {
        if score > floor && part.allowed.has(ordinal) {
            best.push((score, ordinal as u32));
            if best.len() == room && room > count {
                best.select_nth_unstable_by(count - 1, better);
                best.truncate(count);
                floor = best[count - 1].0;
            }
        }
    }
    best.sort_unstable_by(better);
    best.truncate(count);
    best
}

/// The first `count` places of a sorted list, in which equal keys are in the order of segments and
/// ordinals. Of those that equal the last one the first paths stay. Ordinals are in the order of
/// paths: only the first few of each segment can be among them.
pub(super) fn cut<K>(
    sorted: &[(K, Spot)],
    count: usize,
    order: impl Fn(&K, &K) -> Ordering,
    path: impl Fn(Spot) -> Result<String, Damage>,
) -> Result<Vec<Spot>, Damage> {
    let mut places: Vec<Spot> = sorted.iter().map(|it| it.1).collect();
    if count > 0 && places.len() > count {
        let last = &sorted[count - 1].0;
        let start = sorted.partition_point(|it| order(&it.0, last).is_lt());
        let end = sorted.partition_point(|it| order(&it.0, last).is_le());
        let of_segments: Vec<_> =
            places[start..end].chunk_by(|one, next| one.0 == next.0).collect();
        if of_segments.len() > 1 {
            let first = of_segments.iter().flat_map(|it| it.iter().take(count - start));
            let named = first.map(|place| Ok((path(*place)?, *place)));
            let mut named = named.collect::<Result<Vec<_>, Damage>>()?;
            named.sort_unstable();
            places.splice(start..end, named.into_iter().map(|it| it.1));
        }
    }
    places.truncate(count);
    Ok(places)
}
