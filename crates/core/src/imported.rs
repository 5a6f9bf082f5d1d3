//! Where an imported memory came from: the key `imported` of the frontmatter. The program owns it, and a
//! later import of the same source finds its memories by it.

use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::content::FieldValue;
use crate::memory::Memory;
use crate::yaml::Yaml;
use oldhand_text::problem::Problem;
use oldhand_text::time::{format_instant, parse_instant};

/// A larger `rest` goes into the section [`REST_HEADING`].
pub const REST_BYTES_MAX: usize = 8 * 1024;
pub const REST_HEADING: &str = "Imported";

/// The state reason of an imported candidate that no source can be accepted with begins so.
pub const HELD: &str = "held: ";

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Imported {
    /// `<format>:<root>`, never with an absolute path.
    pub from: String,
    /// The record's name there.
    pub key: String,
    /// Of the record in its source.
    pub hash: String,
    /// Of what the import wrote, see [`wrote`].
    pub wrote: String,
    pub at: Option<Timestamp>,
    /// What has no home with us.
    pub rest: Map<String, Value>,
}

const KEYS: [&str; 4] = ["from", "key", "hash", "wrote"];

impl Imported {
    pub(crate) fn to_yaml(&self) -> Yaml {
        let texts = KEYS.into_iter().zip([&self.from, &self.key, &self.hash, &self.wrote]);
        let texts = texts.map(|(key, text)| (key, Yaml::text(text)));
        let at = self.at.map(|at| ("at", Yaml::text(format_instant(at))));
        let rest = (!self.rest.is_empty())
            .then(|| ("rest", Yaml::from_json(&Value::Object(self.rest.clone()))));
        Yaml::map(texts.chain(at).chain(rest))
    }

    pub(crate) fn of_yaml(field: &str, value: &Yaml) -> Result<Self, Problem> {
        let wrong = || {
            Problem::new(field, "`from`, `key`, `hash` and `wrote`, as written", &value.describe())
        };
        let [from, key, hash, wrote] = KEYS.map(|key| value.text_at(key).map(str::to_owned));
        let rest = match value.get("rest").filter(|rest| !rest.is_null()).map(Yaml::to_json) {
            Some(Value::Object(rest)) => rest,
            Some(_) => return Err(wrong()),
            None => Map::new(),
        };
        Ok(Self {
            from: from.ok_or_else(wrong)?,
            key: key.ok_or_else(wrong)?,
            hash: hash.unwrap_or_default(),
            wrote: wrote.unwrap_or_default(),
            at: value.text_at("at").and_then(parse_instant),
            rest,
        })
    }

    /// Its line in `evidence` and `sources`.
    pub fn reference(&self) -> String {
        reference(&self.from, &self.key)
    }
}

pub fn reference(from: &str, key: &str) -> String {
    oldhand_text::strings::normalise_line(&format!("import:{from}#{key}"))
}

/// 16 digits over title, description, content, sections and tags: as long as they are those that the
/// import wrote, nobody has edited it.
pub fn wrote(memory: &Memory) -> String {
    let mut hasher = blake3::Hasher::new();
    // With its length before it, no text can pass for two.
    let mut put = |text: &str| {
        hasher.update(&(text.len() as u64).to_le_bytes()).update(text.as_bytes());
    };
    put(&memory.title);
    put(memory.description.as_deref().unwrap_or_default());
    for (name, value) in memory.content.iter() {
        put(name);
        match value {
            FieldValue::Text(text) => put(text),
            FieldValue::Flag(flag) => put(if *flag { "true" } else { "false" }),
            FieldValue::List(items) => items.iter().for_each(|item| put(item)),
            FieldValue::Alternatives(items) => items.iter().for_each(|item| {
                put(&item.option);
                put(&item.rejected_reason);
            }),
        }
    }
    put("sections");
    for (heading, text) in &memory.sections {
        put(heading);
        put(text);
    }
    put("tags");
    memory.tags.iter().for_each(|tag| put(tag));
    hasher.finalize().to_hex()[..16].to_owned()
}

#[cfg(test)]
mod tests;
