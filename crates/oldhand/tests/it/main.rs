//! The one integration binary: the program as people and agents meet it.

mod cases;
mod crash;
mod faults;
mod kill;
mod program;
mod race;
mod scratch;
mod specs;
