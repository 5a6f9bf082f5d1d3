//! Scores by meaning: the cosine of the question with every passage.

use crate::header::ROWS_PER_PAGE;
use crate::vectors::each_page;
use crate::{Damage, DotRows, Vector};

use super::part::Part;

/// Finds the closest passage of every document.
pub(super) fn score(
    part: &mut Part<'_>,
    question: &Vector,
    dot_rows: DotRows,
) -> Result<(), Damage> {
    let header = part.segment.header();
    if header.rows == 0 {
        return Ok(());
    }
    let mut closest = vec![f32::NEG_INFINITY; part.segment.len() as usize];
    let mut dots = [0; ROWS_PER_PAGE];
    each_page(part.segment.pages(), header, |rows| {
        let dots = &mut dots[..rows.len()];
        dot_rows(&question.bytes, rows.bytes, dots);
        for (head, dot) in rows.heads().zip(dots) {
            let at = head.ordinal as usize;
            let best = closest.get_mut(at);
            let best = best.ok_or(Damage::Contents("a vector without a document"))?;
            *best = best.max(*dot as f32 * (head.scale * question.scale));
        }
        Ok(())
    })?;
    part.closest = closest;
    Ok(())
}
