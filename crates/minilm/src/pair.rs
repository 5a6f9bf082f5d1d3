//! How two statements stand to each other: a second set of layers, trained on pairs, over the words
//! of the sentence model. `assets/judge/pairs.py` makes it and says what it was trained on.

use std::sync::LazyLock;

use crate::kernel::Level;
use crate::model::{Damage, Model, WIDTH};
use crate::{MODEL, math, packed};

/// `pair.bin`, unpacked once per process that judges something.
static PAIR: LazyLock<&[u8]> = LazyLock::new(|| {
    let packed = include_bytes!(concat!(env!("OUT_DIR"), "/pair.packed"));
    packed::unpack(&MODEL.0, packed, Box::leak(Box::default()))
});

/// Word pieces of both texts that were seen in training.
const LIMIT: usize = 160;
const STANDINGS: usize = 3;

/// Chances that add up to one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairJudgement {
    /// The second says what the first says, or more of the same.
    pub agrees: f32,
    /// They speak of different things, and both can hold.
    pub beside: f32,
    /// Both can't hold.
    pub clashes: f32,
}

pub struct PairModel {
    model: Model<'static>,
    /// A row of weights for each standing, then what is added to each.
    head: &'static [f32],
}

impl PairModel {
    pub fn open() -> Result<Self, Damage> {
        let (model, head) = Model::new(&MODEL.0)?.with_layers(&PAIR)?;
        let is_whole = head.len() == STANDINGS * (WIDTH + 1);
        if is_whole { Ok(Self { model, head }) } else { Err(Damage::Truncated) }
    }

    /// How the second statement stands to the first, which is in force.
    pub fn judge(&self, first: &str, second: &str) -> PairJudgement {
        self.judge_by(Level::best(), first, second)
    }

    /// For tests: every level gives the same numbers.
    #[doc(hidden)]
    pub fn judge_by(&self, level: Level, first: &str, second: &str) -> PairJudgement {
        let pieces = |text| self.model.vocabulary.pieces(text, LIMIT);
        let (mut ids, second) = (pieces(first), pieces(second));
        // The mark at the start of the second is not said; the longer text is cut first.
        let room = LIMIT - second.len().min(LIMIT / 2).max(LIMIT.saturating_sub(ids.len()));
        let end = ids.len() - 1;
        if ids.len() > room {
            ids[room - 1] = ids[end];
            ids.truncate(room);
        }
        ids.extend(&second[1..]);
        ids.truncate(LIMIT);
        let sums = level.forward(&self.model, &ids);
        let (rows, added) = self.head.split_at(STANDINGS * WIDTH);
        let count = ids.len() as f32;
        let mut scores = [0.0; STANDINGS];
        for ((score, row), added) in scores.iter_mut().zip(rows.chunks_exact(WIDTH)).zip(added) {
            let products: Vec<f32> = row.iter().zip(&sums).map(|(a, b)| a * b).collect();
            *score = math::sum(&products) / count + added;
        }
        let most = scores.into_iter().fold(f32::MIN, f32::max);
        let [agrees, beside, clashes] = scores.map(|score| math::exp(score - most));
        let all = agrees + beside + clashes;
        PairJudgement { agrees: agrees / all, beside: beside / all, clashes: clashes / all }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kernel_judges_the_same() {
        let model = PairModel::open().unwrap();
        let long = "The ledger keeps all amounts in whole cents. ".repeat(30);
        for (first, second) in [("Use PostgreSQL", "Use MySQL 8"), (&long, "x"), ("", &long)] {
            let judged = |level: Level| model.judge_by(level, first, second);
            let best = judged(Level::best());
            assert!((best.agrees + best.beside + best.clashes - 1.0).abs() < 1e-5, "{best:?}");
            assert!(Level::available().into_iter().all(|level| judged(level) == best));
        }
    }

    #[test]
    fn what_excludes_is_likelier_than_what_does_not() {
        let model = PairModel::open().unwrap();
        let clash = |second: &str| model.judge("All tests run with pytest", second).clashes;
        assert!(clash("Write new test modules with unittest") > 0.7);
        assert!(clash("Invoices are printed on recycled paper") < 0.3);
    }
}
