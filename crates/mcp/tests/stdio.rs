//! The server on a pair of streams: a client that says all at once and then closes.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use oldhand_mcp::{
    Answer, Call, Caller, Mistake, Page, Port, PromptSpec, Template, ToolSpec, answer_bytes,
};
use serde_json::{Map, Value, json};

const STATELESS: &str = "2026-07-28";

fn request(id: impl Into<Value>, method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id.into(), "method": method, "params": params})
}

fn initialize() -> Value {
    let client = json!({"name": "test", "version": "1"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
    request("hello", "initialize", params)
}

fn meta(version: &str) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

fn cancelled(id: impl Into<Value>) -> Value {
    let params = json!({"requestId": id.into(), "reason": "it took too long"});
    json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})
}

/// All that comes back, line by line. Whoever can't read a line fails here.
#[track_caller]
fn hear(lines: &[String]) -> Vec<Value> {
    let input = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let output = String::from_utf8(answer_bytes(Arc::new(Fake), input.as_bytes()).unwrap());
    let output = output.unwrap();
    assert!(output.is_empty() || output.ends_with('\n'), "a line without its end");
    output.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

#[track_caller]
fn answer<'h>(heard: &'h [Value], id: &str) -> &'h Value {
    let mut answers = heard.iter().filter(|message| message["id"] == id);
    let first = answers.next().unwrap_or_else(|| panic!("no answer to {id}: {heard:?}"));
    assert!(answers.next().is_none(), "two answers to {id}: {heard:?}");
    first
}

#[test]
fn who_says_nothing_hears_nothing() {
    assert_eq!(hear(&[]), Vec::<Value>::new());
}

/// Answers and errors come from different places, and the pipe is fuller than they are short.
#[test]
fn answers_and_errors_do_not_mix() {
    let long = "x".repeat(3_000);
    for round in 0..20 {
        let mut lines = vec![initialize().to_string()];
        for number in 0..50 {
            let call = json!({"name": "echo", "arguments": {"text": long}});
            lines.push(request(format!("c{number}"), "tools/call", call).to_string());
            lines.push("{ this is no JSON".to_owned());
            lines.push(request(format!("w{number}"), "tools/call", json!({"name": 7})).to_string());
        }
        let heard = hear(&lines);
        let unread = heard.iter().filter(|message| message["error"]["code"] == -32700).count();
        assert_eq!((heard.len(), unread), (151, 50), "round {round}");
        for number in 0..50 {
            assert!(answer(&heard, &format!("c{number}"))["result"].is_object());
            assert_eq!(answer(&heard, &format!("w{number}"))["error"]["code"], -32602);
        }
    }
}

/// The one who follows a call and closes still gets its answer, and at once.
#[test]
fn a_followed_call_is_answered_behind_the_end() {
    for token in [json!("a token"), json!(7)] {
        let call = json!({
            "name": "steps", "arguments": {"steps": 100}, "_meta": {"progressToken": token},
        });
        let begun = std::time::Instant::now();
        let heard =
            hear(&[initialize().to_string(), request("long", "tools/call", call).to_string()]);
        assert!(answer(&heard, "long")["result"].is_object(), "{heard:?}");
        assert!(begun.elapsed().as_secs() < 4, "it waited for somebody to take the news");
    }
}

/// The SDK hangs up on these. Clients that give up on a `server/discover` send the first.
#[test]
fn what_comes_before_the_connection_is_open_does_not_end_it() {
    let before = [
        cancelled("look"),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 1, "result": {}}),
        json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -1, "message": "no"}}),
    ];
    let begun = [
        Vec::new(),
        vec![request("look", "server/discover", json!({"_meta": meta(STATELESS)}))],
        vec![request("look", "ping", json!({}))],
        vec![request("look", "tools/list", json!({}))],
        vec![request("look", "tools/list", json!({"_meta": meta("2099-01-01")}))],
    ];
    let opened = [
        vec![initialize(), request("list", "tools/list", json!({}))],
        vec![request("list", "tools/list", json!({"_meta": meta(STATELESS)}))],
    ];
    for early in &before {
        for first in &begun {
            for rest in &opened {
                let lines = first.iter().chain([early]).chain(rest).map(Value::to_string);
                let heard = hear(&lines.collect::<Vec<_>>());
                assert_eq!(heard.len(), first.len() + rest.len(), "{early} {first:?}: {heard:?}");
                assert!(answer(&heard, "list")["result"].is_object(), "{early} {first:?}");
            }
        }
    }
}

/// Once it is open, giving up is heard, in either lifecycle.
#[test]
fn what_is_given_up_is_not_answered() {
    let handshake = vec![initialize()];
    let list = request("list", "tools/list", json!({"_meta": meta(STATELESS)}));
    for (opened, meta) in [(handshake, json!({})), (vec![list], meta(STATELESS))] {
        let call = json!({"name": "wait", "arguments": {}, "_meta": meta});
        let said = [request("wait", "tools/call", call), cancelled("wait")];
        let lines = opened.iter().chain(&said).map(Value::to_string).collect::<Vec<_>>();
        let heard = hear(&lines);
        assert!(heard.iter().all(|message| message["id"] != "wait"), "{heard:?}");
    }
}

