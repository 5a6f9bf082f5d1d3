//! A draft as a JSON record.

use serde_json::Value;

use super::Draft;
use crate::codec::fields::{self, FIELDS};
use crate::codec::json::{JsonError, content_of, describe, text_of};
use crate::codec_error::{Cause, CodecError};
use crate::kind::Kinds;
use crate::yaml::Yaml;
use oldhand_text::problem::Problem;
use oldhand_text::strings::{nearest, normalise_body, normalise_line};

/// A record as somebody gave it; what it leaves out is left out.
pub fn parse_draft(text: &str, kinds: &Kinds) -> Result<Draft, JsonError> {
    let value: Value = serde_json::from_str(text).map_err(|error| {
        JsonError::Syntax(CodecError::new(Cause::Json, error.line(), error.to_string()))
    })?;
    draft_of(&value, kinds)
}

pub fn draft_of(value: &Value, kinds: &Kinds) -> Result<Draft, JsonError> {
    let Value::Object(object) = value else {
        let expected = "an object with `category`, `title` and `content`";
        return Err(Problem::new("record", expected, &describe(value)).into());
    };
    let mut draft = Draft::default();
    let declared = object.get("category").or_else(|| object.get("type"));
    if let Some(declared) = declared {
        draft.kind = Some(kinds.parse(text_of("category", declared)?)?);
    }
    for (key, value) in object {
        match key.as_str() {
            "category" | "type" | "content" | "markdown" | "signals" | "hash" | "path"
            | "trust" | "schema" => {}
            "id" => draft.id = Some(text_of("id", value)?.to_owned()),
            "extra" => draft.extra = extra_of(value)?,
            "sections" => draft.sections = sections_of(value)?,
            "record_status" => draft.record_status = Some(text_of(key, value)?.to_owned()),
            known if fields::find(known).is_some() => {
                draft.front.push((key.clone(), Yaml::from_json(value)));
            }
            other => return Err(unknown_key(other).into()),
        }
    }
    if let Some(content) = object.get("content") {
        let kind = draft.kind.as_ref().ok_or_else(|| {
            Problem::new("category", "the kind, because `content` depends on it", "nothing")
        })?;
        draft.content = content_of(content, &kinds.spec(kind))?;
    }
    Ok(draft)
}

fn unknown_key(key: &str) -> Problem {
    let known = FIELDS.iter().map(|field| field.key).chain(["category", "content", "id"]);
    let problem = Problem::new(key, "a field of a memory", key);
    match nearest(key, known) {
        Some(near) => problem.with_fix(format!("did you mean `{near}`?")),
        None => problem.with_fix("put what only you use under `extra`"),
    }
}

fn extra_of(value: &Value) -> Result<Vec<(String, Yaml)>, Problem> {
    match Yaml::from_json(value) {
        Yaml::Map(entries) => Ok(entries),
        _ => Err(Problem::new("extra", "an object", &describe(value))),
    }
}

fn sections_of(value: &Value) -> Result<Vec<(String, String)>, Problem> {
    let wrong = || Problem::new("sections", "a list of `heading` and `text`", &describe(value));
    let Value::Array(items) = value else { return Err(wrong()) };
    items
        .iter()
        .map(|item| {
            let text = |key: &str| item.get(key).and_then(Value::as_str).ok_or_else(wrong);
            Ok((normalise_line(text("heading")?), normalise_body(text("text")?)))
        })
        .collect()
}
