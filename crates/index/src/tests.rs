//! Behaviour of the whole crate: documents go in, answers come out.

mod corpus;
mod damage;
mod gathered;
mod parts;
mod reference;
mod round_trip;
mod spread;
