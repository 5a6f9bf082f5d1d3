//! The working state of a session: the part of `Deeds` that is stored between two readings. Its size
//! is bounded, and texts with secrets are withheld. Turns in pieces or at once give the same state. In
//! words it is notes for the agent that continues, and the summary of a session.

use serde::{Deserialize, Serialize};

use super::command::{Command, error_lines};
use super::deeds::Deeds;
use super::message::{CONCLUSION_CHARS_MAX, announces, conclusion, open_question, picks};
use super::{Outcome, asks, kept};
use crate::summary::Summary;
use oldhand_core::draft::Draft;
use oldhand_core::yaml::Yaml;
use oldhand_text::command_line::Committed;
use oldhand_text::strings::{shorten, visible_line};
use oldhand_text::table;
use oldhand_transcripts::{PLAN_OPENING, ToolResult, ToolUse, Turn, Voice};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Working {
    /// The first prompt that asks for something.
    pub goal: String,
    pub last_prompt: String,
    /// What the agent said last, and what it asked there; empty once a person speaks again.
    pub conclusion: String,
    pub question: String,
    /// It only said what it was about to do.
    pub is_broken_off: bool,
    /// What was asked before that, and what came of it, the newest last.
    pub dialogue: Vec<String>,
    /// `1a2b3c4 subject (main)`
    pub last_commit: String,
    /// Files were changed since then, or since the beginning.
    pub is_uncommitted: bool,
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
    pub last_check: Option<Check>,
    /// The last command that does something failed, and nothing was changed since.
    pub is_stuck: bool,
    /// Commands whose result is still to come, the newest last.
    pub running: Vec<Running>,
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
/// Of a prompt, at the start of the next session.
const TOLD_CHARS_MAX: usize = 180;
const QUESTION_CHARS_MAX: usize = 200;
const ASKED_CHARS_MAX: usize = 90;
const ANSWERED_CHARS_MAX: usize = 130;
const COMMAND_CHARS_MAX: usize = 200;
const ERROR_CHARS_MAX: usize = 400;
const TODO_CHARS_MAX: usize = 200;
const PATH_CHARS_MAX: usize = 300;
const NAME_CHARS_MAX: usize = 80;
const STEP_CHARS_MAX: usize = 100;
const TITLE_GOAL_CHARS_MAX: usize = 80;

const TOOLS_MAX: usize = 64;
pub(super) const FILES_MAX: usize = 40;
pub(super) const FAILURES_MAX: usize = 8;
const TODOS_MAX: usize = 60;
const RUNNING_MAX: usize = 16;
const STEPS_MAX: usize = 6;
const DIALOGUE_MAX: usize = 3;
const NOTE_FILES_MAX: usize = 4;
const MOVED_ON_PROMPTS: usize = 2;

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

    /// Whether it says more than yes.
    pub(super) fn hear(&mut self, turn: &Turn) -> bool {
        let says_something = asks(&turn.text);
        let is_person = turn.voice == Voice::Person;
        self.exchanges += usize::from(says_something);
        if is_person {
            self.note_exchange();
            self.question.clear();
            self.conclusion.clear();
            self.is_broken_off = false;
        } else if says_something && !turn.text.starts_with(PLAN_OPENING) {
            self.conclusion = kept(&conclusion(&turn.text), CONCLUSION_CHARS_MAX);
            self.question = kept(open_question(&turn.text), QUESTION_CHARS_MAX);
            self.is_broken_off = announces(&turn.text);
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

    /// What was asked last has its answer now.
    fn note_exchange(&mut self) {
        if self.last_prompt.is_empty() || self.conclusion.is_empty() || self.is_broken_off {
            return;
        }
        let asked = shorten(&visible_line(&self.last_prompt), ASKED_CHARS_MAX);
        let answered = shorten(&visible_line(&self.conclusion), ANSWERED_CHARS_MAX);
        let asked = format!("{asked} → ");
        // A yes in between: what came of it in the end counts.
        self.dialogue.retain(|said| !said.starts_with(&asked));
        push_bounded(&mut self.dialogue, format!("{asked}{answered}"), DIALOGUE_MAX);
    }

    pub(super) fn begin(&mut self, tool: &ToolUse) {
        self.tool_uses += 1;
        if self.tools.len() < TOOLS_MAX && !self.tools.contains(&tool.name) {
            self.tools.push(kept(&tool.name, NAME_CHARS_MAX));
            self.tools.sort();
            self.tools.dedup();
        }
        self.note_todos(tool);
        if tool.is_edit {
            self.is_stuck = false;
            self.is_uncommitted = true;
            for path in &tool.paths {
                let path = kept(path, PATH_CHARS_MAX);
                self.note_step(&format!("edited {path}"));
                self.files.retain(|known| *known != path);
                push_bounded(&mut self.files, path, FILES_MAX);
            }
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
        if command.is_check() {
            self.last_check = Some(Check { command: text.clone(), passed });
        }
        if passed {
            self.is_stuck &= command.only_looks();
            self.note_commit(&text, &result.text);
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

impl Working {
    /// What was done last, if anything is known to be done.
    pub fn last_done(&self) -> Option<String> {
        let changed = || self.files.last().map(|file| format!("changed {file}"));
        let committed = || Some(&self.last_commit).filter(|it| !it.is_empty()).cloned();
        self.todo_texts(true).pop().or_else(committed).or_else(|| self.passed()).or_else(changed)
    }

    /// What is left to do: the open items of the session's own list, and what is broken. What is
    /// broken comes first where nothing else works until it is fixed.
    pub fn pending(&self) -> Vec<String> {
        let (open, broken) = (self.todo_texts(false), self.fixes());
        if self.is_stuck { [broken, open].concat() } else { [open, broken].concat() }
    }

    /// What the next session begins with where nothing is left to do: a question that waits for an
    /// answer, a prompt whose turn was broken off, or changes that were not committed.
    pub fn asked(&self) -> String {
        let said = (self.question.as_str(), self.conclusion.as_str(), self.last_prompt.as_str());
        match said {
            ("", "", "") => String::new(),
            ("", "", prompt) => format!("go on with: {prompt}"),
            ("", _, prompt) if self.is_broken_off => format!("go on with: {prompt}"),
            ("", ..) if self.is_uncommitted => {
                "look whether what it changed is committed".to_owned()
            }
            ("", ..) => "nothing is left open".to_owned(),
            (question, ..) => format!("answer: {question}"),
        }
    }

    pub fn facts(&self) -> Vec<String> {
        let mut facts = Vec::new();
        if !self.goal.is_empty() {
            facts.push(format!("goal: {}", shorten(&self.goal, TOLD_CHARS_MAX)));
        }
        facts.extend(self.dialogue.iter().map(|said| format!("before: {said}")));
        if !self.last_prompt.is_empty() && self.last_prompt != self.goal {
            facts.push(format!("last asked: {}", shorten(&self.last_prompt, TOLD_CHARS_MAX)));
        }
        if !self.conclusion.is_empty() {
            let how = if self.is_broken_off { "was about to" } else { "ended with" };
            facts.push(format!("{how}: {}", self.conclusion));
        }
        if !self.question.is_empty() {
            facts.push(format!("open question: {}", self.question));
        }
        if !self.last_commit.is_empty() {
            facts.push(format!("last commit: {}", self.last_commit));
        }
        facts.extend(self.unfixed().map(|failure| format!("not fixed: {}", failure.line())));
        if let Some(check) = &self.last_check {
            let verdict = if check.passed { "passed" } else { "failed" };
            facts.push(format!("last check {verdict}: `{}`", check.command));
        }
        facts.extend(self.todo_texts(false).iter().map(|todo| format!("to do: {todo}")));
        if !self.files.is_empty() {
            let newest: Vec<&str> =
                self.files.iter().rev().take(NOTE_FILES_MAX).map(String::as_str).collect();
            facts.push(format!("changed, newest first: {}", newest.join(", ")));
        }
        facts
    }

    /// What the session leaves behind; `None` when nothing happened or nothing was asked.
    pub fn summary(&self, session: &str, day: &str) -> Option<Draft> {
        if self.goal.is_empty() || self.activity() == 0.0 {
            return None;
        }
        let goal = visible_line(&self.goal);
        let mut summary = Summary::default();
        summary.set_text("outcome", self.outcome());
        summary.set_text("goal", &shorten(&goal, PROMPT_CHARS_MAX));
        let open = self.todo_texts(false);
        for (name, items) in [
            ("completed", self.completed()),
            (
                "open_questions",
                Some(&self.question).filter(|it| !it.is_empty()).cloned().into_iter().collect(),
            ),
            ("in_progress", open.clone()),
            ("next_actions", [open, self.fixes()].concat()),
            ("key_changes", self.files.iter().rev().cloned().collect()),
            ("errors", self.failures.iter().map(Failure::line).collect()),
        ] {
            summary.gather(name, items);
        }
        let goal = shorten(&goal, TITLE_GOAL_CHARS_MAX);
        let mut draft = summary.to_draft(&format!("Session {day}: {goal}"));
        draft.set("evidence", Yaml::list(&[format!("session:{session}")]));
        Some(draft)
    }

    pub(crate) fn todo_texts(&self, is_done: bool) -> Vec<String> {
        let those = self.todos.iter().filter(|todo| todo.done == is_done);
        those.map(|todo| todo.text.clone()).collect()
    }

    pub(crate) fn fixes(&self) -> Vec<String> {
        self.unfixed().map(|failure| format!("fix {}", failure.line())).collect()
    }

    /// Checks that fail: any other command was a step on the way. Where a person has asked for
    /// something else twice since, nobody knows whether it still fails.
    fn unfixed(&self) -> impl Iterator<Item = &Failure> {
        let is_check = |failure: &&Failure| !Command::checks(&failure.command).is_empty();
        let is_recent = |failure: &&Failure| failure.prompts + MOVED_ON_PROMPTS > self.prompts;
        let open = self.failures.iter().filter(|failure| !failure.fixed);
        open.filter(is_check).filter(is_recent)
    }

    fn completed(&self) -> Vec<String> {
        let is_told = |it: &&String| !it.is_empty() && !self.is_broken_off;
        let concluded = Some(&self.conclusion).filter(is_told).cloned();
        self.todo_texts(true).into_iter().chain(concluded).chain(self.passed()).collect()
    }

    fn passed(&self) -> Option<String> {
        let check = self.last_check.as_ref().filter(|check| check.passed)?;
        Some(format!("`{}` passed", check.command))
    }

    fn outcome(&self) -> &'static str {
        let is_broken = self.unfixed().next().is_some();
        if self.is_stuck && is_broken {
            return "blocked";
        }
        if table::holds(FAILING, &self.conclusion.to_lowercase()) {
            return "partial";
        }
        // Without a check or a finished list nobody knows how it ended.
        let is_well = self.last_check_passed().unwrap_or(!self.todos.is_empty() && !is_broken);
        if is_well && self.todos.iter().all(|todo| todo.done) { "success" } else { "partial" }
    }
}

/// Of the last words of somebody who did not get there.
const FAILING: &str = "still fail|still failing|not working|doesn't work|does not work|couldn't|\
     could not|unable to|didn't work|failed to|is broken|blocked by|remains open|not yet";

impl Failure {
    pub(crate) fn line(&self) -> String {
        let mut line = format!("`{}`", self.command);
        if !self.error.is_empty() {
            line = format!("{line}: {}", self.error);
        }
        match &self.fix {
            Some(fix) => format!("{line} (fixed after: {fix})"),
            None if self.fixed => format!("{line} (fixed)"),
            None => line,
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
