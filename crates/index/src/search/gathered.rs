//! The same scores for documents that are in no segment: somebody else, such as a database, has kept their postings
//! and gives those that a question needs.

use std::collections::{BTreeMap, BTreeSet};

use crate::document::{FIELDS, TITLE};
use crate::postings::Counts;

use super::features::{Scores, hit, rarity_of_groups};
use super::lexical::{Norms, idf};
use super::top::split;
use super::{AskTerm, FieldWeights, Found, Hit};

/// What was found for a question.
#[derive(Debug, Clone, Default)]
pub struct Gathered {
    /// All live documents, found or not, and those of them that have vectors.
    pub documents: u32,
    pub embedded: u32,
    /// Over all of them: the sum of the lengths of each field.
    pub length_sums: [u64; FIELDS],
    /// Every live document that has a term of the question, and those that are near.
    pub found: Vec<GatheredDocument>,
    /// For each term of the question the documents that have it, by their place in `found`.
    pub postings: Vec<Vec<(u32, Counts)>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct GatheredDocument {
    /// The codes of its lengths.
    pub lengths: [u8; FIELDS],
    pub is_allowed: bool,
    /// The best cosine over its vectors, where that is known. Those that are among the best must be.
    pub closest: Option<f32>,
}

/// Gathered documents with their scores.
pub struct Weighed<'a> {
    gathered: &'a Gathered,
    terms: &'a [AskTerm],
    top: usize,
    idf: Vec<f32>,
    lexical: Vec<f32>,
}

impl<'a> Weighed<'a> {
    /// `top` is how many are wanted by words, and how many by meaning.
    pub fn of(
        gathered: &'a Gathered,
        terms: &'a [AskTerm],
        weights: &FieldWeights,
        top: usize,
    ) -> Self {
        let documents = gathered.documents;
        let norms = Norms::of(gathered.length_sums, documents, weights);
        let mut lexical = vec![0.0; gathered.found.len()];
        let mut idfs = Vec::with_capacity(terms.len());
        for (term, postings) in terms.iter().zip(&gathered.postings) {
            let idf = idf(documents, postings.len() as u32);
            for &(place, counts) in postings {
                let lengths = gathered.found[place as usize].lengths;
                lexical[place as usize] += norms.contribution(counts, lengths, idf * term.weight);
            }
            idfs.push(idf);
        }
        Self { gathered, terms, top, idf: idfs, lexical }
    }

    /// Places of the best by words, without those whose path has to decide.
    pub fn best_by_words(&self) -> Vec<u32> {
        self.by_words().0
    }

    /// Places whose paths decide which of them are among the best, as [`Weighed::finish`] needs them.
    pub fn tied(&self) -> BTreeSet<u32> {
        let of = |(sure, ties): (Vec<u32>, Vec<u32>)| {
            if sure.len() + ties.len() > self.top { ties } else { Vec::new() }
        };
        of(self.by_words()).into_iter().chain(of(self.by_meaning())).collect()
    }

    /// The best by words and by meaning. The ordinal of a hit is its place.
    pub fn finish(&self, paths: &BTreeMap<u32, String>) -> Found {
        let mut places = BTreeSet::new();
        for (sure, mut ties) in [self.by_words(), self.by_meaning()] {
            if sure.len() + ties.len() > self.top {
                ties.sort_by_key(|place| paths.get(place));
            }
            let room = self.top - sure.len();
            places.extend(sure);
            places.extend(ties.into_iter().take(room));
        }
        let groups = rarity_of_groups(self.terms, self.idf.iter().copied());
        let hits = places.into_iter().map(|place| self.hit(place, &groups)).collect();
        let Gathered { documents, embedded, .. } = *self.gathered;
        Found { hits, documents, idf: self.idf.clone(), embedded }
    }

    fn hit(&self, place: u32, groups: &BTreeMap<u16, f32>) -> Hit {
        let mut had: Vec<(u16, bool)> = Vec::new();
        for (term, postings) in self.terms.iter().zip(&self.gathered.postings) {
            if let Ok(at) = postings.binary_search_by_key(&place, |it| it.0) {
                had.push((term.group, postings[at].1[TITLE] > 0));
            }
        }
        had.sort_unstable();
        let dense = self.gathered.found[place as usize].closest;
        let scores = Scores { lexical: self.lexical[place as usize], dense };
        hit((0, place), scores, had.into_iter(), groups)
    }

    fn by_words(&self) -> (Vec<u32>, Vec<u32>) {
        self.best(|place| Some(self.lexical[place]).filter(|score| *score > 0.0))
    }

    fn by_meaning(&self) -> (Vec<u32>, Vec<u32>) {
        self.best(|place| self.gathered.found[place].closest)
    }

    fn best(&self, score: impl Fn(usize) -> Option<f32>) -> (Vec<u32>, Vec<u32>) {
        let allowed =
            self.gathered.found.iter().enumerate().filter(|(_, document)| document.is_allowed);
        let scored =
            allowed.filter_map(|(place, _)| Some((score(place)?, (0, place as u32)))).collect();
        let (sure, ties) = split(scored, self.top, |left: &f32, right| right.total_cmp(left));
        let places = |spots: Vec<(usize, u32)>| spots.into_iter().map(|it| it.1).collect();
        (places(sure), places(ties))
    }
}
