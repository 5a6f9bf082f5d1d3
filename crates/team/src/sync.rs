//! A repository or a machine, and the team server: what is pushed, pulled and mirrored. `server` answers, the others
//! are the client, which runs where git and the files are.

pub mod args;
mod client;
mod mirror;
mod pull;
mod push;
mod repository;
pub mod server;
pub mod wire;
