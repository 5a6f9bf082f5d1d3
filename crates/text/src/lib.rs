//! Everything that reads text: characters, words, tokens, vocabularies, secrets, text for agents.

pub mod agent_text;
pub mod command_line;
pub mod hash;
pub mod hint;
pub mod lexicon;
pub mod problem;
pub mod secrets;
pub mod sentence;
pub mod strings;
pub mod table;
pub mod term_set;
pub mod terms;
pub mod time;
pub mod tokens;
pub mod word;
