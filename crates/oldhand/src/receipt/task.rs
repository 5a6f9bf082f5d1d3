//! The task that is under way: one for each session, and one for shells that have none. Sessions that
//! run at the same time never end or sum up each other's.

use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use oldhand_core::time::{format_instant, parse_instant};
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
        task_in(&self.place(session, TASK))
    }

    pub(crate) fn start_task(
        &self,
        session: Option<&str>,
        begun: &TaskBase,
    ) -> std::io::Result<()> {
        let task = &begun.task;
        // A task that is under way and is started again has begun before.
        let goes_on = self.current_task(session).as_ref() == Some(task);
        let base = self.last_base(session).filter(|base| goes_on && base.task == *task);
        let TaskBase { head, at, .. } = base.as_ref().unwrap_or(begun);
        let base = json!({"task": task, "head": head, "at": format_instant(*at)});
        write(&self.place(session, BASE), &format!("{base}\n"))?;
        write(&self.place(session, TASK), &format!("{task}\n"))
    }

    /// Where the task that was started last began; kept after its end, for who looks back.
    pub(crate) fn last_base(&self, session: Option<&str>) -> Option<TaskBase> {
        base_in(&self.place(session, BASE)).or_else(|| base_in(&self.place(None, BASE)))
    }

    /// Where a task began, whoever has started it: this session's word before that of others.
    pub(crate) fn base_of(&self, task: &str, session: Option<&str>) -> Option<TaskBase> {
        let near = [self.place(session, BASE), self.place(None, BASE)];
        let all = near.into_iter().chain(self.of_sessions(BASE));
        all.filter_map(|path| base_in(&path)).find(|base| base.task == task)
    }

    /// Best effort: a task that was told to have ended has ended for everybody.
    pub(crate) fn end_task(&self, task: &str) {
        for path in std::iter::once(self.place(None, TASK)).chain(self.of_sessions(TASK)) {
            if task_in(&path).as_deref() == Some(task) {
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

fn task_in(path: &Path) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    Some(text.trim().to_owned()).filter(|task| !task.is_empty())
}

fn base_in(path: &Path) -> Option<TaskBase> {
    let text = std::fs::read_to_string(path).ok()?;
    let value: Value = serde_json::from_str(text.trim()).ok()?;
    Some(TaskBase {
        task: value["task"].as_str()?.to_owned(),
        head: value["head"].as_str().map(str::to_owned),
        at: parse_instant(value["at"].as_str()?)?,
    })
}

fn write(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    let mut options = std::fs::OpenOptions::new();
    let mut file = options.write(true).create(true).truncate(true).mode(0o600).open(path)?;
    file.write_all(text.as_bytes())
}
