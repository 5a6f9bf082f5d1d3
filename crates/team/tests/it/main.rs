//! The team server on a real PostgreSQL. Where `cargo xtask pg` found none, the tests are named as ignored: they never
//! count as passed.

mod bed;
mod same;

use libtest_mimic::{Arguments, Trial};
use oldhand_testkit::postgres::Programs;

/// A test, by a name that says what must hold.
type Test = (&'static str, fn(&Programs));

const TESTS: &[&[Test]] = &[same::TESTS];

fn main() {
    let arguments = Arguments::from_args();
    let programs = Programs::find();
    let trial = |(name, run): &Test| {
        let (programs, run) = (programs.clone(), *run);
        let is_ignored = programs.is_none();
        Trial::test(*name, move || {
            // Asked for by name without a server, it fails: `cargo xtask pg` gets one.
            run(programs.as_ref().ok_or("there is no PostgreSQL: run `cargo xtask pg`")?);
            Ok(())
        })
        .with_ignored_flag(is_ignored)
    };
    let trials = TESTS.iter().flat_map(|tests| tests.iter()).map(trial).collect();
    libtest_mimic::run(&arguments, trials).exit();
}
