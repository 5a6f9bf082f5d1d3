//! The store on a real PostgreSQL. Each test has a server of its own. Where `cargo xtask pg` found none, the tests are
//! named as ignored: they never count as passed.

mod bed;
mod contract;
mod journeys;
mod people;
mod proxy;
mod recall;
mod security;
mod trouble;

use libtest_mimic::{Arguments, Trial};
use oldhand_testkit::postgres::Programs;

/// A test, by a name that says what must hold.
type Test = (&'static str, fn(&Programs));

const TESTS: &[&[Test]] = &[
    contract::TESTS,
    journeys::TESTS,
    people::TESTS,
    recall::TESTS,
    security::TESTS,
    trouble::TESTS,
];

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
