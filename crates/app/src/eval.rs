//! Scoring recall by questions whose answers are known: the questions, what came back for them, and
//! the report. It knows nothing of how recall works and of no file.

pub mod metrics;

use metrics::Group;
use serde::Deserialize;

use crate::prelude::*;

pub const ALL: &str = "all";
/// Questions that only seem to have an answer: reported with and without them.
const ADVERSARIAL: &str = "adversarial";
const ALL_BUT_ADVERSARIAL: &str = "all without adversarial";
/// The name of recall among the rankings that are compared.
pub const RECALL: &str = "recall";

/// One question with the ids that answer it; without any, silence is the right answer.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Question {
    #[serde(default)]
    pub id: String,
    /// Only documents of this scope compete; a store has one.
    #[serde(default)]
    pub scope: String,
    pub text: String,
    #[serde(default = "category")]
    pub category: String,
    pub gold: Vec<String>,
    /// May not be returned: dropped from a ranking before it is scored.
    #[serde(default)]
    pub exclude: Vec<String>,
    /// How many to rank: those that are scored and those that will be dropped.
    #[serde(skip)]
    pub depth: usize,
}

fn category() -> String {
    "question".to_owned()
}

/// Reads questions, one JSON object per line. The error names the line.
pub fn parse_questions(text: &str) -> Result<Vec<Question>, String> {
    let mut questions = Vec::new();
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    for (at, line) in text.trim_start_matches('\u{FEFF}').lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let number = at + 1;
        let mut question: Question = serde_json::from_str(line).map_err(|error| {
            // It counts lines inside of what it was given, which is one line of ours.
            let why = error.to_string().replace(" at line 1 column", " at column");
            format!("line {number}: {why}")
        })?;
        if question.text.trim().is_empty() {
            return Err(format!("line {number}: `text` is empty"));
        }
        if question.id.is_empty() {
            question.id = format!("line-{number}");
        }
        let mut seen = BTreeSet::new();
        question.gold.retain(|id| seen.insert(id.clone()));
        if let Some(first) = lines.insert(question.id.clone(), number) {
            return Err(format!("line {number}: the id is taken by line {first}"));
        }
        questions.push(question);
    }
    Ok(questions)
}

/// The questions to ask, each with its depth: at most `limit`, spread evenly, because the first ones
/// of a file are often all about the same thing.
pub fn spread(questions: Vec<Question>, limit: Option<usize>, k: usize) -> Vec<Question> {
    let count = questions.len();
    let wanted = limit.unwrap_or(count).min(count);
    let chosen: BTreeSet<usize> = (0..wanted).map(|at| at * count / wanted).collect();
    let kept = questions.into_iter().enumerate().filter(|(at, _)| chosen.contains(at));
    kept.map(|(_, question)| Question { depth: k + question.exclude.len(), ..question }).collect()
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Memory ids, best first, before the floor below which recall is silent.
    pub ranking: Vec<String>,
    pub silent: bool,
    pub tokens: usize,
    /// Memories that were served and may no longer be true.
    pub stale: usize,
    pub micros: u64,
}

/// A question with all answers: recall's first, then those of other rankings in their order.
pub struct Asked<'a> {
    pub question: &'a Question,
    pub answers: Vec<Answer>,
}

/// Each id once, without the excluded ones, no more than `k`.
pub fn clean(ranking: &[String], exclude: &[String], k: usize) -> Vec<String> {
    let mut seen: BTreeSet<&str> = exclude.iter().map(String::as_str).collect();
    ranking.iter().filter(|id| seen.insert(id)).take(k).cloned().collect()
}

/// Gold that cannot be found because it does not exist, each once.
pub fn unknown_gold(
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

/// What was asked and where, with the scores of each ranking.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The set's name, or the file of questions.
    pub source: String,
    pub documents: usize,
    pub scopes: usize,
    pub k: usize,
    pub gold_field: String,
    pub unknown_gold: Vec<String>,
    pub engines: Vec<EngineReport>,
}

#[derive(Debug, Serialize)]
pub struct EngineReport {
    pub name: &'static str,
    /// All first, then the categories by name.
    pub groups: Vec<Group>,
}

impl EngineReport {
    /// One per ranking: recall first, then `others` in the order of their answers.
    pub fn all(asked: &[Asked<'_>], others: &[&'static str]) -> Vec<Self> {
        let names = std::iter::once(RECALL).chain(others.iter().copied());
        let report = |(at, name)| {
            let rows: Vec<(&Question, &Answer)> =
                asked.iter().map(|asked| (asked.question, &asked.answers[at])).collect();
            Self { name, groups: groups(&rows, name == RECALL) }
        };
        names.enumerate().map(report).collect()
    }
}

fn groups(rows: &[(&Question, &Answer)], is_recall: bool) -> Vec<Group> {
    let of = |name: &str, is_in: &dyn Fn(&str) -> bool| {
        let rows: Vec<_> =
            rows.iter().copied().filter(|(question, _)| is_in(&question.category)).collect();
        Group::of(name, &rows, is_recall)
    };
    let categories: BTreeSet<&str> =
        rows.iter().map(|(question, _)| question.category.as_str()).collect();
    let mut groups = vec![of(ALL, &|_| true)];
    if categories.contains(ADVERSARIAL) && categories.len() > 1 {
        groups.push(of(ALL_BUT_ADVERSARIAL, &|category| category != ADVERSARIAL));
    }
    groups.extend(categories.into_iter().map(|name| of(name, &|category| category == name)));
    groups
}

#[cfg(test)]
mod tests;
