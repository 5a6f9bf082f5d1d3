//! Records that replace another, and documents about the same matter under nearly the same title.

use super::claims::Claim;
use super::judge::Finding;
use super::{Statement, Why};
use oldhand_text::lexicon::words::{Word, words_of};

#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Record {
    pub title: String,
    /// It was read from a document with sections or of some length.
    pub is_document: bool,
    pub replacing: Vec<String>,
}

/// Titles of one word name no matter: `Context`, `Overview`.
const TITLE_WORDS_MIN: usize = 2;
/// Two titles are one when they share so many words. At half, yearly specifications clash (measured
/// on public records).
const TITLE_SHARE_MIN: f64 = 0.65;

/// The stems of a title that say something, and its numbers.
struct Title {
    stems: Vec<String>,
    numbers: Vec<String>,
}

impl Title {
    fn of(text: &str) -> Self {
        let (numbers, words): (Vec<Word>, Vec<Word>) = words_of(text)
            .into_iter()
            .filter(|word| word.weight > 0.0)
            .partition(|word| word.text.contains(|c: char| c.is_ascii_digit()));
        Self { stems: stems(words), numbers: stems(numbers) }
    }

    /// The sentence says that it supersedes, replaces or obsoletes what has this title.
    fn is_named_in(&self, sentence: &str) -> bool {
        let said = stems(words_of(sentence));
        let is_enough = self.stems.len() >= TITLE_WORDS_MIN;
        is_enough && self.stems.iter().chain(&self.numbers).all(|word| said.contains(word))
    }

    fn share(&self, other: &Self) -> f64 {
        if self.stems.len() < TITLE_WORDS_MIN || other.stems.len() < TITLE_WORDS_MIN {
            return 0.0;
        }
        let shared = self.stems.iter().filter(|word| other.stems.contains(word)).count();
        shared as f64 / (self.stems.len() + other.stems.len() - shared) as f64
    }
}

fn stems(words: Vec<Word>) -> Vec<String> {
    words.into_iter().map(|word| word.stem).collect()
}

pub(super) fn compare(ours: &Statement, theirs: &Statement) -> Option<Finding> {
    let are_documents = ours.record.is_document && theirs.record.is_document;
    if !are_documents && ours.record.replacing.is_empty() {
        return None;
    }
    let (mine, other) = (Title::of(&ours.record.title), Title::of(&theirs.record.title));
    if ours.record.replacing.iter().any(|sentence| other.is_named_in(sentence)) {
        return Some(Finding { why: Why::Supersedes, score: 0.9, terms: Vec::new() });
    }
    // Yearly editions stand beside each other, and so do two parts of a series.
    let is_year =
        |number: &String| number.parse().is_ok_and(|year: u32| (1900..2100).contains(&year));
    let are_editions = mine.numbers.iter().chain(&other.numbers).any(is_year);
    let share = mine.share(&other);
    let are_parts = mine.numbers != other.numbers && share < 1.0;
    // Nothing new under the same title is the same record once more.
    let is_known = |claim: &Claim| theirs.claims.iter().any(|it| it.text == claim.text);
    let is_repeated = mine.numbers == other.numbers && ours.claims.iter().all(is_known);
    let is_same = share >= TITLE_SHARE_MIN && !are_editions && !are_parts && !is_repeated;
    (are_documents && is_same).then(|| Finding {
        why: Why::SameMatter,
        score: 0.3 + 0.5 * share,
        terms: Vec::new(),
    })
}
