//! The task that is under way: one for each session, and one for shells that have none. Sessions that
//! run at the same time never end or sum up each other's.

use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use oldhand_text::time::{format_instant, parse_instant};
use serde_json::{Value, json};

use super::Receipts;
use crate::hook::state;

const TASK: &str = "task";
const BASE: &str = "task-base";

/// Where a task began.
#[derive(Debug, Clone)]
pub(crate) struct TaskBase {
    pub task: String,
    /// The last commit, from which its changes are counted; none outside of a repository, or before
    /// its first commit.
    pub head: Option<String>,
    pub at: Timestamp,
}

impl Receipts {
    /// The task that a session has started and that has not ended; else the one of shells without a
    /// session.
    pub(crate) fn current_task(&self, session: Option<&str>) -> Option<String> {
        self.own_task(session).or_else(|| self.own_task(None))
    }

    /// The same, and nobody else's.
    pub(crate) fn own_task(&self, session: Option<&str>) -> Option<String> {
        task_in(&self.place(session, TASK)).ok().flatten()
    }

    pub(crate) fn start_task(
        &self,
        session: Option<&str>,
        begun: &TaskBase,
    ) -> std::io::Result<()> {
        let task = &begun.task;
        // What can't be read is not written over: it may say when this task began.
        let first = |one: Option<String>| match one {
            None => task_in(&self.place(None, TASK)),
            one => Ok(one),
        };
        // A task that is under way and is started again has begun before.
        let goes_on = first(task_in(&self.place(session, TASK))?)?.as_ref() == Some(task);
        let base = match base_in(&self.place(session, BASE))? {
            None => base_in(&self.place(None, BASE))?,
            base => base,
        };
        let base = base.filter(|base| goes_on && base.task == *task);
        let TaskBase { head, at, .. } = base.as_ref().unwrap_or(begun);
        let base = json!({"task": task, "head": head, "at": format_instant(*at)});
        state::write_own(&self.place(session, BASE), &format!("{base}\n"))?;
        state::write_own(&self.place(session, TASK), &format!("{task}\n"))
    }

    /// Where the task that was started last began; kept after its end, for who looks back.
    pub(crate) fn last_base(&self, session: Option<&str>) -> Option<TaskBase> {
        let at = |session| base_in(&self.place(session, BASE)).ok().flatten();
        at(session).or_else(|| at(None))
    }

    /// Where a task began, whoever has started it: this session's word before that of others.
    pub(crate) fn base_of(&self, task: &str, session: Option<&str>) -> Option<TaskBase> {
        let near = [self.place(session, BASE), self.place(None, BASE)];
        let all = near.into_iter().chain(self.of_sessions(BASE));
        all.filter_map(|path| base_in(&path).ok().flatten()).find(|base| base.task == task)
    }

    /// Best effort: a task that was told to have ended has ended for everybody.
    pub(crate) fn end_task(&self, task: &str) {
        for path in std::iter::once(self.place(None, TASK)).chain(self.of_sessions(TASK)) {
            if task_in(&path).is_ok_and(|it| it.as_deref() == Some(task)) {
                let _ = std::fs::remove_file(path);
            }
        }
    }

    fn place(&self, session: Option<&str>, ending: &str) -> PathBuf {
        match session {
            Some(session) => state::path_of(&self.folder, session, ending),
            None => self.folder.join(ending),
        }
    }

    /// By name, so that two looks see the same.
    fn of_sessions(&self, ending: &str) -> Vec<PathBuf> {
        let any = state::path_of(&self.folder, "", ending);
        let entries = any.parent().and_then(|folder| std::fs::read_dir(folder).ok());
        let mut found: Vec<PathBuf> = entries
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|it| it == ending))
            .collect();
        found.sort();
        found
    }
}

fn task_in(path: &Path) -> io::Result<Option<String>> {
    let text = text_in(path)?.map(|text| text.trim().to_owned());
    Ok(text.filter(|task| !task.is_empty()))
}

fn base_in(path: &Path) -> io::Result<Option<TaskBase>> {
    let Some(text) = text_in(path)? else { return Ok(None) };
    let parse = || {
        let value: Value = serde_json::from_str(text.trim()).ok()?;
        Some(TaskBase {
            task: value["task"].as_str()?.to_owned(),
            head: value["head"].as_str().map(str::to_owned),
            at: parse_instant(value["at"].as_str()?)?,
        })
    };
    let damaged = || unreadable(path, &"it does not say where a task began");
    parse().map(Some).ok_or_else(damaged)
}

fn text_in(path: &Path) -> io::Result<Option<String>> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unreadable(path, &error)),
    }
}

fn unreadable(path: &Path, why: &dyn std::fmt::Display) -> io::Error {
    let path = path.display();
    io::Error::other(format!("could not read `{path}`: {why}; make it readable, or move it away"))
}
