//! What an evaluation says: a table for people, an object for programs. It measures nothing.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::metrics::{Scores, Summary, summarise};
use super::{Answer, Asked, Question};
use crate::format::{columns, counted};

const ALL: &str = "all";
/// Questions that only seem to have an answer: reported with and without them.
const ADVERSARIAL: &str = "adversarial";
const ALL_BUT_ADVERSARIAL: &str = "all without adversarial";
/// Recall is the first engine; the others know neither tokens nor what is stale.
const RECALL: &str = "recall";

/// What was asked, and where.
pub(crate) struct Head {
    /// The set's name, or the file of questions.
    pub source: String,
    pub documents: usize,
    pub scopes: usize,
    pub k: usize,
    pub gold_field: String,
    pub unknown_gold: Vec<String>,
}

pub(crate) struct Report {
    head: Head,
    engines: Vec<Engine>,
}

struct Engine {
    name: &'static str,
    /// All first, then the categories by name.
    groups: Vec<(String, Summary)>,
}

impl Engine {
    fn is_recall(&self) -> bool {
        self.name == RECALL
    }
}

impl Report {
    pub(crate) fn new(head: Head, asked: &[Asked<'_>], baselines: &[&'static str]) -> Self {
        let names = std::iter::once(RECALL).chain(baselines.iter().copied());
        let engines = names
            .enumerate()
            .map(|(at, name)| {
                let rows: Vec<(&Question, &Answer)> =
                    asked.iter().map(|asked| (asked.question, &asked.answers[at])).collect();
                Engine { name, groups: groups(&rows) }
            })
            .collect();
        Self { head, engines }
    }

    pub(crate) fn to_json(&self) -> Map<String, Value> {
        let engines: Vec<Value> = self
            .engines
            .iter()
            .map(|engine| {
                let groups: Vec<Value> = engine
                    .groups
                    .iter()
                    .map(|(category, summary)| group_json(category, summary, engine.is_recall()))
                    .collect();
                json!({"name": engine.name, "groups": groups})
            })
            .collect();
        let mut object = Map::new();
        object.insert("source".into(), json!(self.head.source));
        object.insert("documents".into(), json!(self.head.documents));
        object.insert("scopes".into(), json!(self.head.scopes));
        object.insert("k".into(), json!(self.head.k));
        object.insert("gold_field".into(), json!(self.head.gold_field));
        object.insert("unknown_gold".into(), json!(self.head.unknown_gold));
        object.insert("engines".into(), Value::Array(engines));
        object
    }

    pub(crate) fn to_text(&self) -> String {
        let head = &self.head;
        let mut out = format!(
            "{}: {} in {}",
            oldhand_text::strings::visible_line(&head.source),
            counted(head.documents, "document", "documents"),
            counted(head.scopes, "scope", "scopes"),
        );
        if let Some((_, all)) = self.engines.first().and_then(|recall| recall.groups.first()) {
            out.push_str(&format!(
                ", {} and {} without an answer",
                counted(all.answerable, "question", "questions"),
                all.unanswerable
            ));
        }
        out.push_str("\n\nFound: the share of the gold within the first 1, 5 and 10; all of it within 5 and 10\n\n");
        out.push_str(&self.found());
        out.push_str(
            "\nServed: `abstained` of the questions without an answer got nothing, `silenced` of the others too\n\n",
        );
        out.push_str(&self.served());
        out
    }

    /// Engines below each other in each category: that is what one compares.
    fn found(&self) -> String {
        let header =
            ["category", "by", "n", "R@1", "R@5", "R@10", "all@5", "all@10", "MRR", "nDCG@10"];
        let mut rows = vec![header.map(str::to_owned).to_vec()];
        for (category, engine, summary) in self.by_category() {
            let Some(scores) = summary.scores else { continue };
            let mut row = vec![category, engine.name.to_owned(), summary.answerable.to_string()];
            row.extend(listed(&scores).map(|(_, value)| format!("{value:.3}")));
            rows.push(row);
        }
        table(rows)
    }

