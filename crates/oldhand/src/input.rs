//! Records as files or standard input: Markdown, JSON or YAML, told apart by how they begin.

use std::path::Path;

use oldhand_app::transfer::json_refusal;
use oldhand_core::codec::json;
use oldhand_core::draft::{self, Draft};
use oldhand_core::kind::Kinds;
use oldhand_core::policy::{IMPORT_BYTES_MAX, MEMORY_BYTES_MAX};
use oldhand_core::refusal::{Code, Refusal};
use oldhand_core::yaml;
use oldhand_text::problem::Problem;

use crate::failure::Fail;
use crate::printer::Io;

/// Room for the escapes of a JSON record around a memory of the largest size.
const RECORD_BYTES_MAX: u64 = 4 * MEMORY_BYTES_MAX;

/// The text of a file or, for `-`, of standard input.
pub(crate) fn read_text(
    source: &str,
    folder: &Path,
    limit: u64,
    io: &mut Io<'_>,
) -> Result<String, Fail> {
    String::from_utf8(read_bytes(source, folder, limit, io)?).map_err(|_| {
        Refusal::new(Code::Validation, format!("`{source}` is not UTF-8"))
            .with_hint("save it as UTF-8")
            .into()
    })
}

/// The same as it is: what agents keep of a session may hold half a character.
pub(crate) fn read_bytes(
    source: &str,
    folder: &Path,
    limit: u64,
    io: &mut Io<'_>,
) -> Result<Vec<u8>, Fail> {
    if source == "-" {
        return Ok(crate::read_limited(&mut io.stdin, limit)?);
    }
    read_file(&folder.join(source), limit)
}

/// Any file that a person names, links included: it is theirs.
fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>, Fail> {
    let failed = |error: std::io::Error| {
        let why = match error.kind() {
            std::io::ErrorKind::NotFound => "it is not there".to_owned(),
            std::io::ErrorKind::FileTooLarge => format!("more than {limit} bytes"),
            _ => error.to_string(),
        };
        Fail::usage(
            format!("could not read `{}`: {why}", path.display()),
            "name a file that is there, or `-` for standard input",
        )
    };
    let mut file = std::fs::File::open(path).map_err(failed)?;
    crate::read_limited(&mut file, limit).map_err(failed)
}

pub(crate) fn read_import(source: &str, folder: &Path, io: &mut Io<'_>) -> Result<String, Fail> {
    read_text(source, folder, IMPORT_BYTES_MAX, io)
}

/// One record, whatever it is written in.
pub(crate) fn read_record(
    source: &str,
    folder: &Path,
    kinds: &Kinds,
    io: &mut Io<'_>,
) -> Result<Draft, Fail> {
    let text = read_text(source, folder, RECORD_BYTES_MAX, io)?;
    parse_record(&text, kinds)
}

pub(crate) fn parse_record(text: &str, kinds: &Kinds) -> Result<Draft, Fail> {
    let trimmed = text.trim_start_matches('\u{FEFF}').trim_start();
    if trimmed.is_empty() {
        let expected = "a record in Markdown, JSON or YAML";
        return Err(Problem::new("record", expected, "nothing").into());
    }
    if trimmed.starts_with(['{', '[']) {
        return json::parse_draft(trimmed, kinds).map_err(|error| json_refusal(error).into());
    }
    if !trimmed.starts_with("---") && !trimmed.starts_with('#') && looks_like_yaml(trimmed) {
        let value = yaml::parse(trimmed).map_err(|error| refuse_text(&error))?;
        let value = value.map_or(serde_json::Value::Null, |value| value.to_json());
        return json::draft_of(&value, kinds).map_err(|error| json_refusal(error).into());
    }
    let (draft, problems) =
        draft::from_markdown(text, kinds).map_err(|error| refuse_text(&error))?;
    if problems.is_empty() { Ok(draft) } else { Err(Refusal::invalid(problems).into()) }
}

/// A mapping whose first line is one of a record's own keys.
fn looks_like_yaml(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#'));
    first.and_then(|line| line.split_once(':')).is_some_and(|(key, _)| {
        matches!(key, "category" | "type" | "title" | "id" | "tags" | "content" | "schema_version")
    })
}

fn refuse_text(error: &oldhand_core::codec_error::CodecError) -> Refusal {
    Refusal::new(Code::Validation, format!("the record can't be read: {error}"))
        .with_hint(error.hint())
}
