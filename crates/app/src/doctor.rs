//! The check of everything: what can be derived is rebuilt, what a person must decide is named,
//! and nothing is ever deleted.

mod adopt;
mod files;
pub(crate) mod loss;
pub(crate) mod merged;

use oldhand_core::pending::PENDING_FOLDER;
use oldhand_core::views::{self, Page};
use oldhand_store::port::Finding;

use self::adopt::{Log, Unrecorded};
use self::files::{Brief, Files};
use crate::context::Care;
use crate::prelude::*;
use crate::render::RENDER_AGAIN;

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

impl Care<'_> {
    /// `progress` gets how many files of how many were checked.
    pub fn doctor(&self, progress: &mut dyn FnMut(usize, usize)) -> Result<Diagnosis> {
        let mut diagnosis = Diagnosis::default();
        let inspection = self.vault.inspect()?;
        diagnosis.findings.extend(inspection.findings);
        diagnosis.notes.extend(inspection.notes);
        let log = Log::read(self.vault)?;
        diagnosis.events = log.events;
        let files = self.look_at_files(&log, progress, &mut diagnosis)?;
        diagnosis.memories = files.briefs.len();
        self.check_together(&mut diagnosis)?;
        self.check_moves(&files, &log, &mut diagnosis)?;
        self.check_pending(&mut diagnosis)?;
        files.check_links(&mut diagnosis.findings);
        files.check_doubles(&mut diagnosis.findings);
        files.check_names(&log, &mut diagnosis.findings);
        diagnosis.findings.extend(self.vanished(&files, &log)?);
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
    ) -> Result<Files> {
        let (mut files, mut findings, mut lost) = (Files::default(), Vec::new(), Vec::new());
        let (mut unrecorded, mut looked) = (Unrecorded::default(), 0);
        self.vault.visit(&mut |visit| {
            progress(visit.done, visit.of);
            match visit.file {
                Ok(stored) => {
                    let loss = self.loss(&stored, log, &mut looked);
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
                    let finding = Finding::new(&file.path, file.why.clone(), file.hint.to_string());
                    diagnosis.findings.push(finding);
                }
            }
        }
        for (at, loss) in lost.iter().enumerate() {
            diagnosis.findings.push(self.name_loss(loss, log, at)?);
        }
        diagnosis.findings.extend(findings);
        let renamed: Vec<&Brief> = files.renamed(log).into_values().collect();
        diagnosis.findings.extend(unrecorded.findings(&renamed));
        Ok(files)
    }

    fn check_pending(&self, diagnosis: &mut Diagnosis) -> Result<()> {
        let (waiting, odd) = self.gate().pending_list()?;
        for what in odd {
            let hint = "take its last committed version back with git, or delete it";
            diagnosis.findings.push(Finding::new(PENDING_FOLDER, what, hint));
        }
        if !waiting.is_empty() {
            let waiting = counted(waiting.len(), "waits for a person", "wait for a person");
            diagnosis.notes.push(format!("{waiting}: `oldhand pending`"));
        }
        Ok(())
    }

    fn check_file(&self, stored: &Stored, findings: &mut Vec<Finding>) {
        let memory = &stored.memory;
        let mut add =
            |what: &str, hint: &str| findings.push(Finding::new(&stored.path, what, hint));
        let edit = format!("fix it with `oldhand edit {}`", memory.id);
        // A document that another tool wrote keeps its own habits.
        let is_ours = stored.declared_id.is_some();
        let checked = write::check(memory, &self.settings.kinds).into_iter().filter(|_| is_ours);
        for problem in stored.problems.iter().cloned().chain(checked) {
            let hint = if problem.fix.is_empty() { &edit } else { &problem.fix };
            add(&problem.to_string(), hint);
        }
        let (kind, spec) = (&memory.kind, self.settings.kinds.spec(&memory.kind));
        let folder = stored.path.split('/').next().unwrap_or_default();
        if !self.settings.kinds.is_declared(kind) {
            let hint = format!("declare `[kinds.{kind}]` in `config.toml`, or change its `type`");
            add(&format!("the kind `{kind}` is not declared"), &hint);
        } else if folder != spec.folder && folder != CANDIDATES_FOLDER {
            add(&format!("a {kind} in `{folder}/`"), &format!("move it to `{}/`", spec.folder));
        }
        if let Err(refusal) = write::refuse_newer(memory) {
            add(&refusal.message, &refusal.hint.to_string());
        }
        let is_superseded = memory.content.text("status") == Some("superseded");
        let disagrees = is_superseded != (memory.state == State::Superseded);
        if *kind == Kind::Decision && disagrees && is_ours {
            add("`status` and `state` disagree about being superseded", &edit);
        }
        if memory.refresh_tier == Some(2) && memory.depends_on.code_paths.is_empty() {
            let hint = "name the paths it rests on, so that its freshness can be checked";
            add("`refresh_tier: 2` without `depends_on.code_paths`", hint);
        }
    }

    fn check_views(&self, diagnosis: &mut Diagnosis) -> Result<()> {
        for view in self.exchange().wanted_views() {
            let name = view.file_name();
            let Some(text) = self.vault.read_page(name)? else {
                let note = format!("`{name}` is not there yet: `oldhand render` creates it");
                diagnosis.notes.push(note);
                continue;
            };
            let (what, hint) = match views::page_of(view, &text) {
                Page::Clean => continue,
                Page::Edited => (
                    "somebody edited this view",
                    "`oldhand render` takes the edits into the memories",
                ),
                Page::Conflict => ("a merge conflict was left in it", RENDER_AGAIN),
                Page::Foreign => {
                    ("this page was not made by oldhand", "rename it, or switch the view off")
                }
            };
            diagnosis.findings.push(Finding::new(name, what, hint));
        }
        for name in self.exchange().kept_blocks()? {
            if let Some((what, hint)) = self.exchange().check_block(&name)? {
                diagnosis.findings.push(Finding::new(&name, what, hint));
            }
        }
        Ok(())
    }
}
