//! Clients of every revision of the protocol.

use serde_json::{Value, json};

use super::client::Client;
use crate::scratch::Scratch;

const STATELESS: &str = "2026-07-28";

fn meta(version: &str) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "modern", "version": "2"},
    })
}

#[test]
fn every_revision_with_a_handshake_is_spoken() {
    let scratch = Scratch::new();
    scratch.ok(&["remember", "--kind", "decision", "Use cents for money"]);
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut client = Client::start(&scratch);
        let hello = client.shake_hands(version, "old");
        assert_eq!(hello["result"]["protocolVersion"], version);
        assert_eq!(hello["result"]["serverInfo"]["name"], "oldhand");
        assert!(hello["result"]["instructions"].as_str().unwrap().contains("recall"));
        let has_output = version >= "2025-06-18";
        let list = client.ask("tools/list", json!({}));
        let first = &list["result"]["tools"][0];
        assert_eq!(first["outputSchema"].is_object(), has_output, "{version}");
        assert!(list["result"]["resultType"].is_null(), "{version}");
        let found = client.call("recall", json!({"query": "money"}));
        assert_eq!(found["structuredContent"].is_object(), has_output, "{version}");
        assert!(found["content"][0]["text"].as_str().unwrap().contains("cents"), "{version}");
        assert_eq!(client.ask("ping", json!({}))["result"], json!({}));
        assert_eq!(client.end().0, Some(0), "{version}");
    }
    let mut client = Client::start(&scratch);
    let hello = client.shake_hands("1999-01-01", "older");
    assert_eq!(hello["result"]["protocolVersion"], "2025-11-25", "one that we can speak");
}

#[test]
fn the_stateless_revision_needs_no_handshake() {
    let scratch = Scratch::new();
    scratch.ok(&["remember", "--kind", "decision", "Use cents for money"]);
    let mut client = Client::start(&scratch);
    let found = client.ask("server/discover", json!({"_meta": meta(STATELESS)}));
    let result = &found["result"];
    assert_eq!(result["resultType"], "complete", "{found}");
    let versions: Vec<&str> = result["supportedVersions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it.as_str().unwrap())
        .collect();
    assert!(versions.contains(&STATELESS) && versions.contains(&"2024-11-05"), "{versions:?}");
    let list = client.ask("tools/list", json!({"_meta": meta(STATELESS)}));
    assert_eq!(list["result"]["resultType"], "complete");
    assert!(list["result"]["ttlMs"].as_u64().unwrap() > 0);
    let call = json!({"name": "recall", "arguments": {"query": "money"}, "_meta": meta(STATELESS)});
    let found = client.ask("tools/call", call);
    assert_eq!(found["result"]["structuredContent"]["memories"][0]["id"], "use-cents-for-money");
    let unknown = json!({"uri": "oldhand://memory/nobody", "_meta": meta(STATELESS)});
    assert_eq!(client.ask("resources/read", unknown)["error"]["code"], -32602);
    let future = client.ask("tools/list", json!({"_meta": meta("2099-01-01")}));
    assert_eq!(future["error"]["code"], -32022, "{future}");
    assert!(future["error"]["data"]["supported"].as_array().unwrap().len() > 3, "{future}");
    let ping = client.ask("ping", json!({"_meta": meta(STATELESS)}));
    assert_eq!(ping["error"]["code"], -32601, "{ping}");
}

#[test]
fn a_client_may_look_first_and_shake_hands_then() {
    let scratch = Scratch::new();
    let mut client = Client::start(&scratch);
    let found = client.ask("server/discover", json!({"_meta": meta(STATELESS)}));
    assert!(found["result"].is_object(), "{found}");
    let hello = client.shake_hands("2025-06-18", "both");
    assert_eq!(hello["result"]["protocolVersion"], "2025-06-18", "{hello}");
    assert!(client.call("resume", json!({}))["content"].is_array());
}
