//! What nearly every hook needs.

pub(super) use oldhand_app::sessions::Sessions;
pub(super) use oldhand_hosts::answer::Answer;
pub(super) use oldhand_store::port::session::SessionStore;
pub(super) use oldhand_store::port::session_state::SessionState;
pub(super) use oldhand_text::agent_text::AgentText;
pub(super) use oldhand_text::hash::ContentHash;

pub(super) use super::opened::{Call, Reply};
pub(super) use crate::failure::Fail;
