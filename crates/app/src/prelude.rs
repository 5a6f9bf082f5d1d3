//! What nearly every journey needs.

pub(crate) use jiff::Timestamp;
pub(crate) use oldhand_core::codec::markdown;
pub(crate) use oldhand_core::content::FieldValue;
pub(crate) use oldhand_core::draft::Draft;
pub(crate) use oldhand_core::event::{Event, EventType};
pub(crate) use oldhand_core::kind::Kind;
pub(crate) use oldhand_core::lifecycle::{Request, marker};
pub(crate) use oldhand_core::memory::{CANDIDATES_FOLDER, Memory, MemoryId};
pub(crate) use oldhand_core::origin::Origin;
pub(crate) use oldhand_core::pending::{Against, Matter, Pending};
pub(crate) use oldhand_core::recall::bundle::{Bundle, Dropped, Entry};
pub(crate) use oldhand_core::recall::card::Card;
pub(crate) use oldhand_core::refusal::{Code, Refusal};
pub(crate) use oldhand_core::scope::Scope;
pub(crate) use oldhand_core::signals::Signals;
pub(crate) use oldhand_core::state::State;
pub(crate) use oldhand_core::write;
pub(crate) use oldhand_core::yaml::Yaml;
pub(crate) use oldhand_sessions::anchor::Binding;
pub(crate) use oldhand_store::failure::Failure;
pub(crate) use oldhand_store::port::index::{Index, Listed, Narrow};
pub(crate) use oldhand_store::port::{FileWrite, Measure, Plan, RawFile, Stored};
pub(crate) use oldhand_text::hash::ContentHash;
pub(crate) use oldhand_text::hint::{Hint, NextStep};
pub(crate) use oldhand_text::problem::Problem;
pub(crate) use oldhand_text::strings::{counted, shorten, visible_line};
pub(crate) use oldhand_text::time::{format_day, format_instant, whole_seconds};
pub(crate) use serde::Serialize;
pub(crate) use std::collections::{BTreeMap, BTreeSet};

pub(crate) use crate::{
    ASK_A_PERSON, Decided, Done, Engine, Result, WriteResult, chain, file_of, refuse,
    refuse_invalid, refuse_large, stem,
};
