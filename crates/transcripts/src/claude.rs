//! Claude Code: a line for a message, for a result of a tool, and for much else.

use super::slim::{Keys, Slim};
use super::speech::{PLAN_OPENING, said_by_agent, spoken};
use super::tools;
use super::{Turn, Voice};

/// `toolUseResult` is left out on purpose: most of the bytes, and the blocks say it as well.
pub(super) const KEYS: Keys = &[
    "type",
    "message",
    "isSidechain",
    "content",
    "role",
    "model",
    "text",
    "id",
    "tool_use_id",
    "is_error",
    "name",
    "input",
    "isMeta",
    "isCompactSummary",
    "isApiErrorMessage",
    "origin",
    "kind",
    "operation",
    "parts",
    "file_path",
    "path",
    "notebook_path",
    "filePath",
    "absolute_path",
    "command",
    "cmd",
    "todos",
    "status",
    "subject",
    "taskId",
];

/// A refused tool may carry why, in the words of the person.
const REFUSED: &str = "The user doesn't want to proceed with this tool use.";
const REFUSED_WHY: &str = "the user said:";

pub(super) fn turn(record: &Slim<'_>) -> Option<Turn> {
    let mut turn = match record.get("type").words() {
        "user" => from_person(record),
        "assistant" => from_agent(record),
        "queue-operation" => queued(record)?,
        _ => return None,
    };
    turn.is_sidechain = record.get("isSidechain").is_true();
    if turn.is_sidechain {
        // What a subagent is asked to do was written by an agent.
        turn.voice = Voice::Agent;
    }
    Some(turn)
}

fn from_person(record: &Slim<'_>) -> Turn {
    let mut turn = Turn::of(Voice::Person);
    let content = record.get("message").any(&["content", "parts"]);
    let mut said: Vec<String> = Vec::new();
    for block in content.items() {
        if block.get("type").words() == "tool_result" {
            let id = block.get("tool_use_id").words();
            let is_error = block.get("is_error").is_true();
            let result = tools::tool_result(id, is_error, block.get("content"));
            said.extend(reason_of_refusal(&result.text).map(spoken));
            turn.results.push(result);
        }
    }
    if !is_by_program(record) {
        let texts = tools::texts(content);
        if let Some(plan) = texts.iter().find(|text| text.starts_with(PLAN_OPENING)) {
            turn.voice = Voice::Agent;
            turn.text = plan_title(plan);
            return turn;
        }
        said.extend(texts.into_iter().map(spoken));
    }
    said.retain(|text| !text.is_empty());
    turn.text = said.join("\n");
    turn
}

fn is_by_program(record: &Slim<'_>) -> bool {
    let origin = record.get("origin").get("kind");
    record.get("isMeta").is_true()
        || record.get("isCompactSummary").is_true()
        || origin.text().is_some_and(|kind| kind != "human")
}

fn reason_of_refusal(result: &str) -> Option<&str> {
    let (_, why) = result.strip_prefix(REFUSED)?.split_once(REFUSED_WHY)?;
    Some(why)
}

/// The plan is the agent's; what it is about is all that the session needs.
fn plan_title(text: &str) -> String {
    let plan = text.strip_prefix(PLAN_OPENING).unwrap_or_default();
    let title = plan.lines().map(|line| line.trim_start_matches('#').trim());
    let title = title.into_iter().find(|line| !line.is_empty()).unwrap_or_default();
    said_by_agent(&format!("{PLAN_OPENING} {}", title.trim_start_matches("Plan:").trim()))
}

fn from_agent(record: &Slim<'_>) -> Turn {
    let mut turn = Turn::of(Voice::Agent);
    let message = record.get("message");
    let content = message.any(&["content", "parts"]);
    for block in content.items() {
        if block.get("type").words() == "tool_use" {
            let (id, name) = (block.get("id").words(), block.get("name").words());
            turn.uses.push(tools::tool_use(id, name, block.get("input")));
        }
    }
    // `<synthetic>` is the host that speaks for its agent, about an error of the connection.
    let is_synthetic = message.get("model").words() == "<synthetic>";
    if !is_synthetic && !record.get("isApiErrorMessage").is_true() {
        turn.text = said_by_agent(&tools::texts(content).join("\n"));
    }
    turn
}

/// What a person typed while the agent worked: most of it reaches the agent without a line of its
/// own.
fn queued(record: &Slim<'_>) -> Option<Turn> {
    if record.get("operation").words() != "enqueue" {
        return None;
    }
    let mut turn = Turn::of(Voice::Person);
    turn.text = tools::texts(record.get("content")).into_iter().map(spoken).collect();
    Some(turn)
}
