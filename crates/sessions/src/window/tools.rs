//! A tool call as one line: what was done, and how it ended where that is news.

use crate::conversation::{Outcome, telling_lines};
use oldhand_text::strings::{normalise_line, shorten};
use oldhand_text::table;
use oldhand_transcripts::{ToolResult, ToolUse};

const COMMAND_CHARS_MAX: usize = 160;
const PATHS_CHARS_MAX: usize = 160;
const NAME_CHARS_MAX: usize = 60;
const ERROR_CHARS_MAX: usize = 160;

/// How the names of tools begin that show a file, in lower case.
const READERS: &str = "read|view|open|str_replace";

pub(super) fn line(tool: &ToolUse, result: Option<&ToolResult>) -> String {
    let paths = shorten(&normalise_line(&tool.paths.join(", ")), PATHS_CHARS_MAX);
    let name = shorten(&normalise_line(&tool.name), NAME_CHARS_MAX);
    let command = tool.command.as_deref();
    let failure = result.and_then(|result| failure(command.unwrap_or_default(), result));
    let done = match command {
        _ if tool.is_edit && !paths.is_empty() => format!("edited {paths}"),
        Some(command) => format!("ran `{}`", shorten(&normalise_line(command), COMMAND_CHARS_MAX)),
        None if paths.is_empty() => name,
        None if table::begins(READERS, &tool.name.to_lowercase()) => format!("read {paths}"),
        None => format!("{name} {paths}"),
    };
    match failure {
        Some(why) if why.is_empty() => format!("[{done}: failed]"),
        Some(why) => format!("[{done}: failed: {why}]"),
        // That an edit or a look went well is no news.
        None if command.is_some() && !tool.is_edit && result.is_some() => format!("[{done}: ok]"),
        None => format!("[{done}]"),
    }
}

/// The first line that says what is wrong.
fn failure(command: &str, result: &ToolResult) -> Option<String> {
    let has_failed = result.is_error || Outcome::of(command, result) == Outcome::Failed;
    let telling = || telling_lines(&result.text, ERROR_CHARS_MAX);
    has_failed.then(|| telling().split(" / ").next().unwrap_or_default().to_owned())
}
