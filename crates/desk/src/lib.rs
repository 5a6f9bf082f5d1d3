//! One machine's side of every surface: which store is meant and who asks, its settings, sessions and
//! index. The command line, hooks and the MCP server all start here; none of them knows another.

pub mod closing;
pub mod compacting;
pub mod config;
pub mod conversation;
pub mod crash;
pub mod creating;
pub mod desk;
pub mod desks;
pub mod drafts;
pub mod drift;
pub mod env;
pub mod evaluate;
pub mod failure;
pub mod files;
pub mod format;
pub mod hooks;
pub mod input;
pub mod lasting;
pub mod listed;
pub mod looks;
pub mod meaning;
pub mod mirrors;
pub mod neighbours;
pub mod present;
pub mod printer;
pub mod progress;
pub mod reading;
pub mod rest;
pub mod resuming;
pub mod session;
pub mod trusting;
