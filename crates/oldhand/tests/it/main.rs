//! The one integration binary: the program as people and agents meet it.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::print_stdout, reason = "counts of what was tried are worth reading")]

mod architecture;
mod asked;
mod cases;
mod crash;
mod disclosure;
mod doctor;
mod eval;
mod faults;
mod fresh;
mod hooks;
mod imports;
mod inbox;
mod index;
mod install;
mod kill;
mod life;
mod mcp;
mod own_store;
mod program;
mod race;
mod recovery;
mod scratch;
mod secrets;
mod sessions;
mod trouble;
