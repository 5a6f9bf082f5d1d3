//! The YAML that frontmatter needs: a small value, a reader with limits, a writer with one style.
//! Scalars keep their text, so that nothing is changed by being read as a number or a date.

use saphyr_parser::{Event, Parser, ScalarStyle};

use crate::codec_error::{Cause, CodecError};
use crate::policy::{FRONTMATTER_BYTES_MAX, YAML_DEPTH_MAX, YAML_NODES_MAX};
use oldhand_text::strings::is_invisible;

mod fast;
mod write;

pub use write::write_entry;

#[derive(Debug, Clone, PartialEq)]
pub enum Yaml {
    /// `plain` scalars may stand for a number, a truth value or nothing; quoted ones are text.
    Scalar {
        text: String,
        plain: bool,
    },
    List(Vec<Yaml>),
    Map(Vec<(String, Yaml)>),
}

impl Yaml {
    pub fn text(text: impl Into<String>) -> Self {
        Self::Scalar { text: text.into(), plain: false }
    }

    pub fn literal(value: impl ToString) -> Self {
        Self::Scalar { text: value.to_string(), plain: true }
    }

    pub fn list<T: AsRef<str>>(items: &[T]) -> Self {
        Self::List(items.iter().map(|item| Self::text(item.as_ref())).collect())
    }

    pub fn map<'k>(entries: impl IntoIterator<Item = (&'k str, Self)>) -> Self {
        Self::Map(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    }

    pub fn is_null(&self) -> bool {
        let is_null = |text: &str| matches!(text, "" | "~" | "null" | "Null" | "NULL");
        matches!(self, Self::Scalar { text, plain: true } if is_null(text))
    }

    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Scalar { text, .. } if !self.is_null() => Some(text),
            _ => None,
        }
    }

    pub fn as_bool(&self) -> Option<bool> {
        match self.as_text()? {
            "true" | "True" | "TRUE" | "yes" => Some(true),
            "false" | "False" | "FALSE" | "no" => Some(false),
            _ => None,
        }
    }

    /// A list, or one scalar that stands for a list of one.
    pub fn as_texts(&self) -> Option<Vec<String>> {
        match self {
            Self::List(items) => {
                items.iter().map(|item| item.as_text().map(str::to_owned)).collect()
            }
            Self::Scalar { .. } if self.is_null() => Some(Vec::new()),
            Self::Scalar { text, .. } => Some(vec![text.clone()]),
            Self::Map(_) => None,
        }
    }

    pub fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Map(entries) => entries.iter().find(|(name, _)| name == key).map(|(_, v)| v),
            _ => None,
        }
    }

    /// The text of a mapping's entry.
    pub fn text_at(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_text()
    }

    /// A short description for error messages.
    pub fn describe(&self) -> String {
        match self {
            Self::Scalar { text, .. } => text.clone(),
            Self::List(items) => format!("a list of {}", items.len()),
            Self::Map(entries) => format!("a mapping of {} keys", entries.len()),
        }
    }

    pub fn to_json(&self) -> serde_json::Value {
        use serde_json::Value;
        match self {
            Self::Scalar { text, plain: false } => Value::String(text.clone()),
            Self::Scalar { .. } if self.is_null() => Value::Null,
            Self::Scalar { text, .. } => match text.as_str() {
                "true" => Value::Bool(true),
                "false" => Value::Bool(false),
                // Only numbers that print as they were written: `007` and `1_000` stay text.
                _ => serde_json::from_str::<serde_json::Number>(text)
                    .ok()
                    .filter(|number| number.to_string() == *text)
                    .map_or_else(|| Value::String(text.clone()), Value::Number),
            },
            Self::List(items) => Value::Array(items.iter().map(Self::to_json).collect()),
            Self::Map(entries) => {
                Value::Object(entries.iter().map(|(k, v)| (k.clone(), v.to_json())).collect())
            }
        }
    }

    pub fn from_json(value: &serde_json::Value) -> Self {
        use serde_json::Value;
        match value {
            Value::Null => Self::literal("null"),
            Value::Bool(flag) => Self::literal(flag),
            Value::Number(number) => Self::literal(number),
            Value::String(text) => Self::text(text.clone()),
            Value::Array(items) => Self::List(items.iter().map(Self::from_json).collect()),
            Value::Object(entries) => {
                Self::Map(entries.iter().map(|(k, v)| (k.clone(), Self::from_json(v))).collect())
            }
        }
    }
}

/// Reads one mapping, within the limits on size, nodes and depth.
pub fn parse_map(text: &str) -> Result<Vec<(String, Yaml)>, CodecError> {
    if text.len() <= FRONTMATTER_BYTES_MAX
        && let Some(entries) = fast::parse_map(text)
    {
        return Ok(entries);
    }
    parse_map_fully(text)
}

/// The same by the YAML parser.
fn parse_map_fully(text: &str) -> Result<Vec<(String, Yaml)>, CodecError> {
    match parse(text)? {
        Some(Yaml::Map(entries)) => Ok(entries),
        Some(other) if !other.is_null() => {
            let message = format!("expected `key: value` lines, found `{}`", other.describe());
            Err(CodecError::new(Cause::Frontmatter, 1, message))
        }
        _ => Ok(Vec::new()),
    }
}

