//! What other tools wrote, as records of ours. Values in, values out: whoever calls has read the files, and
//! writes what comes of them. A format is one module below `formats`, which finds its files and reads them;
//! no format knows the store.

pub mod build;
pub mod companion;
pub mod database;
pub mod files;
pub mod formats;
pub mod front;
pub mod guide;
pub mod held;
pub mod json;
pub mod log;
pub mod managed;
pub mod names;
pub mod page;
pub mod record;
pub mod source;
pub mod status;
pub mod text;
pub mod topic;
pub mod write;

use jiff::Timestamp;
use oldhand_core::kind::Kinds;

/// What a reader may know of the place it reads for.
#[derive(Debug, Clone, Copy)]
pub struct World<'a> {
    pub kinds: &'a Kinds,
    pub now: Timestamp,
    /// Whose records are taken from a store of many projects.
    pub project: &'a str,
    /// The absolute path of the repository, for sources that name it. It is compared, never written.
    pub worktree: &'a str,
    pub with: With,
}

/// What is left out unless somebody asks for it (`--with`).
#[derive(Debug, Clone, Copy, Default)]
pub struct With {
    pub issues: bool,
    pub prompts: bool,
    pub sensitive: bool,
    pub drawers: bool,
}
