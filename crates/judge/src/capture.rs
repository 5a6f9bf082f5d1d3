//! From a conversation to memories: triage, drafts, their verification, and what a draft changes.

pub mod candidate;
pub mod context;
pub mod drafter;
pub mod harvest;
pub mod sentence;
pub mod triage;
pub mod verify;
