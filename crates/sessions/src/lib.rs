//! Sessions as pure data: one fold of a conversation, its summary and window, notes, resume and the
//! end of a task.

pub mod anchor;
pub mod architecture;
pub mod compact;
pub mod completion;
pub mod conformance;
pub mod conversation;
pub mod manifest;
pub mod notes;
pub mod nudge;
pub mod resume;
pub mod summary;
pub mod window;
