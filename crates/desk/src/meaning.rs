//! Which model gives texts their meaning here: the sentence model inside the program, the static
//! one where the processor is too slow for it, or none.

use std::cell::RefCell;
use std::collections::BTreeMap;

use oldhand_index::{DotRows, Vector};
use oldhand_minilm::{MiniLm, PairModel, StaticModel, dot_rows};
use oldhand_store::index::Embedder;

pub enum Meaning {
    Sentences(MiniLm),
    Static(StaticModel),
}

pub fn open(setting: &str) -> Result<Meaning, String> {
    let wants_static = setting == "static" || (setting == "minilm" && !MiniLm::is_fast());
    if setting == "keywords" {
        return Err("words alone by `recall.model`".to_owned());
    }
    if wants_static {
        return StaticModel::open().map(Meaning::Static).map_err(|error| error.to_string());
    }
    MiniLm::open().map(Meaning::Sentences).map_err(|error| error.to_string())
}

/// The sentence vector of a text as numbers, for weights that were fitted to that model.
pub fn sentence_vector(setting: &str, text: &str) -> Option<Vec<f32>> {
    let Ok(Meaning::Sentences(model)) = open(setting) else { return None };
    let vector = model.embed(text);
    Some(vector.bytes.iter().map(|byte| f32::from(*byte) * vector.scale).collect())
}

/// The chance that a statement excludes one in force; `None` where the model would be too slow.
pub fn clash_chance(setting: &str, in_force: &str, proposed: &str) -> Option<f64> {
    standing(setting, in_force, proposed).map(|[_, _, clashes]| clashes)
}

/// How the second statement stands to the first: it agrees, it holds beside it, or it clashes. Three
/// chances.
pub fn standing(setting: &str, in_force: &str, proposed: &str) -> Option<[f64; 3]> {
    let is_measured = setting == "minilm" && MiniLm::is_fast();
    let model = is_measured.then(PairModel::open)?.ok()?;
    let judged = model.judge(in_force, proposed);
    Some([judged.agrees, judged.beside, judged.clashes].map(f64::from))
}

/// Meanings that one command remembers, about a megabyte.
const VECTORS_MAX: usize = 1_000;

/// Compares texts for one command: a rule compares every sentence of one with every sentence of the other.
pub struct Comparing {
    pub model: &'static str,
    vectors: RefCell<BTreeMap<String, Vector>>,
}

impl Comparing {
    pub fn by(model: &'static str) -> Self {
        Self { model, vectors: RefCell::default() }
    }

    pub fn meaning(&self, one: &str, other: &str) -> Option<f64> {
        let model = open(self.model).ok();
        let model = model.filter(|it| matches!(it, Meaning::Sentences(_)))?;
        let mut known = self.vectors.borrow_mut();
        if known.len() + 2 > VECTORS_MAX {
            known.clear();
        }
        for text in [one, other] {
            if !known.contains_key(text) {
                known.insert(text.to_owned(), model.embed(text));
            }
        }
        Some(cosine(known.get(one)?, known.get(other)?))
    }

    pub fn clash_chance(&self, in_force: &str, proposed: &str) -> Option<f64> {
        clash_chance(self.model, in_force, proposed)
    }
}

pub fn cosine(one: &Vector, other: &Vector) -> f64 {
    let products = one.bytes.iter().zip(&other.bytes).map(|(a, b)| i32::from(*a) * i32::from(*b));
    f64::from(products.sum::<i32>()) * f64::from(one.scale) * f64::from(other.scale)
}

impl Embedder for Meaning {
    fn tag(&self) -> &str {
        match self {
            Self::Sentences(_) => MiniLm::tag(),
            Self::Static(_) => StaticModel::tag(),
        }
    }

    fn embed(&self, text: &str) -> Vector {
        let vector = match self {
            Self::Sentences(model) => model.embed(text),
            Self::Static(model) => model.embed(text),
        };
        Vector { scale: vector.scale, bytes: vector.bytes }
    }

    fn dot_rows(&self) -> DotRows {
        dot_rows
    }
}
