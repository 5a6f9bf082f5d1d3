//! One record as somebody wrote it down, read into a draft.

use oldhand_core::codec::json;
use oldhand_core::codec_error::CodecError;
use oldhand_core::draft;
use oldhand_core::draft::json as draft_json;
use oldhand_core::kind::Kinds;
use oldhand_core::yaml;
use serde_json::Value;

use crate::prelude::*;

/// One record, whatever it is written in: Markdown, JSON or YAML, told apart by how it begins.
pub fn parse_record(text: &str, kinds: &Kinds) -> Result<Draft, Refusal> {
    let unreadable = |error: CodecError| {
        Refusal::new(Code::Validation, format!("the record can't be read: {error}"))
            .with_hint(error.hint())
    };
    let trimmed = text.trim_start_matches('\u{FEFF}').trim_start();
    if trimmed.is_empty() {
        let expected = "a record in Markdown, JSON or YAML";
        return Err(Problem::new("record", expected, "nothing").into());
    }
    if trimmed.starts_with(['{', '[']) {
        return draft_json::parse_draft(trimmed, kinds).map_err(json_refusal);
    }
    if !trimmed.starts_with("---") && !trimmed.starts_with('#') && looks_like_yaml(trimmed) {
        let value = yaml::parse(trimmed).map_err(unreadable)?;
        let value = value.map_or(Value::Null, |value| value.to_json());
        return draft_json::draft_of(&value, kinds).map_err(json_refusal);
    }
    let (draft, problems) = draft::from_markdown(text, kinds).map_err(unreadable)?;
    refuse_invalid(problems)?;
    Ok(draft)
}

/// A mapping whose first line is one of a record's own keys.
fn looks_like_yaml(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#'));
    first.and_then(|line| line.split_once(':')).is_some_and(|(key, _)| {
        matches!(key, "category" | "type" | "title" | "id" | "tags" | "content" | "schema_version")
    })
}

pub fn json_refusal(error: json::JsonError) -> Refusal {
    match error {
        json::JsonError::Field(problem) => problem.into(),
        json::JsonError::Syntax(error) => Problem::new("record", "JSON", &error.to_string())
            .with_fix(error.hint().to_string())
            .into(),
    }
}
