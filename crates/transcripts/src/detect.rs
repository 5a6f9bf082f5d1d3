//! Which agent wrote a transcript, from its first lines.

use super::Format;
use super::slim::{self, Slim};

/// The first lines are about the session more often than not, so some more are looked at.
const LINES_MAX: usize = 50;

pub fn detect(head: &[u8]) -> Option<Format> {
    let lines = head.split(|byte| *byte == b'\n').take(LINES_MAX);
    let mut is_flat = false;
    for line in lines {
        let Some(record) = slim::parse(line.trim_ascii()) else { continue };
        match of_record(&record) {
            Some(Format::Plain) => is_flat = true,
            Some(format) => return Some(format),
            None => {}
        }
    }
    if is_flat {
        // Only when no line says more: Gemini's messages are as flat, below a line that is not.
        return Some(Format::Plain);
    }
    is_gemini_document(head).then_some(Format::Gemini)
}

fn of_record(record: &Slim) -> Option<Format> {
    let has = |key: &str| !record.get(key).is_nothing();
    let has_any = |keys: &[&str]| keys.iter().any(|key| has(key));
    let kind = record.get("type").words();
    if matches!(kind, "session_meta" | "response_item" | "event_msg" | "turn_context" | "compacted")
        && has("payload")
        || kind == "message" && has("role") && has("content")
        || kind.is_empty() && has("record_type")
        || kind.is_empty() && has("id") && has("timestamp") && has("instructions")
    {
        return Some(Format::Codex);
    }
    let is_head = || has_any(&["projectHash", "startTime", "messages"]);
    if has("$set") || kind == "gemini" || kind.is_empty() && has("sessionId") && is_head() {
        return Some(Format::Gemini);
    }
    if kind.contains('.') && has("data") {
        return Some(Format::Copilot);
    }
    if !kind.is_empty() && has_any(&["uuid", "leafUuid", "messageId", "sessionId"]) {
        return Some(Format::ClaudeCode);
    }
    let role = record.get("role").words();
    if !role.is_empty() && matches!(record.get("message"), Slim::Map(_)) {
        return Some(Format::Cursor);
    }
    let is_voice = |word: &str| matches!(word, "user" | "human" | "assistant" | "agent" | "model");
    let is_flat = has_any(&["content", "text", "message"]);
    (is_flat && (is_voice(role) || is_voice(kind))).then_some(Format::Plain)
}

/// A document is many lines, and its head is no JSON.
fn is_gemini_document(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    text.trim_start().starts_with('{')
        && text.contains("\"sessionId\"")
        && (text.contains("\"projectHash\"") || text.contains("\"messages\""))
}
