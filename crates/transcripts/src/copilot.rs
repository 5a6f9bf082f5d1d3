//! Copilot: one line per event of a session.

use super::slim::Slim;
use super::speech::spoken;
use super::{Turn, Voice, tools};

/// The tools of a message are not read here: each has its own event when it runs.
pub(super) fn turn(record: &Slim) -> Option<Turn> {
    let data = record.get("data");
    let call = data.get("toolCallId").words();
    let mut turn = Turn::default();
    match record.get("type").words() {
        "user.message" => {
            turn.voice = Voice::Person;
            // Skills and the like speak through the same event and say so.
            if matches!(data.get("source").words(), "" | "user") {
                turn.text = spoken(&tools::texts(data.get("content")).join("\n"));
            }
        }
        "assistant.message" => turn = Turn::of_agent(&tools::texts(data.get("content"))),
        "tool.execution_start" => {
            let name = data.get("toolName").words();
            turn.uses.push(tools::tool_use_of_text(call, name, data.get("arguments")));
        }
        "tool.execution_complete" => {
            let is_error = data.get("success").is(false);
            let output = data.any(if is_error { &["error", "result"] } else { &["result"] });
            turn.results.push(tools::tool_result(call, is_error, output));
        }
        _ => return None,
    }
    turn.is_sidechain = data.get("parentToolCallId").text().is_some();
    Some(turn)
}
