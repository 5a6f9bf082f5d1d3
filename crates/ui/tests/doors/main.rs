//! The doors of the dashboard, byte by byte: who gets in, who gets nothing.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod client;
mod deeds;
mod door;
mod fake;
mod text;
