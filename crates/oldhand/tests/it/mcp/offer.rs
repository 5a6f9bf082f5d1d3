//! What is offered: tools, resources, prompts; in a stable order, by page, within a price.

use oldhand_text::tokens;
use serde_json::{Value, json};

use super::client::{Client, text};
use crate::scratch::Scratch;

const TOOLS: [&str; 6] = ["recall", "remember", "check", "feedback", "resume", "review"];
/// What every request of every session pays.
const LIST_TOKENS_MAX: usize = 1_200;

#[test]
fn six_tools_for_less_than_the_price_of_a_page() {
    let scratch = Scratch::new();
    let mut client = Client::new(&scratch);
    let list = client.ask("tools/list", json!({}))["result"].clone();
    let names: Vec<&str> =
        list["tools"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(names, TOOLS);
    let cost = tokens::count(&list.to_string());
    println!("tools/list: {} bytes, {cost} tokens", list.to_string().len());
    assert!(cost <= LIST_TOKENS_MAX, "tools/list costs {cost} tokens");
    for tool in list["tools"].as_array().unwrap() {
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        assert_eq!(tool["outputSchema"]["type"], "object", "{tool}");
        assert_eq!(tool["annotations"]["openWorldHint"], false, "{tool}");
        let reads = tool["annotations"]["readOnlyHint"] == true;
        let is_reader = ["recall", "check", "resume"].contains(&tool["name"].as_str().unwrap());
        assert_eq!(reads, is_reader, "{tool}");
        assert!(reads || tool["annotations"]["destructiveHint"] == false, "{tool}");
    }
    let same = Client::new(&scratch).ask("tools/list", json!({}))["result"].clone();
    assert_eq!(same.to_string(), list.to_string(), "the same bytes in every process");
}

/// Every field of a schema is taken, and no other: a schema that promises more would lie.
#[test]
fn schemas_say_what_is_taken() {
    let scratch = Scratch::new();
    let mut client = Client::new(&scratch);
    let list = client.ask("tools/list", json!({}));
    for tool in list["result"]["tools"].as_array().unwrap() {
        let name = tool["name"].as_str().unwrap();
        for (field, schema) in tool["inputSchema"]["properties"].as_object().unwrap() {
            let value = match schema["type"].as_str().unwrap() {
                "array" => json!([]),
                "object" => json!({}),
                "boolean" => json!(false),
                "integer" => json!(null),
                _ => json!(""),
            };
            let mut arguments = serde_json::Map::new();
            arguments.insert(field.clone(), value);
            let result = client.try_call(name, Value::Object(arguments));
            let problem = &result["structuredContent"]["problems"][0]["found"];
            assert_ne!(problem, "another field", "{name}.{field}: {result}");
        }
        let odd = client.refused(name, json!({"something_else": 1}));
        assert_eq!(odd["problems"][0]["found"], "another field", "{name}");
    }
}

#[test]
fn lists_go_on_where_they_stopped_whatever_was_written_meanwhile() {
    let scratch = Scratch::new();
    for number in 0..130 {
        let title = format!("Fact {number:03} about the build");
        scratch.ok(&["add", "reference", "--title", &title, "--text", &format!("It is {number}")]);
    }
    let mut client = Client::new(&scratch);
    let (mut seen, mut cursor, mut pages) = (Vec::new(), Value::Null, 0);
    loop {
        let params = if cursor.is_null() { json!({}) } else { json!({"cursor": cursor}) };
        let page = client.ask("resources/list", params)["result"].clone();
        let uris = page["resources"].as_array().unwrap().iter();
        seen.extend(uris.map(|it| it["uri"].as_str().unwrap().to_owned()));
        pages += 1;
        cursor = page["nextCursor"].clone();
        if cursor.is_null() {
            break;
        }
        if pages == 1 {
            // The very one that the cursor names goes away, and one comes before and one after it.
            let last = seen.last().unwrap().strip_prefix("oldhand://memory/").unwrap().to_owned();
            scratch.ok(&["retire", &last, "--reason", "wrong"]);
            scratch.ok(&["add", "reference", "--title", "A fact before all", "--text", "x"]);
            scratch.ok(&["add", "reference", "--title", "Zebra fact after all", "--text", "y"]);
        }
    }
    assert_eq!(pages, 3);
    assert_eq!(seen[0], "oldhand://registry");
    let mut sorted = seen[1..].to_vec();
    sorted.sort();
    sorted.dedup();
    assert_eq!(sorted, seen[1..], "by id, and nothing twice");
    assert_eq!(seen.len(), 1 + 130 + 1, "all that were there all the time, and the one to come");
    let odd = client.ask("resources/list", json!({"cursor": "17"}));
    assert_eq!(odd["error"]["code"], -32602, "{odd}");
    for method in ["tools/list", "prompts/list", "resources/templates/list"] {
        let odd = client.ask(method, json!({"cursor": "17"}));
        assert_eq!(odd["error"]["code"], -32602, "{odd}");
    }
}

#[test]
fn the_index_is_read_by_page_within_its_budget() {
    let scratch = Scratch::new();
    for number in 0..40 {
        let title = format!("Fact {number:03} about the deployment of the service");
        scratch.ok(&["add", "reference", "--title", &title, "--text", &format!("It is {number}")]);
    }
    let mut client = Client::new(&scratch);
    let (mut seen, mut arguments) = (0, json!({"budget": 200}));
    loop {
        let page = client.call("recall", arguments);
        seen += page["structuredContent"]["memories"].as_array().unwrap().len();
        assert!(tokens::count(text(&page)) <= 240, "{}", text(&page));
        let next = page["structuredContent"]["next"].clone();
        if next.is_null() {
            break;
        }
        arguments = json!({"budget": 200, "cursor": next});
    }
    assert_eq!(seen, 40);
    let found = client.call("recall", json!({"query": "fact 007 deployment", "level": "search"}));
    let first = &found["structuredContent"]["memories"][0];
    assert!(first["text"].is_null(), "a line and no text: {first}");
}

#[test]
fn memories_and_the_registry_are_resources() {
    let scratch = Scratch::new();
    scratch.ok(&["add", "reference", "--title", "Ports", "--text", "8080\u{1b}[31m and 9090"]);
    let mut client = Client::new(&scratch);
    let templates = client.ask("resources/templates/list", json!({}));
    let template = &templates["result"]["resourceTemplates"][0]["uriTemplate"];
    assert_eq!(template, "oldhand://memory/{id}");
    let read = client.ask("resources/read", json!({"uri": "oldhand://memory/ports"}));
    let content = &read["result"]["contents"][0];
    assert_eq!(content["mimeType"], "text/markdown");
    let markdown = content["text"].as_str().unwrap();
    assert!(markdown.starts_with("---\nid: ports\n"), "{markdown}");
    assert!(!markdown.contains('\u{1b}'), "control characters are made visible");
    let registry = client.ask("resources/read", json!({"uri": "oldhand://registry"}));
    assert!(registry["result"]["contents"][0]["text"].as_str().unwrap().contains("Ports"));
    for uri in
        ["oldhand://memory/nobody", "oldhand://memory/../../etc/passwd", "file:///etc/passwd", ""]
    {
        let odd = client.ask("resources/read", json!({"uri": uri}));
        assert_eq!(odd["error"]["code"], -32002, "{uri}: {odd}");
    }
    let argument = json!({"name": "id", "value": "po"});
    let reference = json!({"type": "ref/resource", "uri": "oldhand://memory/{id}"});
    let offered =
        client.ask("completion/complete", json!({"ref": reference, "argument": argument}));
    assert_eq!(offered["result"]["completion"]["values"], json!(["ports"]));
}

#[test]
fn prompts_tell_what_a_person_would_ask_for() {
    let scratch = Scratch::new();
    scratch.ok(&["remember", "--kind", "constraint", "Never log a customer's address"]);
    let mut client = Client::new(&scratch);
    let list = client.ask("prompts/list", json!({}));
    let names: Vec<&str> = list["result"]["prompts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["resume", "compact", "review"]);
    let mut told = |name: &str, arguments: Value| {
        let got = client.ask("prompts/get", json!({"name": name, "arguments": arguments}));
        got["result"]["messages"][0]["content"]["text"].as_str().unwrap_or_default().to_owned()
    };
    assert!(told("resume", json!({"task": "logging"})).contains("customer's address"));
    let compact = told("compact", json!({"focus": "the parser"}));
    assert!(compact.contains("session_summary") && compact.contains("the parser"), "{compact}");
    assert!(compact.contains("next_actions"), "{compact}");
    assert!(told("review", json!({})).contains("nothing waits"));
    let odd = client.ask("prompts/get", json!({"name": "poem"}));
    assert_eq!(odd["error"]["code"], -32602);
}

/// The fields that the prompt names are fields that `remember` takes.
#[test]
fn a_summary_written_as_the_prompt_says_is_found_by_the_next_session() {
    let scratch = Scratch::new();
    let mut client = Client::new(&scratch);
    client.call(
        "remember",
        json!({"kind": "session_summary", "title": "Parser rewritten", "content": {
            "goal": "rewrite the parser", "completed": ["the lexer"], "next_actions": ["the tests"],
            "standing": "it compiles", "commands": ["cargo test"], "open_questions": ["which error?"]}}),
    );
    drop(client);
    let told = Client::new(&scratch).call("resume", json!({}));
    assert!(text(&told).contains("the tests"), "{told}");
}
