//! The YAML that frontmatter needs: a small value, a reader with limits, a writer with one style.
//! Scalars keep their text, so that nothing is changed by being read as a number or a date.

use saphyr_parser::{Event, Parser, ScalarStyle, StrInput};

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
        let Self::Map(entries) = self else { return None };
        entries.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    pub fn text_at(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_text()
    }

    pub fn describe(&self) -> String {
        match self {
            Self::Scalar { text, .. } => text.clone(),
            Self::List(items) => format!("a list of {}", items.len()),
            Self::Map(entries) => format!("a mapping of {} keys", entries.len()),
        }
    }

    /// The value as flowing text.
    pub fn plain(&self) -> String {
        match self {
            Self::Scalar { text, .. } => text.clone(),
            Self::List(items) => items.iter().map(Self::plain).collect::<Vec<_>>().join(", "),
            Self::Map(entries) => {
                let each = entries.iter().map(|(key, value)| format!("{key}: {}", value.plain()));
                each.collect::<Vec<_>>().join("; ")
            }
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
            let found = other.describe();
            Err(refused(1, format!("expected `key: value` lines, found `{found}`")))
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
    let events = Parser::new_from_str(text);
    let mut reader = Reader { events, anchors: Vec::new(), nodes: 0, bytes: 0 };
    let mut root = None;
    while let Some((event, line)) = reader.next()? {
        root = Some(reader.value(event, line, 0)?);
    }
    Ok(root)
}

/// Builds values from events, counting what it builds.
struct Reader<'t> {
    events: Parser<'t, StrInput<'t>>,
    /// Values with an anchor, and their nodes and bytes.
    anchors: Vec<(usize, Yaml, [usize; 2])>,
    nodes: usize,
    bytes: usize,
}

impl<'t> Reader<'t> {
    /// The next event that begins a value, with its line; `None` at the end of what is open.
    fn next(&mut self) -> Result<Option<(Event<'t>, usize)>, CodecError> {
        for event in self.events.by_ref() {
            let (event, span) =
                event.map_err(|error| refused(error.marker().line(), error.info()))?;
            match event {
                Event::Nothing | Event::StreamStart | Event::DocumentStart(_) => {}
                Event::SequenceEnd | Event::MappingEnd | Event::DocumentEnd | Event::StreamEnd => {
                    break;
                }
                event => return Ok(Some((event, span.start.line()))),
            }
        }
        Ok(None)
    }

    fn value(&mut self, event: Event<'t>, line: usize, depth: usize) -> Result<Yaml, CodecError> {
        let [nodes, bytes] = [self.nodes, self.bytes];
        self.nodes += 1;
        if self.nodes > YAML_NODES_MAX {
            return Err(refused(line, format!("more than {YAML_NODES_MAX} values")));
        }
        if depth > YAML_DEPTH_MAX {
            return Err(refused(line, format!("nested deeper than {YAML_DEPTH_MAX} levels")));
        }
        let (value, anchor) = match event {
            Event::Scalar(text, style, anchor, _) => {
                self.bytes += text.len();
                let plain = style == ScalarStyle::Plain;
                (Yaml::Scalar { text: text.into_owned(), plain }, anchor)
            }
            Event::SequenceStart(anchor, _) => {
                let mut items = Vec::new();
                while let Some((event, line)) = self.next()? {
                    items.push(self.value(event, line, depth + 1)?);
                }
                (Yaml::List(items), anchor)
            }
            Event::MappingStart(anchor, _) => (Yaml::Map(self.entries(depth + 1)?), anchor),
            Event::Alias(anchor) => return self.repeated(anchor, line),
            _ => return Err(refused(line, "a value is missing")),
        };
        if anchor > 0 {
            let size = [self.nodes - nodes, self.bytes - bytes];
            self.anchors.push((anchor, value.clone(), size));
        }
        Ok(value)
    }

    fn entries(&mut self, depth: usize) -> Result<Vec<(String, Yaml)>, CodecError> {
        let mut entries: Vec<(String, Yaml)> = Vec::new();
        while let Some((event, line)) = self.next()? {
            let Yaml::Scalar { text: key, .. } = self.value(event, line, depth)? else {
                return Err(refused(line, "a key must be a plain word"));
            };
            if entries.iter().any(|(known, _)| *known == key) {
                return Err(refused(line, format!("the key `{key}` appears twice")));
            }
            if let Some((event, line)) = self.next()? {
                entries.push((key, self.value(event, line, depth)?));
            }
        }
        Ok(entries)
    }

    /// An alias costs what it repeats, so that a few lines can't become many.
    fn repeated(&mut self, anchor: usize, line: usize) -> Result<Yaml, CodecError> {
        let known = self.anchors.iter().find(|(known, ..)| *known == anchor);
        let Some((_, value, [nodes, bytes])) = known else {
            return Err(refused(line, "an alias without its anchor"));
        };
        self.nodes += nodes;
        self.bytes += bytes;
        // The text itself is at most half of it.
        if self.bytes > 2 * FRONTMATTER_BYTES_MAX {
            return Err(refused(line, "its aliases repeat too much text"));
        }
        Ok(value.clone())
    }
}

fn refused(line: usize, message: impl Into<String>) -> CodecError {
    CodecError::new(Cause::Frontmatter, line, message)
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
