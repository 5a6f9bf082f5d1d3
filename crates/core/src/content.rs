//! The body of a memory: the fields of its kind, in one container for all kinds.

use std::collections::BTreeMap;

use oldhand_text::strings::normalise_line;

/// One option that was not taken.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Alternative {
    pub option: String,
    pub rejected_reason: String,
}

impl Alternative {
    /// Both on one line each: a list item holds them.
    pub fn new(option: &str, rejected_reason: &str) -> Self {
        Self { option: normalise_line(option), rejected_reason: normalise_line(rejected_reason) }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldValue {
    Text(String),
    List(Vec<String>),
    Flag(bool),
    Alternatives(Vec<Alternative>),
}

impl FieldValue {
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    pub fn is_empty(&self) -> bool {
        match self {
            Self::Text(text) => text.is_empty(),
            Self::List(items) => items.is_empty(),
            Self::Flag(_) => false,
            Self::Alternatives(items) => items.is_empty(),
        }
    }

    /// It can grow by an item.
    pub fn is_list(&self) -> bool {
        matches!(self, Self::List(_) | Self::Alternatives(_))
    }

    /// The value as flowing text, for searching and for people.
    pub fn plain(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::List(items) => items.join("; "),
            Self::Flag(flag) => flag.to_string(),
            Self::Alternatives(items) => {
                let each: Vec<String> =
                    items.iter().map(|a| format!("{}: {}", a.option, a.rejected_reason)).collect();
                each.join("; ")
            }
        }
    }
}

/// Values by field name; what is not there was not said.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Content(BTreeMap<String, FieldValue>);

impl Content {
    pub fn get(&self, name: &str) -> Option<&FieldValue> {
        self.0.get(name)
    }

    pub fn text(&self, name: &str) -> Option<&str> {
        if let Some(FieldValue::Text(text)) = self.get(name) { Some(text) } else { None }
    }

    pub fn list(&self, name: &str) -> &[String] {
        if let Some(FieldValue::List(items)) = self.get(name) { items } else { &[] }
    }

    pub fn flag(&self, name: &str) -> Option<bool> {
        if let Some(FieldValue::Flag(flag)) = self.get(name) { Some(*flag) } else { None }
    }

    /// An empty value is the same as none.
    pub fn set(&mut self, name: &str, value: FieldValue) {
        if value.is_empty() {
            self.0.remove(name);
        } else {
            self.0.insert(name.to_owned(), value);
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &FieldValue)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }
}
