//! A question as every index takes it: terms with their weights, filters, and what the scores of a hit say about a
//! candidate. Where postings and vectors are kept is somebody else's business.

use oldhand_core::recall::query::Query;
use oldhand_core::recall::rank::{Candidate, Features};
use oldhand_core::state::State;
use oldhand_index::{AskTerm, FieldWeights, Hit};
use oldhand_text::terms::Form;

use crate::document::{filter_key, state_number};
use crate::port::index::Narrow;

/// What each form of a word weighs beside its stem; measured.
const EXACT_WEIGHT: f32 = 0.3;
const WHOLE_WEIGHT: f32 = 1.0;
/// Words of a path at hand say where, not what.
const PATH_WEIGHT: f32 = 0.3;

/// Title, body, labels, context; measured.
pub const WEIGHTS: FieldWeights =
    FieldWeights { weight: [2.0, 1.0, 1.0, 0.5], b: [0.5, 0.75, 0.5, 0.5], k1: 1.2 };

/// Below this many memories a store is small, and its bytes are counted.
pub const COUNTED_BELOW: usize = 200;

/// What a question measures its hits by.
pub struct Measures<'q> {
    query: &'q Query,
    rarity: Vec<f32>,
    whole: f32,
}

impl<'q> Measures<'q> {
    /// `idf` is how rare each of the terms is.
    pub fn of(query: &'q Query, terms: &[AskTerm], idf: &[f32]) -> Self {
        let rarity = rarities(query, terms, idf);
        let whole = rarity.iter().sum();
        Self { query, rarity, whole }
    }

    /// Gives a candidate what its hit says.
    pub fn put(&self, hit: &Hit, candidate: &mut Candidate) {
        let matched = hit.matched.iter().map(|group| usize::from(*group));
        let telling: f32 = matched.clone().filter_map(|group| self.rarity.get(group)).sum();
        candidate.features = Features {
            lexical: hit.lexical,
            coverage: hit.coverage,
            title_coverage: hit.title_coverage,
            telling_coverage: telling / self.whole.max(f32::MIN_POSITIVE),
            dense: hit.dense,
        };
        let words = matched.filter_map(|group| self.query.words.get(group));
        candidate.matched = words.map(|word| word.text.clone()).collect();
    }
}

/// How rare each word that names something is; nothing for everyday words.
fn rarities(query: &Query, terms: &[AskTerm], idf: &[f32]) -> Vec<f32> {
    let mut rarity = vec![0.0_f32; query.words.len()];
    for (term, idf) in terms.iter().zip(idf) {
        let group = usize::from(term.group);
        if query.words.get(group).is_some_and(|word| !word.everyday) {
            rarity[group] = rarity[group].max(*idf);
        }
    }
    rarity
}

/// Every form of every word, the forms of one word as a group.
pub fn terms(query: &Query) -> Vec<AskTerm> {
    let mut terms = Vec::new();
    for (group, word) in query.words.iter().enumerate() {
        for (key, form) in &word.terms {
            let weight = match form {
                Form::Stem => 1.0,
                Form::Exact => EXACT_WEIGHT,
                Form::Whole => WHOLE_WEIGHT,
            };
            let weight = if word.from_path { weight * PATH_WEIGHT } else { weight };
            let group = u16::try_from(group).unwrap_or(u16::MAX);
            terms.push(AskTerm { key: *key, weight, group });
        }
    }
    terms
}

/// Keys of which each group wants one, and a bit for each state that may be returned.
pub fn filters(narrow: &Narrow) -> (Vec<Vec<u64>>, u16) {
    let keys = |group: &Vec<String>| group.iter().map(|word| filter_key(word)).collect();
    let groups = narrow.words.iter().map(keys).collect();
    let wanted = if narrow.states.is_empty() { State::ALL } else { narrow.states.as_slice() };
    (groups, wanted.iter().fold(0, |mask, state| mask | 1 << state_number(*state)))
}
