//! The one integration binary: the program as people and agents meet it.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::print_stdout, reason = "counts of what was tried are worth reading")]

mod architecture;
mod asked;
mod branches;
mod cases;
mod crash;
mod dashboard;
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
mod merge;
mod own_store;
mod program;
mod race;
mod recovery;
mod scratch;
mod screen;
mod secrets;
mod sessions;
mod terminal;
mod trouble;
