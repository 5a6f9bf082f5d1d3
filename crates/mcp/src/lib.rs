//! The Model Context Protocol, on standard streams and over HTTP. This crate knows how the protocol
//! speaks; what is said comes through [`Port`], in plain values. Async code stays in here.

mod caught;
mod flow;
pub mod http;
mod lines;
mod mistake;
mod opening;
pub mod port;
mod server;
mod stdio;

pub use http::{HttpOptions, serve_http};
pub use port::{
    Answer, Call, Caller, Listed, Mistake, Page, Port, PromptSpec, Template, ToolSpec, Watch,
};
pub use stdio::{answer_bytes, serve_stdio, serve_streams};

/// One message has at most so many bytes: the largest memory, with room for escapes.
pub const MESSAGE_BYTES_MAX: usize = 4 * 1024 * 1024;
/// Calls that work at the same time; more wait in line.
pub const CALLS_MAX: usize = 8;
