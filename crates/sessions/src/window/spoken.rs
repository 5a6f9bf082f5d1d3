//! Records joined into turns: who spoke until the other side did. It knows no budget.

use super::SpokenTurn;
use crate::conversation::{Outcome, Results, telling_lines};
use oldhand_text::strings::{normalise_line, shorten, visible};
use oldhand_text::{table, tokens};
use oldhand_transcripts::{ToolResult, ToolUse, Turn, Voice};

const COMMAND_CHARS_MAX: usize = 160;
const PATHS_CHARS_MAX: usize = 160;
const NAME_CHARS_MAX: usize = 60;
const ERROR_CHARS_MAX: usize = 160;

/// How the names of tools begin that show a file, in lower case.
const READERS: &str = "read|view|open|str_replace";

struct Span {
    voice: Voice,
    first: usize,
    last: usize,
}

pub(super) fn newest(turns: &[Turn], turns_max: usize) -> Vec<SpokenTurn> {
    let spans = spans(turns);
    let skipped = spans.len().saturating_sub(turns_max);
    let results = Results::from(turns, spans.get(skipped).map_or(turns.len(), |span| span.first));
    spans.iter().skip(skipped).map(|span| said(turns, span, &results)).collect()
}

pub(super) fn starts(turns: &[Turn]) -> Vec<usize> {
    spans(turns).iter().map(|span| span.first).collect()
}

pub(super) fn shown(voice: Voice, text: &str, tools: &[String]) -> String {
    let mut lines = vec![match voice {
        Voice::Person => "person:",
        Voice::Agent => "agent:",
    }];
    if !text.is_empty() {
        lines.push(text);
    }
    lines.extend(tools.iter().map(String::as_str));
    visible(&lines.join("\n"))
}

/// What is said inside of a subagent is not said to the person. A record that only carries results
/// is no turn: they belong to calls before it.
fn spans(turns: &[Turn]) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for (at, turn) in turns.iter().enumerate().filter(|(_, turn)| !turn.is_sidechain) {
        let is_turn = speaks(turn) || !turn.uses.is_empty();
        let voice = if is_turn { turn.voice } else { Voice::Agent };
        match spans.last_mut() {
            Some(span) if span.voice == voice => span.last = at,
            _ if is_turn => spans.push(Span { voice, first: at, last: at }),
            _ => {}
        }
    }
    spans
}

fn speaks(turn: &Turn) -> bool {
    !turn.text.trim().is_empty()
}

fn said(turns: &[Turn], span: &Span, results: &Results<'_>) -> SpokenTurn {
    let places = (span.first..=span.last).filter(|at| !turns[*at].is_sidechain);
    let texts: Vec<&str> =
        places.clone().filter(|at| speaks(&turns[*at])).map(|at| turns[at].text.as_str()).collect();
    let text = texts.join("\n\n");
    let tools: Vec<String> = places
        .flat_map(|at| turns[at].uses.iter().map(move |tool| (at, tool)))
        .map(|(at, tool)| tool_line(tool, results.of(tool, at)))
        .collect();
    SpokenTurn {
        voice: span.voice,
        first_record: span.first,
        tokens: tokens::count(&shown(span.voice, &text, &tools)),
        text,
        tools,
    }
}

/// A tool call as one line: what was done, and how it ended where that is news.
fn tool_line(tool: &ToolUse, result: Option<&ToolResult>) -> String {
    let paths = shorten(&normalise_line(&tool.paths.join(", ")), PATHS_CHARS_MAX);
    let name = shorten(&normalise_line(&tool.name), NAME_CHARS_MAX);
    let command = tool.command.as_deref();
    let has_failed = |it: &&ToolResult| it.is_error || Outcome::of_use(tool, it) == Outcome::Failed;
    let failure = result.filter(has_failed).map(|it| telling_lines(&it.text, ERROR_CHARS_MAX));
    let done = match command {
        _ if tool.is_edit && !paths.is_empty() => format!("edited {paths}"),
        Some(command) => format!("ran `{}`", shorten(&normalise_line(command), COMMAND_CHARS_MAX)),
        None if paths.is_empty() => name,
        None if table::begins(READERS, &tool.name.to_lowercase()) => format!("read {paths}"),
        None => format!("{name} {paths}"),
    };
    match failure.as_deref().map(|why| why.split(" / ").next().unwrap_or_default()) {
        Some("") => format!("[{done}: failed]"),
        Some(why) => format!("[{done}: failed: {why}]"),
        // That an edit or a look went well is no news.
        None if command.is_some() && !tool.is_edit && result.is_some() => format!("[{done}: ok]"),
        None => format!("[{done}]"),
    }
}
