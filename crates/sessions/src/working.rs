//! The working state of a session: what it is about, what was touched, what failed, what is open.
//!
//! It is folded from turns as they come, is small whatever the session, and holds only what was
//! extracted, nothing that was made up. It must not know where turns come from nor where it is
//! kept. Text that holds a secret is withheld before it gets here.

pub(crate) mod absorb;
pub(crate) mod command;
mod render;

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use oldhand_text::strings::{has_word, normalise_line, shorten};
use oldhand_transcripts::{ToolResult, Turn};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Working {
    /// The first prompt that asks for something.
    pub goal: String,
    /// The newest prompt that asks for something.
    pub last_prompt: String,
    /// Everything that a person said, a yes included.
    pub prompts: usize,
    /// Turns to and from the person that say something.
    pub exchanges: usize,
    pub tool_uses: usize,
    /// Their names, sorted.
    pub tools: Vec<String>,
    /// Files that were changed, the newest last, each once.
    pub files: Vec<String>,
    /// The newest last.
    pub failures: Vec<Failure>,
    /// The newest list.
    pub todos: Vec<Todo>,
    pub last_check: Option<Check>,
    /// The last command that does something failed, and nothing was changed since.
    pub is_stuck: bool,
    /// Commands whose result is still to come, the newest last.
    pub running: Vec<Running>,
}

/// A command that failed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Failure {
    pub command: String,
    /// The lines that tell what is wrong.
    pub error: String,
    pub fixed: bool,
    /// What was done between the failure and the success.
    pub fix: Option<String>,
    /// What was done since, for a fix to come.
    pub steps: Vec<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Todo {
    pub text: String,
    pub done: bool,
}

/// The last run of tests, a build or a linter.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Check {
    pub command: String,
    pub passed: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Running {
    pub id: String,
    pub command: String,
}

const PROMPT_CHARS_MAX: usize = 300;
const COMMAND_CHARS_MAX: usize = 200;
const ERROR_CHARS_MAX: usize = 400;
const TODO_CHARS_MAX: usize = 200;
const PATH_CHARS_MAX: usize = 300;
const NAME_CHARS_MAX: usize = 80;
const STEP_CHARS_MAX: usize = 100;

const TOOLS_MAX: usize = 64;
const FILES_MAX: usize = 40;
const FAILURES_MAX: usize = 8;
const TODOS_MAX: usize = 60;
const RUNNING_MAX: usize = 16;
const STEPS_MAX: usize = 6;

/// Stands where a text held a secret.
pub(crate) const WITHHELD: &str = "[withheld]";

/// What counts for a session being worth a summary, and how much.
const TOOL_USE_WEIGHT: f64 = 0.05;
const TOOL_WEIGHT: f64 = 0.10;
const EXCHANGE_WEIGHT: f64 = 0.02;

impl Working {
    /// From 0 to 1: how much happened. Talk alone is nothing.
    pub fn activity(&self) -> f64 {
        if self.tool_uses == 0 {
            return 0.0;
        }
        let sum = TOOL_USE_WEIGHT * self.tool_uses as f64
            + TOOL_WEIGHT * self.tools.len() as f64
            + EXCHANGE_WEIGHT * self.exchanges as f64;
        sum.min(1.0)
    }

    /// How the last run of tests, a build or a linter went.
    pub fn last_check_passed(&self) -> Option<bool> {
        self.last_check.as_ref().map(|check| check.passed)
    }

    /// What was run, as far as it is known.
    pub fn commands(&self) -> Vec<String> {
        let checks = self.last_check.iter().map(|check| &check.command);
        let failures = self.failures.iter().map(|failure| &failure.command);
        let running = self.running.iter().map(|running| &running.command);
        checks.chain(failures).chain(running).cloned().collect()
    }

    fn open_todos(&self) -> impl Iterator<Item = &Todo> {
        self.todos.iter().filter(|todo| !todo.done)
    }

    fn unfixed(&self) -> impl Iterator<Item = &Failure> {
        self.failures.iter().filter(|failure| !failure.fixed)
    }
}

/// Of an error the lines that tell what is wrong, within the limit.
pub fn telling_lines(output: &str, chars_max: usize) -> String {
    shorten(&normalise_line(&command::error_lines(output)), chars_max)
}

/// A check behind a pipe hides its exit code, not its verdict.
pub fn has_failed(command: &str, result: &ToolResult) -> bool {
    result.is_error
        || command::Command::of(command).is_check() && command::says_failed(&result.text)
}

/// Whether somebody said this id, as a word of its own.
pub fn mentions(turns: &[Turn], id: &str) -> bool {
    !id.is_empty() && turns.iter().any(|turn| has_word(&turn.text, id))
}

/// One line within the limit, or a mark where the text holds a secret. The whole text is looked at:
/// what is left of a secret that was cut no longer looks like one.
pub(crate) fn kept(text: &str, chars_max: usize) -> String {
    if !oldhand_text::secrets::scan(text).is_empty() {
        return WITHHELD.to_owned();
    }
    shorten(&normalise_line(text), chars_max)
}
