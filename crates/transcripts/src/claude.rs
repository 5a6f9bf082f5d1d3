//! Claude Code: a line for a message, for a result of a tool, and for much else.

use super::prose::Prose;
use super::slim::Slim;
use super::speech::{PLAN_OPENING, said_by_agent, spoken};
use super::{Turn, Voice, tools};
use oldhand_text::table;

/// A refused tool may carry why, in the words of the person.
const REFUSED: &str = "The user doesn't want to proceed with this tool use.";
const REFUSED_WHY: &str = "the user said:";

/// What the agent answers though no person said it.
const PROGRAMS: &str = "<command-|<task-notification|<teammate-message|<agent-notification";

const INTERRUPTED: &str = "[Request interrupted by user";

/// Whether a person stopped the agent, or refused a tool, behind the last prompt of these lines.
pub fn ends_interrupted(tail: &[u8]) -> bool {
    let tail = String::from_utf8_lossy(tail);
    for line in tail.lines().rev() {
        if line.contains(INTERRUPTED) || line.contains(REFUSED) {
            return true;
        }
        let is_prompt = line.contains("\"type\":\"user\"") && !line.contains("tool_use_id");
        if is_prompt && !line.contains("\"isMeta\":true") {
            return false;
        }
    }
    false
}

pub(super) fn turn(record: &Slim) -> Option<Turn> {
    let mut turn = match record.get("type").words() {
        "user" => from_person(record),
        "assistant" => from_agent(record),
        "queue-operation" => queued(record)?,
        _ => return None,
    };
    turn.is_sidechain = record.get("isSidechain").is(true);
    if turn.is_sidechain {
        // What a subagent is asked to do was written by an agent.
        turn.voice = Voice::Agent;
    }
    Some(turn)
}

fn from_person(record: &Slim) -> Turn {
    let mut turn = Turn { voice: Voice::Person, ..Turn::default() };
    let content = record.get("message").any(&["content", "parts"]);
    tools::read_blocks(content, &mut turn);
    if record.get("isCompactSummary").is(true) {
        turn.voice = Voice::Agent;
        turn.prose = Prose::summary(&tools::texts(content).join("\n"));
    }
    let texts = if is_by_program(record) { Vec::new() } else { tools::texts(content) };
    if let Some(plan) = texts.iter().find(|text| text.starts_with(PLAN_OPENING)) {
        turn.voice = Voice::Agent;
        turn.text = plan_title(plan);
        turn.prose = Prose::plan(plan.strip_prefix(PLAN_OPENING).unwrap_or_default());
        return turn;
    }
    let refusals = turn.results.iter().filter_map(|it| it.text.strip_prefix(REFUSED));
    let refusals = refusals.filter_map(|it| Some(it.split_once(REFUSED_WHY)?.1));
    let is_program = |text: &&str| table::begins(PROGRAMS, text.trim_start());
    turn.is_by_program = is_sent(record) || texts.iter().any(is_program);
    turn.text = Turn::of_person(refusals.chain(texts).collect()).text;
    turn
}

fn is_by_program(record: &Slim) -> bool {
    record.get("isMeta").is(true) || record.get("isCompactSummary").is(true) || is_sent(record)
}

/// To the agent, by something that is no person.
fn is_sent(record: &Slim) -> bool {
    record.get("origin").get("kind").text().is_some_and(|kind| kind != "human")
}

/// The plan is the agent's; what it is about is all that the session needs.
fn plan_title(text: &str) -> String {
    let plan = text.strip_prefix(PLAN_OPENING).unwrap_or_default();
    let title = plan.lines().map(|line| line.trim_start_matches('#').trim());
    let title = title.into_iter().find(|line| !line.is_empty()).unwrap_or_default();
    said_by_agent(&format!("{PLAN_OPENING} {}", title.trim_start_matches("Plan:").trim()))
}

fn from_agent(record: &Slim) -> Turn {
    let mut turn = Turn::default();
    let message = record.get("message");
    let content = message.any(&["content", "parts"]);
    tools::read_blocks(content, &mut turn);
    // `<synthetic>` is the host that speaks for its agent, about an error of the connection.
    let is_synthetic = message.get("model").words() == "<synthetic>";
    if !is_synthetic && !record.get("isApiErrorMessage").is(true) {
        turn.text = Turn::of_agent(&tools::texts(content)).text;
    }
    turn
}

/// What a person typed while the agent worked: most of it reaches the agent without a line of its
/// own.
fn queued(record: &Slim) -> Option<Turn> {
    if record.get("operation").words() != "enqueue" {
        return None;
    }
    let mut turn = Turn { voice: Voice::Person, ..Turn::default() };
    turn.text = tools::texts(record.get("content")).into_iter().map(spoken).collect();
    Some(turn)
}
