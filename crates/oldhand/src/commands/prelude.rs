//! What nearly every command needs.

pub(super) use oldhand_app::sessions::Sessions;
pub(super) use oldhand_app::{Engine, wire};
pub(super) use oldhand_core::draft::Draft;
pub(super) use oldhand_core::origin::Origin;
pub(super) use oldhand_core::refusal::{Code, Refusal};
pub(super) use oldhand_store::failure::StoreError;
pub(super) use oldhand_store::port::Stored;
pub(super) use oldhand_store::port::session::SessionStore;
pub(super) use oldhand_text::agent_text::AgentText;
pub(super) use oldhand_text::problem::Problem;
pub(super) use oldhand_text::strings::{shorten, visible, visible_line};
pub(super) use oldhand_text::time::{format_day, format_instant, parse_instant};

pub(super) use crate::cli::*;
pub(super) use crate::people::{self, Deed};
pub(super) use oldhand_desk::desk::{Desk, acknowledge};
pub(super) use oldhand_desk::failure::{DONE, FINDING, Fail, Outcome, TROUBLE};
pub(super) use oldhand_desk::format::{counted, facts, left_out, table};
pub(super) use oldhand_desk::input::read_text;
pub(super) use oldhand_desk::printer::Io;
