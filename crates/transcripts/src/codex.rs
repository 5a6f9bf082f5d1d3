//! Codex: a rollout, where `response_item` lines are what went to the model and came from it.
//! `event_msg` lines say the same once more and are not read.

use super::slim::{self, Slim};
use super::{ToolResult, Turn, tools};

pub(super) fn turn(record: &Slim) -> Option<Turn> {
    // The oldest rollouts have the items themselves as lines.
    let item = match record.get("type").words() {
        "response_item" => record.get("payload"),
        "event_msg" | "session_meta" | "turn_context" | "compacted" => return None,
        _ => record,
    };
    let mut turn = Turn::default();
    let call = item.any(&["call_id", "id"]).words();
    match item.get("type").words() {
        "message" | "" => return message(item),
        "function_call" | "custom_tool_call" => {
            let (name, input) = (item.get("name").words(), item.any(&["arguments", "input"]));
            turn.uses.push(tools::tool_use_of_text(call, name, input));
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

fn message(item: &Slim) -> Option<Turn> {
    let texts = tools::texts(item.get("content"));
    match item.get("role").words() {
        "user" => Some(Turn::of_person(texts)),
        "assistant" => Some(Turn::of_agent(&texts)),
        _ => None,
    }
}

/// An output is an object, an object as text, a text with a head, or only a text.
fn result(call: &str, output: &Slim) -> ToolResult {
    let inner = output
        .text()
        .filter(|text| text.starts_with('{'))
        .and_then(|text| slim::parse(text.as_bytes()))
        .filter(|inner| !inner.any(&["output", "metadata", "success"]).is_nothing());
    let Some(inner) = inner else {
        let text = tools::output_text(output);
        let is_error = output.get("success").is(false) || fails_by_head(&text);
        return ToolResult { id: call.to_owned(), is_error, text };
    };
    let code = inner.get("metadata").any(&["exit_code"]).number();
    let is_error = code.is_some_and(|code| code != 0.0) || inner.get("success").is(false);
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
