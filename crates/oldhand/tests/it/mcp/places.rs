//! Where the server looks: the project, the user's own store, or nowhere, which it says.

use serde_json::json;

use super::client::{Client, text};
use crate::scratch::Scratch;

#[test]
fn without_a_project_the_own_store_answers_and_takes_what_is_global() {
    let scratch = Scratch::new();
    let elsewhere = tempfile::tempdir().unwrap();
    let start = |scratch: &Scratch| {
        let mut command = scratch.program(&["mcp"]);
        command.current_dir(elsewhere.path());
        let mut client = Client::of(command);
        client.shake_hands("2025-11-25", "zed");
        client
    };
    let mut client = start(&scratch);
    let nowhere = client.refused("recall", json!({"query": "anything"}));
    assert!(nowhere["hint"].as_str().unwrap().contains("oldhand init"), "{nowhere}");
    let refused = client.refused("remember", json!({"text": "We decided to use cents"}));
    assert!(refused["hint"].as_str().unwrap().contains("oldhand init"), "{refused}");
    let kept = client.call(
        "remember",
        json!({"text": "I prefer short answers", "kind": "preference", "scope": "global"}),
    );
    assert_eq!(kept["structuredContent"]["action"], "created");
    // An agent's word reaches every project when a person has lifted it, and not before.
    assert_eq!(kept["structuredContent"]["state"], "candidate");
    let found = client.call("recall", json!({"query": "short answers"}));
    assert!(text(&found).contains("nothing in memory fits"), "{found}");
    scratch.ok(&["promote", "--global", "i-prefer-short-answers", "--reason", "so do I"]);
    let found = client.call("recall", json!({"query": "short answers"}));
    assert!(text(&found).contains("short answers"), "{found}");
    // There is an own store now, and still no project.
    let refused = client.refused("remember", json!({"text": "We decided to use cents"}));
    assert!(refused["hint"].as_str().unwrap().contains("global"), "{refused}");
    // The project's server finds it too.
    let found = Client::new(&scratch).call("recall", json!({"query": "short answers"}));
    assert!(text(&found).contains("short answers"), "{found}");
}

#[test]
fn the_project_that_a_host_names_is_used() {
    let scratch = Scratch::new();
    scratch.ok(&["remember", "--kind", "decision", "Use cents for money"]);
    let elsewhere = tempfile::tempdir().unwrap();
    let mut command = scratch.program(&["mcp"]);
    command.current_dir(elsewhere.path()).env("CLAUDE_PROJECT_DIR", scratch.repository());
    let mut client = Client::of(command);
    client.shake_hands("2025-11-25", "claude-code");
    assert!(text(&client.call("recall", json!({"query": "money"}))).contains("cents"));
    let mut command = scratch.program(&["mcp", "-C"]);
    command.arg(scratch.repository()).current_dir(elsewhere.path());
    let mut client = Client::of(command);
    client.shake_hands("2025-11-25", "claude-code");
    assert!(text(&client.call("recall", json!({"query": "money"}))).contains("cents"));
}

/// Some hosts start servers in their own folder, and tell the project when they are asked.
#[test]
fn the_folders_of_a_client_are_asked_for_where_there_is_no_store() {
    let scratch = Scratch::new();
    scratch.ok(&["remember", "--kind", "decision", "Use cents for money"]);
    let elsewhere = tempfile::tempdir().unwrap();
    let mut command = scratch.program(&["mcp"]);
    command.current_dir(elsewhere.path());
    let mut client = Client::of(command);
    client.ask(
        "initialize",
        json!({"protocolVersion": "2025-06-18", "capabilities": {"roots": {"listChanged": false}},
               "clientInfo": {"name": "cursor", "version": "1"}}),
    );
    client.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let call = json!({"name": "recall", "arguments": {"query": "money"}});
    let id = client.begin("tools/call", call.clone());
    let asked = client.hear();
    assert_eq!(asked["method"], "roots/list", "{asked}");
    let folder = scratch.repository().display().to_string().replace("repo", "%72epo");
    let roots = json!([{"uri": "file:///no/such/folder"}, {"uri": "https://example.com"},
                       {"uri": format!("file://{folder}"), "name": "the project"}]);
    client.say(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"roots": roots}}));
    let found = client.answer_to(id);
    assert!(text(&found["result"]).contains("cents"), "{found}");
    // Once is enough.
    let again = client.ask("tools/call", call);
    assert!(again["result"].is_object() && client.notes.is_empty(), "{:?}", client.notes);
}

#[test]
fn a_store_made_while_the_server_runs_is_found() {
    let scratch = Scratch::new();
    let store = scratch.store();
    let aside = scratch.repository().join("aside");
    std::fs::rename(&store, &aside).unwrap();
    let mut client = Client::new(&scratch);
    client.refused("resume", json!({}));
    std::fs::rename(&aside, &store).unwrap();
    client.call("resume", json!({}));
}

#[test]
fn nobody_speaks_and_the_server_ends() {
    let scratch = Scratch::new();
    assert_eq!(Client::start(&scratch).end(), (Some(0), String::new()));
}
