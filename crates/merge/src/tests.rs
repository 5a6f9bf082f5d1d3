//! The samples to the byte, and the rules over generated triples.

mod cases;
mod generated;
