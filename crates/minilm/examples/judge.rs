//! Judges a pair twice, for measuring: the first time unpacks the model.
#![expect(clippy::print_stdout, reason = "an example prints its result")]

use std::time::Instant;

use oldhand_minilm::{Damage, PairModel};

fn main() -> Result<(), Damage> {
    for _ in 0..2 {
        let start = Instant::now();
        let judged =
            PairModel::open()?.judge("Money is kept in integer cents", "Use floats for money");
        println!("{judged:?} {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
    }
    Ok(())
}