/// Reads the first document of a text; `None` when there is nothing in it.
pub fn parse(text: &str) -> Result<Option<Yaml>, CodecError> {
    if text.len() > FRONTMATTER_BYTES_MAX {
        let message = format!("{} bytes, at most {FRONTMATTER_BYTES_MAX} are read", text.len());
        return Err(CodecError::new(Cause::Size, 1, message));
    }
    let mut builder = Builder::default();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            CodecError::new(Cause::Frontmatter, error.marker().line(), error.info())
        })?;
        builder.take(event, span.start.line())?;
        if builder.done {
            break;
        }
    }
    Ok(builder.root)
}

/// Builds the value from events without recursion, counting what it builds.
#[derive(Default)]
struct Builder {
    open: Vec<Open>,
    anchors: Vec<(usize, Yaml)>,
    nodes: usize,
    repeated_bytes: usize,
    root: Option<Yaml>,
    done: bool,
}

struct Open {
    anchor: usize,
    value: Yaml,
    key: Option<String>,
}

impl Builder {
    fn take(&mut self, event: Event<'_>, line: usize) -> Result<(), CodecError> {
        let limit = |message: &str| Err(CodecError::new(Cause::Frontmatter, line, message));
        match event {
            Event::Scalar(text, style, anchor, _) => {
                let plain = style == ScalarStyle::Plain;
                self.add(Yaml::Scalar { text: text.into_owned(), plain }, anchor, line)
            }
            Event::SequenceStart(anchor, _) | Event::MappingStart(anchor, _)
                if self.open.len() >= YAML_DEPTH_MAX =>
            {
                limit(&format!("nested deeper than {YAML_DEPTH_MAX} levels (anchor {anchor})"))
            }
            Event::SequenceStart(anchor, _) => self.begin(anchor, Yaml::List(Vec::new())),
            Event::MappingStart(anchor, _) => self.begin(anchor, Yaml::Map(Vec::new())),
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some(open) => self.add(open.value, open.anchor, line),
                None => limit("a collection ends that never began"),
            },
            Event::Alias(anchor) => {
                let known = self.anchors.iter().find(|(known, _)| *known == anchor);
                match known.map(|(_, value)| value.clone()) {
                    Some(value) => {
                        // An alias costs what it repeats, so that a few lines can't become many.
                        let (nodes, bytes) = size(&value);
                        self.nodes += nodes;
                        self.repeated_bytes += bytes;
                        if self.repeated_bytes > FRONTMATTER_BYTES_MAX {
                            return limit("its aliases repeat too much text");
                        }
                        self.add(value, 0, line)
                    }
                    None => limit("an alias without its anchor"),
                }
            }
            Event::DocumentEnd => {
                self.done = true;
                Ok(())
            }
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) => {
                Ok(())
            }
        }
    }

    fn begin(&mut self, anchor: usize, value: Yaml) -> Result<(), CodecError> {
        self.open.push(Open { anchor, value, key: None });
        Ok(())
    }

    fn add(&mut self, value: Yaml, anchor: usize, line: usize) -> Result<(), CodecError> {
        let refuse = |message: String| Err(CodecError::new(Cause::Frontmatter, line, message));
        self.nodes += 1;
        if self.nodes > YAML_NODES_MAX {
            return refuse(format!("more than {YAML_NODES_MAX} values"));
        }
        if anchor > 0 {
            self.anchors.push((anchor, value.clone()));
        }
        let Some(open) = self.open.last_mut() else {
            self.root = Some(value);
            return Ok(());
        };
        match (&mut open.value, open.key.take()) {
            (Yaml::List(items), _) => items.push(value),
            (Yaml::Map(entries), Some(key)) => {
                if entries.iter().any(|(known, _)| *known == key) {
                    return refuse(format!("the key `{key}` stands twice"));
                }
                entries.push((key, value));
            }
            (Yaml::Map(_), None) => match value {
                Yaml::Scalar { text, .. } => open.key = Some(text),
                _ => return refuse("a key must be a plain word".to_owned()),
            },
            (Yaml::Scalar { .. }, _) => {}
        }
        Ok(())
    }
}

/// The nodes of a value and the bytes of its text.
fn size(value: &Yaml) -> (usize, usize) {
    let sum = |sizes: &mut dyn Iterator<Item = (usize, usize)>| {
        sizes.fold((1, 0), |(nodes, bytes), (more, text)| (nodes + more, bytes + text))
    };
    match value {
        Yaml::Scalar { text, .. } => (1, text.len()),
        Yaml::List(items) => sum(&mut items.iter().map(size)),
        Yaml::Map(entries) => sum(&mut entries.iter().map(|(key, value)| {
            let (nodes, bytes) = size(value);
            (nodes, bytes + key.len())
        })),
    }
}

/// Characters that a plain or single-quoted scalar may not show as they are.
fn needs_escape(character: char) -> bool {
    character.is_control() || is_invisible(character) || matches!(character, '\u{85}' | '\u{FFFE}')
}

/// For tests: whether the short way takes a text, and whether it then says what the parser says.
#[cfg(test)]
pub(crate) fn short_way_agrees(text: &str) -> bool {
    fast::parse_map(text).is_none_or(|fast| Ok(fast) == parse_map_fully(text))
}
