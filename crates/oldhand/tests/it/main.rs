//! The one integration binary: the program as people and agents meet it.

mod program;
mod specs;
