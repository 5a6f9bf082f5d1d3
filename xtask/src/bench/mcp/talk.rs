//! What clients say to a server, and whether it was answered well.

use serde_json::{Value, json};

use crate::failure::Failure;

/// A version with a handshake and a session.
pub(super) const WITH_SESSION: &str = "2025-06-18";
/// A version where each request says all by itself.
pub(super) const STATELESS: &str = "2026-07-28";

pub(super) fn initialize() -> Value {
    request(
        "initialize",
        json!({"protocolVersion": WITH_SESSION, "capabilities": {}, "clientInfo": client()}),
    )
}

pub(super) fn initialized() -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/initialized"})
}

pub(super) fn list_tools() -> Value {
    request("tools/list", json!({}))
}

pub(super) fn recall(query: &str) -> Value {
    request("tools/call", json!({"name": "recall", "arguments": {"query": query}}))
}

pub(super) fn remember(number: usize) -> Value {
    let text = format!(
        "Bench fact {number}: the part of that number is polished by hand, {} times a day.",
        number * 7 + 3
    );
    request(
        "tools/call",
        json!({"name": "remember", "arguments": {"kind": "reference", "text": text}}),
    )
}

/// One request at a time: each may have the same id.
fn request(method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
}

fn client() -> Value {
    json!({"name": "bench", "version": "1"})
}

/// The same request with all that the stateless version wants in it.
pub(super) fn stateless(mut message: Value) -> Value {
    message["params"]["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": STATELESS,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": client(),
    });
    message
}

/// A question unlike the last ones: short, a sentence, or with much around it.
pub(super) fn question(number: usize) -> String {
    const THINGS: [&str; 12] = [
        "invoice", "payment", "cache", "parser", "session", "queue", "schema", "webhook", "report",
        "tenant", "cursor", "gateway",
    ];
    const TOOLS: [&str; 5] = ["Postgres", "Kafka", "SQLite", "Terraform", "Nginx"];
    let (a, b) = (THINGS[number % 12], THINGS[(number / 12 + 5) % 12]);
    let tool = TOOLS[number / 3 % 5];
    match number % 3 {
        0 => format!("{a} {b} {tool} {number}"),
        1 => format!("how do we validate the {a} before the {b} is written with {tool}?"),
        _ => format!(
            "the {a} of tenant {number} is slow since the last release, so look at how {tool} \
             handles the {b} and whether a batch would help the worker"
        ),
    }
}

/// The result, or what the server said instead.
pub(super) fn result(message: &Value) -> Result<&Value, Failure> {
    let result = &message["result"];
    if result.is_null() {
        return Err(Failure::new(format!("the server refused: {}", message["error"])));
    }
    if result["isError"] == true {
        return Err(Failure::new(format!("the call failed: {}", result["content"])));
    }
    Ok(result)
}
