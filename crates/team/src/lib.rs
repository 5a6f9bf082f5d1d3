//! The team server: stores in PostgreSQL, asked over REST, MCP and in the browser. It decides nothing about
//! memories: every answer is that of a command over `crates/pg`.

pub mod admin;
mod answers;
mod asking;
mod call;
pub mod desks;
mod dev;
pub mod door;
pub mod ground;
mod houses;
pub mod metrics;
pub mod ops;
pub mod rest;
pub mod routes;
pub mod serve;
pub mod server;
pub mod sync;
pub mod tools;
pub mod visitor;
mod waiting;
