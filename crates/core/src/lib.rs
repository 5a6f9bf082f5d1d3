//! The pure domain of oldhand: what a memory is, how it is read and written as text, and every
//! rule about it. No file, clock, environment, randomness or thread is known here.

pub mod codec;
pub mod content;
pub mod draft;
pub mod hash;
pub mod kind;
pub mod memory;
pub mod origin;
pub mod policy;
pub mod problem;
pub mod scope;
pub mod state;
pub mod text;
pub mod time;
mod word;
