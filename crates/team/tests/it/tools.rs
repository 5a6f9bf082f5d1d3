//! The six tools over HTTP with a token, as clients of the stateless and of the older protocol ask.

use oldhand_testkit::postgres::Programs;
use serde_json::{Value, json};

use crate::Test;
use crate::bed::{Bed, Open};
use crate::client::{Answer, ask};

pub(crate) const TESTS: &[Test] = &[
    ("tools::a_client_with_a_token_remembers_and_recalls", journey),
    ("tools::a_session_is_of_whoever_began_it", sessions),
];

fn send(open: &Open, path: &str, token: &str, session: &str, message: &Value) -> Answer {
    let bearer = format!("Bearer {token}");
    let mut headers =
        vec![("authorization", bearer.as_str()), ("accept", "application/json, text/event-stream")];
    if !session.is_empty() {
        headers.push(("mcp-session-id", session));
        headers.push(("mcp-protocol-version", "2025-06-18"));
    }
    ask("POST", &format!("{}{path}", open.address), &headers, Some(message))
}

/// The name of a new session.
fn begin(open: &Open, path: &str, token: &str) -> String {
    let hello = json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": { "protocolVersion": "2025-06-18", "capabilities": {},
                    "clientInfo": { "name": "probe", "version": "1" } },
    });
    let answer = send(open, path, token, "", &hello).must_be(200);
    let session = answer.header("mcp-session-id").to_owned();
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    send(open, path, token, &session, &ready).must_be(202);
    session
}

fn call(
    open: &Open,
    (path, token, session): (&str, &str, &str),
    tool: &str,
    arguments: &Value,
) -> Value {
    let params = json!({ "name": tool, "arguments": arguments });
    let message = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params });
    let answer = send(open, path, token, session, &message).must_be(200).json();
    answer["result"].clone()
}

fn journey(programs: &Programs) {
    let bed = Bed::new(programs);
    let (pay, shop) = (bed.new_store("pay", "repository"), bed.new_store("shop", "repository"));
    let bot = bed.new_principal("agent", "bot", &[(pay, "writer"), (shop, "reader")]);
    let token = bed.token(bot, &["memory:read", "memory:write"]);
    let open = bed.open();
    let path = "/mcp/token/pay";
    let session = begin(&open, path, &token);
    let at = (path, token.as_str(), session.as_str());
    let said = json!({ "text": "We decided to keep money in integer cents, because floats lose them",
                       "kind": "decision" });
    let kept = call(&open, at, "remember", &said);
    assert_eq!(kept["structuredContent"]["action"], "created", "{kept}");
    let id = kept["structuredContent"]["id"].clone();
    let found = call(&open, at, "recall", &json!({ "query": "how do we keep money" }));
    assert_eq!(found["structuredContent"]["memories"][0]["id"], id, "{found}");
    let elsewhere = call(
        &open,
        at,
        "recall",
        &json!({ "query": "how do we keep money", "store": "shop", "reach": "elsewhere" }),
    );
    assert_eq!(elsewhere["structuredContent"]["elsewhere"][0]["store"], "pay", "{elsewhere}");
    let refused = call(&open, at, "remember", &json!({ "text": "x is y", "store": "shop" }));
    assert_eq!(
        (&refused["isError"], &refused["structuredContent"]["code"]),
        (&json!(true), &json!("ACCESS_ERROR"))
    );
    let refused = call(&open, at, "recall", &json!({ "query": "x", "store": "none" }));
    assert_eq!(refused["structuredContent"]["code"], "NOT_FOUND");
    for (tool, arguments) in [
        ("check", json!({ "proposal": "Keep money as floating point numbers" })),
        ("feedback", json!({ "id": id, "effect": "positive" })),
        ("resume", json!({})),
        ("review", json!({})),
    ] {
        let answer = call(&open, at, tool, &arguments);
        assert_ne!(answer["isError"], true, "{tool}: {answer}");
    }
    let history = ask(
        "GET",
        &format!("{}/v1/history/{}?store=pay", open.address, id.as_str().expect("an id")),
        &[("authorization", &format!("Bearer {token}"))],
        None,
    );
    assert_eq!(history.must_be(200).json()["events"][0]["by"], "mcp:probe for bot");
    let bare = ask("POST", &format!("{}/mcp/token", open.address), &[], Some(&json!({})));
    assert_eq!((bare.status, bare.header("www-authenticate")), (401, "Bearer"));
}

fn sessions(programs: &Programs) {
    let bed = Bed::new(programs);
    let pay = bed.new_store("pay", "repository");
    let (ada, eve) = (
        bed.new_principal("agent", "ada", &[(pay, "writer")]),
        bed.new_principal("agent", "eve", &[(pay, "writer")]),
    );
    let scopes = ["memory:read"];
    let (ada, eve) = (bed.token(ada, &scopes), bed.token(eve, &scopes));
    let open = bed.open();
    let session = begin(&open, "/mcp/token", &ada);
    let list = json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/list" });
    send(&open, "/mcp/token", &eve, &session, &list).must_be(404);
    let tools = send(&open, "/mcp/token", &ada, &session, &list).must_be(200).json();
    let recall = &tools["result"]["tools"][0];
    assert_eq!(recall["inputSchema"]["properties"]["reach"]["enum"], json!(["here", "elsewhere"]));
}
