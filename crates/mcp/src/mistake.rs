//! Parses one message, or explains why it can't be parsed.

use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, ErrorData, JsonRpcMessage, RequestId, ServerJsonRpcMessage,
};
use serde_json::Value;

use crate::MESSAGE_BYTES_MAX;

/// Enough of an end to find an id in.
pub(crate) const ENDS_BYTES: usize = 256;
/// Memories are texts: no valid message has this many values.
const VALUES_MAX: usize = 20_000;

pub(crate) enum Read {
    Message(Box<ClientJsonRpcMessage>),
    /// Needs no answer: an empty line, or an unknown notification.
    Nothing,
    /// Not parsed because it is too large.
    TooMuch(Box<ServerJsonRpcMessage>),
    Wrong(Box<ServerJsonRpcMessage>),
}

/// The known methods and their params.
pub(crate) const METHODS: &[(&str, &str)] = &[
    ("initialize", "`protocolVersion`, `capabilities`, and `clientInfo` with `name` and `version`"),
    ("server/discover", "`_meta`"),
    ("tools/list", "`cursor`, a string, or nothing"),
    ("tools/call", "`name`, a string, and `arguments`, an object"),
    ("resources/list", "`cursor`, a string, or nothing"),
    ("resources/read", "`uri`, a string"),
    ("resources/templates/list", "`cursor`, a string, or nothing"),
    ("prompts/list", "`cursor`, a string, or nothing"),
    ("prompts/get", "`name`, a string, and `arguments`, an object of strings"),
    ("completion/complete", "`ref`, and `argument` with `name` and `value`"),
    ("ping", "nothing"),
];

/// The SDK parses a known method with wrong params as a custom method.
fn misread(message: &ClientJsonRpcMessage) -> Option<Read> {
    let ClientJsonRpcMessage::Request(request) = message else { return None };
    let ClientRequest::CustomRequest(custom) = &request.request else { return None };
    Some(wrong(wrong_params(&custom.method)?, Some(request.id.clone())))
}

fn wrong_params(method: &str) -> Option<ErrorData> {
    let (method, takes) = METHODS.iter().find(|(known, _)| *known == method)?;
    let text = format!("`{method}` takes {takes}; its params are something else");
    Some(ErrorData::invalid_params(text, None))
}

pub(crate) fn read_message(bytes: &[u8]) -> Read {
    let bytes = bytes.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(bytes).trim_ascii();
    if bytes.is_empty() {
        return Read::Nothing;
    }
    if count_values(bytes) > VALUES_MAX {
        let text = format!("a message may have {VALUES_MAX} values; this one was not read");
        let head = &bytes[..bytes.len().min(ENDS_BYTES)];
        let tail = &bytes[bytes.len().saturating_sub(ENDS_BYTES)..];
        return Read::TooMuch(Box::new(not_read(text, head, tail)));
    }
    let why = match serde_json::from_slice::<ClientJsonRpcMessage>(bytes) {
        Ok(message) => return misread(&message).unwrap_or(Read::Message(Box::new(message))),
        Err(why) => why,
    };
    match serde_json::from_slice::<Value>(bytes) {
        Ok(value) => diagnose(&value, &why.to_string()),
        Err(error) => {
            let text = format!("this is no JSON: {error}; send one JSON-RPC 2.0 message a line");
            wrong(ErrorData::parse_error(text, None), None)
        }
    }
}

/// Explains why valid JSON is not a message.
fn diagnose(value: &Value, why: &str) -> Read {
    let Value::Object(object) = value else {
        let what = if value.is_array() { "a batch" } else { "no object" };
        let text =
            format!("expected one JSON-RPC 2.0 object, got {what}; send messages one by one");
        return wrong(ErrorData::invalid_request(text, None), None);
    };
    let id = object.get("id").and_then(|id| serde_json::from_value::<RequestId>(id.clone()).ok());
    let invalid = |text, id| wrong(ErrorData::invalid_request(text, None), id);
    let Some(method) = object.get("method").and_then(Value::as_str) else {
        return invalid("expected `method`, a string; got none", id);
    };
    if object.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return invalid("expected `jsonrpc` of \"2.0\"", id);
    }
    match (object.contains_key("id"), id) {
        // A notification gets no answer.
        (false, _) => Read::Nothing,
        (true, None) => invalid("expected `id`, a string or a whole number", None),
        (true, id) => {
            let text = || format!("the params of `{method}` are not what it takes: {why}");
            let error = wrong_params(method);
            wrong(error.unwrap_or_else(|| ErrorData::invalid_params(text(), None)), id)
        }
    }
}

/// An estimate, before anything is parsed: a small value takes a hundred times its bytes in memory,
/// and one message could use up all of it.
fn count_values(bytes: &[u8]) -> usize {
    let (mut count, mut is_text, mut is_escaped) = (0, false, false);
    for byte in bytes {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_text => is_escaped = true,
            b'"' => is_text = !is_text,
            b',' | b'[' | b'{' if !is_text => count += 1,
            _ => {}
        }
    }
    count
}

pub(crate) fn too_long(head: &[u8], tail: &[u8]) -> ServerJsonRpcMessage {
    let text = format!("a message may have {MESSAGE_BYTES_MAX} bytes; this one was not read");
    not_read(text, head, tail)
}

/// `head` and `tail` are the ends of the message: the id is there, if anywhere.
fn not_read(text: String, head: &[u8], tail: &[u8]) -> ServerJsonRpcMessage {
    let id = id_before_params(head).or_else(|| id_at_end(tail));
    JsonRpcMessage::error(ErrorData::invalid_request(text, None), id)
}

/// Clients write the id either before the params or as the last field. Anything else is a guess.
fn id_before_params(head: &[u8]) -> Option<RequestId> {
    let head = String::from_utf8_lossy(head);
    let (_, value) = head.split("\"params\"").next()?.split_once("\"id\"")?;
    id_in(value.split([',', '}']).next()?)
}

fn id_at_end(tail: &[u8]) -> Option<RequestId> {
    let tail = String::from_utf8_lossy(tail);
    // Only its value follows.
    let (_, value) = tail.trim_end().strip_suffix('}')?.rsplit_once("\"id\"")?;
    id_in(value)
}

/// Parses what follows `"id"`.
fn id_in(text: &str) -> Option<RequestId> {
    serde_json::from_str(text.trim_start().strip_prefix(':')?.trim()).ok()
}

/// Adds `"id": null` to an error that belongs to no request, which the SDK leaves out.
pub(crate) fn to_bytes(message: &ServerJsonRpcMessage) -> serde_json::Result<Vec<u8>> {
    match message {
        JsonRpcMessage::Error(error) if error.id.is_none() => {
            let mut value = serde_json::to_value(message)?;
            if let Some(object) = value.as_object_mut() {
                object.insert("id".to_owned(), Value::Null);
            }
            serde_json::to_vec(&value)
        }
        _ => serde_json::to_vec(message),
    }
}

fn wrong(error: ErrorData, id: Option<RequestId>) -> Read {
    Read::Wrong(Box::new(JsonRpcMessage::error(error, id)))
}
