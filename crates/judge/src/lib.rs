//! Judgement over statements: which decisions clash, which memories are one, what a retrospective
//! teaches, what of a conversation is worth keeping, and which tool calls would bypass the program.

pub mod capture;
pub mod gate;
pub mod guard;
pub mod guess;
pub mod retro;
pub mod similar;
pub mod trigger;
