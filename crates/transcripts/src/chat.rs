//! Lines of a conversation: Cursor's, with a `message` inside, and plain ones, which are flat.

use super::slim::{Keys, Slim};
use super::speech::{said_by_agent, spoken};
use super::tools;
use super::{Turn, Voice};

pub(super) const KEYS: Keys = &[
    "role",
    "type",
    "message",
    "content",
    "text",
    "id",
    "name",
    "input",
    "tool_use_id",
    "is_error",
    "path",
    "file_path",
    "target_file",
    "target_notebook",
    "command",
    "cmd",
    "todos",
    "status",
    "patch",
    "messages",
];

pub(super) fn turn(record: &Slim<'_>) -> Option<Turn> {
    let inner = match record.get("message") {
        message @ Slim::Map(_) => message,
        _ => record,
    };
    let who = [record.get("role"), inner.get("role"), record.get("type")]
        .into_iter()
        .map(Slim::words)
        .find(|word| !word.is_empty())?;
    let voice = match who.to_lowercase().as_str() {
        "user" | "human" => Voice::Person,
        "assistant" | "agent" | "ai" | "model" => Voice::Agent,
        _ => return None,
    };
    let content = [inner.get("content"), inner.get("text"), record.get("message")]
        .into_iter()
        .find(|it| matches!(it, Slim::Text(_) | Slim::List(_)))?;
    let mut turn = Turn::of(voice);
    for block in content.items() {
        match block.get("type").words() {
            "tool_use" => {
                let (id, name) = (block.get("id").words(), block.get("name").words());
                turn.uses.push(tools::tool_use(id, name, block.get("input")));
            }
            "tool_result" => {
                let id = block.get("tool_use_id").words();
                let is_error = block.get("is_error").is_true();
                turn.results.push(tools::tool_result(id, is_error, block.get("content")));
            }
            _ => {}
        }
    }
    let texts = tools::texts(content);
    turn.text = match voice {
        Voice::Person => {
            let said: Vec<String> =
                texts.into_iter().map(spoken).filter(|text| !text.is_empty()).collect();
            said.join("\n")
        }
        Voice::Agent => said_by_agent(&texts.join("\n")),
    };
    Some(turn)
}
