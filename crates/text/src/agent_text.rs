//! Text that an agent reads. Every string that we did not write ourselves (a title, a body, a path,
//! a setting, a reason) gets there through `line`, `lines` or `body` alone: nothing in it can be read
//! as a tag, a line stays one line, and every line is bounded. The type has no other way in.

use std::fmt;
use std::ops::Deref;

use serde_json::Value;

use crate::tokens;

mod escape;

#[cfg(test)]
mod tests;

/// Characters of a foreign value in a line: a title, a reason, a path.
pub const LINE_CHARS_MAX: usize = 200;
/// Characters of one line of a report that was laid out for people.
const REPORT_LINE_CHARS_MAX: usize = 600;

/// Characters of a value without line breaks among data: a reason, a path, a sentence.
const DATA_LINE_CHARS_MAX: usize = 1_000;

/// Our own words and rendered foreign ones, in any order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AgentText(String);

impl AgentText {
    /// Our own words.
    pub fn ours(text: &'static str) -> Self {
        Self(text.to_owned())
    }

    pub fn count(number: usize) -> Self {
        Self(number.to_string())
    }

    /// A foreign value in a line.
    pub fn line(text: &str) -> Self {
        Self::line_of(text, LINE_CHARS_MAX)
    }

    pub fn line_of(text: &str, chars_max: usize) -> Self {
        Self(escape::line(text, chars_max))
    }

    /// A foreign text that keeps its line breaks, whole.
    pub fn body(text: &str) -> Self {
        Self(escape::body(text))
    }

    /// A report of several lines with foreign values in them, each line bounded.
    pub fn lines(text: &str) -> Self {
        let lines = text.split('\n').map(|line| escape::line(line, REPORT_LINE_CHARS_MAX));
        Self(lines.collect::<Vec<_>>().join("\n"))
    }

    /// Our own sentence with a part in place of each `{}`.
    pub fn of(template: &'static str, parts: &[Self]) -> Self {
        debug_assert_eq!(template.matches("{}").count(), parts.len(), "{template}");
        let mut out = String::with_capacity(template.len() + 16 * parts.len());
        let mut parts = parts.iter();
        for (at, own) in template.split("{}").enumerate() {
            if at > 0 {
                out.push_str(parts.next().map_or("", |part| &part.0));
            }
            out.push_str(own);
        }
        Self(out)
    }

    pub fn join(parts: &[Self], between: &'static str) -> Self {
        let parts: Vec<&str> = parts.iter().map(|part| part.0.as_str()).collect();
        Self(parts.join(between))
    }

    pub fn push(&mut self, more: &Self) {
        self.0.push_str(&more.0);
    }

    pub fn push_ours(&mut self, text: &'static str) {
        self.0.push_str(text);
    }

    /// `of`, at the end of what is there.
    pub fn add(&mut self, template: &'static str, parts: &[Self]) {
        self.push(&Self::of(template, parts));
    }

    #[must_use]
    pub fn trimmed(&self) -> Self {
        Self(self.0.trim_end().to_owned())
    }

    pub fn tokens(&self) -> usize {
        tokens::count(&self.0)
    }

    pub fn into_string(self) -> String {
        self.0
    }
}

/// Reading it is free; only writing is not.
impl Deref for AgentText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for AgentText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromIterator<AgentText> for AgentText {
    fn from_iter<I: IntoIterator<Item = AgentText>>(parts: I) -> Self {
        Self(parts.into_iter().map(|part| part.0).collect())
    }
}

/// Data that an agent reads: hosts show it to their models as it is.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentData(Value);

impl AgentData {
    /// Every string of it, keys too, is rendered: a line where it is one, else like a body.
    pub fn of(value: Value) -> Self {
        Self(rendered(value))
    }

    /// The same object with a text that is rendered already.
    #[must_use]
    pub fn with(mut self, key: &'static str, text: &AgentText) -> Self {
        if let Value::Object(object) = &mut self.0 {
            object.insert(key.to_owned(), Value::String(text.0.clone()));
        }
        self
    }

    pub fn to_text(&self) -> AgentText {
        AgentText(self.0.to_string())
    }

    pub fn into_value(self) -> Value {
        self.0
    }
}

fn rendered(value: Value) -> Value {
    match value {
        Value::String(text) if text.contains('\n') => Value::String(escape::body(&text)),
        Value::String(text) => Value::String(escape::line(&text, DATA_LINE_CHARS_MAX)),
        Value::Array(items) => items.into_iter().map(rendered).collect(),
        Value::Object(object) => {
            object.into_iter().map(|(key, value)| (escape::body(&key), rendered(value))).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value,
    }
}
