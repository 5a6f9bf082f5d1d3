//! Scoring the gate: pairs of texts that are known to clash, or not. Three formats of pairs are
//! read; what is judged is the same as when a decision is written.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use oldhand_app::gate::Pair;
use oldhand_core::codec::json::content_of;
use oldhand_core::kind::Kinds;
use oldhand_core::memory::{Memory, MemoryId};
use oldhand_desk::evaluate::table;
use oldhand_desk::meaning;
use oldhand_desk::printer::Io;
use oldhand_index::Vector;
use oldhand_judge::gate::{self, Statement};
use oldhand_store::index::Embedder;
use oldhand_text::term_set::TermSet;
use serde_json::{Map, Value, json};

use crate::Bench;
use crate::binary::{self, Case, Quality};
use crate::failure::Fail;
use crate::lines::{word, wrong};
use crate::set::each_object;

/// Where the two texts stand, the proposal first, and the label of a clash.
const FORMATS: &[(&str, &str, &[&str])] = &[
    ("proposal", "existing", &["conflict", "contradicts", "replaces"]),
    ("new_text", "old_text", &["supersedes"]),
    ("a", "b", &["contradict"]),
];
const ALL: &str = "all";

/// One pair as it was judged.
struct Judged {
    gate: Case,
    /// Stopped, or asked about.
    asked: Case,
    words: Case,
    cause: Option<String>,
    split: Option<String>,
    /// What it was judged by.
    by: Value,
}

struct Side {
    statement: Statement,
    text: String,
}

pub(crate) fn run(
    file: &Path,
    features: Option<&Path>,
    bench: &Bench<'_>,
    io: &mut Io<'_>,
) -> Result<(), Fail> {
    let model = meaning::open(bench.harness.model());
    if let Err(why) = &model {
        io.note("note", &format!("judged by words alone: {why}"));
    }
    let mut vectors = Vectors { model: model.as_ref().ok(), known: BTreeMap::new() };
    let judged = judge_all(file, &mut vectors, bench.harness.model())?;
    if let Some(features) = features {
        let lines = judged.iter().map(|it| format!("{}\n", it.by));
        std::fs::write(features, lines.collect::<String>())?;
    }
    let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
    let report = Report::new(name, judged);
    if bench.json {
        io.json("eval", report.to_json())?;
    } else {
        io.text(&report.to_text())?;
    }
    Ok(())
}

fn judge_all(file: &Path, vectors: &mut Vectors<'_>, setting: &str) -> Result<Vec<Judged>, Fail> {
    let kinds = Kinds::default();
    let mut judged = Vec::new();
    each_object(file, |object, _| {
        let (ours, theirs, is_true) = pair(object, &kinds)?;
        let near = vectors.nearness(&ours.text, &theirs.text);
        let score = |found: &[gate::Clash]| found.first().map_or(0.0, |clash| clash.score);
        let sentences = RefCell::new(&mut *vectors);
        let measure = |one: &str, other: &str| sentences.borrow_mut().nearness(one, other);
        let clashes = gate::judge_near(&ours.statement, &theirs.statement, near, &measure);
        let noticed = gate::weigh(&ours.statement, &theirs.statement, near);
        let likeness = TermSet::of(&ours.text).likeness(&TermSet::of(&theirs.text));
        let texts = [theirs.text.as_str(), ours.text.as_str()];
        let standing = meaning::standing(setting, &theirs.text, &ours.text);
        let chance = standing.map(|[_, _, clashes]| clashes);
        let pair = Pair { statements: [&theirs.statement, &ours.statement], texts };
        let is_asked = near.zip(chance).is_some_and(|(near, chance)| pair.is_asked(near, chance));
        let clash = clashes.first();
        let stops = clash.is_some_and(|clash| pair.is_sure(clash, chance));
        let is_asked = is_asked || clash.is_some() && pair.is_doubt_asked(chance.unwrap_or(1.0));
        let says_yes = stops || is_asked;
        let by = json!({
            "id": object.get("id"),
            "rules": clashes.iter().map(|it| (it.why.as_str(), it.score)).collect::<Vec<_>>(),
            "noticed": noticed.iter().map(|it| (it.why.as_str(), it.score)).collect::<Vec<_>>(),
            "meaning": near, "words": likeness, "standing": standing, "chance": chance,
            "is_rival": gate::rival_choices(&ours.statement, &theirs.statement).is_some(),
            "names_apart": gate::names_apart(&theirs.text, &ours.text),
            "stops": stops, "asked": says_yes,
        });
        judged.push(Judged {
            by,
            asked: Case { is_true, says_yes, score: chance.unwrap_or_default() },
            gate: Case { is_true, says_yes: stops, score: score(&noticed) },
            words: Case { is_true, says_yes: false, score: likeness },
            cause: word(object, if object.contains_key("matter") { "label" } else { "cause" })?,
            split: word(object, "split")?,
        });
        Ok(())
    })?;
    // The baseline gets the threshold that suits it best.
    let cases: Vec<Case> = judged.iter().map(|it| it.words).collect();
    let threshold = binary::best_threshold(&cases);
    for it in &mut judged {
        it.words.says_yes = it.words.score >= threshold;
    }
    Ok(judged)
}

