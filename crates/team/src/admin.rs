//! What administrators do, on the command line of the server and over `/v1`: each deed is one function, and says
//! what became of it as JSON.

pub mod cli;
pub mod deeds;
pub mod export;
pub mod indexes;
pub mod routes;
pub mod tokens;
mod trouble;

pub use trouble::Trouble;
