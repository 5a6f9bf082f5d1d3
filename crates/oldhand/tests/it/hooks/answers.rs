//! What a host takes from its hook, by event: the keys that its schema knows and no others.

use serde_json::{Map, Value};

/// Keys at the top, and keys inside of `hookSpecificOutput`.
type Allowed = (&'static [&'static str], &'static [&'static str]);

const NOTHING: Allowed = (&[], &[]);

/// The answer of one call: nothing, or exactly one object that is valid for the event.
#[track_caller]
pub(crate) fn check(host: &str, payload: &Value, stdout: &[u8]) -> Option<Value> {
    let event = event_of(payload);
    let text = std::str::from_utf8(stdout).unwrap();
    if text.is_empty() {
        return None;
    }
    assert!(text.starts_with('{') && text.ends_with("}\n"), "{host} {event}: {text:?}");
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let answer = values.next().unwrap().unwrap();
    assert!(values.next().is_none(), "{host} {event}: more than one value");
    let object = answer.as_object().unwrap();
    let (top, specific) = allowed(host, &event);
    assert_keys(object, top, &format!("{host} {event}"));
    if let Some(inner) = object.get("hookSpecificOutput") {
        let inner = inner.as_object().unwrap();
        assert_keys(inner, specific, &format!("{host} {event} hookSpecificOutput"));
        assert_eq!(inner["hookEventName"], event.as_str(), "{host}");
    }
    assert!(text.len() < 40_000 && context(&answer).chars().count() <= 10_000, "{host} {event}");
    Some(answer)
}

#[track_caller]
fn assert_keys(object: &Map<String, Value>, allowed: &[&str], place: &str) {
    for key in object.keys() {
        assert!(allowed.contains(&key.as_str()), "{place} does not take `{key}`");
    }
}

fn event_of(payload: &Value) -> String {
    payload["hook_event_name"].as_str().unwrap_or_default().to_owned()
}

fn allowed(host: &str, event: &str) -> Allowed {
    match host {
        "claude-code" => claude(event),
        "codex" => codex(event),
        "gemini" => gemini(event),
        "cursor" => cursor(event),
        "copilot" => copilot(event),
        "opencode" => match event {
            "SessionStart" | "UserPromptSubmit" | "PostToolUse" => {
                (&["hookSpecificOutput"], &["hookEventName", "additionalContext"])
            }
            "PreToolUse" => (&["hookSpecificOutput"], DENIAL),
            _ => NOTHING,
        },
        _ => NOTHING,
    }
}

const DENIAL: &[&str] = &["hookEventName", "permissionDecision", "permissionDecisionReason"];

fn claude(event: &str) -> Allowed {
    const TOP: &[&str] =
        &["continue", "suppressOutput", "stopReason", "systemMessage", "hookSpecificOutput"];
    const BLOCKING: &[&str] = &[
        "continue",
        "suppressOutput",
        "stopReason",
        "systemMessage",
        "hookSpecificOutput",
        "decision",
        "reason",
    ];
    match event {
        "PreToolUse" => (
            TOP,
            &[
                "hookEventName",
                "permissionDecision",
                "permissionDecisionReason",
                "updatedInput",
                "additionalContext",
            ],
        ),
        "SessionStart" | "SubagentStart" => (TOP, &["hookEventName", "additionalContext"]),
        "UserPromptSubmit" | "PostToolUse" | "PostToolUseFailure" => {
            (BLOCKING, &["hookEventName", "additionalContext"])
        }
        "Stop" | "SubagentStop" => (BLOCKING, &["hookEventName", "additionalContext"]),
        // The union of its schema has no member for these.
        _ => NOTHING,
    }
}

