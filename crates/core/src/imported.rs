//! Where an imported memory came from: the key `imported` of the frontmatter. The program owns it, and a
//! later import of the same source finds its memories by it.

use jiff::Timestamp;
use serde_json::{Map, Value};

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
    /// Of what the import wrote, see `write::wrote`.
    pub wrote: String,
    /// Only in files of earlier versions: the log says when it came.
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

    /// How the log names a version of the record that a person did not want.
    pub fn declined(&self) -> String {
        declined(&self.reference(), &self.hash)
    }

    /// Its line in `evidence` and `sources`.
    pub fn reference(&self) -> String {
        reference(&self.from, &self.key)
    }
}

pub fn reference(from: &str, key: &str) -> String {
    oldhand_text::strings::normalise_line(&format!("import:{from}#{key}"))
}

/// Among the `fields` of an event.
pub const DECLINED: &str = "declined ";

pub fn declined(reference: &str, hash: &str) -> String {
    format!("{DECLINED}{reference} {hash}")
}
