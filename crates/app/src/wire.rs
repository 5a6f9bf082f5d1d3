//! The answers of `--json`, one type each. Their field names, the order of the fields and when a
//! field is left out are promises: see `docs/formats/json.md`. Where the result of a journey is
//! the answer already, that type is serialised itself and has no twin here.

/// Declares an answer as one table: a row is a field, its type, and where its value comes from.
macro_rules! answer {
    ($(#[$meta:meta])* $name:ident$(<$life:lifetime>)?($($arg:ident: $from:ty),+) {
        $($(#[$field_meta:meta])* $field:ident: $type:ty = $value:expr,)+
    }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, serde::Serialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub struct $name$(<$life>)? {
            $($(#[$field_meta])* pub $field: $type,)+
        }

        impl$(<$life>)? $name$(<$life>)? {
            pub fn of($($arg: $from),+) -> Self {
                Self { $($field: $value,)+ }
            }
        }
    };
}

pub mod architecture;
pub mod capture;
pub mod learn;
pub mod memory;
pub mod session;
pub mod setup;
pub mod work;
