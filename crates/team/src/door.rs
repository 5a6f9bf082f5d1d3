//! Who may ask, and for what: tokens, sign-in, rights, limits.

pub mod refusal;
pub mod rights;
