//! Repositories and the team server together: a real PostgreSQL, real git, the real program. Where `cargo xtask pg`
//! found no PostgreSQL, the tests are named as ignored: they never count as passed.

#[expect(dead_code, reason = "what the tests of `crates/pg` use too")]
#[path = "../../../pg/tests/it/bed.rs"]
mod bed;
#[expect(dead_code, reason = "what the tests of the server use too")]
#[path = "../it/client.rs"]
mod client;
mod cut;
#[path = "../../../pg/tests/it/disk.rs"]
mod disk;
mod full;
mod journey;
mod kill;
mod mirroring;
mod process;
#[path = "../../../pg/tests/it/proxy.rs"]
mod proxy;
mod pulling;
mod pushing;
mod world;

use libtest_mimic::{Arguments, Trial};
use oldhand_testkit::postgres::Programs;

/// A test, by a name that says what must hold.
type Test = (&'static str, fn(&Programs));

const TESTS: &[&[Test]] = &[
    cut::TESTS,
    full::TESTS,
    journey::TESTS,
    kill::TESTS,
    mirroring::TESTS,
    pulling::TESTS,
    pushing::TESTS,
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
    let on_disk = full::ON_A_SMALL_DISK.iter().map(trial);
    trials.extend(on_disk.map(|it| if has_disk { it } else { it.with_ignored_flag(true) }));
    libtest_mimic::run(&arguments, trials).exit();
}
