//! Frontmatter that others wrote: as YAML, and where it is none, by its lines. A foreign key never becomes
//! ours by its name: a format takes the ones it knows, the others are the record's rest.

use jiff::Timestamp;
use oldhand_core::yaml::{self, Yaml};
use serde_json::{Map, Value};

use crate::text;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Front(Vec<(String, Yaml)>);

/// Where lines of a frontmatter go that are neither keys nor items.
const OTHER_LINES: &str = "frontmatter";

/// The frontmatter and the text below it. Text without a closed one has none.
pub fn split(text: &str) -> (Front, &str) {
    let Some(rest) = text
        .strip_prefix("---")
        .and_then(|it| it.trim_start_matches([' ', '\t']).strip_prefix('\n'))
    else {
        return (Front::default(), text);
    };
    let mut end = 0;
    for line in rest.split_inclusive('\n') {
        if matches!(line.trim_end(), "---" | "...") {
            let inner = &rest[..end];
            let is_front =
                inner.trim().is_empty() || inner.lines().any(|line| key_of(line).is_some());
            let body = &rest[end + line.len()..];
            return if is_front { (Front::parse(inner), body) } else { (Front::default(), text) };
        }
        end += line.len();
    }
    (Front::default(), text)
}

impl Front {
    pub fn parse(inner: &str) -> Self {
        Self(yaml::parse_map(inner).unwrap_or_else(|_| by_lines(inner)))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn get(&self, key: &str) -> Option<&Yaml> {
        self.0.iter().find(|(known, _)| known == key).map(|(_, value)| value)
    }

    /// A line of text; any other shape is no value.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_text().map(str::trim).filter(|text| !text.is_empty())
    }

    /// A list, or text between commas.
    pub fn texts(&self, key: &str) -> Vec<String> {
        match self.get(key) {
            Some(value @ Yaml::List(_)) => value.as_texts().unwrap_or_default(),
            Some(value) => value.as_text().map(text::comma_parts).unwrap_or_default(),
            None => Vec::new(),
        }
    }

    pub fn date(&self, key: &str) -> Option<Timestamp> {
        text::date(self.text(key)?)
    }

    pub fn flag(&self, key: &str) -> Option<bool> {
        self.get(key)?.as_bool()
    }

    /// What is below a key, as frontmatter of its own.
    pub fn below(&self, key: &str) -> Self {
        match self.get(key) {
            Some(Yaml::Map(entries)) => Self(entries.clone()),
            _ => Self::default(),
        }
    }

    /// These keys, where they hold something that is no line of text: nobody could read it.
    pub fn unread(&self, keys: &[&str]) -> Map<String, Value> {
        let has_shape =
            |key: &&&str| self.get(key).is_some_and(|it| !matches!(it, Yaml::Scalar { .. }));
        let shaped = keys.iter().filter(has_shape);
        shaped.filter_map(|key| Some(((*key).to_owned(), self.get(key)?.to_json()))).collect()
    }

    /// Everything that is not among these keys, and says something.
    pub fn rest(&self, taken: &[&str]) -> Map<String, Value> {
        let others = self.0.iter().filter(|(key, _)| !taken.contains(&key.as_str()));
        let values = others.map(|(key, value)| (key.clone(), value.to_json()));
        values.filter(|(_, value)| !value.is_null() && value != "").collect()
    }
}

fn by_lines(inner: &str) -> Vec<(String, Yaml)> {
    let mut entries: Vec<(String, Yaml)> = Vec::new();
    let mut others = Vec::new();
    for line in inner.lines().filter(|line| !line.trim().is_empty()) {
        if let Some((key, value)) = key_of(line) {
            let value = unquoted(value);
            let value = match value {
                "true" | "false" | "" => Yaml::literal(value),
                _ => Yaml::text(value),
            };
            match entries.iter_mut().find(|(known, _)| known == key) {
                // A key that stands twice has both values.
                Some((_, known)) => add_item(known, value),
                None => entries.push((key.to_owned(), value)),
            }
        } else if let Some(item) = line.trim_start().strip_prefix("- ")
            && let Some((_, value)) = entries.last_mut()
        {
            add_item(value, Yaml::text(unquoted(item)));
        } else {
            others.push(line.trim());
        }
    }
    if !others.is_empty() {
        entries.push((OTHER_LINES.to_owned(), Yaml::list(&others)));
    }
    entries
}

fn add_item(value: &mut Yaml, item: Yaml) {
    match value {
        Yaml::List(items) => items.push(item),
        known if known.is_null() => *known = Yaml::List(vec![item]),
        known => *known = Yaml::List(vec![known.clone(), item]),
    }
}

/// `key: value` at the margin.
fn key_of(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let is_key = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ' | '@');
    let is_apart = value.is_empty() || value.starts_with([' ', '\t']);
    let starts = key.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '@'));
    (starts && is_apart && key.len() <= 60 && key.chars().all(is_key))
        .then(|| (key.trim_end(), value.trim()))
}

fn unquoted(value: &str) -> &str {
    let value = value.trim();
    let within = |mark: char| value.strip_prefix(mark)?.strip_suffix(mark);
    within('"').or_else(|| within('\'')).unwrap_or(value)
}
