//! Files and JSON to memories and back, without losing a byte that was not meant to change.

pub mod document;
pub mod fields;
pub mod json;
pub mod markdown;
pub mod sections;

#[cfg(test)]
mod tests;