    /// By category for recall alone: the baselines serve no text.
    fn served(&self) -> String {
        let header = [
            "category",
            "by",
            "n",
            "abstained",
            "silenced",
            "tokens",
            "stale",
            "p50 ms",
            "p95 ms",
            "max ms",
        ];
        let mut rows = vec![header.map(str::to_owned).to_vec()];
        for (category, engine, summary) in self.by_category() {
            if !engine.is_recall() && category != ALL {
                continue;
            }
            let share =
                |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.3}"));
            let of_recall = |text: String| if engine.is_recall() { text } else { "-".to_owned() };
            rows.push(vec![
                category,
                engine.name.to_owned(),
                (summary.answerable + summary.unanswerable).to_string(),
                share(summary.abstained),
                share(summary.silenced),
                of_recall(format!("{:.0}", summary.tokens_mean)),
                of_recall(summary.stale.to_string()),
                format!("{:.1}", summary.latency.p50),
                format!("{:.1}", summary.latency.p95),
                format!("{:.1}", summary.latency.max),
            ]);
        }
        table(rows)
    }

    fn by_category(&self) -> impl Iterator<Item = (String, &Engine, &Summary)> {
        // A single category says what all of them say.
        let count = match self.engines.first().map_or(0, |engine| engine.groups.len()) {
            2 => 1,
            count => count,
        };
        (0..count).flat_map(move |at| {
            self.engines.iter().map(move |engine| {
                let (category, summary) = &engine.groups[at];
                (category.clone(), engine, summary)
            })
        })
    }
}

fn groups(rows: &[(&Question, &Answer)]) -> Vec<(String, Summary)> {
    let of = |is_in: &dyn Fn(&str) -> bool| {
        let rows: Vec<_> =
            rows.iter().copied().filter(|(question, _)| is_in(&question.category)).collect();
        summarise(&rows)
    };
    let categories: BTreeSet<&str> =
        rows.iter().map(|(question, _)| question.category.as_str()).collect();
    let mut groups = vec![(ALL.to_owned(), of(&|_| true))];
    if categories.contains(ADVERSARIAL) && categories.len() > 1 {
        let rest = of(&|category| category != ADVERSARIAL);
        groups.push((ALL_BUT_ADVERSARIAL.to_owned(), rest));
    }
    for name in categories {
        groups.push((name.to_owned(), of(&|category| category == name)));
    }
    groups
}

fn listed(scores: &Scores) -> [(&'static str, f64); 7] {
    [
        ("recall_at_1", scores.recall_at_1),
        ("recall_at_5", scores.recall_at_5),
        ("recall_at_10", scores.recall_at_10),
        ("all_at_5", scores.all_at_5),
        ("all_at_10", scores.all_at_10),
        ("mrr", scores.mrr),
        ("ndcg_at_10", scores.ndcg_at_10),
    ]
}

/// `null` is what could not be measured, which is not zero.
fn group_json(category: &str, summary: &Summary, is_recall: bool) -> Value {
    let mut object = Map::new();
    object.insert("category".into(), json!(category));
    object.insert("answerable".into(), json!(summary.answerable));
    object.insert("unanswerable".into(), json!(summary.unanswerable));
    for (name, value) in listed(&summary.scores.unwrap_or_default()) {
        object.insert(name.into(), json!(summary.scores.map(|_| digits(value, 4))));
    }
    object.insert("abstained".into(), json!(summary.abstained.map(|share| digits(share, 4))));
    object.insert("silenced".into(), json!(summary.silenced.map(|share| digits(share, 4))));
    object.insert("tokens_mean".into(), json!(is_recall.then_some(digits(summary.tokens_mean, 1))));
    object.insert("stale_served".into(), json!(is_recall.then_some(summary.stale)));
    let latency = &summary.latency;
    object.insert(
        "latency_ms".into(),
        json!({"p50": latency.p50, "p95": latency.p95, "max": latency.max}),
    );
    Value::Object(object)
}

pub(super) fn digits(value: f64, count: i32) -> f64 {
    let shift = 10_f64.powi(count);
    (value * shift).round() / shift
}

/// Two columns of words, then numbers, which end below each other. A category is said once.
pub(super) fn table(mut rows: Vec<Vec<String>>) -> String {
    let count = rows.first().map_or(0, Vec::len);
    for at in 2..count {
        let width = rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
        for row in &mut rows {
            row[at] = format!("{:>width$}", row[at]);
        }
    }
    let mut last = String::new();
    for row in &mut rows {
        row[0] = oldhand_text::strings::visible_line(&row[0]);
        if row[0] == last {
            row[0].clear();
        } else {
            last.clone_from(&row[0]);
        }
    }
    columns(&rows)
}
