//! The life of a memory against the table of its requirements: single moves, every combination of the
//! edge values, and a long random walk.

mod cases;
mod exhaustive;
mod fold;
mod moves;
mod oracle;
mod requirements;
mod walk;
