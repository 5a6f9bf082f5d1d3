//! Payloads of every host, as they come and as they should not.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn payload(dialect: Dialect, value: Value) -> Payload {
    read(dialect, value, None).expect("a payload")
}

#[test]
fn claude_code_names_its_event_its_session_and_its_tool() {
    let told = payload(
        Dialect::ClaudeCode,
        json!({
            "session_id": "abc", "transcript_path": "/home/u/t.jsonl", "cwd": "/repo",
            "permission_mode": "default", "hook_event_name": "PreToolUse", "tool_name": "Write",
            "tool_input": {"file_path": "/repo/a.rs", "content": "x"}, "tool_use_id": "t1"
        }),
    );
    assert_eq!(told.event, Event::BeforeTool);
    assert_eq!(told.event_name, "PreToolUse");
    assert_eq!((told.session.as_str(), told.cwd.as_deref()), ("abc", Some("/repo")));
    assert_eq!(told.transcript.as_deref(), Some("/home/u/t.jsonl"));
    let tool = told.tool.expect("a tool");
    assert_eq!(tool.name, "Write");
    assert_eq!(tool.input["file_path"], "/repo/a.rs");
    assert_eq!(tool.error, None);
}

#[test]
fn every_event_of_every_host_has_one_meaning() {
    let table: &[(&str, Event)] = &[
        ("SessionStart", Event::SessionStart),
        ("sessionStart", Event::SessionStart),
        ("UserPromptSubmit", Event::Prompt),
        ("userPromptSubmitted", Event::Prompt),
        ("beforeSubmitPrompt", Event::Prompt),
        ("BeforeAgent", Event::Prompt),
        ("PreToolUse", Event::BeforeTool),
        ("preToolUse", Event::BeforeTool),
        ("BeforeTool", Event::BeforeTool),
        ("beforeShellExecution", Event::BeforeTool),
        ("PostToolUse", Event::AfterTool),
        ("AfterTool", Event::AfterTool),
        ("PostToolUseFailure", Event::ToolFailed),
        ("postToolUseFailure", Event::ToolFailed),
        ("PreCompact", Event::BeforeCompact),
        ("PreCompress", Event::BeforeCompact),
        ("SubagentStart", Event::SubagentStart),
        ("subagentStop", Event::SubagentStop),
        ("Stop", Event::Stop),
        ("agentStop", Event::Stop),
        ("AfterAgent", Event::Stop),
        ("SessionEnd", Event::SessionEnd),
        ("session_start", Event::SessionStart),
        ("before_compact", Event::BeforeCompact),
    ];
    for (name, event) in table {
        assert_eq!(Event::named(name), Some(*event), "{name}");
    }
    for event in Event::all() {
        assert_eq!(Event::named(event.as_str()), Some(event));
    }
    for name in ["Notification", "FileChanged", "", "stopp"] {
        assert_eq!(Event::named(name), None, "{name}");
    }
}

#[test]
fn a_host_that_names_no_event_is_told_by_the_command_line() {
    let value = json!({"sessionId": "s", "timestamp": 1, "cwd": "/r", "prompt": "hello"});
    let told = read(Dialect::Copilot, value.clone(), Some("userPromptSubmitted")).expect("one");
    assert_eq!((told.event, told.prompt.as_str()), (Event::Prompt, "hello"));
    assert_eq!(
        read(Dialect::Copilot, value, None),
        Err("the payload names no event, and `--event` is not given".to_owned())
    );
}

#[test]
fn arguments_as_a_text_of_json_are_read() {
    let value = json!({
        "sessionId": "s", "toolName": "create", "toolArgs": "{\"path\": \"/r/.oldhand/x.md\"}"
    });
    let told = read(Dialect::Copilot, value, Some("preToolUse")).expect("one");
    assert_eq!(told.tool.expect("a tool").input["path"], "/r/.oldhand/x.md");
}

#[test]
fn a_shell_hook_has_a_command_and_no_tool() {
    let value = json!({
        "conversation_id": "c", "hook_event_name": "beforeShellExecution",
        "command": "rm -rf .oldhand", "workspace_roots": ["/repo"]
    });
    let told = payload(Dialect::Cursor, value);
    assert_eq!((told.session.as_str(), told.cwd.as_deref()), ("c", Some("/repo")));
    assert_eq!(told.tool.expect("a tool").input["command"], "rm -rf .oldhand");
}

