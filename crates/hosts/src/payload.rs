//! Reads the payload of a hook, whichever host sends it. A field of the wrong type counts as
//! missing.

use serde_json::{Map, Value, json};

use crate::dialect::Dialect;

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    SessionStart,
    Prompt,
    BeforeTool,
    AfterTool,
    ToolFailed,
    BeforeCompact,
    SubagentStart,
    SubagentStop,
    Stop,
    SessionEnd,
}

/// Every event in the order of [`Event`]: our name, and the names of all hosts in lower case.
#[rustfmt::skip]
const EVENTS: [(Event, &str, &str); 10] = [
    (Event::SessionStart, "session_start", "sessionstart sessioncreated"),
    (Event::Prompt, "prompt", "userpromptsubmit userpromptsubmitted beforesubmitprompt beforeagent prompt"),
    (Event::BeforeTool, "before_tool", "pretooluse beforetool toolexecutebefore beforeshellexecution beforemcpexecution"),
    (Event::AfterTool, "after_tool", "posttooluse aftertool toolexecuteafter aftershellexecution"),
    (Event::ToolFailed, "tool_failed", "posttoolusefailure erroroccurred toolfailed"),
    (Event::BeforeCompact, "before_compact", "precompact precompress beforecompact sessioncompacting"),
    (Event::SubagentStart, "subagent_start", "subagentstart"),
    (Event::SubagentStop, "subagent_stop", "subagentstop"),
    (Event::Stop, "stop", "stop agentstop afteragent sessionidle"),
    (Event::SessionEnd, "session_end", "sessionend sessiondeleted"),
];

impl Event {
    pub fn all() -> impl Iterator<Item = Self> {
        EVENTS.iter().map(|(event, ..)| *event)
    }

    pub fn as_str(self) -> &'static str {
        EVENTS[self as usize].1
    }

    /// Accepts the names of every host, and ours; only letters and digits count.
    pub fn named(name: &str) -> Option<Self> {
        let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        let plain = plain.to_lowercase();
        let is_name = |names: &str| names.split(' ').any(|known| known == plain);
        EVENTS.iter().find(|(_, _, names)| is_name(names)).map(|(event, ..)| *event)
    }
}

/// Why a session starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Start {
    #[default]
    Fresh,
    /// The conversation is replayed, including injected text.
    Resumed,
    /// Its beginning was summarised, so injected text is gone.
    Compacted,
    Cleared,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tool {
    pub name: String,
    pub input: Value,
    /// What went wrong, if the host reports a failure.
    pub error: Option<String>,
}

/// One call of a hook.
#[derive(Debug, Clone, PartialEq)]
pub struct Payload {
    pub dialect: Dialect,
    pub event: Event,
    /// The host's own name of the event, repeated in the answer.
    pub event_name: String,
    pub session: String,
    /// Set inside a subagent, which has its own conversation.
    pub agent: Option<String>,
    pub cwd: Option<String>,
    pub transcript: Option<String>,
    pub start: Start,
    pub prompt: String,
    /// The host vouches that a person typed the prompt.
    pub is_typed: bool,
    pub tool: Option<Tool>,
    /// The agent continues because a stop hook asked it to.
    pub stop_active: bool,
    pub last_message: Option<String>,
}

/// `event` comes from the command line, for hosts whose payloads don't name it.
pub fn read(dialect: Dialect, value: Value, event: Option<&str>) -> Result<Payload, String> {
    let Value::Object(mut object) = value else {
        return Err("the payload is no JSON object".to_owned());
    };
    let named = text(&object, &["hook_event_name", "hookEventName", "event", "hookName"]);
    let event_name = event.map(str::to_owned).or(named).unwrap_or_default();
    let known = Event::named(&event_name).ok_or_else(|| match event_name.as_str() {
        "" => "the payload names no event, and `--event` is not given".to_owned(),
        name => format!("nothing is done at the event `{name}`"),
    })?;
    let tool = tool_of(&mut object);
    let event = match (known, &tool) {
        // Hosts without an event for failures report them in the result.
        (Event::AfterTool, Some(Tool { error: Some(_), .. })) => Event::ToolFailed,
        _ => known,
    };
    let start = match text(&object, &["source"]).as_deref() {
        Some("resume" | "fork") => Start::Resumed,
        Some("compact" | "compress") => Start::Compacted,
        Some("clear") => Start::Cleared,
        _ => Start::Fresh,
    };
    let session = text(
        &object,
        &["session_id", "sessionId", "conversation_id", "sessionID", "thread_id", "trajectory_id"],
    );
    let agent = text(&object, &["agent_id", "agentId", "subagent_id"]).or_else(|| {
        let is_inside = matches!(event, Event::SubagentStart | Event::SubagentStop);
        text(&object, &["agentName", "agent_type"]).filter(|_| is_inside)
    });
    let prompt = text(&object, &["prompt", "user_prompt", "userPrompt"]).unwrap_or_default();
    // The prompts of a subagent are written by an agent.
    let is_typed =
        agent.is_none() && dialect.vouches_for_prompts() && oldhand_transcripts::is_typed(&prompt);
    Ok(Payload {
        dialect,
        event,
        event_name,
        session: session.unwrap_or_default(),
        agent,
        cwd: text(&object, &["cwd", "working_directory"]).or_else(|| first_root(&object)),
        transcript: text(&object, &["transcript_path", "transcriptPath"]),
        start,
        is_typed,
        prompt: without_hook_context(&prompt),
        tool,
        stop_active: is_true(&object, &["stop_hook_active", "stopHookActive"])
            || object.get("loop_count").and_then(Value::as_u64).is_some_and(|count| count > 0),
        last_message: text(&object, &["last_assistant_message", "prompt_response", "response"]),
    })
}