/// Closed schemas, as they are inside of the program.
fn codex(event: &str) -> Allowed {
    const BASE: &[&str] =
        &["continue", "stopReason", "suppressOutput", "systemMessage", "hookSpecificOutput"];
    const DECIDING: &[&str] = &[
        "continue",
        "stopReason",
        "suppressOutput",
        "systemMessage",
        "hookSpecificOutput",
        "decision",
        "reason",
    ];
    const CONTEXT: &[&str] = &["hookEventName", "additionalContext"];
    match event {
        "SessionStart" | "SubagentStart" => (BASE, CONTEXT),
        "UserPromptSubmit" => (DECIDING, CONTEXT),
        "PreToolUse" => (
            DECIDING,
            &[
                "hookEventName",
                "permissionDecision",
                "permissionDecisionReason",
                "updatedInput",
                "additionalContext",
            ],
        ),
        "PostToolUse" => {
            (DECIDING, &["hookEventName", "additionalContext", "updatedMCPToolOutput"])
        }
        "PreCompact" => (&["continue", "stopReason", "suppressOutput", "systemMessage"], &[]),
        "Stop" | "SubagentStop" => {
            (&["continue", "decision", "reason", "stopReason", "suppressOutput"], &[])
        }
        _ => NOTHING,
    }
}

fn gemini(event: &str) -> Allowed {
    const CONTEXT: &[&str] = &["hookEventName", "additionalContext"];
    match event {
        "SessionStart" => (&["hookSpecificOutput", "systemMessage"], CONTEXT),
        "BeforeAgent" | "AfterTool" => (&["hookSpecificOutput", "decision", "reason"], CONTEXT),
        "BeforeTool" => (&["decision", "reason", "hookSpecificOutput"], &["tool_input"]),
        "AfterAgent" => (&["decision", "reason"], &[]),
        "PreCompress" => (&["systemMessage"], &[]),
        _ => NOTHING,
    }
}

fn cursor(event: &str) -> Allowed {
    let top: &[&str] = match event {
        "sessionStart" => &["additional_context", "continue", "env"],
        "beforeSubmitPrompt" => &["continue", "user_message", "additional_context"],
        "preToolUse" | "beforeShellExecution" | "beforeMCPExecution" => {
            &["permission", "user_message", "agent_message", "updated_input"]
        }
        "postToolUse" => &["continue", "additional_context"],
        "subagentStart" => &["permission"],
        "stop" => &["followup_message"],
        "preCompact" => &["user_message"],
        _ => &[],
    };
    (top, &[])
}

/// Its payloads name no event; the tests put the one of `--event` in.
fn copilot(event: &str) -> Allowed {
    let top: &[&str] = match event {
        "sessionStart" | "postToolUseFailure" | "subagentStart" => &["additionalContext"],
        "userPromptSubmitted" => &["additionalContext", "modifiedPrompt", "decision", "reason"],
        "preToolUse" => {
            &["permissionDecision", "permissionDecisionReason", "modifiedArgs", "additionalContext"]
        }
        "postToolUse" => &["additionalContext", "modifiedResult"],
        "agentStop" | "subagentStop" => &["decision", "reason"],
        _ => &[],
    };
    (top, &[])
}

/// What an answer puts into the conversation.
pub(crate) fn context(answer: &Value) -> String {
    let texts = [
        &answer["hookSpecificOutput"]["additionalContext"],
        &answer["additionalContext"],
        &answer["additional_context"],
    ];
    texts.iter().find_map(|text| text.as_str()).unwrap_or_default().to_owned()
}

/// Why a tool may not run.
pub(crate) fn denial(answer: &Value) -> String {
    let specific = &answer["hookSpecificOutput"];
    let says = [
        (&specific["permissionDecision"], &specific["permissionDecisionReason"]),
        (&answer["permissionDecision"], &answer["permissionDecisionReason"]),
        (&answer["permission"], &answer["agent_message"]),
        (&answer["decision"], &answer["reason"]),
    ];
    let reason = says.iter().find(|(verdict, _)| *verdict == "deny").map(|(_, reason)| reason);
    reason.and_then(|reason| reason.as_str()).unwrap_or_default().to_owned()
}
