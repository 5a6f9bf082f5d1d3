//! The check of everything: what can be derived is made anew, what a person must decide is named,
//! and nothing is ever deleted.

use std::collections::{BTreeMap, BTreeSet};

use oldhand_core::event::{Event, EventType};
use oldhand_core::hash::ContentHash;
use oldhand_core::kind::Kind;
use oldhand_core::memory::CANDIDATES_FOLDER;
use oldhand_core::pending::PENDING_FOLDER;
use oldhand_core::standing::Logged;
use oldhand_core::state::State;
use oldhand_core::text::counted;
use oldhand_core::views::{self, Page};

use crate::Engine;
use crate::failure::Failure;
use crate::port::{Finding, Plan, Scan, Stored};

#[derive(Debug, Clone, Default)]
pub struct Diagnosis {
    pub memories: usize,
    pub events: usize,
    /// Done by this command.
    pub repaired: Vec<String>,
    /// For a person.
    pub findings: Vec<Finding>,
    /// Worth knowing, nothing to decide.
    pub notes: Vec<String>,
}

impl Engine<'_> {
    pub fn doctor(&self) -> Result<Diagnosis, Failure> {
        let mut diagnosis = Diagnosis::default();
        let inspection = self.vault.inspect()?;
        diagnosis.findings.extend(inspection.findings);
        diagnosis.notes.extend(inspection.notes);
        let scan = self.vault.scan()?;
        let events = self.vault.events()?;
        diagnosis.memories = scan.stored.len();
        diagnosis.events = events.len();
        for unreadable in &scan.unreadable {
            let finding =
                Finding::new(&unreadable.path, unreadable.why.clone(), unreadable.hint.clone());
            diagnosis.findings.push(finding);
        }
        for stored in &scan.stored {
            self.check_file(stored, &mut diagnosis.findings);
        }
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
        self.check_standing(&scan, &events, &mut diagnosis.findings);
        check_links(&scan, &mut diagnosis.findings);
        check_doubles(&scan, &mut diagnosis.findings);
        check_vanished(&scan, &events, &mut diagnosis.findings);
        self.adopt(&scan, &events, &mut diagnosis)?;
        self.check_views(&mut diagnosis)?;
        for page in self.vault.refresh()? {
            diagnosis.repaired.push(format!("made `{page}` anew"));
        }
        Ok(diagnosis)
    }

    /// What claims more than the log carries waits for a person, and is served as a caution.
    fn check_standing(&self, scan: &Scan, events: &[Event], findings: &mut Vec<Finding>) {
        let mut logged: BTreeMap<&str, Logged> = BTreeMap::new();
        for event in events {
            logged.entry(event.memory.as_str()).or_default().take(event);
        }
        for stored in &scan.stored {
            let memory = &stored.memory;
            let known = logged.get(memory.id.as_str()).copied().unwrap_or_default();
            if !known.carries(memory) {
                let what = format!(
                    "claims `{}` from `{}`, which the log does not carry",
                    memory.state, memory.origin
                );
                let hint = format!(
                    "read it, then `oldhand review {} --decision keep --reason \"…\"` or `retire` it",
                    memory.id
                );
                findings.push(Finding::new(&stored.path, what, hint));
            }
        }
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

    /// A change made by hand is a version too: it enters the log as an edit by `external` (R287).
    fn adopt(
        &self,
        scan: &Scan,
        events: &[Event],
        diagnosis: &mut Diagnosis,
    ) -> Result<(), Failure> {
        if self.edited_by_hand(scan, events).is_empty() {
            return Ok(());
        }
        let done = self.write(&mut || {
            // Looked at again inside the lock: a writer may have been between file and log.
            let edited = self.edited_by_hand(&self.vault.scan()?, &self.vault.events()?);
            let paths: Vec<String> = edited.iter().map(|event| event.path.clone()).collect();
            Ok((paths, Plan { files: Vec::new(), events: edited }))
        });
        match done {
            Ok(done) => {
                for path in &done.answer {
                    diagnosis.repaired.push(format!("recorded the edit by hand of `{path}`"));
                }
                diagnosis
                    .notes
                    .extend(done.pending.map(|pending| pending.settle()).unwrap_or_default());
                Ok(())
            }
            // A read-only disk can be looked at all the same.
            Err(Failure::Store(error)) => {
                diagnosis.notes.push(format!("edits by hand could not be recorded: {error}"));
                Ok(())
            }
            Err(other) => Err(other),
        }
    }

    /// The events that would tell of files which are not what the log last left.
    fn edited_by_hand(&self, scan: &Scan, events: &[Event]) -> Vec<Event> {
        let known = last_hashes(events);
        let mut edited = Vec::new();
        for stored in &scan.stored {
            let last = known.get(stored.memory.id.as_str()).cloned().flatten();
            let now = Some(stored.hash.to_string());
            if last == now {
                continue;
            }
            let mut event = self.event(EventType::Adopted, &stored.memory, &stored.path);
            event.by = "external".to_owned();
            event.before = last;
            event.after = now;
            event.reason = "changed without the tool".to_owned();
            edited.push(event);
        }
        edited
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

/// The hash that the last event left of each memory.
fn last_hashes(events: &[Event]) -> BTreeMap<&str, Option<String>> {
    let mut last = BTreeMap::new();
    for event in events.iter().filter(|event| event.before.is_some() || event.after.is_some()) {
        last.insert(event.memory.as_str(), event.after.clone());
    }
    last
}

fn check_links(scan: &Scan, findings: &mut Vec<Finding>) {
    let ids: BTreeSet<&str> = scan.stored.iter().map(|stored| stored.memory.id.as_str()).collect();
    for stored in &scan.stored {
        let memory = &stored.memory;
        let links = memory
            .superseded_by
            .iter()
            .map(|id| ("superseded_by", id))
            .chain(memory.supersedes.iter().map(|id| ("supersedes", id)))
            .chain(memory.related_to.iter().map(|id| ("related_to", id)))
            .chain(memory.conflicts_with.iter().map(|id| ("conflicts_with", id)));
        for (field, id) in links {
            if !ids.contains(id.as_str()) {
                let what = format!("`{field}` names `{id}`, which is not here");
                findings.push(Finding::new(&stored.path, what, "mend the name, or take it out"));
            }
        }
        let successor = memory.superseded_by.as_deref();
        let successor =
            scan.stored.iter().find(|other| Some(other.memory.id.as_str()) == successor);
        if memory.state == State::Superseded && successor.is_some_and(|by| !by.memory.is_active()) {
            let hint = format!(
                "`oldhand restore {}` makes it hold again, or supersede its successor",
                memory.id
            );
            findings.push(Finding::new(&stored.path, "its successor is no longer active", hint));
        }
        if memory.state == State::Superseded && memory.superseded_by.is_none() {
            findings.push(Finding::new(
                &stored.path,
                "superseded by nothing",
                "name its successor in `superseded_by`",
            ));
        }
    }
}

fn check_doubles(scan: &Scan, findings: &mut Vec<Finding>) {
    let mut seen: BTreeMap<&str, &str> = BTreeMap::new();
    for stored in &scan.stored {
        if let Some(first) = seen.insert(stored.memory.id.as_str(), &stored.path) {
            let what = format!("has the same id as `{first}`");
            findings.push(Finding::new(&stored.path, what, "rename one of the two files"));
        }
    }
}

/// Files that the log knows and nobody retired: somebody deleted or renamed them.
fn check_vanished(scan: &Scan, events: &[Event], findings: &mut Vec<Finding>) {
    let there: BTreeSet<&str> =
        scan.stored.iter().map(|stored| stored.memory.id.as_str()).collect();
    let unreadable: BTreeSet<&str> =
        scan.unreadable.iter().map(|file| file.path.as_str()).collect();
    let mut last: BTreeMap<&str, &Event> = BTreeMap::new();
    let waiting = format!("{PENDING_FOLDER}/");
    let writes = |event: &&Event| event.before.is_some() || event.after.is_some();
    let is_memory = |event: &&Event| !event.path.is_empty() && !event.path.starts_with(&waiting);
    for event in events.iter().filter(writes).filter(is_memory) {
        last.insert(event.memory.as_str(), event);
    }
    for event in last.values().filter(|event| event.after.is_some()) {
        let path = event.path.as_str();
        if !there.contains(event.memory.as_str()) && !unreadable.contains(path) {
            let hash = event.after.as_deref().and_then(ContentHash::parse).map(|hash| hash.short());
            let what = format!("is gone; its last version was {}", hash.unwrap_or_default());
            let hint = format!(
                "`git log -- .oldhand/{path}` may have it; `oldhand history {}` tells what is known",
                event.memory
            );
            findings.push(Finding::new(path, what, hint));
        }
    }
}