fn text(object: &Map<String, Value>, names: &[&str]) -> Option<String> {
    names
        .iter()
        .find_map(|name| object.get(*name).and_then(Value::as_str))
        .filter(|text| !text.trim().is_empty())
        .map(str::to_owned)
}

/// Gemini adds the context from hooks to the prompt that the next hook gets.
fn without_hook_context(prompt: &str) -> String {
    const OPEN: &str = "<hook_context>";
    const CLOSE: &str = "</hook_context>";
    let mut said = String::with_capacity(prompt.len());
    let mut rest = prompt;
    while let Some((before, inside)) = rest.split_once(OPEN) {
        said.push_str(before);
        rest = inside.split_once(CLOSE).map_or("", |(_, after)| after);
    }
    said.push_str(rest);
    said
}

fn is_true(object: &Map<String, Value>, names: &[&str]) -> bool {
    names.iter().any(|name| object.get(*name).and_then(Value::as_bool) == Some(true))
}

/// Cursor lists the folders of its window.
fn first_root(object: &Map<String, Value>) -> Option<String> {
    let roots = object.get("workspace_roots")?.as_array()?;
    roots.iter().find_map(Value::as_str).map(str::to_owned)
}

fn tool_of(object: &mut Map<String, Value>) -> Option<Tool> {
    let name = text(object, &["tool_name", "toolName", "tool"]);
    let input = ["tool_input", "toolInput", "toolArgs", "tool_args", "args"]
        .iter()
        .find_map(|name| object.remove(*name));
    // Copilot sends the arguments as a JSON string.
    let input = match input {
        Some(Value::String(text)) => serde_json::from_str(&text).unwrap_or(Value::String(text)),
        Some(value) => value,
        None => Value::Null,
    };
    let error = error_of(object);
    match (name, text(object, &["command"])) {
        (Some(name), _) => Some(Tool { name, input, error }),
        // A shell hook of Cursor: the command alone.
        (None, Some(command)) => {
            Some(Tool { name: "shell".to_owned(), input: json!({"command": command}), error })
        }
        (None, None) => error.map(|error| Tool { name: String::new(), input, error: Some(error) }),
    }
}

/// Longer errors are cut in the middle: the important part is at either end.
const ERROR_BYTES_MAX: usize = 16 * 1024;

/// What went wrong, as reported.
fn error_of(object: &Map<String, Value>) -> Option<String> {
    if let Some(error) = object.get("error") {
        let said = error.as_str().or_else(|| error.get("message").and_then(Value::as_str));
        return said.filter(|text| !text.trim().is_empty()).map(cut);
    }
    if let Some(error) = text(object, &["error_message", "errorMessage"]) {
        return Some(cut(&error));
    }
    let response = ["tool_response", "toolResponse", "tool_output", "tool_result", "toolResult"]
        .iter()
        .find_map(|name| object.get(*name))?;
    failed_response(response)
}

fn failed_response(response: &Value) -> Option<String> {
    let response = match response {
        Value::Object(response) => response,
        Value::String(text) => return tells_failure(text).then(|| cut(text)),
        _ => return None,
    };
    let said = || {
        let mut parts: Vec<&str> = Vec::new();
        for name in ["stderr", "error", "stdout", "output", "textResultForLlm", "llmContent"] {
            parts.extend(response.get(name).and_then(Value::as_str));
        }
        let nested = response.get("error").and_then(|it| it.get("message")).and_then(Value::as_str);
        parts.extend(nested);
        parts.join("\n")
    };
    let number = |name: &str| response.get(name).and_then(Value::as_i64);
    let failed = is_true(response, &["is_error", "isError", "interrupted"])
        || response.get("success").and_then(Value::as_bool) == Some(false)
        || ["exit_code", "exitCode", "returnCode"]
            .iter()
            .any(|it| number(it).is_some_and(|n| n != 0))
        || matches!(
            text(response, &["resultType", "status"]).as_deref(),
            Some("failure" | "failed" | "error")
        )
        || response.get("error").is_some_and(|error| !error.is_null())
        || ["llmContent", "output", "textResultForLlm"]
            .iter()
            .any(|name| text(response, &[name]).is_some_and(|said| tells_failure(&said)));
    failed.then(said).filter(|text| !text.trim().is_empty()).map(|text| cut(&text))
}

/// A shell's output as one text, with its exit code in the first lines.
fn tells_failure(text: &str) -> bool {
    const CODES: &[&str] = &["exit code:", "exited with code", "exit status", "exit_code\":"];
    // It is at the beginning or at the end.
    let ends = oldhand_text::strings::middle_cut(text, 800).to_lowercase();
    CODES.iter().any(|words| {
        ends.rsplit_once(words).is_some_and(|(_, rest)| {
            let code: String = rest
                .trim_start()
                .chars()
                .take_while(|it| it.is_ascii_digit() || *it == '-')
                .collect();
            code.parse::<i64>().is_ok_and(|code| code != 0)
        })
    })
}

fn cut(text: &str) -> String {
    oldhand_text::strings::middle_cut(text, ERROR_BYTES_MAX)
}

#[cfg(test)]
mod tests;
