//! The answers of `--json`, one type each. Their field names, the order of the fields and when a
//! field is left out are promises: see `docs/formats/json.md`. Where the result of a journey is
//! the answer already, that type is serialised itself and has no twin here.

/// Declares answers as tables: a row is a field, its type, and where its value comes from. An
/// answer without a source is filled by its maker.
macro_rules! answers {
    () => {};
    ($(#[$meta:meta])* $name:ident$(<$life:lifetime>)? {
        $($(#[$field_meta:meta])* $field:ident: $type:ty,)+
    } $($rest:tt)*) => {
        $(#[$meta])*
        #[derive(Debug, Clone, serde::Serialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub struct $name$(<$life>)? {
            $($(#[$field_meta])* pub $field: $type,)+
        }

        answers! { $($rest)* }
    };
    ($(#[$meta:meta])* $name:ident$(<$life:lifetime>)?($($arg:ident: $from:ty),+) {
        $($(#[$field_meta:meta])* $field:ident: $type:ty = $value:expr,)+
    } $($rest:tt)*) => {
        answers! { $(#[$meta])* $name$(<$life>)? { $($(#[$field_meta])* $field: $type,)+ } }

        impl$(<$life>)? $name$(<$life>)? {
            pub fn of($($arg: $from),+) -> Self {
                Self { $($field: $value,)+ }
            }
        }

        answers! { $($rest)* }
    };
}

pub mod agent;
pub mod architecture;
pub mod capture;
pub mod check;
pub mod import;
pub mod learn;
pub mod list;
pub mod memory;
pub mod pending;
pub mod program;
pub mod recall;
pub mod review;
pub mod session;
pub mod setup;
pub mod work;

/// To three digits; adding nothing makes -0 a 0.
fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0 + 0.0
}
