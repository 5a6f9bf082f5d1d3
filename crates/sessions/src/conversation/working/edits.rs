//! Which files a session changed, as far as the tools did it and nobody took it back, and how old the
//! agent's list of steps is.

use oldhand_transcripts::ToolUse;
use serde::{Deserialize, Serialize};

use super::super::removed::{Reverted, is_within, reverts};
use super::super::{Outcome, kept};
use super::{FILES_MAX, NAME_CHARS_MAX, PATH_CHARS_MAX, RUNNING_MAX, Working, push_bounded};

/// What makes a list of steps old.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SinceList {
    /// A person said something new, or a commit closed the work.
    pub is_over: bool,
    /// Of tools.
    pub uses: usize,
}

/// Nothing is changed before the tool says so, and hosts that never say so are believed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Editing {
    pub id: String,
    pub paths: Vec<String>,
    /// Those that were not among the changed files before.
    pub new: Vec<String>,
}

impl Working {
    pub(super) fn begin_edit(&mut self, tool: &ToolUse) {
        self.is_stuck = false;
        let paths: Vec<String> = tool.paths.iter().map(|path| kept(path, PATH_CHARS_MAX)).collect();
        let new = paths.iter().filter(|path| !self.files.contains(path)).cloned().collect();
        for path in &paths {
            self.note_step(&format!("edited {path}"));
            self.note_file(path);
        }
        // Without an id the result of any tool could be meant.
        if tool.id.is_empty() {
            return;
        }
        let editing = Editing { id: kept(&tool.id, NAME_CHARS_MAX), paths, new };
        push_bounded(&mut self.editing, editing, RUNNING_MAX);
    }

    fn note_file(&mut self, path: &str) {
        for list in [&mut self.files, &mut self.unsaved] {
            list.retain(|known| known != path);
            push_bounded(list, path.to_owned(), FILES_MAX);
        }
        self.is_uncommitted = true;
    }

    /// Takes back what a refused or failed edit did not change.
    pub(in super::super) fn finish_edit(&mut self, id: &str, outcome: Outcome) {
        let Some(at) = self.editing.iter().position(|it| it.id == id) else { return };
        let Editing { paths, new, .. } = self.editing.remove(at);
        match outcome {
            Outcome::Failed | Outcome::NotRun => {
                self.forget(|path| new.iter().any(|it| it == path));
            }
            // Refused once and done then.
            _ => {
                let gone: Vec<&String> =
                    paths.iter().filter(|it| !self.files.contains(it)).collect();
                gone.into_iter().for_each(|path| self.note_file(path));
            }
        }
    }

    /// Of a command that ended well: `git restore`, `git checkout -- …`, `git reset`, `git stash`.
    pub(super) fn take_back(&mut self, line: &str) {
        match reverts(line) {
            Reverted::Nothing => {}
            Reverted::Paths(given) => {
                let unsaved = self.unsaved.clone();
                let is_it = |path: &str| given.iter().any(|it| is_within(it, path));
                self.forget(|path| is_it(path) && unsaved.iter().any(|it| it == path));
            }
            Reverted::Everything => {
                let unsaved = self.unsaved.clone();
                self.forget(|path| unsaved.iter().any(|it| it == path));
            }
            Reverted::Commit => self.last_commit.clear(),
        }
    }

    fn forget(&mut self, is_gone: impl Fn(&str) -> bool) {
        let had = self.unsaved.len();
        self.files.retain(|path| !is_gone(path));
        self.unsaved.retain(|path| !is_gone(path));
        self.is_uncommitted &= !self.unsaved.is_empty() || had == 0;
    }

    /// Nothing came after the list that makes it old: no other task, no commit, and no end of work that
    /// it does not know of.
    pub(crate) fn is_list_current(&self) -> bool {
        !(self.since_list.is_over || self.has_ended() && self.since_list.uses > 0)
    }
}
