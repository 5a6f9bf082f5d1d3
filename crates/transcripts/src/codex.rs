//! Codex: a rollout, where `response_item` lines are what went to the model and came from it.
//! `event_msg` lines say the same once more and are not read.

use super::slim::{self, Keys, Slim};
use super::speech::{said_by_agent, spoken};
use super::tools;
use super::{ToolResult, Turn, Voice};

pub(super) const KEYS: Keys = &[
    "type",
    "payload",
    "role",
    "content",
    "text",
    "name",
    "arguments",
    "input",
    "action",
    "command",
    "call_id",
    "id",
    "output",
    "success",
];

const OUTPUT_KEYS: Keys = &["output", "metadata", "exit_code", "success", "content", "text"];

pub(super) fn turn(record: &Slim<'_>) -> Option<Turn> {
    // The oldest rollouts have the items themselves as lines.
    let item = match record.get("type").words() {
        "response_item" => record.get("payload"),
        "event_msg" | "session_meta" | "turn_context" | "compacted" => return None,
        _ => record,
    };
    let mut turn = Turn::of(Voice::Agent);
    let call = item.any(&["call_id", "id"]).words();
    match item.get("type").words() {
        "message" | "" => return message(item),
        "function_call" => {
            let name = item.get("name").words();
            turn.uses.push(tools::tool_use_of_text(call, name, item.get("arguments")));
        }
        "custom_tool_call" => {
            let name = item.get("name").words();
            turn.uses.push(tools::tool_use_of_text(call, name, item.get("input")));
        }
        "local_shell_call" => {
            turn.uses.push(tools::tool_use(call, "local_shell", item.get("action")));
        }
        "web_search_call" => turn.uses.push(tools::tool_use(call, "web_search", &Slim::Nothing)),
        "function_call_output" | "custom_tool_call_output" | "local_shell_call_output" => {
            turn.results.push(result(call, item.get("output")));
        }
        _ => return None,
    }
    Some(turn)
}

fn message(item: &Slim<'_>) -> Option<Turn> {
    let texts = tools::texts(item.get("content"));
    match item.get("role").words() {
        "user" => {
            let mut turn = Turn::of(Voice::Person);
            let said: Vec<String> =
                texts.into_iter().map(spoken).filter(|text| !text.is_empty()).collect();
            turn.text = said.join("\n");
            Some(turn)
        }
        "assistant" => {
            let mut turn = Turn::of(Voice::Agent);
            turn.text = said_by_agent(&texts.join("\n"));
            Some(turn)
        }
        _ => None,
    }
}

/// An output is an object, an object as text, a text with a head, or only a text.
fn result(call: &str, output: &Slim<'_>) -> ToolResult {
    let inner = output
        .text()
        .filter(|text| text.starts_with('{'))
        .and_then(|text| slim::parse(text.as_bytes(), OUTPUT_KEYS))
        .filter(|inner| !inner.any(&["output", "metadata", "success"]).is_nothing());
    let Some(inner) = inner else {
        let text = tools::output_text(output);
        let is_error = output.get("success").is_false() || fails_by_head(&text);
        return ToolResult { id: call.to_owned(), is_error, text };
    };
    let code = inner.get("metadata").any(&["exit_code"]).number();
    let is_error = code.is_some_and(|code| code != 0.0) || inner.get("success").is_false();
    tools::tool_result(call, is_error, inner.any(&["output", "content"]))
}

/// Lines before the output itself that name the exit code.
fn fails_by_head(text: &str) -> bool {
    const HEAD_LINES: usize = 6;
    for line in text.lines().take(HEAD_LINES) {
        if line.starts_with("Output:") {
            return false;
        }
        let code = ["Exit code:", "Process exited with code", "exit code:"]
            .iter()
            .find_map(|head| line.strip_prefix(head));
        if let Some(code) = code {
            return code.trim() != "0";
        }
    }
    text.starts_with("execution error:") || text.starts_with("apply_patch verification failed")
}
