//! Gemini: one document with a list of messages, or one line per message and per change.

use std::collections::BTreeSet;

use super::slim::Slim;
use super::{Turn, tools};

/// What was taken already. A message is written again when it changes, and all of them when the
/// history does. It lasts for one reading, so a later reading may see a message again.
#[derive(Debug, Default)]
pub(super) struct Known {
    said: BTreeSet<(String, String)>,
    tools: BTreeSet<String>,
}

/// A line is a message, a change that holds messages, or about the session.
pub(super) fn turns(record: &Slim, line: usize, known: &mut Known) -> Vec<Turn> {
    let messages = match record.get("$set") {
        Slim::Nothing => std::slice::from_ref(record),
        change => change.get("messages").items(),
    };
    let mut turns = Vec::new();
    for message in messages {
        let Some(mut turn) = super::turn(message, super::Format::Gemini, line) else { continue };
        forget_known(&mut turn, message.get("id").words(), known);
        turns.extend((!turn.is_silent()).then_some(turn));
    }
    turns
}

fn forget_known(turn: &mut Turn, id: &str, known: &mut Known) {
    if !id.is_empty() && !known.said.insert((id.to_owned(), turn.text.clone())) {
        turn.text.clear();
    }
    turn.uses.retain(|it| it.id.is_empty() || known.tools.insert(format!("use {}", it.id)));
    turn.results.retain(|it| it.id.is_empty() || known.tools.insert(format!("result {}", it.id)));
}

pub(super) fn turn(message: &Slim) -> Option<Turn> {
    match message.get("type").words() {
        "user" => {
            // With files attached, `content` holds them as well.
            let typed = tools::texts(message.any(&["displayContent", "content"])).concat();
            Some(Turn::of_person(vec![&typed]))
        }
        "gemini" => {
            let said = tools::texts(message.get("content")).concat();
            let mut turn = Turn::of_agent(&[&said]);
            for call in message.get("toolCalls").items() {
                push_call(call, &mut turn);
            }
            Some(turn)
        }
        _ => None,
    }
}

fn push_call(call: &Slim, turn: &mut Turn) {
    let id = call.get("id").words();
    turn.uses.push(tools::tool_use(id, call.get("name").words(), call.get("args")));
    let status = call.get("status").words();
    if call.get("result").is_nothing() && !matches!(status, "success" | "error") {
        return;
    }
    let output = |part: &Slim| {
        let response = part.get("functionResponse").get("response");
        tools::output_text(if response.is_nothing() { part } else { response })
    };
    let outputs: Vec<String> = call.get("result").items().iter().map(output).collect();
    let text = outputs.join("\n");
    let is_error = status == "error" || text.starts_with("Error:") || has_failed(&text);
    turn.results.push(tools::tool_result(id, is_error, &Slim::Text(text.into())));
}

/// Its shell gives a report, and success only says that the report was made.
fn has_failed(text: &str) -> bool {
    text.lines()
        .filter_map(|line| line.strip_prefix("Exit Code:"))
        .any(|code| !matches!(code.trim(), "0" | "(none)"))
}
