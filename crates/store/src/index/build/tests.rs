//! What is embedded on the way costs no more than it may.

use oldhand_index::{DotRows, Vector};

use super::*;

/// A processor that takes a tenth of a second for a passage.
struct Slow;

impl Embedder for Slow {
    fn tag(&self) -> &str {
        "slow"
    }

    fn embed(&self, _: &str) -> Vector {
        unreachable!("only the cost is asked")
    }

    fn cost(&self, _: &str) -> Duration {
        Duration::from_millis(100)
    }

    fn dot_rows(&self) -> DotRows {
        unreachable!("only the cost is asked")
    }
}

/// How many memories of so many passages are paid for.
#[track_caller]
fn check(mut rest: FillPolicy, passages: usize, want: usize) {
    let memory = vec![String::new(); passages];
    assert_eq!((0..100).take_while(|_| rest.pay(&memory, &Slow)).count(), want);
}

/// R512: a hook embeds nothing that costs more than it has; a command at least one memory.
#[test]
fn what_is_embedded_on_the_way_is_bounded_by_its_cost() {
    check(FillPolicy::SOME, 1, 8);
    check(FillPolicy::SOME, 3, 2);
    check(FillPolicy::SOME, 9, 1);
    check(FillPolicy::FEW, 1, 2);
    check(FillPolicy::FEW, 3, 0);
    check(FillPolicy::ALL, 9, 100);
}
