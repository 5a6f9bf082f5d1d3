//! Settings: every key with its type, range, default and meaning; where each value comes from.
//! Data only: no key names a command, an address or a path outside of the store.

pub mod file;
pub mod keys;
pub mod reach;
mod resolve;
mod slot;

pub use resolve::{Inputs, Resolved, resolve};

#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub enum Setting {
    Flag(bool),
    Number(i64),
    Fraction(f64),
    Text(String),
    List(Vec<String>),
}

impl std::fmt::Display for Setting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Fraction(number) => write!(f, "{number}"),
            Self::Text(text) => write!(f, "{text}"),
            Self::List(items) => write!(f, "{}", items.join(", ")),
        }
    }
}

impl Setting {
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::json!(self)
    }
}
