//! The pure domain of oldhand: what a memory is, how it is read and written as text, and every
//! rule about it. No file, clock, environment, randomness or thread is known here.

pub mod actor;
pub mod codec;
pub mod codec_error;
pub mod content;
pub mod credit;
pub mod draft;
pub mod event;
pub mod evidence;
pub mod fresh;
pub mod imported;
pub mod index_page;
pub mod kind;
pub mod lifecycle;
pub mod memory;
pub mod origin;
pub mod pending;
pub mod policy;
pub mod precedence;
pub mod recall;
pub mod refusal;
pub mod reviewer;
pub mod scope;
pub mod sessions;
pub mod signals;
pub mod standing;
pub mod state;
pub mod story;
pub mod task;
pub mod trust;
pub mod views;
pub mod write;
pub mod yaml;
