//! The store on a real PostgreSQL. Each test has a server of its own. Where `cargo xtask pg` found none, the tests are
//! named as ignored: they never count as passed.

mod bed;
mod contract;
mod journeys;
mod people;
mod promotion;
mod proxy;
mod recall;
mod room;
mod security;
mod trouble;

use oldhand_testkit::with_postgres::{Test, run};

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
    run(TESTS, room::ON_A_SMALL_DISK);
}
