//! Turns folded into the working state, one after the other: in pieces or whole makes no
//! difference.

use super::command::{Command, error_lines};
use super::*;
use oldhand_transcripts::{PLAN_OPENING, ToolUse, Voice};

/// Answers that agree or go on, and ask for nothing.
const AGREEMENTS: &[&str] = &[
    "yes", "yeah", "yep", "yup", "no", "nope", "ok", "okay", "sure", "hm", "hmm", "mhm", "aha",
    "please", "thanks", "thank", "you", "go", "ahead", "on", "continue", "proceed", "do", "it",
    "that", "this", "great", "good", "nice", "perfect", "cool", "right", "correct", "done", "lgtm",
    "looks", "sounds", "fine", "ja", "nein", "danke", "weiter", "bitte", "oui", "non", "si", "all",
];

/// A result that tells nothing about the command: it never ran.
pub(crate) const NOT_RUN: &[&str] = &[
    "The user doesn't want to",
    "<tool_use_error>",
    "[Request interrupted",
    "Permission to use",
    "Cancelled:",
];

impl Working {
    pub fn absorb(&mut self, turns: &[Turn]) {
        for turn in turns {
            if !turn.is_sidechain {
                self.hear(turn);
            }
            for tool in &turn.uses {
                self.begin(tool);
            }
            for result in &turn.results {
                self.finish(result);
            }
        }
    }

    fn hear(&mut self, turn: &Turn) {
        if turn.text.is_empty() {
            return;
        }
        let says_something = asks(&turn.text);
        self.exchanges += usize::from(says_something);
        match turn.voice {
            Voice::Person => {
                self.prompts += 1;
                if says_something {
                    self.last_prompt = kept(&turn.text, PROMPT_CHARS_MAX);
                    if self.goal.is_empty() {
                        self.goal.clone_from(&self.last_prompt);
                    }
                }
            }
            // A plan that was accepted elsewhere is what this session begins with.
            Voice::Agent if self.goal.is_empty() && turn.text.starts_with(PLAN_OPENING) => {
                self.goal = kept(&turn.text, PROMPT_CHARS_MAX);
            }
            Voice::Agent => {}
        }
    }

    fn begin(&mut self, tool: &ToolUse) {
        self.tool_uses += 1;
        let name = kept(&tool.name, NAME_CHARS_MAX);
        if let Err(at) = self.tools.binary_search(&name)
            && self.tools.len() < TOOLS_MAX
        {
            self.tools.insert(at, name);
        }
        self.note_todos(tool);
        if tool.is_edit {
            self.is_stuck = false;
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

    pub(crate) fn note_todos(&mut self, tool: &ToolUse) {
        let todo =
            |(text, done): &(String, bool)| Todo { text: kept(text, TODO_CHARS_MAX), done: *done };
        match (tool.name.as_str(), tool.todos.first()) {
            (_, None) => {}
            ("TaskCreate", Some(first)) => {
                if self.todos.len() < TODOS_MAX {
                    self.todos.push(todo(first));
                }
            }
            // Tasks have numbers from 1, in the order in which they were made.
            ("TaskUpdate", Some((number, done))) => {
                let at = number.trim_start_matches('#').parse::<usize>().ok();
                if let Some(known) = at.and_then(|at| self.todos.get_mut(at.checked_sub(1)?)) {
                    known.done = *done;
                }
            }
            _ => self.todos = tool.todos.iter().take(TODOS_MAX).map(todo).collect(),
        }
    }

    fn finish(&mut self, result: &ToolResult) {
        let id = shorten(&result.id, NAME_CHARS_MAX);
        let Some(at) = self.running.iter().position(|running| running.id == id) else {
            return;
        };
        let text = self.running.remove(at).command;
        if NOT_RUN.iter().any(|opening| result.text.starts_with(opening)) {
            return;
        }
        let command = Command::of(&text);
        let failed = has_failed(&text, result);
        if command.is_check() {
            self.last_check = Some(Check { command: text.clone(), passed: !failed });
        }
        if !failed {
            self.is_stuck &= command.only_looks();
            self.note_success(&command);
            self.note_step(&format!("ran {text}"));
        } else if !command.only_looks() {
            self.is_stuck = true;
            self.note_failure(text, &result.text);
        }
    }

    fn note_failure(&mut self, command: String, output: &str) {
        let error = kept(&error_lines(output), ERROR_CHARS_MAX);
        let key = Command::of(&command).key();
        let again = self
            .failures
            .iter()
            .position(|known| !known.fixed && Command::of(&known.command).key() == key);
        // The same trouble again: its newest error counts, and what was tried so far stays.
        let steps = again.map_or_else(Vec::new, |at| self.failures.remove(at).steps);
        let failure = Failure { command, error, steps, ..Failure::default() };
        push_bounded(&mut self.failures, failure, FAILURES_MAX);
    }

    fn note_success(&mut self, command: &Command<'_>) {
        let key = command.key();
        for failure in &mut self.failures {
            if !failure.fixed && Command::of(&failure.command).key() == key {
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
}

/// It says more than yes.
pub(crate) fn asks(text: &str) -> bool {
    const LETTERS_MIN: usize = 4;
    let letters = text.chars().filter(|c| c.is_alphabetic()).take(LETTERS_MIN).count();
    let is_wide = text.chars().any(|c| c.is_alphabetic() && !c.is_ascii());
    let mut words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    (letters == LETTERS_MIN || is_wide)
        && !words.all(|word| AGREEMENTS.contains(&word.to_lowercase().as_str()))
}

fn push_bounded<T>(list: &mut Vec<T>, item: T, items_max: usize) {
    if list.len() >= items_max {
        list.remove(0);
    }
    list.push(item);
}
