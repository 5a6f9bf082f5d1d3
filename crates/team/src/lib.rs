//! The team server: stores in PostgreSQL, asked over REST, MCP and in the browser. It decides nothing about
//! memories: every answer is that of a command over `crates/pg`.

pub mod desks;
pub mod door;
pub mod ground;
pub mod metrics;
pub mod sync;
pub mod visitor;
