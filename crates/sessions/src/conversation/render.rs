//! The working state in words: notes for the agent that continues, and the summary of a session.

use super::working::{Failure, PROMPT_CHARS_MAX, Working};
use crate::summary::Summary;
use oldhand_core::draft::Draft;
use oldhand_core::yaml::Yaml;
use oldhand_text::strings::{shorten, visible_line};

const TITLE_GOAL_CHARS_MAX: usize = 80;
const NOTE_FILES_MAX: usize = 12;

impl Working {
    /// What was done last, if anything is known to be done.
    pub fn last_done(&self) -> Option<String> {
        let changed = || self.files.last().map(|file| format!("changed {file}"));
        self.todo_texts(true).pop().or_else(|| self.passed()).or_else(changed)
    }

    /// What is left to do: the open items of the session's own list, and what is broken. What is
    /// broken comes first where nothing else works until it is fixed.
    pub fn pending(&self) -> Vec<String> {
        let (open, broken) = (self.todo_texts(false), self.fixes());
        if self.is_stuck { [broken, open].concat() } else { [open, broken].concat() }
    }

    pub fn asked(&self) -> String {
        match self.last_prompt.as_str() {
            "" => String::new(),
            prompt => format!("go on with: {prompt}"),
        }
    }

    pub fn facts(&self) -> Vec<String> {
        let mut facts = Vec::new();
        if !self.goal.is_empty() {
            facts.push(format!("goal: {}", self.goal));
        }
        if !self.last_prompt.is_empty() && self.last_prompt != self.goal {
            facts.push(format!("last asked: {}", self.last_prompt));
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
        let fixed = self.failures.iter().filter(|failure| failure.fixed);
        facts.extend(fixed.map(|failure| format!("fixed: {}", failure.line())));
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
            ("completed", self.todo_texts(true).into_iter().chain(self.passed()).collect()),
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

    fn unfixed(&self) -> impl Iterator<Item = &Failure> {
        self.failures.iter().filter(|failure| !failure.fixed)
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
        // Without a check or a finished list nobody knows how it ended.
        let is_well = self.last_check_passed().unwrap_or(!self.todos.is_empty() && !is_broken);
        if is_well && self.todos.iter().all(|todo| todo.done) { "success" } else { "partial" }
    }
}

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
