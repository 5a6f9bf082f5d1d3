//! The check of everything: what can be derived is made anew, what a person must decide is named,
//! and nothing is ever deleted.

mod adopt;
mod files;
mod loss;

use oldhand_core::kind::Kind;
use oldhand_core::memory::CANDIDATES_FOLDER;
use oldhand_core::pending::PENDING_FOLDER;
use oldhand_core::state::State;
use oldhand_core::views::{self, Page};
use oldhand_text::strings::counted;
use serde::Serialize;

use crate::Engine;
use oldhand_store::failure::Failure;
use oldhand_store::port::{Finding, Stored};

use self::adopt::{Log, Unrecorded};
use self::files::{Brief, Files};

#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Diagnosis {
    pub memories: usize,
    pub events: usize,
    /// Done by this command.
    pub repaired: Vec<String>,
    /// For a person.
    pub findings: Vec<Finding>,
    /// Worth knowing, nothing to decide.
    pub notes: Vec<String>,
    /// Agents whose hooks answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<&'static str>,
}

impl Engine<'_> {
    /// `progress` is told how many files of how many were looked at.
    pub fn doctor(&self, progress: &mut dyn FnMut(usize, usize)) -> Result<Diagnosis, Failure> {
        let mut diagnosis = Diagnosis::default();
        let inspection = self.vault.inspect()?;
        diagnosis.findings.extend(inspection.findings);
        diagnosis.notes.extend(inspection.notes);
        let log = Log::read(self.vault)?;
        diagnosis.events = log.events;
        let files = self.look_at_files(&log, progress, &mut diagnosis)?;
        diagnosis.memories = files.briefs.len();
        self.check_pending(&mut diagnosis)?;
        files.check_links(&mut diagnosis.findings);
        files.check_doubles(&mut diagnosis.findings);
        self.check_vanished(&files, &log, &mut diagnosis.findings)?;
        let edited = files.edited(log);
        self.adopt(&edited, &mut diagnosis)?;
        self.check_views(&mut diagnosis)?;
        for page in self.vault.refresh()? {
            diagnosis.repaired.push(format!("rebuilt `{page}`"));
        }
        Ok(diagnosis)
    }

    /// Each file by itself; of those that are memories the little stays that the other checks need.
    fn look_at_files(
        &self,
        log: &Log,
        progress: &mut dyn FnMut(usize, usize),
        diagnosis: &mut Diagnosis,
    ) -> Result<Files, Failure> {
        let (mut files, mut findings, mut lost) = (Files::default(), Vec::new(), Vec::new());
        let mut unrecorded = Unrecorded::default();
        self.vault.visit(&mut |visit| {
            progress(visit.done, visit.of);
            match visit.file {
                Ok(stored) => {
                    let loss = self.loss(&stored, log);
                    if loss.is_none() {
                        self.check_file(&stored, &mut findings);
                    }
                    unrecorded.check(&stored, log);
                    let is_lost = loss.is_some();
                    lost.extend(loss);
                    files.briefs.push(Brief::of(stored, is_lost));
                }
                Err(unreadable) => files.unreadable.push(unreadable),
            }
        })?;
        for file in &files.unreadable {
            match self.emptied(file) {
                Some(loss) => lost.push(loss),
                None => {
                    let finding = Finding::new(&file.path, file.why.clone(), file.hint.clone());
                    diagnosis.findings.push(finding);
                }
            }
        }
        for (at, loss) in lost.iter().enumerate() {
            diagnosis.findings.push(self.name_loss(loss, log, at)?);
        }
        diagnosis.findings.extend(findings);
        diagnosis.findings.extend(unrecorded.findings());
        Ok(files)
    }

    fn check_pending(&self, diagnosis: &mut Diagnosis) -> Result<(), Failure> {
        let (waiting, odd) = self.pending_list()?;
        for what in odd {
            let hint = "take its last committed version back with git, or delete it";
            diagnosis.findings.push(Finding::new(PENDING_FOLDER, what, hint));
        }
        if !waiting.is_empty() {
            let note = format!(
                "{}: `oldhand pending`",
                counted(waiting.len(), "waits for a person", "wait for a person")
            );
            diagnosis.notes.push(note);
        }
        Ok(())
    }

    fn check_file(&self, stored: &Stored, findings: &mut Vec<Finding>) {
        let memory = &stored.memory;
        let mut add =
            |what: String, hint: String| findings.push(Finding::new(&stored.path, what, hint));
        let edit = format!("mend it with `oldhand edit {}`", memory.id);
        for problem in &stored.problems {
            let hint = if problem.fix.is_empty() { edit.clone() } else { problem.fix.clone() };
            add(problem.to_string(), hint);
        }
        // A document that another tool wrote keeps its own habits.
        let is_ours = stored.declared_id.is_some();
        for problem in
            oldhand_core::write::check(memory, &self.settings.kinds).into_iter().filter(|_| is_ours)
        {
            add(
                problem.to_string(),
                if problem.fix.is_empty() { edit.clone() } else { problem.fix },
            );
        }
        if let Some(declared) = stored.declared_id.as_deref().filter(|id| *id != memory.id.as_str())
        {
            add(
                format!("`id` says `{declared}`, the file is `{}`", memory.id),
                "make them equal: the file's name counts".to_owned(),
            );
        }
        let spec = self.settings.kinds.spec(&memory.kind);
        let folder = stored.path.split('/').next().unwrap_or_default();
        if !self.settings.kinds.is_declared(&memory.kind) {
            add(
                format!("the kind `{}` is not declared", memory.kind),
                format!("declare `[kinds.{}]` in `config.toml`, or change its `type`", memory.kind),
            );
        } else if folder != spec.folder && folder != CANDIDATES_FOLDER {
            add(
                format!("a {} in `{folder}/`", memory.kind),
                format!("move it to `{}/`", spec.folder),
            );
        }
        if let Err(refusal) = oldhand_core::write::refuse_newer(memory) {
            add(refusal.message, refusal.hint);
        }
        let is_superseded = memory.content.text("status") == Some("superseded");
        if memory.kind == Kind::Decision
            && is_superseded != (memory.state == State::Superseded)
            && stored.declared_id.is_some()
        {
            add("`status` and `state` disagree about being superseded".to_owned(), edit);
        }
        if memory.refresh_tier == Some(2) && memory.depends_on.code_paths.is_empty() {
            add(
                "`refresh_tier: 2` without `depends_on.code_paths`".to_owned(),
                "name the paths it rests on, so that its freshness can be checked".to_owned(),
            );
        }
    }

    fn check_views(&self, diagnosis: &mut Diagnosis) -> Result<(), Failure> {
        for view in self.wanted_views() {
            let Some(text) = self.vault.read_view(view)? else {
                diagnosis.notes.push(format!(
                    "`{}` is not there yet: `oldhand render` makes it",
                    view.file_name()
                ));
                continue;
            };
            let (what, hint) = match views::page_of(view, &text) {
                Page::Clean => continue,
                Page::Edited => (
                    "somebody edited this view",
                    "`oldhand render` takes the edits into the memories",
                ),
                Page::Conflict => (
                    "a merge conflict was left in it",
                    "take either side, then `oldhand render` makes it anew",
                ),
                Page::Foreign => {
                    ("this page was not made by oldhand", "rename it, or switch the view off")
                }
            };
            diagnosis.findings.push(Finding::new(view.file_name(), what, hint));
        }
        Ok(())
    }
}
