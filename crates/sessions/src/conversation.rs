//! What happens in a conversation: which call a result belongs to, how it ended, what a command is
//! about, and who asked for what. `Deeds` is the one fold of turns, `Working` the part of it that is
//! stored. Neither knows where turns come from.

mod command;
pub(crate) mod deeds;
pub(crate) mod exact;
pub(crate) mod fate;
mod message;
mod removed;
mod working;

#[cfg(test)]
mod tests;

use std::collections::HashMap;

pub use self::working::{Check, Editing, Failure, Running, SinceList, Todo, Working};

use oldhand_text::strings::{normalise_line, shorten};
use oldhand_text::table;
use oldhand_transcripts::{ToolResult, ToolUse, Turn};

/// Stands where a text held a secret.
pub(crate) const WITHHELD: &str = "[withheld]";

/// How a result begins that says nothing about the call: it never ran.
const NOT_RUN: &str = "The user doesn't want to|<tool_use_error>|[Request interrupted|\
    Permission to use|Cancelled:|Command running in background";

/// Answers that agree or go on, and ask for nothing.
const AGREEMENTS: &str = "yes yeah yep yup no nope ok okay sure hm hmm mhm aha please thanks thank \
    you go ahead on continue proceed do it that this great good nice perfect cool right correct \
    done lgtm looks sounds fine ja nein danke weiter bitte oui non si all";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Outcome {
    /// No result yet.
    #[default]
    Open,
    Fine,
    Failed,
    /// Refused or interrupted.
    NotRun,
}

impl Outcome {
    pub(crate) fn of_use(tool: &ToolUse, result: &ToolResult) -> Self {
        let command = tool.command.as_deref();
        Self::of(result, || command.is_some_and(|it| command::Command::of(it).is_check()))
    }

    /// A check behind a pipe hides its exit code, not its verdict.
    fn of(result: &ToolResult, is_check: impl FnOnce() -> bool) -> Self {
        if table::begins(NOT_RUN, &result.text) {
            Self::NotRun
        } else if result.is_error || is_check() && command::has_failed(&result.text) {
            Self::Failed
        } else {
            Self::Fine
        }
    }
}

/// Results by the id of their call, with the place of their record.
pub(crate) struct Results<'t>(HashMap<&'t str, Vec<(usize, &'t ToolResult)>>);

impl<'t> Results<'t> {
    /// Those of the records from a place on: a result stands behind its call, never before it.
    pub(crate) fn from(turns: &'t [Turn], first: usize) -> Self {
        let mut found: HashMap<&'t str, Vec<(usize, &'t ToolResult)>> = HashMap::new();
        for (at, turn) in turns.iter().enumerate().skip(first) {
            for result in turn.results.iter().filter(|it| !it.id.is_empty()) {
                found.entry(&result.id).or_default().push((at, result));
            }
        }
        Self(found)
    }

    /// The first one behind the call: hosts may use an id again.
    pub(crate) fn of(&self, tool: &ToolUse, call: usize) -> Option<&'t ToolResult> {
        let results = self.0.get(tool.id.as_str())?;
        results.iter().find(|(at, _)| *at >= call).map(|(_, result)| *result)
    }
}

/// Of an error the lines that say what is wrong, within the limit.
pub fn telling_lines(output: &str, chars_max: usize) -> String {
    shorten(&normalise_line(&command::error_lines(output)), chars_max)
}

/// Whether the turns name this id as a whole word.
pub fn mentions(turns: &[Turn], id: &str) -> bool {
    !id.is_empty() && turns.iter().any(|turn| table::has_word(&turn.text, id))
}

/// One line within the limit, or a mark if the text holds a secret. Scans the whole text: part of a
/// secret doesn't look like one.
pub(crate) fn kept(text: &str, chars_max: usize) -> String {
    if !oldhand_text::secrets::scan(text).is_empty() {
        return WITHHELD.to_owned();
    }
    shorten(&normalise_line(text), chars_max)
}

/// It says more than yes.
pub(crate) fn asks(text: &str) -> bool {
    const LETTERS_MIN: usize = 4;
    let mut letters = text.chars().filter(|c| c.is_alphabetic());
    let mut words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    (letters.clone().nth(LETTERS_MIN - 1).is_some() || letters.any(|c| !c.is_ascii()))
        && !words.all(|word| table::has(AGREEMENTS, &word.to_lowercase()))
}
