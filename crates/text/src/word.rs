//! Closed vocabularies: enums that are written as words in files, JSON and flags.

/// Makes an enum with `ALL`, `as_str`, `parse` (an error names the field and the words) and serde.
#[macro_export]
macro_rules! words {
    ($(#[$meta:meta])* $name:ident, $field:literal { $($(#[$vmeta:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
        pub enum $name { $($(#[$vmeta])* #[serde(rename = $word)] $variant),+ }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            pub fn parse(text: &str) -> Result<Self, $crate::problem::Problem> {
                match text.trim() {
                    $($word => Ok(Self::$variant),)+
                    other => Err($crate::word::unknown($field, Self::WORDS, other)),
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let text = String::deserialize(from)?;
                Self::parse(&text).map_err(serde::de::Error::custom)
            }
        }
    };
}
pub use crate::words;

use crate::problem::Problem;
use crate::strings::nearest;

/// The error for a word outside its vocabulary, with the closest word when there is one.
pub fn unknown(field: &str, known: &[&str], found: &str) -> Problem {
    let problem = Problem::new(field, &one_of(known), found);
    match nearest(&found.to_lowercase(), known.iter().copied()) {
        Some(word) => problem.with_fix(format!("did you mean `{word}`?")),
        None => problem,
    }
}

/// `a`, `b` or `c`
pub fn one_of(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}