/// What is asked before the connection is open is answered too, and before the end.
#[test]
fn all_that_was_asked_before_the_end_is_answered() {
    let meta = || json!({"_meta": meta(STATELESS)});
    let alone = [
        request("look", "server/discover", meta()),
        request("look", "ping", json!({})),
        request("look", "tools/list", json!({})),
        request("look", "tools/list", meta()),
    ];
    for asked in alone {
        assert_eq!(hear(&[asked.to_string()]).len(), 1, "{asked}");
    }
    let calls = (0..2_000).map(|number| {
        let call = json!({"name": "echo", "arguments": {"text": "x".repeat(1_000)}});
        request(format!("c{number}"), "tools/call", call)
    });
    let lines: Vec<String> =
        [initialize()].into_iter().chain(calls).map(|line| line.to_string()).collect();
    assert_eq!(hear(&lines).len(), 2_001);
}

/// Which of two answers belongs to which request could not be told.
#[test]
fn an_id_that_is_in_use_is_refused() {
    let call = |id: &str| {
        let call = json!({"name": "wait", "arguments": {}});
        request(id, "tools/call", call).to_string()
    };
    let heard = hear(&[initialize().to_string(), call("a"), call("a"), cancelled("a").to_string()]);
    assert_eq!(answer(&heard, "a")["error"]["code"], -32600, "{heard:?}");
}

/// One that panics costs one answer: with its id, and the rest is served.
#[test]
fn a_panic_is_an_internal_error() {
    let mut lines = vec![initialize().to_string()];
    for number in 0..20 {
        let call = |name: &str| json!({"name": name, "arguments": {}});
        lines.push(request(format!("p{number}"), "tools/call", call("panic")).to_string());
        lines.push(request(format!("e{number}"), "tools/call", call("echo")).to_string());
        let list = request(format!("t{number}"), "resources/templates/list", json!({}));
        lines.push(list.to_string());
        let read = request(format!("r{number}"), "resources/read", json!({"uri": "a://b"}));
        lines.push(read.to_string());
    }
    let heard = hear(&lines);
    for number in 0..20 {
        for broken in ["p", "t", "r"] {
            let error = &answer(&heard, &format!("{broken}{number}"))["error"];
            assert_eq!(error["code"], -32603, "{broken}: {error}");
            assert!(!error.to_string().contains("on purpose"), "{error}");
        }
        assert!(answer(&heard, &format!("e{number}"))["result"].is_object());
    }
}

struct Fake;

impl Port for Fake {
    fn name(&self) -> &str {
        "fake"
    }
    fn version(&self) -> &str {
        "1"
    }
    fn instructions(&self) -> &str {
        "echo first"
    }
    fn wants_roots(&self) -> bool {
        false
    }
    fn rest(&self, _: &Caller, _: bool) {}
    fn connection(&self) -> String {
        "one".to_owned()
    }

    fn tools(&self) -> Vec<ToolSpec> {
        let object: Map<String, Value> =
            [("type".to_owned(), json!("object"))].into_iter().collect();
        let spec = |name| ToolSpec {
            name,
            description: "for tests",
            input: object.clone(),
            output: object.clone(),
            reads_only: true,
            is_idempotent: true,
        };
        vec![spec("echo"), spec("steps"), spec("wait"), spec("panic")]
    }

    fn call(&self, call: &Call<'_>) -> Result<Answer, Mistake> {
        let steps = call.arguments.get("steps").and_then(Value::as_u64).unwrap_or(0) as usize;
        for step in 0..steps {
            call.watch.progress(step, steps, "a step");
        }
        while call.tool == "wait" && !call.watch.is_cancelled() {
            std::thread::yield_now();
        }
        assert_ne!(call.tool, "panic", "on purpose");
        let structured = Value::Object(call.arguments.clone());
        Ok(Answer { text: structured.to_string(), structured })
    }

    fn resources(&self, _: &Caller, _: Option<&str>) -> Result<Page, Mistake> {
        Ok(Page::default())
    }
    fn templates(&self) -> &'static [Template] {
        panic!("on purpose")
    }
    fn read(&self, _: &Caller, _: &str) -> Result<Option<String>, Mistake> {
        panic!("on purpose")
    }
    fn prompts(&self) -> &'static [PromptSpec] {
        &[]
    }
    fn prompt(
        &self,
        _: &Caller,
        _: &str,
        _: &Map<String, Value>,
    ) -> Result<Option<String>, Mistake> {
        Ok(None)
    }
    fn complete(&self, _: &Caller, _: &str, _: &str) -> Vec<String> {
        Vec::new()
    }
}
