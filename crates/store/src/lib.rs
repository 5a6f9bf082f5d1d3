//! The ports, and one machine's adapters: the vault on a disk, the event log, git, and where things
//! are kept. It decides nothing about memories.

pub mod code;
pub mod disk;
pub mod document;
pub mod failure;
mod files;
pub mod history;
pub mod index;
pub mod layout;
pub mod locate;
mod marks;
pub mod memory;
pub mod near;
pub mod nowhere;
pub mod port;
pub mod provenance;
pub mod question;
pub mod session;
pub mod ulid;
pub mod vault;
