//! The Model Context Protocol, on standard streams and over HTTP. This crate knows the protocol;
//! the content comes through [`Port`], in plain values. All async code is here.

mod caught;
mod flow;
pub mod http;
mod lines;
mod mistake;
pub mod port;
mod server;
mod stdio;

pub use http::{Endpoint, HttpOptions, serve_http};
pub use port::{
    Answer, Call, Caller, Guest, Listed, Mistake, Page, Port, PromptSpec, Template, ToolSpec, Watch,
};
pub use stdio::{answer_bytes, serve_stdio, serve_streams};

/// The size of one message: the largest memory, with room for escapes.
pub const MESSAGE_BYTES_MAX: usize = 4 * 1024 * 1024;
/// Calls that run at the same time; more are queued.
pub const CALLS_MAX: usize = 8;
