//! The door on a real PostgreSQL, with a real identity provider on this machine, over real connections. Where
//! `cargo xtask pg` found no PostgreSQL, the tests are named as ignored.

mod admin;
mod audit;
mod bed;
#[expect(dead_code, reason = "what the tests of the server use too")]
#[path = "../it/client.rs"]
mod client;
mod fuzz;
mod logs;
mod ops;
mod provider;
mod routes;
mod signin;
mod tokens;

use oldhand_testkit::with_postgres::{Test, run};

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
    logs::keep();
    run(TESTS, &[]);
}
