//! Scoring likeness: pairs of memories that are known to say the same, or not, beside the plain
//! share of common words. It knows nothing of how likeness is found.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use oldhand_app::eval::metrics::digits;
use oldhand_core::kind::{Kind, Kinds};
use oldhand_core::policy::TWIN_FLOOR;
use oldhand_desk::evaluate::table;
use oldhand_desk::meaning;
use oldhand_desk::printer::Io;
use oldhand_judge::similar::{Profile, likeness};
use oldhand_store::index::Embedder;
use oldhand_text::strings::counted;
use serde_json::{Map, Value, json};

use crate::Bench;
use crate::binary::{self, Case, Quality};
use crate::failure::Fail;
use crate::lines::{required, word, wrong};
use crate::set::each_object;

/// Both splits together.
const ALL: &str = "all";
const BASELINE: &str = "plain words";

pub(crate) fn run(file: &Path, bench: &Bench<'_>, io: &mut Io<'_>) -> Result<(), Fail> {
    let pairs = read(file)?;
    if pairs.is_empty() {
        return Err(Fail::new("there are no pairs", "write one JSON object per line"));
    }
    let mut engines = vec![
        Engine::new("words", Some(TWIN_FLOOR), &pairs, |pair| {
            likeness(&pair.one.profile, &pair.other.profile, None)
        }),
        Engine::new(BASELINE, None, &pairs, |pair| common(&pair.one.text, &pair.other.text)),
    ];
    match meaning::open(bench.harness.model()) {
        Ok(model) => {
            let by = Engine::new("words and meaning", Some(TWIN_FLOOR), &pairs, |pair| {
                let cosine =
                    meaning::cosine(&model.embed(&pair.one.text), &model.embed(&pair.other.text));
                likeness(&pair.one.profile, &pair.other.profile, Some(cosine))
            });
            engines.insert(0, by);
        }
        Err(why) => io.note("note", &format!("without meaning: {why}")),
    }
    let source = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
    if bench.json {
        io.json("eval", to_json(&source, &pairs, &engines))?;
    } else {
        io.text(&to_text(&source, &pairs, &engines))?;
    }
    Ok(())
}

struct Pair {
    id: String,
    one: Side,
    other: Side,
    is_twin: bool,
    why: String,
    split: String,
}

struct Side {
    profile: Profile,
    /// As it is embedded, with its title.
    text: String,
}

fn read(file: &Path) -> Result<Vec<Pair>, Fail> {
    let kinds = Kinds::default();
    let mut pairs = Vec::new();
    each_object(file, |object, line| {
        let label = required(object, "label")?;
        pairs.push(Pair {
            id: word(object, "id")?.unwrap_or_else(|| format!("line-{line}")),
            one: side(object, "a", &kinds)?,
            other: side(object, "b", &kinds)?,
            is_twin: match label.as_str() {
                "twin" => true,
                "other" => false,
                _ => return Err(wrong("label", "`twin` or `other`", &json!(label))),
            },
            why: word(object, "why")?.unwrap_or_else(|| label.clone()),
            split: word(object, "split")?.unwrap_or_else(|| ALL.to_owned()),
        });
        Ok(())
    })?;
    Ok(pairs)
}

fn side(object: &Map<String, Value>, name: &str, kinds: &Kinds) -> Result<Side, String> {
    let Some(Value::Object(object)) = object.get(name) else {
        let found = object.get(name).unwrap_or(&Value::Null);
        return Err(wrong(name, "an object", found));
    };
    let kind = match word(object, "type")? {
        Some(name) => kinds.parse(&name).map_err(|problem| problem.to_string())?,
        None => Kind::Reference,
    };
    let title = word(object, "title")?.unwrap_or_default();
    let text = required(object, "text")?;
    let mut profile = Profile::of_text(&kind, &title, &text);
    if let Some(lesson_type) = word(object, "lesson_type")? {
        profile = profile.with_lesson_type(&lesson_type);
    }
    Ok(Side { profile, text: format!("{title}\n{text}").trim().to_owned() })
}

