//! The agents that oldhand works with, one row each: what their hooks say, what they understand
//! as an answer, and what has to stand in which of their files. Text in, text out: no file, clock
//! or environment is known here.

pub mod answer;
pub mod dialect;
pub mod edit;
pub mod payload;
pub mod plugin;
pub mod table;
