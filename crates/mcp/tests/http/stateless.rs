//! Clients of 2026-07-28: each request stands for itself.

use serde_json::json;

use crate::client::{MODERN, modern, modern_of};
use crate::fake::{News, start};

#[test]
fn discover_list_and_call() {
    let server = start();
    let told = modern("server/discover", json!({})).send(server.address).is(200);
    let result = told.message()["result"].clone();
    assert!(result["supportedVersions"].as_array().unwrap().contains(&json!(MODERN)));
    assert_eq!(result["instructions"], "echo first");
    assert_eq!(told.header("mcp-session-id"), None);
    assert_eq!(told.header("content-type"), Some("application/json"));

    let told = modern("tools/list", json!({})).send(server.address).is(200);
    assert_eq!(told.message()["result"]["tools"][1]["name"], "slow");

    let call = json!({ "name": "echo", "arguments": {} });
    let said = modern("tools/call", call).send(server.address).is(200).message();
    let said = &said["result"]["structuredContent"];
    assert_eq!((&said["client"], &said["connection"]), (&json!("modern"), &json!(null)));
}

#[test]
fn headers_must_say_what_the_body_says() {
    let server = start();
    let call = || modern("tools/call", json!({ "name": "echo", "arguments": {} }));
    let wrong = [
        call().with("Mcp-Method", "tools/list"),
        call().with("Mcp-Name", "slow"),
        call().without("Mcp-Method"),
        call().without("Mcp-Name"),
        call().with("MCP-Protocol-Version", "2025-11-25"),
    ];
    for ask in wrong {
        ask.send(server.address).is(400).has_code(-32020);
    }
}

#[test]
fn what_is_unknown_has_its_own_error() {
    let server = start();
    let told = modern_of("2099-01-01", "tools/list", json!({})).send(server.address).is(400);
    let told = told.has_code(-32022);
    assert!(told.message()["error"]["data"]["supported"].is_array());
    modern("no/such", json!({})).send(server.address).is(404).has_code(-32601);
    modern("subscriptions/listen", json!({ "notifications": {} }))
        .send(server.address)
        .is(404)
        .has_code(-32601);
    let call = json!({ "name": "nothing", "arguments": {} });
    modern("tools/call", call).send(server.address).is(200).has_code(-32602);
}

#[test]
fn progress_comes_as_events() {
    let server = start();
    let call = json!({ "name": "slow", "arguments": { "steps": 2 }, "progressToken": 5 });
    let told = modern("tools/call", call).send(server.address).is(200);
    assert_eq!(told.header("content-type"), Some("text/event-stream"));
    let messages = told.messages();
    assert_eq!(messages.len(), 3, "{messages:?}");
    assert_eq!(messages[1]["params"]["progress"], 2.0);
    assert_eq!(messages[2]["result"]["structuredContent"]["steps"], 2);
}

#[test]
fn closing_before_the_first_byte_cancels() {
    let server = start();
    let call = json!({ "name": "slow", "arguments": { "steps": 100_000 } });
    let open = modern("tools/call", call).open(server.address);
    server.hears(News::Began);
    drop(open);
    server.hears(News::Cancelled);
}

#[test]
fn closing_the_stream_cancels() {
    let server = start();
    let call = json!({ "name": "slow", "arguments": { "steps": 100_000 }, "progressToken": 5 });
    let mut open = modern("tools/call", call).open(server.address);
    open.line_with("data:");
    server.hears(News::Began);
    drop(open);
    server.hears(News::Cancelled);
}
