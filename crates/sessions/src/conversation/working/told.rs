//! A working state in words: what was done last, what is left, and the summary of a session. It says
//! only what was seen.

use oldhand_core::draft::Draft;
use oldhand_core::yaml::Yaml;
use oldhand_text::strings::{shorten, visible_line};
use oldhand_text::table;

use super::super::command::Command;
use super::{Failure, PROMPT_CHARS_MAX, Working};
use crate::summary::Summary;

/// Of a prompt, at the start of the next session.
const TOLD_CHARS_MAX: usize = 180;
const TITLE_GOAL_CHARS_MAX: usize = 80;
const NOTE_FILES_MAX: usize = 4;
const MOVED_ON_PROMPTS: usize = 2;

impl Working {
    /// What was done last, if anything is known to be done.
    pub fn last_done(&self) -> Option<String> {
        let committed = || Some(&self.last_commit).filter(|it| !it.is_empty()).cloned();
        let listed = || Some(self.todo_texts(true)).filter(|_| self.is_list_current())?.pop();
        listed().or_else(committed).or_else(|| self.passed())
    }

    /// What is left to do: the open items of the session's own list, and what is broken. What is
    /// broken comes first where nothing else works until it is fixed.
    pub fn pending(&self) -> Vec<String> {
        let (open, broken) = (self.todo_texts(false), self.fixes());
        if self.is_stuck { [broken, open].concat() } else { [open, broken].concat() }
    }

    /// What the next session begins with where nothing is left to do: a question that waits for an
    /// answer, a prompt whose turn was broken off, or changes that were not committed. Nothing is said
    /// where none of them is known: an end without a question may still leave something.
    pub fn asked(&self) -> String {
        let is_waiting = !self.last_prompt.is_empty() && !self.has_ended();
        match self.question.as_str() {
            "" if is_waiting => format!("go on with: {}", self.last_prompt),
            "" if self.has_ended() && self.is_uncommitted => {
                "look whether what it changed is committed".to_owned()
            }
            "" => String::new(),
            question => format!("answer: {question}"),
        }
    }

    pub fn facts(&self) -> Vec<String> {
        let mut facts = Vec::new();
        if !self.goal.is_empty() {
            facts.push(format!("asked first: {}", shorten(&self.goal, TOLD_CHARS_MAX)));
        }
        // What was said in the middle of a turn may have another answer than the last one.
        let is_answered = !(self.is_beside && self.has_ended());
        if is_answered && !self.last_prompt.is_empty() && self.last_prompt != self.goal {
            facts.push(format!("last asked: {}", shorten(&self.last_prompt, TOLD_CHARS_MAX)));
        }
        if !self.conclusion.is_empty() {
            let how = match (self.is_broken_off, self.has_worked_since) {
                (_, true) => "said before its last steps",
                (true, false) => "was about to",
                (false, false) => "ended with",
            };
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

    /// Of a list that was not kept up to date nobody knows what is still open.
    pub(crate) fn todo_texts(&self, is_done: bool) -> Vec<String> {
        let is_known = is_done || self.is_list_current();
        let those = self.todos.iter().filter(|todo| is_known && todo.done == is_done);
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
        let concluded = self.has_ended().then(|| self.conclusion.clone());
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
        let is_list_over = self.todos.iter().all(|todo| todo.done) || !self.is_list_current();
        let is_well = self.last_check_passed().unwrap_or(!self.todos.is_empty() && !is_broken);
        if is_well && is_list_over { "success" } else { "partial" }
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
