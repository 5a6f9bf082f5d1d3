//! What a writer asks for, before any rule has looked at it.

pub mod json;

use crate::codec::fields::{self, FIELDS};
use crate::codec::markdown::{self, Origin};
use crate::codec_error::CodecError;
use crate::content::FieldValue;
use crate::kind::schema::{Shape, main_field};
use crate::kind::{Kind, KindSpec, Kinds};
use crate::memory::Memory;
use crate::yaml::Yaml;
use oldhand_text::problem::Problem;

/// Only what was said: an update changes these fields and no others.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Draft {
    pub kind: Option<Kind>,
    /// A wish; the tool makes ids from titles.
    pub id: Option<String>,
    /// Accepted so that an exported record can be imported; otherwise ignored.
    pub record_status: Option<String>,
    /// Nobody has looked at it: whoever writes it, it begins as a candidate.
    pub unverified: bool,
    /// When it was decided, for records that are older than their import.
    pub dated: Option<jiff::Timestamp>,
    pub front: Vec<(String, Yaml)>,
    pub content: Vec<(String, FieldValue)>,
    pub extra: Vec<(String, Yaml)>,
    pub sections: Vec<(String, String)>,
}

/// Fields that the tool owns: a draft may carry them, they are not taken from it.
pub fn is_owned_by_tool(key: &str) -> bool {
    let owned = "schema_version state state_reason prev_state created_at updated_at times_updated \
        superseded_by retired_at retired_reason archived_at archived_reason changes imported";
    oldhand_text::table::has(owned, key)
}

impl Draft {
    pub fn set(&mut self, key: &str, value: Yaml) {
        replace_named(&mut self.front, &[(key.to_owned(), value)]);
    }

    pub fn get(&self, key: &str) -> Option<&Yaml> {
        self.front.iter().find(|(known, _)| known == key).map(|(_, value)| value)
    }

    pub fn set_content(&mut self, name: &str, value: FieldValue) {
        replace_named(&mut self.content, &[(name.to_owned(), value)]);
    }

    pub fn get_content(&self, name: &str) -> Option<&FieldValue> {
        self.content.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// Plain words are what the kind is mainly about.
    pub fn set_main_text(&mut self, text: String, spec: &KindSpec) {
        if let Some(field) = main_field(&spec.fields) {
            let value = match field.shape {
                Shape::List | Shape::Steps => FieldValue::List(vec![text]),
                _ => FieldValue::Text(text),
            };
            self.set_content(&field.name, value);
        }
    }

    /// A successor is about the same thing unless it says otherwise.
    pub fn inherit(&mut self, old: &Memory) {
        for key in ["domain", "level", "tags", "related_files", "scope"] {
            let value = fields::find(key).and_then(|field| (field.get)(old));
            if let Some(value) = value.filter(|_| self.get(key).is_none()) {
                self.set(key, value);
            }
        }
    }

    pub fn title(&self) -> Option<&str> {
        self.get("title").and_then(Yaml::as_text)
    }

    /// Puts what was said onto a memory; what the tool owns stays as it is.
    pub fn apply_to(&self, memory: &mut Memory) -> Result<(), Problem> {
        for (key, value) in self.front.iter().filter(|(key, _)| !is_owned_by_tool(key)) {
            if let Some(field) = fields::find(key) {
                (field.set)(memory, value)?;
            }
        }
        for (name, value) in &self.content {
            memory.content.set(name, value.clone());
        }
        replace_named(&mut memory.extra, &self.extra);
        replace_named(&mut memory.sections, &self.sections);
        Ok(())
    }

    pub fn of_memory(memory: &Memory) -> Self {
        Self {
            kind: Some(memory.kind.clone()),
            id: Some(memory.id.to_string()),
            record_status: Some(memory.record_status().to_string()),
            front: FIELDS
                .iter()
                .filter_map(|field| Some((field.key.to_owned(), (field.get)(memory)?)))
                .collect(),
            content: memory.content.iter().map(|(k, v)| (k.to_owned(), v.clone())).collect(),
            extra: memory.extra.clone(),
            sections: memory.sections.clone(),
            ..Self::default()
        }
    }
}

/// A draft may have the same name twice: all of them replace all that were there.
fn replace_named<T: Clone>(there: &mut Vec<(String, T)>, said: &[(String, T)]) {
    there.retain(|(name, _)| !said.iter().any(|(known, _)| known == name));
    there.extend(said.iter().cloned());
}

/// A whole record as Markdown: only the values that are in the text.
pub fn from_markdown(text: &str, kinds: &Kinds) -> Result<(Draft, Vec<Problem>), CodecError> {
    let parsed = markdown::parse(text, Origin { stem: "draft", folder: "" }, kinds)?;
    let said = crate::codec::document::Document::parse(text)?;
    let mut draft = Draft::of_memory(&parsed.memory);
    draft.id = parsed.declared_id;
    draft.record_status = None;
    let has_title = parsed.memory.title != "draft";
    draft.front.retain(|(key, _)| said.entry(key).is_some() || (key == "title" && has_title));
    if said.entry("type").is_none() && said.entry("category").is_none() {
        draft.kind = None;
    }
    Ok((draft, parsed.problems))
}
