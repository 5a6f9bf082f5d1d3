//! The team server: stores in PostgreSQL, asked over REST, MCP and in the browser. It decides nothing about
//! memories: every answer is that of a command over `crates/pg`.

pub mod sync;
pub mod visitor;
