//! Reading the payload: hosts don't always close the pipe, so reading ends where the object ends.

use std::io::Read;

use oldhand_hosts::dialect::Dialect;
use oldhand_hosts::payload::{self, Payload};
use oldhand_transcripts::repaired_json;
use serde_json::Value;

/// A tool's output rides along; what is longer than this is no payload.
const BYTES_MAX: usize = 64 * 1024 * 1024;

pub(super) fn read(
    dialect: Dialect,
    event: Option<&str>,
    input: &mut dyn Read,
) -> Result<Payload, String> {
    let value = read_value(input)?;
    payload::read(dialect, value, event)
}

fn read_value(input: &mut dyn Read) -> Result<Value, String> {
    let mut bytes: Vec<u8> = Vec::with_capacity(16 * 1024);
    let mut chunk = vec![0_u8; 64 * 1024];
    let mut object = Object::default();
    loop {
        let count = match input.read(&mut chunk) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(format!("the payload can't be read: {error}")),
        };
        let is_whole = object.takes(&chunk[..count]);
        bytes.extend_from_slice(&chunk[..count]);
        if bytes.len() > BYTES_MAX {
            return Err(format!("the payload has more than {BYTES_MAX} bytes"));
        }
        if is_whole && let Ok(value) = serde_json::from_slice(&bytes) {
            return Ok(value);
        }
    }
    if bytes.trim_ascii().is_empty() {
        return Err("there is no payload".to_owned());
    }
    // A byte-order mark is what some shells put first.
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    match serde_json::from_slice(text) {
        Ok(value) => Ok(value),
        // A broken character somewhere is no reason to ignore the whole payload.
        Err(error) => repaired_json(text)
            .and_then(|repaired| serde_json::from_slice(&repaired).ok())
            .ok_or_else(|| format!("the payload is no JSON: {error}")),
    }
}

/// Finds the end of an object byte by byte, so that no byte is looked at twice.
#[derive(Default)]
struct Object {
    depth: usize,
    is_text: bool,
    is_escaped: bool,
}

impl Object {
    /// Whether its last brace is in this piece.
    fn takes(&mut self, piece: &[u8]) -> bool {
        let mut is_whole = false;
        for byte in piece {
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' if self.is_text => self.is_escaped = true,
                b'"' => self.is_text = !self.is_text,
                _ if self.is_text => {}
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    is_whole |= self.depth == 0;
                }
                _ => {}
            }
        }
        is_whole
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::read_value;

    #[test]
    fn half_a_character_is_no_reason_to_be_deaf() {
        let table: &[(&[u8], _)] = &[
            (br#"{"a":"\ud83d"}"#, json!({"a": "\u{fffd}"})),
            (br#"{"a":"\ud83d\ude00"}"#, json!({"a": "\u{1f600}"})),
            (br#"{"a":"\\ud83d"}"#, json!({"a": "\\ud83d"})),
            (br#"{"a":"\udc00x\n"}"#, json!({"a": "\u{fffd}x\n"})),
            (b"{\"a\":\"\xff\"}", json!({"a": "\u{fffd}"})),
        ];
        for (bytes, want) in table {
            assert_eq!(read_value(&mut &bytes[..]).as_ref(), Ok(want));
        }
        assert!(read_value(&mut &br#"{"a":"\"#[..]).is_err());
    }
}
