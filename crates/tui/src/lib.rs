//! The inbox as a full screen of a terminal: a list, one thing in detail, a key for each decision.
//! `model` knows what a key means, `draw` what a state looks like; neither touches a terminal or a
//! store. `screen` brings them to a real one.

pub mod draw;
pub mod item;
pub mod model;
pub mod screen;
#[cfg(test)]
mod tests;
