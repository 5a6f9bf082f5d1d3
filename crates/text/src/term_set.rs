//! The words of a text as a set, for a quick measure of what two texts share.

use crate::terms::{self, Form};

/// The distinct words of a text, by their keys.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TermSet(Vec<u64>);

impl TermSet {
    pub fn of(text: &str) -> Self {
        let mut keys = Vec::new();
        terms::each_term(text, &mut |term, form, _| {
            if form != Form::Exact && !terms::is_common(term) {
                keys.push(terms::key(term, form));
            }
        });
        keys.sort_unstable();
        keys.dedup();
        Self(keys)
    }

    /// 0 for nothing in common, 1 for the same words; two texts without words are not alike.
    pub fn likeness(&self, other: &Self) -> f64 {
        let (mut left, mut right, mut shared) = (0, 0, 0usize);
        while left < self.0.len() && right < other.0.len() {
            match self.0[left].cmp(&other.0[right]) {
                std::cmp::Ordering::Less => left += 1,
                std::cmp::Ordering::Greater => right += 1,
                std::cmp::Ordering::Equal => {
                    shared += 1;
                    left += 1;
                    right += 1;
                }
            }
        }
        let all = self.0.len() + other.0.len() - shared;
        if all == 0 { 0.0 } else { shared as f64 / all as f64 }
    }
}
