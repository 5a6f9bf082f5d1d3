//! Measures of a yes-or-no judge: each case has a truth, an answer and a score. Pure.

/// One case.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Case {
    pub is_true: bool,
    pub says_yes: bool,
    pub score: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Quality {
    pub cases: usize,
    /// How many are true.
    pub positives: usize,
    /// Without a yes, or without a true case, there is nothing to divide by: 0.
    pub precision: f64,
    pub recall: f64,
    pub f1: f64,
    /// The chance that a true case has a higher score than a false one; none when all are alike.
    pub auc: Option<f64>,
}

pub(crate) fn quality(cases: &[Case]) -> Quality {
    let count = |wanted: fn(&Case) -> bool| cases.iter().filter(|case| wanted(case)).count();
    let positives = count(|case| case.is_true);
    let hits = count(|case| case.is_true && case.says_yes);
    let precision = share(hits, count(|case| case.says_yes));
    let recall = share(hits, positives);
    let sum = precision + recall;
    let f1 = if sum == 0.0 { 0.0 } else { 2.0 * precision * recall / sum };
    Quality { cases: cases.len(), positives, precision, recall, f1, auc: auc(cases) }
}

/// The threshold on the score that gives the best F1: a baseline is shown at its best.
pub(crate) fn best_threshold(cases: &[Case]) -> f64 {
    let mut sorted: Vec<Case> = cases.to_vec();
    sorted.sort_by(|a, b| b.score.total_cmp(&a.score));
    let positives = sorted.iter().filter(|case| case.is_true).count();
    let (mut best, mut at_best, mut hits) = (0.0, f64::INFINITY, 0);
    for (index, case) in sorted.iter().enumerate() {
        hits += usize::from(case.is_true);
        let is_last_of_score = sorted.get(index + 1).is_none_or(|next| next.score < case.score);
        let f1 = share(2 * hits, index + 1 + positives);
        if is_last_of_score && f1 > best {
            (best, at_best) = (f1, case.score);
        }
    }
    at_best
}

/// By the ranks of the scores, ties halved.
fn auc(cases: &[Case]) -> Option<f64> {
    let mut sorted: Vec<Case> = cases.to_vec();
    sorted.sort_by(|a, b| a.score.total_cmp(&b.score));
    let (mut below, mut won) = (0usize, 0.0);
    for group in sorted.chunk_by(|a, b| a.score == b.score) {
        let positives = group.iter().filter(|case| case.is_true).count();
        let negatives = group.len() - positives;
        won += positives as f64 * (below as f64 + negatives as f64 / 2.0);
        below += negatives;
    }
    let pairs = (sorted.len() - below) * below;
    (pairs > 0).then(|| won / pairs as f64)
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cases(rows: &[(bool, bool, f64)]) -> Vec<Case> {
        rows.iter().map(|&(is_true, says_yes, score)| Case { is_true, says_yes, score }).collect()
    }

    #[test]
    fn the_usual_definitions() {
        let found = quality(&cases(&[
            (true, true, 0.9),
            (true, false, 0.2),
            (false, true, 0.6),
            (false, false, 0.1),
        ]));
        assert_eq!((found.cases, found.positives), (4, 2));
        assert_eq!((found.precision, found.recall, found.f1), (0.5, 0.5, 0.5));
        assert_eq!(found.auc, Some(0.75));
    }

    #[test]
    fn nothing_to_divide_by() {
        let found = quality(&cases(&[(false, false, 0.0)]));
        assert_eq!((found.precision, found.recall, found.f1, found.auc), (0.0, 0.0, 0.0, None));
        assert_eq!(quality(&[]).cases, 0);
    }

    #[test]
    fn ties_count_half_and_are_not_parted() {
        let tied = cases(&[(true, false, 0.5), (false, false, 0.5), (true, false, 0.8)]);
        assert_eq!(quality(&tied).auc, Some(0.75));
        assert_eq!(best_threshold(&tied), 0.5);
    }
}
