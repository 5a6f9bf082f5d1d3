//! Every event of every host, with the fields that the host really sends, through the real program:
//! exit 0, and nothing or exactly one object that is valid there.

use serde_json::{Value, json};

use super::answers;
use super::stage::{Stage, feed};

/// A store in which every event finds something to say.
fn stage() -> Stage {
    let stage = Stage::new();
    let add = |args: &[&str]| drop(stage.scratch.ok(&[&["add"], args].concat()));
    add(&["decision", "--title", "Keep money in cents", "--decision", "Amounts are cents"]);
    add(&[
        "constraint",
        "--title",
        "No card numbers",
        "--rule",
        "Never logged",
        "--file",
        "src/pay/",
    ]);
    add(&[
        "architecture",
        "--title",
        "The map",
        "--module-map",
        "`src/pay`: payments",
        "--file",
        "src/pay/",
    ]);
    let symptom = "ECONNREFUSED 127.0.0.1:5432 connection refused by postgres";
    let steps = "Start it with docker compose up -d db";
    add(&["runbook", "--title", "Postgres refuses", "--symptoms", symptom, "--steps", steps]);
    stage
}

const ERROR: &str = "Error: connect ECONNREFUSED 127.0.0.1:5432 connection refused by postgres";

/// What a host calls its events, and what each carries beside the common fields.
type Row = (&'static str, Value);

struct Host {
    name: &'static str,
    common: Value,
    events: Vec<Row>,
    /// The event is told on the command line.
    by_flag: bool,
}

#[track_caller]
fn check(host: &Host, stage: &Stage) {
    let mut spoke = 0;
    for (event, more) in &host.events {
        let mut payload = host.common.clone();
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        if !host.by_flag {
            payload["hook_event_name"] = json!(event);
        }
        let mut args = vec!["hook", host.name];
        if host.by_flag {
            args.extend(["--event", event]);
        }
        let output = feed(stage.scratch.program(&args), payload.to_string().as_bytes());
        assert_eq!(output.status.code(), Some(0), "{} {event}", host.name);
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{} {event}", host.name);
        payload["hook_event_name"] = json!(event);
        let answer = answers::check(host.name, &payload, &output.stdout);
        spoke += usize::from(answer.is_some_and(|it| !answers::context(&it).is_empty()));
    }
    assert!(spoke >= 2, "{}: {spoke} events had something to say", host.name);
    let lines = stage.log();
    assert_eq!(lines.len(), host.events.len(), "{}: {lines:#?}", host.name);
    assert!(lines.iter().all(|line| line["trouble"] == false), "{}: {lines:#?}", host.name);
}

fn transcript(stage: &Stage) -> Value {
    let session = stage.session("s");
    session.person("We decided to use Redis for the queue because it is there already.");
    json!(session.transcript)
}

fn edit(stage: &Stage) -> Value {
    let path = stage.scratch.repository().join("src/pay/card.rs");
    json!({"file_path": path, "old_string": "a", "new_string": "b"})
}

#[test]
fn claude_code() {
    let stage = stage();
    let (edit, path) = (edit(&stage), transcript(&stage));
    let agent = json!({"agent_id": "a1", "agent_type": "Explore", "agent_transcript_path": path,
        "stop_hook_active": false, "last_assistant_message": "Found it.", "background_tasks": [],
        "session_crons": []});
    let host = Host {
        name: "claude-code",
        common: json!({"session_id": "s", "transcript_path": path, "prompt_id": "p1",
            "cwd": stage.scratch.repository(), "permission_mode": "acceptEdits",
            "effort": {"level": "high"}}),
        events: vec![
            (
                "SessionStart",
                json!({"source": "startup", "model": "claude-opus-4-6",
                "session_title": "Pay"}),
            ),
            ("UserPromptSubmit", json!({"prompt": "how do we keep money, in cents?"})),
            ("PreToolUse", json!({"tool_name": "Edit", "tool_input": edit, "tool_use_id": "t1"})),
            (
                "PostToolUse",
                json!({"tool_name": "Edit", "tool_input": edit, "tool_use_id": "t1",
                "tool_response": {"filePath": "x", "success": true}, "duration_ms": 3}),
            ),
            (
                "PostToolUseFailure",
                json!({"tool_name": "Bash", "tool_use_id": "t2",
                "tool_input": {"command": "npm test"}, "error": ERROR, "is_interrupt": false,
                "duration_ms": 12}),
            ),
            ("SubagentStart", json!({"agent_id": "a1", "agent_type": "Explore"})),
            ("SubagentStop", agent),
            ("PreCompact", json!({"trigger": "auto", "custom_instructions": null})),
            ("SessionStart", json!({"source": "compact"})),
            (
                "Stop",
                json!({"stop_hook_active": false, "last_assistant_message": "Done.",
                "background_tasks": [], "session_crons": []}),
            ),
            ("SessionEnd", json!({"reason": "bypass_permissions_disabled"})),
        ],
        by_flag: false,
    };
    check(&host, &stage);
}

#[test]
fn codex() {
    let stage = stage();
    let (path, turn) = (transcript(&stage), json!("turn-1"));
    let patch = "*** Begin Patch\n*** Update File: src/pay/card.rs\n@@\n-a\n+b\n*** End Patch";
    let patch = json!({"input": patch});
    let host = Host {
        name: "codex",
        common: json!({"session_id": "s", "transcript_path": path, "model": "gpt-5.4-codex",
            "cwd": stage.scratch.repository(), "permission_mode": "default"}),
        events: vec![
            ("SessionStart", json!({"source": "startup"})),
            ("UserPromptSubmit", json!({"prompt": "money in cents?", "turn_id": turn})),
            (
                "PreToolUse",
                json!({"tool_name": "apply_patch", "tool_input": patch,
                "tool_use_id": "c1", "turn_id": turn}),
            ),
            (
                "PostToolUse",
                json!({"tool_name": "apply_patch", "tool_input": patch,
                "tool_use_id": "c1", "turn_id": turn, "tool_response": "Success."}),
            ),
            (
                "PostToolUse",
                json!({"tool_name": "shell", "tool_input": {"command": ["npm", "t"]},
                "tool_use_id": "c2", "turn_id": turn,
                "tool_response": format!("Exit code: 1\nOutput:\n{ERROR}")}),
            ),
            ("PreCompact", json!({"trigger": "auto", "turn_id": turn})),
            ("SessionStart", json!({"source": "compact"})),
            ("SubagentStart", json!({"agent_id": "a1", "agent_type": "worker", "turn_id": turn})),
            (
                "SubagentStop",
                json!({"agent_id": "a1", "agent_type": "worker", "turn_id": turn,
                "agent_transcript_path": null, "last_assistant_message": null,
                "stop_hook_active": false}),
            ),
            (
                "Stop",
                json!({"last_assistant_message": null, "stop_hook_active": false,
                "turn_id": turn}),
            ),
            (
                "Stop",
                json!({"last_assistant_message": "Done.", "stop_hook_active": true,
                "turn_id": turn, "transcript_path": null}),
            ),
            ("SessionEnd", json!({"reason": "other"})),
        ],
        by_flag: false,
    };
    check(&host, &stage);
}

#[test]
fn gemini() {
    let stage = stage();
    let (edit, path) = (edit(&stage), transcript(&stage));
    let host = Host {
        name: "gemini",
        common: json!({"session_id": "s", "transcript_path": path,
            "cwd": stage.scratch.repository(), "timestamp": "2026-11-15T12:00:00.000Z"}),
        events: vec![
            ("SessionStart", json!({"source": "startup"})),
            ("BeforeAgent", json!({"prompt": "how do we keep money, in cents?"})),
            (
                "BeforeTool",
                json!({"tool_name": "replace", "tool_input": edit,
                "original_request_name": "replace"}),
            ),
            (
                "AfterTool",
                json!({"tool_name": "replace", "tool_input": edit,
                "tool_response": {"llmContent": "ok", "returnDisplay": "ok"}}),
            ),
            (
                "AfterTool",
                json!({"tool_name": "run_shell_command",
                "tool_input": {"command": "npm test", "dir_path": "."},
                "tool_response": {"llmContent": ERROR, "returnDisplay": ERROR,
                    "error": {"message": ERROR, "type": "shell_execute_error"}}}),
            ),
            ("PreCompress", json!({"trigger": "auto"})),
            (
                "AfterAgent",
                json!({"prompt": "money", "prompt_response": "Done.",
                "stop_hook_active": false}),
            ),
            ("SessionEnd", json!({"reason": "exit"})),
        ],
        by_flag: false,
    };
    check(&host, &stage);
}

#[test]
fn cursor() {
    let stage = stage();
    let (edit, path) = (edit(&stage), transcript(&stage));
    let host = Host {
        name: "cursor",
        common: json!({"conversation_id": "s", "generation_id": "g", "model": "auto",
            "cursor_version": "2.9.1", "user_email": "ada@example.com", "transcript_path": path,
            "workspace_roots": [stage.scratch.repository()]}),
        events: vec![
            (
                "sessionStart",
                json!({"session_id": "s", "is_background_agent": false,
                "composer_mode": "agent"}),
            ),
            (
                "beforeSubmitPrompt",
                json!({"prompt": "how do we keep money, in cents?",
                "attachments": []}),
            ),
            ("preToolUse", json!({"tool_name": "Write", "tool_input": edit, "tool_use_id": "t"})),
            (
                "beforeShellExecution",
                json!({"command": "make deploy", "cwd": stage.scratch.repository()}),
            ),
            ("beforeMCPExecution", json!({"tool_name": "MCP:search", "tool_input": "{}"})),
            ("postToolUse", json!({"tool_name": "Write", "tool_input": edit, "tool_output": "{}"})),
            (
                "postToolUseFailure",
                json!({"tool_name": "Shell", "tool_input": {"command": "x"},
                "error_message": ERROR, "failure_type": "error"}),
            ),
            ("afterShellExecution", json!({"command": "make", "output": "ok", "duration": 5})),
            ("subagentStart", json!({"subagent_id": "a1", "subagent_type": "explore"})),
            ("subagentStop", json!({"subagent_type": "explore", "status": "completed"})),
            ("preCompact", json!({"trigger": "auto", "context_usage_percent": 85})),
            ("beforeSubmitPrompt", json!({"prompt": "how do we keep money, in cents?"})),
            ("stop", json!({"status": "completed", "loop_count": 0})),
            ("sessionEnd", json!({"session_id": "s", "reason": "completed"})),
        ],
        by_flag: false,
    };
    check(&host, &stage);
}

#[test]
fn copilot() {
    let stage = stage();
    let (edit, path) = (edit(&stage), transcript(&stage));
    let host = Host {
        name: "copilot",
        common: json!({"sessionId": "s", "timestamp": 1_763_200_000_000_u64,
            "cwd": stage.scratch.repository()}),
        events: vec![
            ("sessionStart", json!({"source": "new", "initialPrompt": "hi"})),
            ("userPromptSubmitted", json!({"prompt": "how do we keep money, in cents?"})),
            ("preToolUse", json!({"toolName": "edit", "toolArgs": edit})),
            ("preToolUse", json!({"toolName": "edit", "toolArgs": edit.to_string()})),
            (
                "postToolUse",
                json!({"toolName": "edit", "toolArgs": edit,
                "toolResult": {"textResultForLlm": "ok", "resultType": "success"}}),
            ),
            (
                "postToolUseFailure",
                json!({"toolName": "bash", "toolArgs": {"command": "npm t"},
                "error": ERROR}),
            ),
            ("errorOccurred", json!({"error": {"message": "the model is away", "name": "E"}})),
            (
                "subagentStart",
                json!({"transcriptPath": path, "agentName": "explore",
                "agentId": "a1"}),
            ),
            (
                "subagentStop",
                json!({"agentType": "explore", "stopReason": "end_turn",
                "response": "Found it."}),
            ),
            ("preCompact", json!({"trigger": "auto"})),
            (
                "agentStop",
                json!({"stopReason": "end_turn", "transcriptPath": path,
                "stop_hook_active": false}),
            ),
            ("sessionEnd", json!({"reason": "user_exit"})),
        ],
        by_flag: true,
    };
    check(&host, &stage);
}

#[test]
fn opencode() {
    let stage = stage();
    let input = json!({"filePath": stage.scratch.repository().join("src/pay/card.rs")});
    let host = Host {
        name: "opencode",
        common: json!({"session_id": "s", "cwd": stage.scratch.repository()}),
        events: vec![
            ("SessionStart", json!({"source": "startup"})),
            ("UserPromptSubmit", json!({"prompt": "how do we keep money, in cents?"})),
            ("PreToolUse", json!({"tool_name": "edit", "tool_input": input})),
            (
                "PostToolUse",
                json!({"tool_name": "edit", "tool_input": input,
                "tool_response": "ok"}),
            ),
            (
                "PostToolUse",
                json!({"tool_name": "bash", "tool_input": {"command": "npm t"},
                "tool_response": {"output": ERROR, "metadata": {"exit": 1}, "exit_code": 1}}),
            ),
            ("PreCompact", json!({})),
            ("UserPromptSubmit", json!({"prompt": "how do we keep money, in cents?"})),
            ("Stop", json!({})),
            ("SessionEnd", json!({})),
        ],
        by_flag: false,
    };
    check(&host, &stage);
}

/// The spelling of Claude Code, which Copilot uses for events that are written in its way.
#[test]
fn copilot_in_the_words_of_claude_code() {
    let stage = stage();
    let payload = json!({"hook_event_name": "SessionStart", "session_id": "s",
        "cwd": stage.scratch.repository(), "source": "startup"});
    let output = stage.process("copilot", payload.to_string().as_bytes());
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(answers::context(&answer).contains("keep-money-in-cents"), "{answer}");
}
