//! Records as files or standard input: Markdown, JSON or YAML, told apart by how they begin.

use std::io::Read;
use std::path::Path;

use oldhand_app::record::parse_record;
use oldhand_core::draft::Draft;
use oldhand_core::kind::Kinds;
use oldhand_core::policy::MEMORY_BYTES_MAX;
use oldhand_core::refusal::{Code, Refusal};

use crate::failure::Fail;
use crate::printer::Io;

/// Room for the escapes of a JSON record around a memory of the largest size.
const RECORD_BYTES_MAX: u64 = 4 * MEMORY_BYTES_MAX;

/// The text of a file or, for `-`, of standard input.
pub fn read_text(source: &str, folder: &Path, limit: u64, io: &mut Io<'_>) -> Result<String, Fail> {
    String::from_utf8(read_bytes(source, folder, limit, io)?).map_err(|_| {
        Refusal::new(Code::Validation, format!("`{source}` is not UTF-8"))
            .with_hint("save it as UTF-8")
            .into()
    })
}

/// The same as it is: what agents keep of a session may hold half a character.
pub fn read_bytes(
    source: &str,
    folder: &Path,
    limit: u64,
    io: &mut Io<'_>,
) -> Result<Vec<u8>, Fail> {
    if source == "-" {
        return Ok(read_limited(&mut io.stdin, limit)?);
    }
    // Any file that a person names, links included: it is theirs.
    let path = folder.join(source);
    let failed = |error: std::io::Error| {
        let why = match error.kind() {
            std::io::ErrorKind::NotFound => "it is not there".to_owned(),
            std::io::ErrorKind::FileTooLarge => format!("more than {limit} bytes"),
            _ => error.to_string(),
        };
        Fail::usage(
            format!("could not read `{}`: {why}", path.display()),
            "name an existing file, or `-` for standard input",
        )
    };
    let mut file = std::fs::File::open(&path).map_err(failed)?;
    read_limited(&mut file, limit).map_err(failed)
}

/// The record that `--from` names, whatever it is written in, or a draft that says nothing yet.
pub fn read_draft(
    from: Option<&String>,
    folder: &Path,
    kinds: &Kinds,
    io: &mut Io<'_>,
) -> Result<Draft, Fail> {
    let Some(source) = from else { return Ok(Draft::default()) };
    Ok(parse_record(&read_text(source, folder, RECORD_BYTES_MAX, io)?, kinds)?)
}

pub fn read_limited(input: &mut dyn Read, limit_bytes: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(limit_bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit_bytes {
        let text = format!("more than {limit_bytes} bytes on standard input");
        return Err(std::io::Error::new(std::io::ErrorKind::FileTooLarge, text));
    }
    Ok(bytes)
}
