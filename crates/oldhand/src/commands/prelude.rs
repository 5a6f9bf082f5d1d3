//! What nearly every command needs.

pub(super) use oldhand_app::{Engine, wire};
pub(super) use oldhand_text::strings::{visible, visible_line};

pub(super) use oldhand_desk::desk::{Desk, acknowledge};
pub(super) use oldhand_desk::failure::{DONE, FINDING, Fail, Outcome};
pub(super) use oldhand_desk::format::{counted, facts, left_out, table};
pub(super) use oldhand_desk::printer::Io;
