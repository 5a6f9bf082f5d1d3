//! The agents that oldhand works with, one row each: what their hooks send, what they accept as an
//! answer, and which of their files need which entries. Text in, text out: this crate touches no
//! file, clock or environment.

pub mod answer;
pub mod dialect;
pub mod edit;
pub mod parts;
pub mod payload;
pub mod plugin;
pub mod table;
