//! Messages that are none, and what is said about them.

use serde_json::{Value, json};

use crate::client::{Ask, Told, modern};
use crate::fake::start;

fn send(body: &[u8]) -> Told {
    Ask::post(body).send(start().address)
}

#[track_caller]
fn check(body: &str, code: i64, id: Value) {
    let told = send(body.as_bytes()).is(400).has_code(code);
    assert_eq!(told.header("content-type"), Some("application/json"));
    assert_eq!(told.message()["id"], id);
}

#[test]
fn no_json() {
    check("{", -32700, json!(null));
    check("hello", -32700, json!(null));
    check("{} {}", -32700, json!(null));
    send(b"\xff\xfe").is(400).has_code(-32700);
}

#[test]
fn deep_json() {
    let params = "[".repeat(1_000) + &"]".repeat(1_000);
    let call = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{params}}}"#);
    check(&call, -32700, json!(null));
}

#[test]
fn no_message() {
    check("[]", -32600, json!(null));
    check(r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600, json!(null));
    check("1", -32600, json!(null));
    check("{}", -32600, json!(null));
    check("   ", -32600, json!(null));
    check(r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600, json!(1));
    check(r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600, json!(null));
    send(b"").is(400).has_code(-32600);
}

#[test]
fn wrong_params_are_named_with_the_id() {
    for (params, id) in [("[]", json!("a")), (r#"{"name":1}"#, json!(3))] {
        let call =
            format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}"#);
        // An answer like any other: clients don't read what comes with 400.
        let told = send(call.as_bytes()).is(200).has_code(-32602);
        assert_eq!(told.message()["id"], id);
        assert!(told.text().contains("`arguments`, an object"), "{}", told.text());
    }
}

#[test]
fn headers_that_do_not_fit() {
    let server = start();
    let discover = || modern("server/discover", json!({}));
    let told = discover().with("Content-Type", "text/plain").send(server.address).is(415);
    assert!(told.text().contains("Content-Type: application/json"));
    discover().without("Content-Type").send(server.address).is(415);
    let told = discover().with("Accept", "application/json").send(server.address).is(406);
    assert!(told.text().contains("text/event-stream"));
    discover().without("Accept").send(server.address).is(406);
    let charset = "application/json; charset=utf-8";
    discover().with("Content-Type", charset).send(server.address).is(200);
}

#[test]
fn a_byte_order_mark_is_forgiven() {
    let server = start();
    let message = crate::client::initialize("marked");
    Ask::post(format!("\u{FEFF}{message}")).send(server.address).is(200);
}
