//! The fields that settings fill. A row of the table holds the field itself, not a name that is
//! looked up later: nothing can be misspelled, and the default is the field's value before.

use std::borrow::Cow;

use oldhand_app::settings::Settings;
use oldhand_core::kind::Kinds;
use oldhand_core::kind::schema::{self, FieldSpec};
use oldhand_core::reviewer::Role;
use oldhand_core::trust::Trusted;
use oldhand_store::index::CheckPolicy;

use super::Setting;
use super::keys::FORMAT;

/// Everything that can be set: the engine's rules, and what only this program needs.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Effective {
    pub settings: Settings,
    pub program: Program,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Program {
    pub format: i64,
    pub team_id: String,
    pub team_server: String,
    pub user_name: String,
    pub trusted: Trusted,
    pub model: &'static str,
    pub check: CheckPolicy,
    pub lock_seconds: u64,
}

impl Effective {
    pub(super) fn new(kinds: Kinds) -> Self {
        let program = Program {
            format: FORMAT,
            team_id: String::new(),
            team_server: String::new(),
            user_name: String::new(),
            trusted: Trusted::default(),
            model: "minilm",
            check: CheckPolicy { hours: 24, entries: 5, window: CheckPolicy::WINDOW },
            lock_seconds: 30,
        };
        Self { settings: Settings { kinds, ..Settings::default() }, program }
    }
}

pub(super) trait Slot {
    fn get(&self) -> Setting;
    /// Only values that [`super::keys::Key::check`] let through.
    fn put(&mut self, value: Setting);
}

/// `None` only for an unknown kind or row.
pub(super) type SlotOf =
    Box<dyn for<'e> Fn(&'e mut Effective) -> Option<Box<dyn Slot + 'e>> + Send + Sync>;

impl<S: Slot + ?Sized> Slot for &mut S {
    fn get(&self) -> Setting {
        (**self).get()
    }
    fn put(&mut self, value: Setting) {
        (**self).put(value);
    }
}

macro_rules! holds {
    ($($type:ty = $variant:ident),+ $(,)?) => {
        $(impl Slot for $type {
            fn get(&self) -> Setting {
                Setting::$variant(self.clone())
            }
            fn put(&mut self, value: Setting) {
                if let Setting::$variant(value) = value {
                    *self = value;
                }
            }
        })+
    };
}

holds! { bool = Flag, f64 = Fraction, String = Text, Vec<String> = List }

/// Whole numbers; the table has their range.
macro_rules! holds_number {
    ($($type:ty),+) => {
        $(impl Slot for $type {
            fn get(&self) -> Setting {
                Setting::Number(i64::try_from(*self).unwrap_or(i64::MAX))
            }
            fn put(&mut self, value: Setting) {
                if let Setting::Number(number) = value
                    && let Ok(number) = Self::try_from(number)
                {
                    *self = number;
                }
            }
        })+
    };
}

holds_number! { i64, u64, usize }

/// A word for each of a few values.
pub(super) struct OneOf<'e, T: 'static> {
    pub value: &'e mut T,
    pub words: &'static [(&'static str, T)],
}

impl<T: Copy + PartialEq> Slot for OneOf<'_, T> {
    fn get(&self) -> Setting {
        let word = self.words.iter().find(|(_, it)| it == self.value).map(|(word, _)| *word);
        Setting::Text(word.unwrap_or_default().to_owned())
    }
    fn put(&mut self, value: Setting) {
        let Setting::Text(text) = value else { return };
        if let Some((_, found)) = self.words.iter().find(|(word, _)| *word == text) {
            *self.value = *found;
        }
    }
}

impl Slot for Role {
    fn get(&self) -> Setting {
        Setting::Text(self.to_string())
    }
    fn put(&mut self, value: Setting) {
        if let Setting::Text(text) = value
            && let Ok(role) = Self::parse(&text)
        {
            *self = role;
        }
    }
}

/// The sections of a custom kind; without any it is free text.
impl Slot for Cow<'static, [FieldSpec]> {
    fn get(&self) -> Setting {
        let headings = self.iter().filter_map(|field| match &field.place {
            schema::Place::Section { heading: Cow::Owned(heading), .. } => Some(heading.clone()),
            _ => None,
        });
        Setting::List(headings.collect())
    }
    fn put(&mut self, value: Setting) {
        if let Setting::List(headings) = value
            && !headings.is_empty()
        {
            let sections = headings.iter().map(|heading| FieldSpec::custom_section(heading));
            *self = sections.collect();
        }
    }
}