fn pair(object: &Map<String, Value>, kinds: &Kinds) -> Result<(Side, Side, bool), String> {
    let format = FORMATS.iter().find(|(ours, ..)| object.contains_key(*ours));
    let Some((ours, theirs, clash)) = format else {
        return Err(wrong(
            "line",
            "`proposal` and `existing`, `new_text` and `old_text`, or `a` and `b`",
            &Value::Null,
        ));
    };
    let label = word(object, "label")?.ok_or_else(|| wrong("label", "a word", &Value::Null))?;
    Ok((side(object, ours, kinds)?, side(object, theirs, kinds)?, clash.contains(&label.as_str())))
}

/// A text, or a record with its type, title and content.
fn side(object: &Map<String, Value>, name: &str, kinds: &Kinds) -> Result<Side, String> {
    let value = object.get(name).unwrap_or(&Value::Null);
    let statement = match value {
        Value::String(text) => Statement::of_text(text),
        Value::Object(record) => Statement::of_memory(&memory(record, kinds)?),
        other => return Err(wrong(name, "a text or a record", other)),
    };
    let text = statement.text();
    Ok(Side { statement, text })
}

fn memory(record: &Map<String, Value>, kinds: &Kinds) -> Result<Memory, String> {
    let required =
        |name: &str| word(record, name)?.ok_or_else(|| wrong(name, "a word", &Value::Null));
    let kind = kinds.parse(&required("type")?).map_err(|problem| problem.to_string())?;
    let title = required("title")?;
    let content = record.get("content").unwrap_or(&Value::Null);
    let fields = content_of(content, &kinds.spec(&kind)).map_err(|problem| problem.to_string())?;
    let mut memory = Memory::new(MemoryId::of_title(&title), kind, &title);
    for (name, value) in fields {
        memory.content.set(&name, value);
    }
    Ok(memory)
}

/// The vectors of the texts, each made once.
struct Vectors<'a> {
    model: Option<&'a meaning::Meaning>,
    known: BTreeMap<String, Vector>,
}

impl Vectors<'_> {
    fn nearness(&mut self, ours: &str, theirs: &str) -> Option<f64> {
        let (ours, theirs) = (self.of(ours)?, self.of(theirs)?);
        Some(meaning::cosine(&ours, &theirs))
    }

    fn of(&mut self, text: &str) -> Option<Vector> {
        let model = self.model?;
        Some(*self.known.entry(text.to_owned()).or_insert_with(|| model.embed(text)))
    }
}

struct Report {
    source: String,
    /// All first, then the splits by name; the gate, the gate with its questions, and the baseline.
    groups: Vec<(String, [Quality; 3])>,
    /// Of each cause how many pairs there are, how many clash, and how many were stopped, and asked.
    causes: Vec<(String, [usize; 4])>,
}

