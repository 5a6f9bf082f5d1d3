//! The door on a real PostgreSQL, with a real identity provider on this machine, over real connections. Where
//! `cargo xtask pg` found no PostgreSQL, the tests are named as ignored.

mod admin;
mod audit;
mod bed;
mod client;
mod fuzz;
mod logs;
mod ops;
mod provider;
mod routes;
mod signin;
mod tokens;

use libtest_mimic::{Arguments, Trial};
use oldhand_testkit::postgres::Programs;

/// A test, by a name that says what must hold.
type Test = (&'static str, fn(&Programs));

const TESTS: &[&[Test]] = &[
    admin::TESTS,
    audit::TESTS,
    fuzz::TESTS,
    ops::TESTS,
    provider::TESTS,
    routes::TESTS,
    signin::TESTS,
    tokens::TESTS,
];

fn main() {
    let arguments = Arguments::from_args();
    logs::keep();
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
