//! The working state of a session: the part of `Deeds` that is stored between two readings. Its size
//! is bounded, and texts with secrets are withheld. Turns in pieces or at once give the same state. In
//! words (`told`) it is notes for the agent that continues, and the summary of a session.

mod edits;
mod told;

pub use self::edits::{Editing, SinceList};

use serde::{Deserialize, Serialize};

use super::command::{Command, error_lines, is_doubtful};
use super::deeds::Deeds;
use super::message::{CONCLUSION_CHARS_MAX, announces, conclusion, open_question, picks};
use super::{Outcome, asks, kept};
use oldhand_text::command_line::Committed;
use oldhand_text::strings::shorten;
use oldhand_text::table;
use oldhand_transcripts::{PLAN_OPENING, ToolResult, ToolUse, Turn, Voice};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Working {
    /// The first prompt that asks for something.
    pub goal: String,
    /// What the agent works on or has answered; empty where that was nothing that says something.
    pub last_prompt: String,
    /// What the agent said last, and what it asked there; empty once a person speaks again.
    pub conclusion: String,
    pub question: String,
    /// It only said what it was about to do.
    pub is_broken_off: bool,
    /// Tools were used since it said that: it is no end.
    pub has_worked_since: bool,
    /// It was said before the agent was done with another one.
    pub is_beside: bool,
    /// A program has asked for something since.
    pub is_called: bool,
    /// `1a2b3c4 subject (main)`
    pub last_commit: String,
    /// Files were changed since then, or since the beginning.
    pub is_uncommitted: bool,
    /// Which ones, as far as nobody took the change back.
    pub unsaved: Vec<String>,
    /// Everything that a person said, a yes included.
    pub prompts: usize,
    /// Turns to and from the person that say something.
    pub exchanges: usize,
    pub tool_uses: usize,
    pub tools: Vec<String>,
    /// Files that were changed, the newest last, each once.
    pub files: Vec<String>,
    pub failures: Vec<Failure>,
    pub todos: Vec<Todo>,
    /// What happened since the list was written.
    pub since_list: SinceList,
    pub last_check: Option<Check>,
    /// The last command that does something failed, and nothing was changed since.
    pub is_stuck: bool,
    /// Commands whose result is still to come, the newest last.
    pub running: Vec<Running>,
    /// Edits whose result is still to come.
    pub editing: Vec<Editing>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Failure {
    pub command: String,
    pub error: String,
    pub fixed: bool,
    /// What was done between the failure and the success.
    pub fix: Option<String>,
    /// What was done since, for a fix to come.
    pub steps: Vec<String>,
    /// What people had said by then.
    pub prompts: usize,
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
const QUESTION_CHARS_MAX: usize = 200;
const COMMAND_CHARS_MAX: usize = 200;
const ERROR_CHARS_MAX: usize = 400;
const TODO_CHARS_MAX: usize = 200;
const PATH_CHARS_MAX: usize = 300;
const NAME_CHARS_MAX: usize = 80;
const STEP_CHARS_MAX: usize = 100;

const TOOLS_MAX: usize = 64;
pub(super) const FILES_MAX: usize = 40;
pub(super) const FAILURES_MAX: usize = 8;
const TODOS_MAX: usize = 60;
const RUNNING_MAX: usize = 16;
const STEPS_MAX: usize = 6;

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

    pub fn last_check_passed(&self) -> Option<bool> {
        self.last_check.as_ref().map(|check| check.passed)
    }

    pub fn commands(&self) -> Vec<String> {
        let checks = self.last_check.iter().map(|check| &check.command);
        let failures = self.failures.iter().map(|failure| &failure.command);
        let running = self.running.iter().map(|running| &running.command);
        checks.chain(failures).chain(running).cloned().collect()
    }

    /// Takes in the turns that came since.
    pub fn absorb(&mut self, turns: &[Turn]) {
        *self = Deeds::since(std::mem::take(self), turns, "").working;
    }

    /// The agent came to an end and did nothing since.
    fn has_ended(&self) -> bool {
        !self.conclusion.is_empty() && !self.is_broken_off && !self.has_worked_since
    }

    /// Whether it says more than yes.
    pub(super) fn hear(&mut self, turn: &Turn) -> bool {
        let says_something = asks(&turn.text);
        let is_person = turn.voice == Voice::Person;
        self.exchanges += usize::from(says_something);
        if is_person {
            self.is_beside = self.prompts > 0 && !self.has_ended();
            self.is_called = false;
            // A yes means something only beside its question.
            let question = std::mem::take(&mut self.question);
            let is_answer = !says_something && !question.is_empty();
            let answer = || kept(&format!("{} (to: {question})", turn.text), PROMPT_CHARS_MAX);
            self.last_prompt = if is_answer { answer() } else { String::new() };
            self.conclusion.clear();
            (self.is_broken_off, self.has_worked_since) = (false, false);
            self.since_list.is_over |= says_something;
        } else if says_something && !turn.text.starts_with(PLAN_OPENING) {
            self.conclusion = kept(&conclusion(&turn.text), CONCLUSION_CHARS_MAX);
            self.question = kept(open_question(&turn.text), QUESTION_CHARS_MAX);
            self.is_broken_off = announces(&turn.text);
            self.has_worked_since = false;
            self.forget_prompt_if_called();
        }
        self.prompts += usize::from(is_person);
        if is_person && says_something {
            self.last_prompt = kept(&turn.text, PROMPT_CHARS_MAX);
            if self.goal.is_empty() {
                self.goal.clone_from(&self.last_prompt);
            }
        // A plan that was accepted elsewhere is what this session begins with.
        } else if !is_person && self.goal.is_empty() && turn.text.starts_with(PLAN_OPENING) {
            self.goal = kept(&turn.text, PROMPT_CHARS_MAX);
        }
        says_something
    }

    /// What the agent does from here on is for the program that called.
    fn forget_prompt_if_called(&mut self) {
        if self.is_called {
            self.last_prompt.clear();
        }
    }

    pub(super) fn begin(&mut self, tool: &ToolUse) {
        self.tool_uses += 1;
        if self.tools.len() < TOOLS_MAX && !self.tools.contains(&tool.name) {
            self.tools.push(kept(&tool.name, NAME_CHARS_MAX));
            self.tools.sort();
            self.tools.dedup();
        }
        self.since_list.uses += 1;
        self.forget_prompt_if_called();
        self.note_todos(tool);
        if tool.is_edit {
            self.begin_edit(tool);
        }
        if let Some(command) = &tool.command {
            let command = kept(command, COMMAND_CHARS_MAX);
            let running = Running { id: kept(&tool.id, NAME_CHARS_MAX), command };
            push_bounded(&mut self.running, running, RUNNING_MAX);
        }
    }

    pub(super) fn finish(&mut self, result: &ToolResult, outcome: Outcome, run: (&str, &Command)) {
        let id = call_id(&result.id);
        let Some(at) = self.running.iter().position(|running| running.id == id) else {
            return;
        };
        let text = self.running.remove(at).command;
        if outcome == Outcome::NotRun {
            return;
        }
        // A long line is stored cut, and what was cut off is not known later either.
        let command = if text == run.0 { run.1.clone() } else { Command::of(&text) };
        let passed = outcome == Outcome::Fine;
        if command.is_check() && !(passed && is_doubtful(&text, &result.text)) {
            self.last_check = Some(Check { command: text.clone(), passed });
        }
        if passed {
            self.is_stuck &= command.only_looks();
            self.note_commit(&text, &result.text);
            self.take_back(&text);
            self.note_success(&text, &command);
            self.note_step(&format!("ran {text}"));
        } else if !command.only_looks() {
            self.is_stuck = true;
            self.note_failure(text, &result.text);
        }
    }

    fn note_commit(&mut self, line: &str, printed: &str) {
        // A repository that is made on the way is thrown away.
        if table::holds("git init|mktemp", line) {
            return;
        }
        if let Some(Committed { branch, hash, subject }) = Committed::of(printed) {
            self.last_commit = kept(&format!("{hash} {subject} ({branch})"), COMMAND_CHARS_MAX);
            self.is_uncommitted = false;
            self.unsaved.clear();
            self.since_list.is_over = true;
        }
    }

    fn note_failure(&mut self, command: String, output: &str) {
        // A program that is not there is no trouble of the work.
        if output.contains("command not found") {
            return;
        }
        let error = kept(&error_lines(output), ERROR_CHARS_MAX);
        let key = Command::of(&command).key();
        let again = self
            .failures
            .iter()
            .position(|known| !known.fixed && Command::of(&known.command).key() == key);
        // The same trouble again: its newest error counts, and what was tried so far stays.
        let steps = again.map_or_else(Vec::new, |at| self.failures.remove(at).steps);
        let failure =
            Failure { command, error, steps, prompts: self.prompts, ..Failure::default() };
        push_bounded(&mut self.failures, failure, FAILURES_MAX);
    }

    /// The last run of a class of checks decides; one test that passes does not stand for all.
    fn note_success(&mut self, line: &str, command: &Command) {
        let passed = Command::checks(line);
        for failure in self.failures.iter_mut().filter(|it| !it.fixed) {
            let is_same = Command::of(&failure.command).key() == command.key();
            let failed = Command::checks(&failure.command);
            let is_class = passed.iter().any(|it| failed.iter().any(|other| it.covers(other)));
            let is_part = picks(line) && !picks(&failure.command);
            if (is_same || is_class) && !is_part {
                failure.fixed = true;
                let steps = std::mem::take(&mut failure.steps);
                failure.fix = (!steps.is_empty()).then(|| steps.join("; "));
            }
        }
    }

    /// The newest steps before a success are those that made it.
    fn note_step(&mut self, step: &str) {
        let step = shorten(step, STEP_CHARS_MAX);
        for failure in self.failures.iter_mut().filter(|failure| !failure.fixed) {
            if failure.steps.last() != Some(&step) {
                push_bounded(&mut failure.steps, step.clone(), STEPS_MAX);
            }
        }
    }

    /// The list after a tool wrote it, or changed one item of it.
    fn note_todos(&mut self, tool: &ToolUse) {
        if !tool.todos.is_empty() {
            self.since_list = SinceList::default();
        }
        let todos = &mut self.todos;
        let todo =
            |(text, done): &(String, bool)| Todo { text: kept(text, TODO_CHARS_MAX), done: *done };
        match (tool.name.as_str(), tool.todos.first()) {
            (_, None) => {}
            ("TaskCreate", Some(first)) if todos.len() < TODOS_MAX => todos.push(todo(first)),
            ("TaskCreate", _) => {}
            // Tasks have numbers from 1, in the order in which they were created.
            ("TaskUpdate", Some((number, done))) => {
                let at = number.trim_start_matches('#').parse::<usize>().ok();
                if let Some(known) = at.and_then(|at| todos.get_mut(at.checked_sub(1)?)) {
                    known.done = *done;
                }
            }
            _ => *todos = tool.todos.iter().take(TODOS_MAX).map(todo).collect(),
        }
    }
}

/// How a call is known until its result comes.
pub(super) fn call_id(id: &str) -> String {
    shorten(id, NAME_CHARS_MAX)
}

fn push_bounded<T>(list: &mut Vec<T>, item: T, items_max: usize) {
    if list.len() >= items_max {
        list.remove(0);
    }
    list.push(item);
}
