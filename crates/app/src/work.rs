//! What is known of a piece of work when it ends or changes hands: a session's notes, what hooks
//! saw, and what git says. Summaries, handoffs and the check of a task are all made from it.

use oldhand_core::credit::Signs;
use oldhand_core::policy::SUMMARY_FILES_MAX;
use oldhand_sessions::completion::change::{ChangeKind, Diff, NoDiff};
use oldhand_sessions::completion::{Material, Scale, branch_line};
use oldhand_sessions::conversation::Working;
use oldhand_sessions::notes::{Item, ItemState, Notes};
use oldhand_sessions::summary::Summary;
use oldhand_text::secrets;

use crate::prelude::*;

#[derive(Debug, Default)]
pub struct Work {
    /// The name of the session, where others know it by that.
    pub session: Option<String>,
    pub notes: Notes,
    pub working: Working,
    /// What the conversation was last compacted to.
    pub compacted: Option<Summary>,
    /// None where git can't tell, for the reason beside it.
    pub diff: Option<Diff>,
    pub no_diff: Option<NoDiff>,
    /// When the work began, as far as that is known.
    pub since: Option<Timestamp>,
    /// Decisions that were written since then.
    pub decisions: Vec<Binding>,
}

impl Work {
    /// The template with what was said, filled with what is known. `task` stands in for a goal.
    pub fn fill(&self, said: Summary, earlier: Option<&Summary>, task: &str) -> Summary {
        let mut summary = said;
        self.material(earlier, task).fill(&mut summary);
        summary
    }

    fn material<'m>(&'m self, earlier: Option<&'m Summary>, task: &'m str) -> Material<'m> {
        Material {
            task,
            notes: &self.notes,
            working: &self.working,
            compacted: self.compacted.as_ref(),
            earlier,
            diff: self.diff.as_ref(),
            decisions: &self.decisions,
        }
    }

    pub fn scale(&self) -> Scale {
        self.material(None, "").scale()
    }

    /// What the scale is based on, for people.
    pub fn size(&self) -> String {
        let files = |count: usize| counted(count, "file", "files");
        match &self.diff {
            Some(diff) => {
                format!("{}, {}", files(diff.files.len()), counted(diff.lines(), "line", "lines"))
            }
            None => files(self.working.files.len()),
        }
    }

    /// Adds the branch to where the work stands.
    pub fn add_branch(&self, summary: &mut Summary) {
        let branch = self.diff.as_ref().map(|diff| visible_line(&diff.branch)).unwrap_or_default();
        if !branch.is_empty() && secrets::scan(&branch).is_empty() {
            summary.push("standing", &branch_line(&branch));
        }
    }

    /// Whether there is anything to tell but that a task ended.
    pub fn says_something(&self) -> bool {
        !self.notes.is_empty() || self.diff.as_ref().is_some_and(|diff| !diff.files.is_empty())
    }

    /// The summary as a memory of this work.
    pub fn draft(&self, summary: &Summary, title: &str, task: Option<&str>) -> Draft {
        let mut draft = summary.to_draft(title);
        draft.set("scope", Yaml::text("project"));
        let task = task.map(|task| format!("task:{task}"));
        let session = self.session.as_ref().map(|session| format!("session:{session}"));
        let evidence: Vec<String> = task.into_iter().chain(session).collect();
        if !evidence.is_empty() {
            draft.set("evidence", Yaml::list(&evidence));
        }
        let files: Vec<&str> = self
            .diff
            .iter()
            .flat_map(|diff| &diff.files)
            .filter(|file| file.kind != ChangeKind::Deleted)
            .map(|file| file.path.as_str())
            .filter(|path| secrets::scan(path).is_empty())
            .take(SUMMARY_FILES_MAX)
            .collect();
        if !files.is_empty() {
            draft.set("related_files", Yaml::list(&files));
        }
        draft
    }

    /// Notes that nobody has looked through; a step that is still to be done does not count.
    pub fn notes_open(&self) -> usize {
        let is_plan = |item: &&Item| item.is_step && item.is_open();
        let those = self.notes.items.iter().filter(|item| item.standing != ItemState::Dropped);
        those.filter(|item| !is_plan(item)).count()
    }
}

/// What a piece of work left behind that shows which memories had a part in it.
#[derive(Debug, Default)]
pub struct Traces {
    pub paths: Vec<String>,
    pub words: Vec<String>,
    pub commands: Vec<String>,
}

impl Traces {
    pub fn of(work: &Work, said: impl Iterator<Item = String>) -> Self {
        let changed = work.diff.iter().flat_map(|diff| &diff.files).map(|file| &file.path);
        let noted = work.notes.items.iter();
        let noted = noted.flat_map(|item| [item.text.clone(), item.outcome.clone()]);
        Self {
            paths: changed.chain(&work.working.files).cloned().collect(),
            words: noted.chain(said).collect(),
            commands: work.working.commands(),
        }
    }

    pub fn signs(&self) -> Signs<'_> {
        Signs { paths: &self.paths, words: &self.words, commands: &self.commands }
    }
}
