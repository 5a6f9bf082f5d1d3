//! What nearly every tool needs.

pub(super) use oldhand_desk::desk::{Desk, settled};
pub(super) use oldhand_desk::failure::Fail;
pub(super) use oldhand_mcp::Call;
pub(super) use oldhand_text::agent_text::{AgentData, AgentText};
pub(super) use oldhand_text::problem::Problem;

pub(super) use super::args::Args;
pub(super) use super::{MemoryServer, ToolAnswer, notes_text};
