//! How every frontmatter key is read and written, in the order of the file. One table serves
//! Markdown, JSON and the flags.

use jiff::Timestamp;

use crate::imported::Imported;
use crate::memory::{Change, DependsOn, Memory, SCHEMA_VERSION};
use crate::origin::{Audience, Origin};
use crate::scope::Scope;
use crate::state::State;
use crate::yaml::Yaml;
use oldhand_text::problem::Problem;
use oldhand_text::time::{format_instant, parse_instant};

pub struct FrontField {
    pub key: &'static str,
    /// `None` leaves the key out of the file: it is at its default.
    pub get: fn(&Memory) -> Option<Yaml>,
    pub set: fn(&mut Memory, &Yaml) -> Result<(), Problem>,
}

pub fn find(key: &str) -> Option<&'static FrontField> {
    FIELDS.iter().find(|field| field.key == key)
}

/// How many of `FIELDS` come before the kind's own ones (`status`, `severity`, …).
pub const HEAD_FIELDS: usize = 2;

macro_rules! field {
    ($name:ident) => {
        FrontField {
            key: stringify!($name),
            get: |memory| memory.$name.to_yaml(),
            set: |memory, value| {
                memory.$name = FrontValue::of_yaml(stringify!($name), value)?;
                Ok(())
            },
        }
    };
}

pub static FIELDS: &[FrontField] = &[
    field!(title),
    field!(description),
    field!(state),
    field!(state_reason),
    field!(prev_state),
    field!(scope),
    field!(domain),
    field!(level),
    field!(tags),
    field!(aliases),
    field!(audience),
    field!(origin),
    field!(confidence),
    field!(evergreen),
    field!(created_at),
    field!(updated_at),
    field!(times_updated),
    field!(evidence),
    field!(sources),
    field!(imported),
    field!(related_files),
    field!(depends_on),
    field!(refresh_tier),
    field!(related_to),
    field!(beside),
    field!(refines),
    field!(because),
    field!(supersedes),
    field!(superseded_by),
    field!(conflicts_with),
    field!(review_after),
    field!(verified_at),
    field!(verified_commit),
    field!(retired_at),
    field!(retired_reason),
    field!(archived_at),
    field!(archived_reason),
    FrontField {
        get: |memory| {
            memory.schema_version.to_yaml().filter(|it| it.as_text() != Some(SCHEMA_VERSION))
        },
        ..field!(schema_version)
    },
    field!(changes),
];

/// What a field of the frontmatter holds. Without YAML it is at its default.
trait FrontValue: Sized {
    fn to_yaml(&self) -> Option<Yaml>;
    fn of_yaml(field: &str, value: &Yaml) -> Result<Self, Problem>;
}

fn wrong(field: &str, expected: &str, value: &Yaml) -> Problem {
    Problem::new(field, expected, &value.describe())
}

impl FrontValue for String {
    fn to_yaml(&self) -> Option<Yaml> {
        Some(Yaml::text(self))
    }

    fn of_yaml(field: &str, value: &Yaml) -> Result<Self, Problem> {
        value.as_text().map(str::to_owned).ok_or_else(|| wrong(field, "a line of text", value))
    }
}

/// An empty text says as little as no key.
impl<T: FrontValue> FrontValue for Option<T> {
    fn to_yaml(&self) -> Option<Yaml> {
        self.as_ref()?.to_yaml()
    }

    fn of_yaml(field: &str, value: &Yaml) -> Result<Self, Problem> {
        let is_unset = value.is_null() || value.as_text() == Some("");
        if is_unset { Ok(None) } else { T::of_yaml(field, value).map(Some) }
    }
}

macro_rules! words_in_front {
    ($($type:ty),+) => {$(
        impl FrontValue for $type {
            fn to_yaml(&self) -> Option<Yaml> {
                Some(Yaml::text(self.to_string()))
            }

            fn of_yaml(field: &str, value: &Yaml) -> Result<Self, Problem> {
                Self::parse(&String::of_yaml(field, value)?)
            }
        }
    )+};
}
words_in_front!(State, Scope, Origin, Audience);

impl FrontValue for Vec<String> {
    fn to_yaml(&self) -> Option<Yaml> {
        (!self.is_empty()).then(|| Yaml::list(self))
    }

    fn of_yaml(field: &str, value: &Yaml) -> Result<Self, Problem> {
        value.as_texts().ok_or_else(|| wrong(field, "a list of lines of text", value))
    }
}

impl FrontValue for Timestamp {
    fn to_yaml(&self) -> Option<Yaml> {
        Some(Yaml::text(format_instant(*self)))
    }

