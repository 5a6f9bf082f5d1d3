//! Hooks as hosts call them: what they answer, what they keep, and what they survive.

mod answers;
mod busy;
mod capture;
mod drafts;
mod everyday;
mod guard;
mod handover;
mod inject;
mod long;
mod many;
mod notes;
mod payloads;
mod receipts;
mod settle;
mod soak;
pub(crate) mod stage;
mod stdin;
mod stores;
mod summary;
mod transcripts;
mod unreadable;
mod vouched;
