//! The working state in words: notes for the agent that goes on, and the summary of a session.

use super::{Failure, PROMPT_CHARS_MAX, Working};
use oldhand_core::content::FieldValue;
use oldhand_core::draft::Draft;
use oldhand_core::kind::Kind;
use oldhand_core::policy::LIST_ITEMS_MAX;
use oldhand_core::yaml::Yaml;
use oldhand_text::strings::{shorten, visible_line};

const TITLE_GOAL_CHARS_MAX: usize = 80;
/// Names of files in one line of notes.
const NOTE_FILES_MAX: usize = 12;

impl Working {
    /// What was done last, if anything is known to be done.
    pub fn last_done(&self) -> Option<String> {
        let done = self.todos.iter().rev().find(|todo| todo.done).map(|todo| todo.text.clone());
        let passed = || self.last_check.as_ref().filter(|check| check.passed);
        let changed = || self.files.last().map(|file| format!("changed {file}"));
        done.or_else(|| passed().map(|check| format!("`{}` passed", check.command)))
            .or_else(changed)
    }

    /// What is left to do: the open items of the session's own list, and what is broken; what is
    /// broken first, where nothing else works until it is mended.
    pub fn pending(&self) -> Vec<String> {
        let open: Vec<String> = self.open_todos().map(|todo| todo.text.clone()).collect();
        let broken: Vec<String> =
            self.unfixed().map(|failure| format!("fix {}", failure.line())).collect();
        if self.is_stuck { [broken, open].concat() } else { [open, broken].concat() }
    }

    /// What was asked for last.
    pub fn asked(&self) -> String {
        if self.last_prompt.is_empty() {
            return String::new();
        }
        format!("go on with: {}", self.last_prompt)
    }

    /// Short lines, the most important first.
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
        facts.extend(self.open_todos().map(|todo| format!("to do: {}", todo.text)));
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
        let mut draft = Draft { kind: Some(Kind::SessionSummary), ..Draft::default() };
        let goal = visible_line(&self.goal);
        let title = format!("Session {day}: {}", shorten(&goal, TITLE_GOAL_CHARS_MAX));
        draft.set("title", Yaml::text(title));
        draft.set("tags", Yaml::list(&["session"]));
        draft.set("evidence", Yaml::list(&[format!("session:{session}")]));
        draft.set_content("outcome", FieldValue::Text(self.outcome().to_owned()));
        draft.set_content("goal", FieldValue::Text(shorten(&goal, PROMPT_CHARS_MAX)));
        let open: Vec<String> = self.open_todos().map(|todo| todo.text.clone()).collect();
        let mut next = open.clone();
        next.extend(self.unfixed().map(|failure| format!("fix {}", failure.line())));
        set_list(&mut draft, "completed", self.completed());
        set_list(&mut draft, "in_progress", open);
        set_list(&mut draft, "next_actions", next);
        set_list(&mut draft, "key_changes", self.files.iter().rev().cloned().collect());
        set_list(&mut draft, "errors", self.failures.iter().map(Failure::line).collect());
        Some(draft)
    }

    fn completed(&self) -> Vec<String> {
        let done = self.todos.iter().filter(|todo| todo.done).map(|todo| todo.text.clone());
        let check = self.last_check.iter().filter(|check| check.passed);
        done.chain(check.map(|check| format!("`{}` passed", check.command))).collect()
    }

    fn outcome(&self) -> &'static str {
        if self.is_stuck && self.unfixed().next().is_some() {
            return "blocked";
        }
        // Without a check or a list that is done nobody knows how it ended.
        let has_open = self.open_todos().next().is_some();
        let is_well = match &self.last_check {
            Some(check) => check.passed,
            None => !self.todos.is_empty() && self.unfixed().next().is_none(),
        };
        if is_well && !has_open { "success" } else { "partial" }
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

fn set_list(draft: &mut Draft, name: &str, items: Vec<String>) {
    let mut shown: Vec<String> = Vec::new();
    for item in items.iter().map(|item| visible_line(item)) {
        if !item.is_empty() && !shown.contains(&item) && shown.len() < LIST_ITEMS_MAX {
            shown.push(item);
        }
    }
    if !shown.is_empty() {
        draft.set_content(name, FieldValue::List(shown));
    }
}