#[test]
fn a_failure_is_known_by_its_event_or_by_its_result() {
    let after = |response: Value| {
        let value = json!({
            "hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_response": response
        });
        payload(Dialect::Codex, value).event
    };
    let table = [
        (json!({"stdout": "fine", "stderr": "", "interrupted": false}), Event::AfterTool),
        (json!({"exit_code": 0, "output": "fine"}), Event::AfterTool),
        (json!("fine"), Event::AfterTool),
        (json!(["fine"]), Event::AfterTool),
        (json!({"exit_code": 101, "output": "panicked"}), Event::ToolFailed),
        (json!({"success": false, "error": "no such file"}), Event::ToolFailed),
        (json!({"is_error": true, "stderr": "no"}), Event::ToolFailed),
        (json!({"llmContent": "x", "error": {"message": "it broke"}}), Event::ToolFailed),
        (json!({"textResultForLlm": "bad", "resultType": "failure"}), Event::ToolFailed),
        (json!("Exit code: 2\nWall time: 0.1 s\nOutput:\nno rule"), Event::ToolFailed),
        (json!("Exit code: 0\nOutput:\nok"), Event::AfterTool),
        (json!("Process exited with code 1\nerror: x"), Event::ToolFailed),
        (
            json!({"llmContent": "Output: no\nExit Code: 101\nProcess Group PGID: 2"}),
            Event::ToolFailed,
        ),
        (json!({"llmContent": "Output: yes\nExit Code: 0"}), Event::AfterTool),
    ];
    for (response, event) in table {
        assert_eq!(after(response.clone()), event, "{response}");
    }
    let value =
        json!({"hook_event_name": "PostToolUseFailure", "tool_name": "Bash", "error": "E1"});
    let told = payload(Dialect::ClaudeCode, value);
    assert_eq!(told.event, Event::ToolFailed);
    assert_eq!(told.tool.and_then(|tool| tool.error).as_deref(), Some("E1"));
}

#[test]
fn a_stop_that_a_hook_caused_is_known_by_each_hosts_own_flag() {
    for value in [
        json!({"hook_event_name": "Stop", "stop_hook_active": true}),
        json!({"hook_event_name": "agentStop", "stopHookActive": true}),
        json!({"hook_event_name": "stop", "loop_count": 1}),
    ] {
        assert!(payload(Dialect::ClaudeCode, value.clone()).stop_active, "{value}");
    }
    for value in [
        json!({"hook_event_name": "Stop"}),
        json!({"hook_event_name": "Stop", "stop_hook_active": "yes"}),
        json!({"hook_event_name": "stop", "loop_count": 0}),
    ] {
        assert!(!payload(Dialect::ClaudeCode, value.clone()).stop_active, "{value}");
    }
}

#[test]
fn what_hooks_have_added_is_no_part_of_a_prompt() {
    let prompt = "how are prices kept?\n<hook_context>a fact</hook_context>\nin cents?";
    let value = json!({"hook_event_name": "BeforeAgent", "prompt": prompt});
    assert_eq!(payload(Dialect::Gemini, value).prompt, "how are prices kept?\n\nin cents?");
}

#[test]
fn why_a_session_starts() {
    let table = [
        ("startup", Start::Fresh),
        ("resume", Start::Resumed),
        ("fork", Start::Resumed),
        ("compact", Start::Compacted),
        ("clear", Start::Cleared),
        ("new", Start::Fresh),
    ];
    for (source, start) in table {
        let value = json!({"hook_event_name": "SessionStart", "source": source});
        assert_eq!(payload(Dialect::ClaudeCode, value).start, start, "{source}");
    }
}

#[test]
fn a_field_of_a_wrong_type_is_a_field_that_is_not_there() {
    let value = json!({
        "hook_event_name": "UserPromptSubmit", "session_id": 7, "cwd": ["/r"], "prompt": {"a": 1},
        "transcript_path": null, "tool_name": false, "agent_id": 0
    });
    let told = payload(Dialect::ClaudeCode, value);
    assert_eq!((told.session.as_str(), told.prompt.as_str()), ("", ""));
    assert_eq!((told.cwd, told.transcript, told.tool, told.agent), (None, None, None, None));
    for value in [json!([]), json!("x"), json!(1), json!(null)] {
        assert_eq!(
            read(Dialect::ClaudeCode, value, Some("Stop")),
            Err("the payload is no JSON object".to_owned())
        );
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[ -~]{0,20}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 6, |inner| {
        let key = prop_oneof![
            Just("tool_input".to_owned()),
            Just("tool_response".to_owned()),
            Just("error".to_owned()),
            Just("prompt".to_owned()),
            Just("workspace_roots".to_owned()),
            "[a-z_]{1,12}",
        ];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((key, inner), 0..6)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn whatever_is_told_nothing_breaks(value in any_json(), event in "[A-Za-z]{0,16}") {
        for dialect in Dialect::ALL {
            let _ = read(dialect, value.clone(), Some(&event));
            let _ = read(dialect, value.clone(), Some("PostToolUse"));
        }
    }
}
