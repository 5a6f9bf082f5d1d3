//! Who may ask, and for what: tokens, sign-in, rights, limits.

mod enter;
mod fetch;
pub mod key;
pub mod limits;
pub mod provider;
pub mod refusal;
pub mod rights;
pub mod routes;
mod signature;
mod signin;
pub mod tickets;

pub(crate) use fetch::trusted;

pub use enter::{COOKIE_NAME, Door, DoorSettings, VISIT_LASTS, Way};
