//! Clients of before 2026-07-28: they begin a session, and are known by it.

use serde_json::{Value, json};

use crate::client::{Ask, begin_session, in_session, initialize, request};
use crate::fake::{News, Running, start};

fn echo(server: &Running, session: &str) -> Value {
    let call = request("tools/call", json!({ "name": "echo", "arguments": { "a": 1 } }));
    let told = in_session(session, &call).send(server.address).is(200);
    told.message()["result"]["structuredContent"].clone()
}

#[test]
fn a_session_from_beginning_to_end() {
    let server = start();
    let told = Ask::message(&initialize("old")).send(server.address).is(200);
    let result = told.message()["result"].clone();
    assert_eq!(result["protocolVersion"], "2025-06-18");
    assert_eq!(result["serverInfo"]["name"], "fake");
    assert_eq!(told.messages().len(), 1, "no empty events: {}", told.text());

    let session = begin_session(server.address, "old");
    let told = in_session(&session, &request("tools/list", json!({}))).send(server.address).is(200);
    assert_eq!(told.message()["result"]["tools"][0]["name"], "echo");
    let said = echo(&server, &session);
    assert_eq!(said["client"], "old");
    assert_eq!(said["said"], json!({ "a": 1 }));

    let delete = Ask::new("DELETE").with("Mcp-Session-Id", &session);
    delete.send(server.address).is(204);
    in_session(&session, &request("tools/list", json!({}))).send(server.address).is(404);
}

#[test]
fn each_session_is_a_connection_of_its_own() {
    let server = start();
    let first = begin_session(server.address, "one");
    let second = begin_session(server.address, "two");
    assert_ne!(first, second);
    let (one, two) = (echo(&server, &first), echo(&server, &second));
    assert_eq!((&one["client"], &two["client"]), (&json!("one"), &json!("two")));
    assert_ne!(one["connection"], two["connection"]);
    assert_eq!(one["connection"], echo(&server, &first)["connection"]);
}

#[test]
fn without_a_session_there_is_no_call() {
    let server = start();
    let list = request("tools/list", json!({}));
    Ask::message(&list).send(server.address).is(400);
    in_session("unknown", &list).send(server.address).is(404);
    Ask::new("GET").send(server.address).is(400);
    Ask::new("GET").with("Mcp-Session-Id", "unknown").send(server.address).is(404);
    Ask::new("GET").with("Accept", "application/json").send(server.address).is(406);
    Ask::new("DELETE").send(server.address).is(400);
}

#[test]
fn progress_comes_before_the_answer() {
    let server = start();
    let session = begin_session(server.address, "old");
    let params = json!({
        "name": "slow", "arguments": { "steps": 3 }, "_meta": { "progressToken": "mine" },
    });
    let call = request("tools/call", params);
    let messages = in_session(&session, &call).send(server.address).is(200).messages();
    assert_eq!(messages.len(), 4, "{messages:?}");
    assert_eq!(messages[0]["method"], "notifications/progress");
    assert_eq!(messages[0]["params"]["progressToken"], "mine");
    assert_eq!(messages[3]["result"]["structuredContent"]["steps"], 3);
}

#[test]
fn a_call_ends_when_it_is_cancelled_not_when_its_stream_breaks() {
    let server = start();
    let session = begin_session(server.address, "old");
    let call = request("tools/call", json!({ "name": "slow", "arguments": { "steps": 100_000 } }));
    let open = in_session(&session, &call).open(server.address);
    server.hears(News::Began);
    drop(open);
    let cancel = json!({
        "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 7 },
    });
    in_session(&session, &cancel).send(server.address).is(202);
    server.hears(News::Cancelled);
}

#[test]
fn a_stream_for_news_opens() {
    let server = start();
    let session = begin_session(server.address, "old");
    let mut open = Ask::new("GET").with("Mcp-Session-Id", &session).open(server.address);
    assert_eq!(open.line(), "HTTP/1.1 200 OK");
    assert_eq!(open.line_with("content-type"), "content-type: text/event-stream");
}
