//! Lines of a conversation: Cursor's, with a `message` inside, and plain ones, which are flat.

use super::slim::Slim;
use super::{Turn, tools};

pub(super) fn turn(record: &Slim) -> Option<Turn> {
    let inner = match record.get("message") {
        message @ Slim::Map(_) => message,
        _ => record,
    };
    let who = [record.get("role"), inner.get("role"), record.get("type")]
        .into_iter()
        .map(Slim::words)
        .find(|word| !word.is_empty())?;
    let content = [inner.get("content"), inner.get("text"), record.get("message")]
        .into_iter()
        .find(|it| matches!(it, Slim::Text(_) | Slim::List(_)))?;
    let texts = tools::texts(content);
    let mut turn = match who.to_lowercase().as_str() {
        "user" | "human" => Turn::of_person(texts),
        "assistant" | "agent" | "ai" | "model" => Turn::of_agent(&texts),
        _ => return None,
    };
    tools::read_blocks(content, &mut turn);
    Some(turn)
}
