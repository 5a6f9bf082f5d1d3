//! Foreign JSON and rows of tables: asked by name, and any shape may be the answer.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::files::{Content, SourceFile, Table};
use crate::record::hash_of;
use crate::text;

/// In which part of a file its first keys are looked for, before all of it is read.
const HEAD_BYTES: usize = 64 << 10;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Object(pub Map<String, Value>);

/// An object of a file, or the reason why it is none.
pub fn object(bytes: &[u8]) -> Result<Object, &'static str> {
    match value(bytes) {
        Some(Value::Object(object)) => Ok(Object(object)),
        Some(_) => Err("not an object"),
        None => Err("not JSON"),
    }
}

pub fn value(bytes: &[u8]) -> Option<Value> {
    serde_json::from_str(&text::decode(bytes).text).ok()
}

impl Object {
    pub fn of(value: &Value) -> Option<Self> {
        value.as_object().cloned().map(Self)
    }

    pub fn has(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    pub fn get(&self, key: &str) -> &Value {
        self.0.get(key).unwrap_or(&Value::Null)
    }

    /// Text that says something, without blanks around it; numbers are their digits.
    pub fn text(&self, key: &str) -> Option<String> {
        let text = match self.get(key) {
            Value::String(text) => text.trim().to_owned(),
            Value::Number(number) => number.to_string(),
            _ => return None,
        };
        (!text.is_empty()).then_some(text)
    }

    /// The first of these keys that has text.
    pub fn any_text(&self, keys: &[&str]) -> Option<String> {
        keys.iter().find_map(|key| self.text(key))
    }

    /// The same where nothing is empty text.
    pub fn word(&self, key: &str) -> String {
        self.text(key).unwrap_or_default()
    }

    pub fn number(&self, key: &str) -> Option<f64> {
        self.get(key).as_f64()
    }

    pub fn date(&self, key: &str) -> Option<Timestamp> {
        match self.get(key) {
            Value::Number(number) => text::epoch(number.as_f64()?),
            Value::String(text) => text::date(text),
            _ => None,
        }
    }

    /// A list, one that is written as text (`["a"]`), or any other text as a list of one.
    pub fn texts(&self, key: &str) -> Vec<String> {
        let inner = self.inner(key);
        let items = match &inner {
            Value::Array(items) => items.as_slice(),
            Value::Null => &[],
            single => std::slice::from_ref(single),
        };
        items
            .iter()
            .filter_map(|item| item.as_str().map(str::trim))
            .filter(|item| !item.is_empty())
            .map(str::to_owned)
            .collect()
    }

    /// A list, or text between commas.
    pub fn comma_texts(&self, key: &str) -> Vec<String> {
        self.texts(key).iter().flat_map(|item| text::comma_parts(item)).collect()
    }

    /// A value, or what its text says as JSON.
    pub fn inner(&self, key: &str) -> Value {
        match self.get(key) {
            Value::String(text) if text.trim_start().starts_with(['[', '{']) => {
                serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.clone()))
            }
            other => other.clone(),
        }
    }

    /// What is below a key; empty where there is no object.
    pub fn below(&self, key: &str) -> Self {
        Self::of(&self.inner(key)).unwrap_or_default()
    }

    pub fn objects(&self, key: &str) -> Vec<Self> {
        self.inner(key)
            .as_array()
            .map(|items| items.iter().filter_map(Self::of).collect())
            .unwrap_or_default()
    }

    /// Everything but these keys, as far as it says something.
    pub fn rest(&self, taken: &[&str]) -> Map<String, Value> {
        let others = self
            .0
            .iter()
            .filter(|(key, value)| !taken.contains(&key.as_str()) && says_something(value));
        others.map(|(key, value)| (key.clone(), value.clone())).collect()
    }

    /// Only these keys, as far as they say something.
    pub fn only(&self, keys: &[&str]) -> Map<String, Value> {
        let known = keys.iter().map(|key| ((*key).to_owned(), self.inner(key)));
        known.filter(|(_, value)| says_something(value)).collect()
    }

    /// Whatever the order of its keys; without those that change when the record is only looked at.
    pub fn hash(&self, but: &[&str]) -> String {
        let sorted: BTreeMap<String, Value> = self.rest(but).into_iter().collect();
        hash_of(serde_json::to_string(&sorted).unwrap_or_default().as_bytes())
    }
}

fn says_something(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => !text.trim().is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(entries) => !entries.is_empty(),
        Value::Bool(_) | Value::Number(_) => true,
    }
}

/// A database, or a JSON file that holds the same: lists of objects by their names. A list alone has none.
#[derive(Debug, Clone, Default)]
pub struct Lists {
    pub top: Object,
    lists: BTreeMap<String, Vec<Object>>,
}

impl Lists {
    pub fn of(file: &SourceFile) -> Option<Self> {
        let objects = |items: &[Value]| items.iter().filter_map(Object::of).collect();
        match &file.content {
            Content::Tables(tables) => {
                let lists = tables.iter().map(|table| (table.name.clone(), rows(table))).collect();
                Some(Self { top: Object::default(), lists })
            }
            Content::Bytes(bytes) => match value(bytes)? {
                Value::Array(items) => Some(Self {
                    top: Object::default(),
                    lists: [(String::new(), objects(&items))].into(),
                }),
                Value::Object(top) => {
                    let named = |(name, value): (&String, &Value)| {
                        Some((name.clone(), objects(value.as_array()?)))
                    };
                    let lists = top.iter().filter_map(named).collect();
                    Some(Self { top: Object(top), lists })
                }
                _ => None,
            },
        }
    }

    /// The list with the first of these names that is there.
    pub fn get(&self, names: &[&str]) -> &[Object] {
        names.iter().find_map(|name| self.lists.get(*name)).map_or(&[], Vec::as_slice)
    }
}

fn rows(table: &Table) -> Vec<Object> {
    let object =
        |row: &Vec<Value>| Object(table.columns.iter().cloned().zip(row.iter().cloned()).collect());
    table.rows.iter().map(object).collect()
}

/// A table with these columns.
pub fn has_table(file: &SourceFile, name: &str, columns: &[&str]) -> bool {
    let Content::Tables(tables) = &file.content else { return false };
    tables.iter().any(|table| {
        table.name == name
            && columns.iter().all(|column| table.columns.iter().any(|known| known == column))
    })
}

/// A JSON file whose beginning has these keys. Not sure yet, but cheap.
pub fn begins_with_keys(file: &SourceFile, keys: &[&str]) -> bool {
    let Content::Bytes(bytes) = &file.content else { return false };
    let head = &bytes[..bytes.len().min(HEAD_BYTES)];
    let start = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
    let is_json = start.starts_with(b"{") || start.starts_with(b"[");
    let start = String::from_utf8_lossy(start);
    is_json && keys.iter().all(|key| start.contains(&format!("\"{key}\"")))
}
