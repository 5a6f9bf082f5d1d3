//! What the MCP endpoint and the dashboard share: how a server listens, how many connections it
//! keeps and for how long, which names it goes by, and how it refuses. What is served is a
//! [`Router`](axum::Router) of theirs.

mod connections;
pub mod headers;
mod listen;
pub mod names;
mod refusal;
pub mod site;
mod stall;

pub use connections::Limits;
pub use listen::{bind, end_signal, serve_until};
pub use refusal::Refusal;

/// What a request is answered with if the code behind it panics.
pub const BROKEN_OFF: &str = "the request failed inside the server, which goes on; look whether it \
                              was done before you try again";
