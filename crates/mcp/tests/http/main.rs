//! The server over HTTP as clients meet it: real connections, byte by byte.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod client;
mod door;
mod fake;
mod life;
mod limits;
mod messages;
mod sessions;
mod stateless;
