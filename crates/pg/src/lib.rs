//! The store's ports over PostgreSQL, for the team server. It owns the schema, the connections and what a caller may
//! see; it decides nothing about memories, and no score is computed in SQL.
//!
//! Everything here blocks: the ports do, on threads of their own. Never call it from a task of the runtime.

pub mod access;
pub mod admin;
pub mod answers;
pub mod audit;
pub mod code;
pub mod database;
pub mod door;
pub mod erase;
pub mod error;
pub mod index;
pub mod migrate;
pub mod near;
pub mod promotion;
mod rows;
pub mod sessions;
mod sql;
pub mod sync;
mod tls;
mod totals;
pub mod vault;
pub mod verify;
pub mod worker;
