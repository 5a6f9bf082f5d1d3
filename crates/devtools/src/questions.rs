//! The questions of a set: with an answer, or in a sheet of those without one.

use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;

use oldhand_app::eval::{Question, spread};
use oldhand_text::strings::visible_line;
use serde_json::{Map, Value};

use crate::lines::{each_object, required, word, word_of, wrong};

/// The scope of a question or document that names none.
pub(crate) const SCOPE_DEFAULT: &str = "all";
const CATEGORY_DEFAULT: &str = "question";
const CATEGORY_ABSTENTION: &str = "abstention";

/// Which sheet the questions come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sheet {
    Queries,
    /// Every question is without an answer.
    Abstention,
}

/// Reads questions, one JSON object per line. `gold_field` holds the answers; a question without it
/// falls back to `gold`.
pub(crate) struct QuestionReader<'a> {
    gold_field: &'a str,
    questions: Vec<Question>,
    lines: BTreeMap<String, usize>,
    has_gold_field: bool,
}

impl<'a> QuestionReader<'a> {
    pub(crate) fn new(gold_field: &'a str) -> Self {
        Self { gold_field, questions: Vec::new(), lines: BTreeMap::new(), has_gold_field: false }
    }

    pub(crate) fn read(&mut self, text: impl BufRead, sheet: Sheet) -> Result<(), String> {
        each_object(text, |object, line| {
            let question = self.question(object, line, sheet)?;
            if let Some(first) = self.lines.insert(question.id.clone(), line) {
                return Err(taken(&question.id, first));
            }
            self.questions.push(question);
            Ok(())
        })
    }

    fn question(
        &mut self,
        object: &Map<String, Value>,
        line: usize,
        sheet: Sheet,
    ) -> Result<Question, String> {
        self.has_gold_field |= object.contains_key(self.gold_field);
        let category = match sheet {
            Sheet::Queries => CATEGORY_DEFAULT,
            Sheet::Abstention => CATEGORY_ABSTENTION,
        };
        let gold = self.gold(object)?;
        if sheet == Sheet::Queries && !object.contains_key("gold") && gold.is_empty() {
            // A forgotten key must not pass for a question without an answer.
            return Err(wrong("gold", "a list of ids, empty without an answer", &Value::Null));
        }
        if sheet == Sheet::Abstention && !gold.is_empty() {
            return Err(wrong("gold", "an empty list", &Value::from(gold)));
        }
        Ok(Question {
            id: word(object, "id")?.unwrap_or_else(|| format!("line-{line}")),
            scope: word(object, "scope")?.unwrap_or_else(|| SCOPE_DEFAULT.to_owned()),
            text: required(object, "text")?,
            category: word(object, "category")?.unwrap_or_else(|| category.to_owned()),
            gold,
            exclude: ids(object, "exclude")?,
            depth: 0,
        })
    }

    /// Each id once, as it is scored.
    fn gold(&self, object: &Map<String, Value>) -> Result<Vec<String>, String> {
        let asked_for = ids(object, self.gold_field)?;
        let gold = if asked_for.is_empty() { ids(object, "gold")? } else { asked_for };
        let mut seen = BTreeSet::new();
        Ok(gold.into_iter().filter(|id| seen.insert(id.clone())).collect())
    }

    /// The questions to ask, each with its depth.
    pub(crate) fn finish(self, limit: Option<usize>, k: usize) -> Result<Vec<Question>, String> {
        if self.questions.is_empty() {
            return Err("there are no questions".to_owned());
        }
        if !self.has_gold_field {
            return Err(format!("no question has the field `{}`", self.gold_field));
        }
        Ok(spread(self.questions, limit, k))
    }
}

fn ids(object: &Map<String, Value>, name: &str) -> Result<Vec<String>, String> {
    let expected = "a list of ids";
    match object.get(name) {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(items)) => items
            .iter()
            .map(|item| word_of(item).ok_or_else(|| wrong(name, expected, item)))
            .collect(),
        Some(other) => Err(wrong(name, expected, other)),
    }
}

pub(crate) fn taken(id: &str, first: usize) -> String {
    format!("the id is taken by line {first}: `{}`", visible_line(id))
}