impl Report {
    fn new(source: String, judged: Vec<Judged>) -> Self {
        let mut splits: BTreeMap<&str, Vec<&Judged>> = BTreeMap::new();
        let mut causes: BTreeMap<String, [usize; 4]> = BTreeMap::new();
        for it in &judged {
            if let Some(split) = &it.split {
                splits.entry(split).or_default().push(it);
            }
            if let Some(cause) = &it.cause {
                let split = it.split.as_deref().unwrap_or_default();
                let count = causes.entry(format!("{split} {cause}").trim().to_owned()).or_default();
                let is_asked = it.asked.says_yes && !it.gate.says_yes;
                let found = [true, it.gate.is_true, it.gate.says_yes, is_asked];
                count.iter_mut().zip(found).for_each(|(count, is)| *count += usize::from(is));
            }
        }
        let group = |name: &str, of: &[&Judged]| {
            let cases = |which: fn(&Judged) -> Case| -> Vec<Case> {
                of.iter().map(|it| which(it)).collect()
            };
            let cases = [cases(|it| it.gate), cases(|it| it.asked), cases(|it| it.words)];
            (name.to_owned(), cases.map(|cases| binary::quality(&cases)))
        };
        let mut groups = vec![group(ALL, &judged.iter().collect::<Vec<_>>())];
        groups.extend(splits.iter().map(|(name, of)| group(name, of)));
        Self { source, groups, causes: causes.into_iter().collect() }
    }

    fn to_json(&self) -> Map<String, Value> {
        let groups: Vec<Value> = self
            .groups
            .iter()
            .map(|(name, [gate, asked, words])| {
                let [gate, asked, words] = [gate, asked, words].map(quality_json);
                json!({"name": name, "gate": gate, "asked": asked, "words": words})
            })
            .collect();
        let causes: Vec<Value> = self
            .causes
            .iter()
            .map(|(cause, [pairs, clashing, stopped, asked])| {
                json!({
                    "cause": cause, "pairs": pairs, "clashing": clashing, "stopped": stopped,
                    "asked": asked,
                })
            })
            .collect();
        let mut object = Map::new();
        object.insert("source".into(), json!(self.source));
        object.insert("groups".into(), Value::Array(groups));
        object.insert("causes".into(), Value::Array(causes));
        object
    }

    fn to_text(&self) -> String {
        let name = oldhand_text::strings::visible_line(&self.source);
        let mut out =
            format!("{name}: the gate, and the share of common words at its best threshold\n\n");
        let header = ["pairs of", "by", "n", "clashing", "precision", "recall", "F1", "AUC"];
        let mut rows = vec![header.map(str::to_owned).to_vec()];
        for (name, qualities) in &self.groups {
            let by = ["stopped", "or asked", "words"].into_iter().zip(qualities);
            rows.extend(by.map(|(by, quality)| quality_row(name, by, quality)));
        }
        out.push_str(&table(rows));
        if !self.causes.is_empty() {
            let header = ["cause", "", "n", "clashing", "stopped", "asked"];
            let mut rows = vec![header.map(str::to_owned).to_vec()];
            rows.extend(self.causes.iter().map(|(cause, counts)| {
                let counts = counts.map(|count| count.to_string());
                [vec![cause.clone(), String::new()], counts.to_vec()].concat()
            }));
            out.push_str(&format!("\n{}", table(rows)));
        }
        out
    }
}

fn quality_row(name: &str, by: &str, quality: &Quality) -> Vec<String> {
    let shares = [quality.precision, quality.recall, quality.f1].map(|share| format!("{share:.3}"));
    let mut row = vec![
        name.to_owned(),
        by.to_owned(),
        quality.cases.to_string(),
        quality.positives.to_string(),
    ];
    row.extend(shares);
    row.push(quality.auc.map_or_else(|| "-".to_owned(), |auc| format!("{auc:.3}")));
    row
}

fn quality_json(quality: &Quality) -> Value {
    json!({
        "pairs": quality.cases, "clashing": quality.positives, "precision": quality.precision,
        "recall": quality.recall, "f1": quality.f1, "auc": quality.auc,
    })
}

#[cfg(test)]
mod tests;