    fn of_yaml(field: &str, value: &Yaml) -> Result<Self, Problem> {
        let expected = "a date or an instant such as `2026-11-15T18:20:00Z`";
        let text = String::of_yaml(field, value)?;
        parse_instant(&text).ok_or_else(|| wrong(field, expected, value))
    }
}

impl FrontValue for bool {
    fn to_yaml(&self) -> Option<Yaml> {
        self.then(|| Yaml::literal(true))
    }

    fn of_yaml(field: &str, value: &Yaml) -> Result<Self, Problem> {
        value.as_bool().ok_or_else(|| wrong(field, "`true` or `false`", value))
    }
}

fn number<T: std::str::FromStr>(
    field: &str,
    value: &Yaml,
    expected: &str,
    fits: impl Fn(&T) -> bool,
) -> Result<T, Problem> {
    let number = value.as_text().and_then(|text| text.parse().ok()).filter(fits);
    number.ok_or_else(|| wrong(field, expected, value))
}

impl FrontValue for u32 {
    fn to_yaml(&self) -> Option<Yaml> {
        (*self > 0).then(|| Yaml::literal(self))
    }

    fn of_yaml(field: &str, value: &Yaml) -> Result<Self, Problem> {
        number(field, value, "a whole number from 0 to 4294967295", |_| true)
    }
}

impl FrontValue for u8 {
    fn to_yaml(&self) -> Option<Yaml> {
        Some(Yaml::literal(self))
    }

    fn of_yaml(field: &str, value: &Yaml) -> Result<Self, Problem> {
        number(field, value, "1, 2, 3 or 4", |tier| (1..=4).contains(tier))
    }
}

/// A share; `normalise` clamps it.
impl FrontValue for f64 {
    fn to_yaml(&self) -> Option<Yaml> {
        Some(Yaml::literal(self))
    }

    fn of_yaml(field: &str, value: &Yaml) -> Result<Self, Problem> {
        number(field, value, "a number from 0 to 1", |share: &f64| share.is_finite())
    }
}

impl FrontValue for Imported {
    fn to_yaml(&self) -> Option<Yaml> {
        Some(self.to_yaml())
    }

    fn of_yaml(field: &str, value: &Yaml) -> Result<Self, Problem> {
        Self::of_yaml(field, value)
    }
}

const LISTS: [&str; 3] = ["code_paths", "decisions", "seen"];

impl FrontValue for DependsOn {
    fn to_yaml(&self) -> Option<Yaml> {
        let lists = LISTS.into_iter().zip([&self.code_paths, &self.decisions, &self.seen]);
        let map = Yaml::map(lists.filter_map(|(key, list)| Some((key, list.to_yaml()?))));
        Some(map).filter(|map| *map != Yaml::map([]))
    }

    fn of_yaml(field: &str, value: &Yaml) -> Result<Self, Problem> {
        if !matches!(value, Yaml::Map(_)) && !value.is_null() {
            return Err(wrong(field, "`code_paths` and `decisions`, each a list", value));
        }
        let [code_paths, decisions, seen] = LISTS.map(|key| match value.get(key) {
            Some(list) => Vec::of_yaml(&format!("{field}.{key}"), list),
            None => Ok(Vec::new()),
        });
        Ok(Self { code_paths: code_paths?, decisions: decisions?, seen: seen? })
    }
}

pub fn changes_of(value: &Yaml) -> Result<Vec<Change>, Problem> {
    FrontValue::of_yaml("changes", value)
}

const CHANGE: [&str; 5] = ["date", "summary", "field", "old_value", "new_value"];

impl FrontValue for Vec<Change> {
    fn to_yaml(&self) -> Option<Yaml> {
        let one = |Change { date, summary, field, old_value, new_value }: &Change| {
            let optional = [field, old_value, new_value].map(Option::as_ref);
            let texts = [Some(date), Some(summary)].into_iter().chain(optional);
            let entries = CHANGE.into_iter().zip(texts);
            Yaml::map(entries.filter_map(|(key, text)| Some((key, Yaml::text(text?)))))
        };
        (!self.is_empty()).then(|| Yaml::List(self.iter().map(one).collect()))
    }

    fn of_yaml(field: &str, value: &Yaml) -> Result<Self, Problem> {
        let wrong = || wrong(field, "a list of `date` and `summary`", value);
        let items = match value {
            Yaml::List(items) => items.as_slice(),
            other if other.is_null() => &[],
            _ => return Err(wrong()),
        };
        let read = |item: &Yaml| {
            let [date, summary, field, old_value, new_value] =
                CHANGE.map(|key| item.text_at(key).map(str::to_owned));
            let (date, summary) = (date.unwrap_or_default(), summary.ok_or_else(wrong)?);
            Ok(Change { date, summary, field, old_value, new_value })
        };
        items.iter().map(read).collect()
    }
}
