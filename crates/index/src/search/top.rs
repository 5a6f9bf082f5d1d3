//! The best documents of all segments by one score. Equal scores are ordered by path, so that the
//! choice does not depend on which segment a document is in.

use crate::{Damage, Source};

use super::part::Part;

/// Place of a part, and ordinal.
pub(super) type Place = (usize, u32);

#[derive(Clone, Copy)]
struct Scored {
    score: f32,
    place: Place,
}

/// The places of the `count` best allowed documents that score above the floor.
pub(super) fn best<'a, S: Source>(
    parts: &'a [Part<'a, S>],
    scores: impl Fn(&'a Part<'a, S>) -> &'a [f32],
    floor: f32,
    count: usize,
) -> Result<Vec<Place>, Damage> {
    let mut all = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        let best = best_of_part(scores(part), part, floor, count);
        all.extend(
            best.into_iter().map(|(score, ordinal)| Scored { score, place: (number, ordinal) }),
        );
    }
    all.sort_by(|left, right| right.score.total_cmp(&left.score));
    if all.len() > count {
        settle_ties(parts, &mut all, count)?;
        all.truncate(count);
    }
    Ok(all.into_iter().map(|it| it.place).collect())
}

/// Ordinals are in the order of paths: of equal scores the first ones win.
fn best_of_part<S: Source>(
    scores: &[f32],
    part: &Part<'_, S>,
    mut floor: f32,
    count: usize,
) -> Vec<(f32, u32)> {
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

/// Orders what is as good as the last that gets in, by path.
fn settle_ties<S: Source>(
    parts: &[Part<'_, S>],
    sorted: &mut [Scored],
    count: usize,
) -> Result<(), Damage> {
    let Some(last) = count.checked_sub(1).map(|last| sorted[last].score) else { return Ok(()) };
    let start = sorted.partition_point(|it| it.score.total_cmp(&last).is_gt());
    let end = sorted.partition_point(|it| it.score.total_cmp(&last).is_ge());
    let tied = &mut sorted[start..end];
    let is_one_segment = tied.iter().all(|it| it.place.0 == tied[0].place.0);
    if is_one_segment {
        return Ok(());
    }
    let mut named = Vec::with_capacity(tied.len());
    for scored in tied.iter() {
        let (part, ordinal) = scored.place;
        named.push((parts[part].segment.path(ordinal)?, *scored));
    }
    named.sort_by(|left, right| left.0.cmp(&right.0));
    for (place, (_, scored)) in tied.iter_mut().zip(named) {
        *place = scored;
    }
    Ok(())
}
