//! Memories as JSON: the field names are a promise to other programs.

use serde_json::{Map, Value, json};

use super::fields::FIELDS;
use super::markdown::read_front;
use crate::codec_error::CodecError;
use crate::content::{Alternative, Content, FieldValue};
use crate::kind::schema::{FieldSpec, Place, Shape};
use crate::kind::{KindSpec, Kinds};
use crate::memory::Memory;
use crate::yaml::Yaml;
use oldhand_text::problem::Problem;
use oldhand_text::strings::{normalise_body, normalise_line};

#[derive(Debug, Clone, PartialEq)]
pub enum JsonError {
    Syntax(CodecError),
    Field(Problem),
}

impl From<Problem> for JsonError {
    fn from(problem: Problem) -> Self {
        Self::Field(problem)
    }
}

/// The whole memory; the common fields of R266 are always there.
pub fn to_json(memory: &Memory, kinds: &Kinds) -> Map<String, Value> {
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
    put("schema_version", json!(memory.schema_version));
    put("category", json!(memory.kind.as_str()));
    put("id", json!(memory.id.as_str()));
    for field in FIELDS.iter().filter(|field| field.key != "schema_version") {
        let value = (field.get)(memory).map(|value| value.to_json());
        if let Some(value) = value.or_else(|| absent(field.key)) {
            put(field.key, value);
        }
        if field.key == "state" {
            put("record_status", json!(memory.record_status()));
        }
    }
    let content = content_to_json(&memory.content, &kinds.spec(&memory.kind));
    put("content", Value::Object(content));
    if !memory.extra.is_empty() {
        let extra = memory.extra.iter().map(|(key, value)| (key.clone(), value.to_json()));
        put("extra", Value::Object(extra.collect()));
    }
    if !memory.sections.is_empty() {
        let section = |(heading, text): &_| json!({"heading": heading, "text": text});
        put("sections", memory.sections.iter().map(section).collect());
    }
    object
}

/// The absent value of a field that is always there.
fn absent(key: &str) -> Option<Value> {
    match key {
        "tags" | "related_files" | "changes" => Some(json!([])),
        "times_updated" => Some(json!(0)),
        "confidence" | "created_at" | "updated_at" => Some(Value::Null),
        _ => None,
    }
}

pub fn content_to_json(content: &Content, spec: &KindSpec) -> Map<String, Value> {
    let mut object = Map::new();
    for field in spec.fields.iter() {
        let Some(value) = content.get(&field.name) else { continue };
        let value = match value {
            FieldValue::Text(text) => json!(text),
            FieldValue::List(items) => json!(items),
            FieldValue::Flag(flag) => json!(flag),
            FieldValue::Alternatives(items) => json!(items),
        };
        match field.group {
            Some(group) => object.entry(group).or_insert(json!({}))[&*field.name] = value,
            None => drop(object.insert(field.name.to_string(), value)),
        }
    }
    object
}

/// The content of a kind, every field checked.
pub fn content_of(value: &Value, spec: &KindSpec) -> Result<Vec<(String, FieldValue)>, Problem> {
    let Value::Object(object) = value else {
        return Err(Problem::new("content", "an object", &describe(value)));
    };
    let mut content = Vec::new();
    for (key, value) in object {
        let is_group = spec.fields.iter().any(|field| field.group == Some(key));
        match value {
            Value::Object(group) if is_group => {
                for (key, value) in group {
                    content.push(field_of(key, value, spec)?);
                }
            }
            Value::Null => {}
            _ => content.push(field_of(key, value, spec)?),
        }
    }
    Ok(content)
}

fn field_of(key: &str, value: &Value, spec: &KindSpec) -> Result<(String, FieldValue), Problem> {
    let name = format!("content.{key}");
    let Some(field) = spec.field(key) else {
        let names: Vec<&str> = spec.fields.iter().map(|field| field.name.as_ref()).collect();
        return Err(oldhand_text::word::unknown(&name, &names, key));
    };
    let value = value_of(field, value).map_err(|problem| Problem { field: name, ..problem })?;
    Ok((key.to_owned(), value))
}

fn value_of(field: &FieldSpec, value: &Value) -> Result<FieldValue, Problem> {
    if field.place == Place::Frontmatter {
        let read = read_front(field, &Yaml::from_json(value))?;
        return Ok(match read {
            FieldValue::Text(text) => FieldValue::Text(normalise_line(&text)),
            other => other,
        });
    }
    match field.shape {
        Shape::List | Shape::Steps => Ok(FieldValue::List(list_of(&field.name, value)?)),
        Shape::Alternatives => alternatives_of(&field.name, value),
        _ => Ok(FieldValue::Text(normalise_body(text_of(&field.name, value)?))),
    }
}

fn list_of(field: &str, value: &Value) -> Result<Vec<String>, Problem> {
    let items = match value {
        Value::Array(items) => items.as_slice(),
        Value::Null => &[],
        single => std::slice::from_ref(single),
    };
    let texts = items.iter().map(|item| text_of(field, item).map(normalise_body));
    texts.filter(|text| text.as_ref() != Ok(&String::new())).collect()
}

fn alternatives_of(field: &str, value: &Value) -> Result<FieldValue, Problem> {
    let wrong = |found: &Value| {
        Problem::new(field, "a list of `option` and `rejected_reason`", &describe(found))
    };
    let Value::Array(items) = value else { return Err(wrong(value)) };
    let read = |item: &Value| {
        let text = |key: &str| item.get(key).and_then(Value::as_str);
        let option = item.as_str().or_else(|| text("option")).ok_or_else(|| wrong(item))?;
        Ok(Alternative::new(option, text("rejected_reason").unwrap_or_default()))
    };
    let mut alternatives = items.iter().map(read).collect::<Result<Vec<_>, Problem>>()?;
    alternatives.retain(|alternative| !alternative.option.is_empty());
    Ok(FieldValue::Alternatives(alternatives))
}

pub(crate) fn text_of<'a>(field: &str, value: &'a Value) -> Result<&'a str, Problem> {
    value.as_str().ok_or_else(|| Problem::new(field, "a text", &describe(value)))
}

pub(crate) fn describe(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Object(_) => "an object".to_owned(),
        other => other.to_string(),
    }
}
