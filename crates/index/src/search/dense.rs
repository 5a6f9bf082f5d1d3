//! Scores by meaning: the cosine of the question with every passage.

use crate::header::ROWS_PER_PAGE;
use crate::vectors::each_page;
use crate::{Damage, DotRows, Source, Vector};

use super::part::Part;

/// Finds the two closest passages of every document.
pub(super) fn score<S: Source>(
    part: &mut Part<'_, S>,
    question: &Vector,
    dot_rows: DotRows,
) -> Result<(), Damage> {
    let header = part.segment.header();
    if header.rows == 0 {
        return Ok(());
    }
    let documents = part.segment.len() as usize;
    let mut closest = vec![f32::NEG_INFINITY; documents];
    let mut second = vec![f32::NEG_INFINITY; documents];
    let mut dots = [0; ROWS_PER_PAGE];
    each_page(part.segment.pages(), header, |rows| {
        let dots = &mut dots[..rows.len()];
        dot_rows(&question.bytes, rows.bytes, dots);
        for (head, dot) in rows.heads().zip(dots) {
            let at = head.ordinal as usize;
            let best = closest.get_mut(at).zip(second.get_mut(at));
            let (best, next) = best.ok_or(Damage::Contents("a vector without a document"))?;
            let cosine = *dot as f32 * (head.scale * question.scale);
            if cosine > *best {
                (*next, *best) = (*best, cosine);
            } else if cosine > *next {
                *next = cosine;
            }
        }
        Ok(())
    })?;
    (part.closest, part.second) = (closest, second);
    Ok(())
}
