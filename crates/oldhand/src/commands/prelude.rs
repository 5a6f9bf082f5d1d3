//! What nearly every command needs.

pub(super) use oldhand_app::{Engine, wire};
pub(super) use oldhand_text::strings::{visible, visible_line};

pub(super) use crate::desk::{Desk, acknowledge};
pub(super) use crate::failure::{DONE, FINDING, Fail, Outcome};
pub(super) use crate::format::{counted, facts, left_out, table};
pub(super) use crate::printer::Io;
