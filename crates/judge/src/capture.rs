//! From what was said to what is worth remembering: triage, drafts, their verification, and
//! whether a draft creates, changes or removes.

pub mod candidate;
pub mod context;
pub mod drafter;
pub mod sentence;
pub mod triage;
pub mod verify;
