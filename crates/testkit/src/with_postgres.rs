//! Tests that each start a PostgreSQL of their own. Where `cargo xtask pg` found none, they are named as ignored: they
//! never count as passed.

use libtest_mimic::{Arguments, Trial};
use oldhand_postgres::Programs;

use crate::small_disk::SmallDisk;

/// A test, by a name that says what must hold.
pub type Test = (&'static str, fn(&Programs));

/// Runs those that the command line asks for, and ends the process.
pub fn run(tests: &[&[Test]], on_a_small_disk: &[Test]) -> ! {
    let arguments = Arguments::from_args();
    let programs = Programs::find();
    let has_disk = !on_a_small_disk.is_empty() && SmallDisk::is_possible();
    let trial = |(name, run): &Test, can_run: bool| {
        let (programs, run) = (programs.clone(), *run);
        let is_ignored = programs.is_none() || !can_run;
        Trial::test(*name, move || {
            // Asked for by name without a server, it fails: `cargo xtask pg` gets one.
            run(programs.as_ref().ok_or("there is no PostgreSQL: run `cargo xtask pg`")?);
            Ok(())
        })
        .with_ignored_flag(is_ignored)
    };
    let plain = tests.iter().flat_map(|tests| tests.iter()).map(|it| trial(it, true));
    let trials = plain.chain(on_a_small_disk.iter().map(|it| trial(it, has_disk))).collect();
    libtest_mimic::run(&arguments, trials).exit()
}
