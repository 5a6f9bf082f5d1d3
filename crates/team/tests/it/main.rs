//! The team server on a real PostgreSQL. Where `cargo xtask pg` found none, the tests are named as ignored: they never
//! count as passed.

mod bed;
#[expect(dead_code, reason = "what the tests of the door use too")]
mod client;
mod pages;
mod rest;
mod same;
mod tools;

use oldhand_testkit::with_postgres::{Test, run};

const TESTS: &[&[Test]] = &[pages::TESTS, rest::TESTS, same::TESTS, tools::TESTS];

fn main() {
    run(TESTS, &[]);
}
