//! The store on a real PostgreSQL. Each test has a server of its own. Where `cargo xtask pg` found none, the tests are
//! named as ignored: they never count as passed.

mod bed;
mod contract;
mod disk;
mod journeys;
mod people;
mod promotion;
mod proxy;
mod recall;
mod room;
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
    promotion::TESTS,
    recall::TESTS,
    room::TESTS,
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
    let mut trials: Vec<Trial> = TESTS.iter().flat_map(|tests| tests.iter()).map(trial).collect();
    let has_disk = disk::SmallDisk::is_possible();
    let on_disk = room::ON_A_SMALL_DISK.iter().map(trial);
    trials.extend(on_disk.map(|it| if has_disk { it } else { it.with_ignored_flag(true) }));
    libtest_mimic::run(&arguments, trials).exit();
}
