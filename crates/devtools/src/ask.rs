//! Asking the questions of a set: recall and simple rankings over the same documents, in a scratch
//! store per scope.

use oldhand_core::recall::rank::Scored;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use oldhand_app::eval::{Answer, Asked, EngineReport, Question, Report, clean, unknown_gold};
use oldhand_app::recall::Recalled;

use crate::baselines::{Baseline, Corpus};
use crate::failure::Fail;
use crate::set::{Document, Set};
use crate::store;

/// How recall is asked: the folder of a store, and the question.
pub(crate) type AskRecall<'a> =
    &'a mut dyn FnMut(&Path, &Question) -> Result<(Answer, Option<Recalled>), Fail>;

/// How deep is ranked, and what recall is compared with.
pub(crate) struct Comparison<'a> {
    pub k: usize,
    pub baselines: &'a [Baseline],
    /// Takes what each candidate was ranked by.
    pub features: Option<&'a RefCell<Vec<Value>>>,
}

/// Asks every question of a set in a scratch store of its scope, one store at a time.
pub(crate) fn ask_set<'a>(
    set: &'a Set,
    comparison: &Comparison<'_>,
    recall: AskRecall<'_>,
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
        let entries = match comparison.baselines {
            [] => Vec::new(),
            _ => store::entries(documents),
        };
        let corpus = Corpus::new(entries);
        for at in positions {
            let question = &set.questions[at];
            let (mut answer, recalled) = recall(scratch.root(), question)?;
            let named = |id: &String| scratch.names.get(id).unwrap_or(id).clone();
            answer.ranking = answer.ranking.iter().map(named).collect();
            if let (Some(features), Some(recalled)) = (comparison.features, recalled) {
                features.borrow_mut().push(features_of(question, &recalled, named));
            }
            let mut answers = vec![answer];
            answers.extend(comparison.baselines.iter().map(|by| corpus.ask(*by, question)));
            for answer in &mut answers {
                answer.ranking = clean(&answer.ranking, &question.exclude, comparison.k);
            }
            asked.insert(at, Asked { question, answers });
        }
    }
    // By position: the order of the file, whichever scope was first.
    Ok(asked.into_values().collect())
}

/// One question with all its candidates, for scripts that fit the weights.
fn features_of(
    question: &Question,
    recalled: &Recalled,
    named: impl Fn(&String) -> String,
) -> Value {
    let row = |scored: &Scored| {
        let (candidate, features) = (&scored.candidate, &scored.candidate.features);
        json!({
            "id": named(&candidate.card.id),
            "lexical": features.lexical,
            "coverage": features.coverage,
            "title": features.title_coverage,
            "telling": features.telling_coverage,
            "dense": features.dense,
            "passages": candidate.card.passages,
            "neighbour": scored.parts.neighbour,
            "score": scored.score,
            "confidence": scored.confidence,
            "fits": scored.is_relevant,
        })
    };
    json!({
        "id": question.id,
        "scope": question.scope,
        "category": question.category,
        "gold": question.gold,
        "text": question.text,
        "exclude": question.exclude,
        "specific": recalled.query.is_specific(),
        "semantic": format!("{:?}", recalled.semantic),
        "silent": recalled.bundle.is_empty(),
        "candidates": recalled.ranked.iter().map(row).collect::<Vec<Value>>(),
    })
}

pub(crate) fn report(
    set: &Set,
    gold_field: &str,
    comparison: &Comparison<'_>,
    asked: &[Asked<'_>],
) -> Report {
    let known: BTreeSet<(&str, &str)> =
        set.documents.iter().map(|it| (it.scope.as_str(), it.id.as_str())).collect();
    let scopes: BTreeSet<&str> = set.documents.iter().map(|it| it.scope.as_str()).collect();
    let names: Vec<&'static str> = comparison.baselines.iter().map(|it| it.name()).collect();
    Report {
        source: set.name.clone(),
        documents: set.documents.len(),
        scopes: scopes.len(),
        k: comparison.k,
        gold_field: gold_field.to_owned(),
        unknown_gold: unknown_gold(&set.questions, |question, id| {
            known.contains(&(question.scope.as_str(), id))
        }),
        engines: EngineReport::all(asked, &names),
    }
}
