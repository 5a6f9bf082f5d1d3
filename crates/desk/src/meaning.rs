//! Which model gives texts their meaning here: the sentence model inside the program, or none.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Duration;

use oldhand_index::{DotRows, Vector};
use oldhand_minilm::{MiniLm, PairModel, dot_rows};
use oldhand_store::index::Embedder;

pub struct Meaning(MiniLm);

pub fn open(setting: &str) -> Result<Meaning, String> {
    if setting == "keywords" {
        return Err("words alone by `recall.model`".to_owned());
    }
    MiniLm::open().map(Meaning).map_err(|error| error.to_string())
}

/// The sentence vector of a text as numbers, for weights that were fitted to that model.
pub fn sentence_vector(setting: &str, text: &str) -> Option<Vec<f32>> {
    let vector = open(setting).ok()?.embed(text);
    Some(vector.bytes.iter().map(|byte| f32::from(*byte) * vector.scale).collect())
}

/// How many memories of usual length are embedded in so much time of one core.
pub fn memories_in(core_time: Duration) -> usize {
    const USUAL_PIECES: usize = 64;
    let cost = MiniLm::cost_of(USUAL_PIECES).as_micros().max(1);
    usize::try_from(core_time.as_micros() / cost).unwrap_or(usize::MAX)
}

/// Whether statements can be compared one by one: a rule compares every sentence of one text with every sentence
/// of the other, and each pair of statements is read again as a whole.
fn compares(setting: &str) -> bool {
    const PIECE_MAX: Duration = Duration::from_micros(600);
    setting != "keywords" && MiniLm::cost_of(1) <= PIECE_MAX
}

/// The chance that a statement excludes one in force; `None` where the model would be too slow.
pub fn clash_chance(setting: &str, in_force: &str, proposed: &str) -> Option<f64> {
    standing(setting, in_force, proposed).map(|[_, _, clashes]| clashes)
}

/// How the second statement stands to the first: it agrees, it holds beside it, or it clashes. Three
/// chances.
pub fn standing(setting: &str, in_force: &str, proposed: &str) -> Option<[f64; 3]> {
    let model = compares(setting).then(PairModel::open)?.ok()?;
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
        let model = compares(self.model).then(|| open(self.model))?.ok()?;
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
        MiniLm::tag()
    }

    fn embed(&self, text: &str) -> Vector {
        let vector = self.0.embed(text);
        Vector { scale: vector.scale, bytes: vector.bytes }
    }

    fn cost(&self, text: &str) -> Duration {
        self.0.cost(text)
    }

    fn dot_rows(&self) -> DotRows {
        dot_rows
    }
}
