//! Scoring recall: questions with known answers are asked, and what comes back is measured. It
//! knows nothing of how recall works; that stands behind `Recaller`.

pub(crate) mod baselines;
mod binary;
pub(crate) mod conflicts;
mod dates;
pub(crate) mod metrics;
pub(crate) mod real;
pub(crate) mod report;
pub(crate) mod set;
pub(crate) mod store;
#[cfg(test)]
mod tests;
pub(crate) mod triage;
pub(crate) mod twins;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use baselines::{Baseline, Corpus};
use set::{Document, Set};

use crate::failure::Fail;

/// One question with the ids that answer it; without any, silence is the right answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Question {
    pub id: String,
    /// Only documents of this scope compete.
    pub scope: String,
    pub text: String,
    pub category: String,
    pub gold: Vec<String>,
    /// May not be returned: dropped from a ranking before it is scored.
    pub exclude: Vec<String>,
    /// How many to rank: those that are scored and those that will be dropped.
    pub depth: usize,
}

/// What came back for one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    /// Memory ids, best first, before the floor below which recall is silent.
    pub ranking: Vec<String>,
    /// Nothing was served.
    pub silent: bool,
    pub tokens: usize,
    /// Memories that were served and may no longer be true.
    pub stale: usize,
    pub micros: u64,
}

pub(crate) trait Recaller {
    /// `scope_store` is the folder of a store: `.oldhand`, or the user's own.
    fn ask(&mut self, scope_store: &Path, query: &Question) -> Result<Answer, Fail>;
}

/// A question with what everybody answered: recall first, then the baselines in their order.
pub(crate) struct Asked<'a> {
    pub question: &'a Question,
    /// With document ids, without what the question excludes.
    pub answers: Vec<Answer>,
}

/// How deep is ranked, and what recall is compared with.
pub(crate) struct Wish<'a> {
    pub k: usize,
    pub baselines: &'a [Baseline],
}

/// Where questions are asked.
pub(crate) struct Place<'a> {
    pub store: &'a Path,
    /// Memory ids to document ids; one that is not here is its own.
    pub names: &'a BTreeMap<String, String>,
    pub corpus: &'a Corpus,
}

/// The questions as they will be asked: at most `limit`, spread evenly, because the first ones of
/// a set are often all about the same thing.
pub(crate) fn prepare(
    questions: Vec<Question>,
    limit: Option<usize>,
    k: usize,
) -> Result<Vec<Question>, Fail> {
    if questions.is_empty() {
        return Err(Fail::usage("there are no questions", "write one JSON object a line"));
    }
    let count = questions.len();
    let wanted = limit.unwrap_or(count).min(count);
    let chosen: BTreeSet<usize> = (0..wanted).map(|at| at * count / wanted).collect();
    let mut kept: Vec<Question> = questions
        .into_iter()
        .enumerate()
        .filter(|(at, _)| chosen.contains(at))
        .map(|(_, question)| question)
        .collect();
    for question in &mut kept {
        question.depth = k + question.exclude.len();
    }
    Ok(kept)
}

/// Asks every question of a set in a scratch store of its scope, one store at a time.
pub(crate) fn ask_set<'a>(
    set: &'a Set,
    wish: &Wish<'_>,
    recaller: &mut dyn Recaller,
) -> Result<Vec<Asked<'a>>, Fail> {
    let mut documents: BTreeMap<&str, Vec<&Document>> = BTreeMap::new();
    for document in &set.documents {
        documents.entry(&document.scope).or_default().push(document);
    }
    let mut positions: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, question) in set.questions.iter().enumerate() {
        positions.entry(&question.scope).or_default().push(at);
    }
    let mut asked: BTreeMap<usize, Asked<'a>> = BTreeMap::new();
    for (scope, positions) in positions {
        let documents = documents.get(scope).map(Vec::as_slice).unwrap_or_default();
        let scratch = store::make(documents)?;
        let entries = match wish.baselines {
            [] => Vec::new(),
            _ => store::entries(documents),
        };
        let corpus = Corpus::new(entries);
        let place = Place { store: scratch.root(), names: &scratch.names, corpus: &corpus };
        for at in positions {
            asked.insert(at, ask_one(&set.questions[at], &place, wish, recaller)?);
        }
    }
    // By position: the order of the file, whichever scope was first.
    Ok(asked.into_values().collect())
}

/// Asks every question in one store that is there already.
pub(crate) fn ask_store<'a>(
    questions: &'a [Question],
    place: &Place<'_>,
    wish: &Wish<'_>,
    recaller: &mut dyn Recaller,
) -> Result<Vec<Asked<'a>>, Fail> {
    questions.iter().map(|question| ask_one(question, place, wish, recaller)).collect()
}

fn ask_one<'a>(
    question: &'a Question,
    place: &Place<'_>,
    wish: &Wish<'_>,
    recaller: &mut dyn Recaller,
) -> Result<Asked<'a>, Fail> {
    let mut recalled = recaller.ask(place.store, question)?;
    for id in &mut recalled.ranking {
        if let Some(name) = place.names.get(id) {
            id.clone_from(name);
        }
    }
    let mut answers = vec![recalled];
    answers.extend(wish.baselines.iter().map(|by| place.corpus.ask(*by, question)));
    for answer in &mut answers {
        answer.ranking = metrics::clean(&answer.ranking, &question.exclude, wish.k);
    }
    Ok(Asked { question, answers })
}

/// Gold that nobody can find, because it is not there, each once.
pub(crate) fn unknown_gold(
    questions: &[Question],
    is_known: impl Fn(&Question, &str) -> bool,
) -> Vec<String> {
    let unknown: BTreeSet<&String> = questions
        .iter()
        .flat_map(|question| question.gold.iter().map(move |id| (question, id)))
        .filter(|(question, id)| !is_known(question, id))
        .map(|(_, id)| id)
        .collect();
    unknown.into_iter().cloned().collect()
}
