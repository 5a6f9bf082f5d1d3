//! Repositories and the team server together: a real PostgreSQL, real git, the real program. Where `cargo xtask pg`
//! found no PostgreSQL, the tests are named as ignored: they never count as passed.

#[expect(dead_code, reason = "what the tests of `crates/pg` use too")]
#[path = "../../../pg/tests/it/bed.rs"]
mod bed;
#[expect(dead_code, reason = "what the tests of the server use too")]
#[path = "../it/client.rs"]
mod client;
mod cut;
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

use oldhand_testkit::with_postgres::{Test, run};

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
    run(TESTS, full::ON_A_SMALL_DISK);
}
