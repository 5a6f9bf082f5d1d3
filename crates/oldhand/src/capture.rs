//! Capture with the agent at hand: what it is handed, and how its drafts are taken in.

pub(crate) mod handover;
pub(crate) mod save;
pub(crate) mod staging;