/// The share of the words of two texts that both have.
fn common(one: &str, other: &str) -> f64 {
    let words = |text: &str| -> BTreeSet<String> {
        let words = text.split(|it: char| !it.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let (one, other) = (words(one), words(other));
    let all = one.union(&other).count();
    if all == 0 { 0.0 } else { one.intersection(&other).count() as f64 / all as f64 }
}

/// One way to find twins, with what it comes to in each split, all of them first.
struct Engine {
    name: &'static str,
    splits: Vec<(String, Measured)>,
    /// By the position of the pair: judged wrongly with the floor of all.
    is_wrong: Vec<bool>,
}

/// The quality at a floor.
struct Measured {
    floor: f64,
    quality: Quality,
}

impl Measured {
    fn of(cases: &[Case], floor: f64) -> Self {
        let says = |case: &Case| Case { says_yes: case.score >= floor, ..*case };
        Self { floor, quality: binary::quality(&cases.iter().map(says).collect::<Vec<_>>()) }
    }

    fn listed(&self) -> [(&'static str, f64); 5] {
        let quality = &self.quality;
        [
            ("floor", self.floor),
            ("precision", quality.precision),
            ("recall", quality.recall),
            ("f1", quality.f1),
            ("auc", quality.auc.unwrap_or(0.0)),
        ]
    }
}

impl Engine {
    /// Without a floor it gets the one that is best for each split: no baseline shall lose by it.
    fn new(
        name: &'static str,
        floor: Option<f64>,
        pairs: &[Pair],
        score: impl Fn(&Pair) -> f64,
    ) -> Self {
        let case =
            |pair: &Pair| Case { is_true: pair.is_twin, says_yes: false, score: score(pair) };
        let cases: Vec<Case> = pairs.iter().map(case).collect();
        let of = |split: &str| {
            let chosen: Vec<Case> = cases
                .iter()
                .zip(pairs)
                .filter(|(_, pair)| split == ALL || pair.split == split)
                .map(|(case, _)| *case)
                .collect();
            Measured::of(&chosen, floor.unwrap_or_else(|| binary::best_threshold(&chosen)))
        };
        let all = of(ALL);
        let is_wrong = cases.iter().map(|case| (case.score >= all.floor) != case.is_true).collect();
        let named: BTreeSet<&str> = pairs.iter().map(|pair| pair.split.as_str()).collect();
        let mut splits = vec![(ALL.to_owned(), all)];
        splits.extend(named.into_iter().filter(|it| *it != ALL).map(|it| (it.to_owned(), of(it))));
        Self { name, splits, is_wrong }
    }
}

/// Pairs of one label and cause: how many, and how many each engine judged wrongly.
fn causes<'p>(
    pairs: &'p [Pair],
    engines: &[Engine],
) -> BTreeMap<(&'static str, &'p str), (usize, Vec<usize>)> {
    let mut causes = BTreeMap::new();
    for (at, pair) in pairs.iter().enumerate() {
        let key = (if pair.is_twin { "twin" } else { "other" }, pair.why.as_str());
        let (count, wrong) = causes.entry(key).or_insert((0, vec![0; engines.len()]));
        *count += 1;
        for (wrong, engine) in wrong.iter_mut().zip(engines) {
            *wrong += usize::from(engine.is_wrong[at]);
        }
    }
    causes
}

fn to_text(source: &str, pairs: &[Pair], engines: &[Engine]) -> String {
    let twins = pairs.iter().filter(|pair| pair.is_twin).count();
    let header = ["split", "by", "pairs", "twins", "floor", "precision", "recall", "F1", "AUC"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    let splits = engines.first().map_or(0, |engine| engine.splits.len());
    for at in 0..splits {
        for engine in engines {
            let (split, measure) = &engine.splits[at];
            let mut row = vec![split.clone(), engine.name.to_owned()];
            row.extend(
                [measure.quality.cases, measure.quality.positives].map(|count| count.to_string()),
            );
            row.extend(measure.listed().map(|(_, value)| format!("{value:.3}")));
            rows.push(row);
        }
    }
    let mut header = vec!["label".to_owned(), "why".to_owned(), "pairs".to_owned()];
    header.extend(engines.iter().map(|engine| format!("wrong by {}", engine.name)));
    let mut errors = vec![header];
    for ((label, why), (count, wrong)) in causes(pairs, engines) {
        let mut row = vec![label.to_owned(), why.to_owned(), count.to_string()];
        row.extend(wrong.iter().map(usize::to_string));
        errors.push(row);
    }
    let count = counted(pairs.len(), "pair", "pairs");
    format!("{source}: {count}, {twins} twins\n\n{}\n{}", table(rows), table(errors))
}

fn to_json(source: &str, pairs: &[Pair], engines: &[Engine]) -> Map<String, Value> {
    let causes = causes(pairs, engines);
    let listed = engines.iter().enumerate().map(|(at, engine)| {
        let splits = engine.splits.iter().map(|(split, measure)| {
            let mut object = Map::new();
            object.insert("split".into(), json!(split));
            object.insert("pairs".into(), json!(measure.quality.cases));
            object.insert("twins".into(), json!(measure.quality.positives));
            for (name, value) in measure.listed() {
                object.insert(name.into(), json!(digits(value, 4)));
            }
            Value::Object(object)
        });
        let errors = causes.iter().map(|((label, why), (count, wrong))| {
            json!({"label": label, "why": why, "pairs": count, "wrong": wrong[at]})
        });
        let wrong = pairs.iter().zip(&engine.is_wrong).filter(|(_, is_wrong)| **is_wrong);
        json!({
            "by": engine.name,
            "splits": splits.collect::<Vec<_>>(),
            "errors": errors.collect::<Vec<_>>(),
            "wrong": wrong.map(|(pair, _)| pair.id.as_str()).collect::<Vec<_>>(),
        })
    });
    let mut object = Map::new();
    object.insert("source".into(), json!(source));
    object.insert("pairs".into(), json!(pairs.len()));
    object.insert("twin_floor".into(), json!(TWIN_FLOOR));
    object.insert("engines".into(), Value::Array(listed.collect()));
    object
}
