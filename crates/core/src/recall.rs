//! Recall without I/O: what is asked, what the index keeps, how candidates are weighed, and how
//! the answer is packed.

pub mod bundle;
pub mod card;
pub mod chain;
pub mod pack;
pub mod passages;
pub mod places;
pub mod query;
pub mod rank;
pub mod row;
