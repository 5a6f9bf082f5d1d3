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
        let shared = self.0.iter().filter(|key| other.0.binary_search(key).is_ok()).count();
        let all = self.0.len() + other.0.len() - shared;
        if all == 0 { 0.0 } else { shared as f64 / all as f64 }
    }
}
