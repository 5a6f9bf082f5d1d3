//! The pure domain of oldhand: what a memory is, how it is read and written as text, and every
//! rule about it. No file, clock, environment, randomness or thread is known here.

pub mod codec;
pub mod content;
pub mod draft;
pub mod event;
pub mod fresh;
pub mod gate;
pub mod guess;
pub mod hash;
pub mod index_page;
pub mod kind;
pub mod lifecycle;
pub mod memory;
pub mod origin;
pub mod pending;
pub mod policy;
pub mod precedence;
pub mod problem;
pub mod recall;
pub mod refusal;
pub mod scope;
pub mod secrets;
pub mod sessions;
pub mod signals;
pub mod similar;
pub mod state;
pub mod story;
pub mod task;
pub mod terms;
pub mod text;
pub mod time;
pub mod tokens;
pub mod views;
mod word;
pub mod write;
