//! What recall has to beat: simple rankings over the same texts. They know no store, no budget and
//! no floor; one is silent only when no word matches.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use jiff::Timestamp;
use oldhand_app::eval::{Answer, Question};

/// How much a repeated word still adds, and how much a long text is held back: the usual values.
const K1: f64 = 1.2;
const B: f64 = 0.75;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Baseline {
    /// Distinct words of the question that are contained anywhere, the newest first among equals.
    Grep,
    /// Plain BM25 over lower-case words, the oldest first among equals, as a list of documents that
    /// is searched in its order would have it.
    Bm25,
    /// The newest first, whatever was asked.
    Recency,
}

impl Baseline {
    pub(crate) const ALL: [Self; 3] = [Self::Grep, Self::Bm25, Self::Recency];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Grep => "grep",
            Self::Bm25 => "bm25",
            Self::Recency => "recency",
        }
    }
}

/// One text that can be found.
pub(crate) struct Entry {
    pub id: String,
    pub text: String,
    pub at: Timestamp,
}

/// The texts of one scope, read once for all questions. Positions count from the newest.
pub(crate) struct Corpus {
    ids: Vec<String>,
    /// How many words each has.
    lengths: Vec<f64>,
    length_mean: f64,
    words: Words,
}

/// All words in order, as one text: a search through it needs to be set up only once.
struct Words {
    /// One line per word.
    text: String,
    /// Where each begins.
    starts: Vec<usize>,
    /// The positions that have it, and how often.
    places: Vec<Vec<(usize, f64)>>,
}

impl Words {
    fn new(words: BTreeMap<String, Vec<(usize, f64)>>) -> Self {
        let mut all = Self { text: String::new(), starts: Vec::new(), places: Vec::new() };
        for (word, places) in words {
            all.starts.push(all.text.len());
            all.places.push(places);
            all.text.push_str(&word);
            all.text.push('\n');
        }
        all
    }

    fn of(&self, word: &str) -> &[(usize, f64)] {
        let line = |start: &usize| self.text[*start..].split('\n').next().unwrap_or_default();
        match self.starts.binary_search_by(|start| line(start).cmp(word)) {
            Ok(at) => &self.places[at],
            Err(_) => &[],
        }
    }

    /// The places of every word that contains this one.
    fn containing(&self, part: &str) -> impl Iterator<Item = usize> {
        let mut end_of_last = 0;
        self.text
            .match_indices(part)
            .filter_map(move |(found, _)| {
                // Once a word is enough.
                if found < end_of_last {
                    return None;
                }
                let after = self.starts.partition_point(|start| *start <= found);
                end_of_last = self.starts.get(after).copied().unwrap_or(self.text.len());
                Some(&self.places[after - 1])
            })
            .flat_map(|places| places.iter().map(|(at, _)| *at))
    }
}

impl Corpus {
    pub(crate) fn new(mut entries: Vec<Entry>) -> Self {
        entries.sort_by(|a, b| (b.at, &a.id).cmp(&(a.at, &b.id)));
        let mut words: BTreeMap<String, Vec<(usize, f64)>> = BTreeMap::new();
        let mut lengths = Vec::with_capacity(entries.len());
        for (at, entry) in entries.iter().enumerate() {
            let mut counts: BTreeMap<&str, f64> = BTreeMap::new();
            let lower = entry.text.to_lowercase();
            for word in words_of(&lower) {
                *counts.entry(word).or_default() += 1.0;
            }
            lengths.push(counts.values().sum());
            for (word, count) in counts {
                match words.get_mut(word) {
                    Some(places) => places.push((at, count)),
                    None => {
                        words.insert(word.to_owned(), vec![(at, count)]);
                    }
                }
            }
        }
        let length_mean = lengths.iter().sum::<f64>() / lengths.len().max(1) as f64;
        let ids = entries.into_iter().map(|entry| entry.id).collect();
        Self { ids, lengths, length_mean, words: Words::new(words) }
    }

    pub(crate) fn ask(&self, by: Baseline, question: &Question) -> Answer {
        let start = Instant::now();
        let ranking = self.rank(by, &question.text, question.depth);
        let micros = u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX);
        Answer { silent: ranking.is_empty(), ranking, tokens: 0, stale: 0, micros }
    }

    fn rank(&self, by: Baseline, text: &str, depth: usize) -> Vec<String> {
        let lower = text.to_lowercase();
        let scores = match by {
            Baseline::Grep => self.contained(&lower),
            Baseline::Bm25 => self.weighed(&lower),
            Baseline::Recency => vec![1.0; self.ids.len()],
        };
        let mut order: Vec<usize> = (0..scores.len()).filter(|at| scores[*at] > 0.0).collect();
        if by == Baseline::Bm25 {
            order.reverse();
        }
        // A stable sort: equals keep their order.
        order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
        order.into_iter().take(depth).map(|at| self.ids[at].clone()).collect()
    }

    /// A word has no separator inside, so a text contains it when one of the text's words does:
    /// looking through the words is much shorter than looking through the texts.
    fn contained(&self, question: &str) -> Vec<f64> {
        let mut scores = vec![0.0; self.ids.len()];
        let mut counted_for = vec![0; self.ids.len()];
        let asked: BTreeSet<&str> = words_of(question).collect();
        for (number, asked) in asked.into_iter().enumerate() {
            for at in self.words.containing(asked) {
                if counted_for[at] != number + 1 {
                    counted_for[at] = number + 1;
                    scores[at] += 1.0;
                }
            }
        }
        scores
    }

    /// A word that is asked twice counts twice.
    fn weighed(&self, question: &str) -> Vec<f64> {
        let mut scores = vec![0.0; self.ids.len()];
        for word in words_of(question) {
            let places = self.words.of(word);
            let (count, with) = (self.ids.len() as f64, places.len() as f64);
            let rarity = (1.0 + (count - with + 0.5) / (with + 0.5)).ln();
            for (at, times) in places {
                let held_back = 1.0 - B + B * self.lengths[*at] / self.length_mean;
                scores[*at] += rarity * times * (K1 + 1.0) / (times + K1 * held_back);
            }
        }
        scores
    }
}

/// Runs of letters, digits and underscores, as `\w+` finds them.
fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests;
