//! Files of JSON objects, one per line. What can't be used is named by its line and field.

use std::io::{BufRead, Read};

use oldhand_text::problem::Problem;
use serde_json::{Map, Value};

/// One line: a memory of the largest size with room for the escapes of JSON.
pub(crate) const LINE_BYTES_MAX: u64 = 8 * 1024 * 1024;
/// One file, unpacked: all of it is held in memory.
pub(crate) const FILE_BYTES_MAX: u64 = 1024 * 1024 * 1024;
const LINES_MAX: usize = 2_000_000;

/// Calls `take` for every line that is not blank. The error begins with the line: `line 3: …`.
pub(crate) fn each_object(
    mut text: impl BufRead,
    mut take: impl FnMut(&Map<String, Value>, usize) -> Result<(), String>,
) -> Result<(), String> {
    let (mut line, mut bytes) = (Vec::new(), 0);
    for number in 1.. {
        let failed = |why: String| format!("line {number}: {why}");
        line.clear();
        let read = (&mut text).take(LINE_BYTES_MAX + 1).read_until(b'\n', &mut line);
        let read = read.map_err(|error| failed(error.to_string()))? as u64;
        bytes += read;
        if read == 0 {
            break;
        }
        if read > LINE_BYTES_MAX {
            return Err(failed(format!("expected at most {LINE_BYTES_MAX} bytes in a line")));
        }
        if bytes > FILE_BYTES_MAX || number > LINES_MAX {
            let limit = format!("{FILE_BYTES_MAX} bytes and {LINES_MAX} lines");
            return Err(failed(format!("expected at most {limit} in a file")));
        }
        let text = line.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(&line).trim_ascii();
        if !text.is_empty() {
            object(text).and_then(|object| take(&object, number)).map_err(failed)?;
        }
    }
    Ok(())
}

fn object(text: &[u8]) -> Result<Map<String, Value>, String> {
    match serde_json::from_slice(text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(other) => Err(wrong("line", "a JSON object", &other)),
        Err(error) => {
            // It counts lines inside of what it was given, which is one line of ours.
            let why = error.to_string().replace(" at line 1 column", " at column");
            Err(format!("expected a JSON object: {why}"))
        }
    }
}

/// A line of text or a whole number, which some sets use as ids; `None` when it is empty.
pub(crate) fn word(object: &Map<String, Value>, name: &str) -> Result<Option<String>, String> {
    match object.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => {
            let text = word_of(value).ok_or_else(|| wrong(name, "a line of text", value))?;
            Ok(Some(text).filter(|text| !text.trim().is_empty()))
        }
    }
}

pub(crate) fn required(object: &Map<String, Value>, name: &str) -> Result<String, String> {
    let missing = || wrong(name, "a line of text", object.get(name).unwrap_or(&Value::Null));
    word(object, name)?.ok_or_else(missing)
}

pub(crate) fn word_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) if !number.is_f64() => Some(number.to_string()),
        _ => None,
    }
}

pub(crate) fn wrong(name: &str, expected: &str, found: &Value) -> String {
    let found = match found {
        Value::Null => "nothing".to_owned(),
        other => other.to_string(),
    };
    Problem::new(name, expected, &found).to_string()
}
