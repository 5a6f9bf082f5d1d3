//! Reading the payload: hosts don't always close the pipe, so reading ends where the object ends.

use std::io::Read;

use oldhand_hosts::dialect::Dialect;
use oldhand_hosts::payload::{self, Payload};
use serde_json::Value;

/// A tool's output rides along; what is longer than this is no payload.
const BYTES_MAX: usize = 64 * 1024 * 1024;

pub(super) fn read(
    dialect: Dialect,
    event: Option<&str>,
    input: &mut dyn Read,
) -> Result<Payload, String> {
    let value = read_value(input)?;
    payload::read(dialect, value, event).map_err(|why| why.to_string())
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
        // Half a character somewhere is no reason to be deaf.
        Err(error) => serde_json::from_str(&mended(&String::from_utf8_lossy(text)))
            .map_err(|_| format!("the payload is no JSON: {error}")),
    }
}

/// Where an object ends, seen byte by byte: nothing is looked at twice, however it is cut.
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

/// Escapes of half a character, as a text that was cut in the middle of one has them.
fn mended(text: &str) -> String {
    const ESCAPE: usize = 6;
    let unit = |at: usize| -> Option<u16> {
        let digits = text.get(at..at + ESCAPE)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(found) = text[at..].find('\\').map(|found| at + found) {
        out.push_str(&text[at..found]);
        let (first, second) = (unit(found), unit(found + ESCAPE));
        let is_high = |unit: u16| (0xd800..0xdc00).contains(&unit);
        let is_low = |unit: u16| (0xdc00..0xe000).contains(&unit);
        let length = match (first, second) {
            (Some(one), Some(other)) if is_high(one) && is_low(other) => 2 * ESCAPE,
            (Some(one), _) if is_high(one) || is_low(one) => {
                out.push_str("\\ufffd");
                at = found + ESCAPE;
                continue;
            }
            (Some(_), _) => ESCAPE,
            // Another escape: the sign and what it stands for.
            (None, _) => 1 + text[found + 1..].chars().next().map_or(0, char::len_utf8),
        };
        out.push_str(&text[found..found + length]);
        at = found + length;
    }
    out.push_str(&text[at..]);
    out
}

#[cfg(test)]
mod tests {
    use super::mended;

    #[test]
    fn half_a_character_is_no_reason_to_be_deaf() {
        let table = [
            (r#"{"a":"\ud83d"}"#, r#"{"a":"\ufffd"}"#),
            (r#"{"a":"\ud83d\ude00"}"#, r#"{"a":"\ud83d\ude00"}"#),
            (r#"{"a":"\\ud83d"}"#, r#"{"a":"\\ud83d"}"#),
            (r#"{"a":"\udc00x\n"}"#, r#"{"a":"\ufffdx\n"}"#),
            (r#"{"a":"\"#, r#"{"a":"\"#),
            ("{\"a\":\"\\u00e9ü\"}", "{\"a\":\"\\u00e9ü\"}"),
        ];
        for (text, want) in table {
            assert_eq!(mended(text), want);
        }
    }
}
