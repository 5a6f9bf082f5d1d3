//! What the log last left of each memory, and the edits by hand that it does not have yet.

use oldhand_core::event::MERGED;
use oldhand_core::standing::Logged;
use oldhand_store::port::{Finding, Vault};

use super::Diagnosis;
use super::files::Brief;
use super::merged::Fork;
use crate::context::Care;
use crate::prelude::*;

/// Edits that one write records, and into how many writes many of them are divided at most: each
/// reads the log again, and all of one are in memory.
const EDITS_PER_WRITE: usize = 25_000;
const WRITES_MAX: usize = 4;
/// Edits that are named one by one.
const NAMED_MAX: usize = 20;

/// What the last event that changed a file says about it.
pub(super) struct Last {
    pub path: String,
    pub after: Option<ContentHash>,
    /// Written by this program, and not an edit that was found.
    pub is_ours: bool,
}

#[derive(Default)]
pub(super) struct Log {
    pub events: usize,
    pub last: BTreeMap<String, Last>,
    /// Memories with a merge that no person has decided anything after.
    pub merged: BTreeSet<String>,
    standing: BTreeMap<String, Logged>,
}

impl Log {
    pub(super) fn read(vault: &dyn Vault) -> Result<Self> {
        let mut log = Self::default();
        vault.visit_events(&mut |event| {
            log.events += 1;
            if event.is_persons_move() {
                log.merged.remove(&event.memory);
            } else if event.event_type == EventType::Adopted && event.reason == MERGED {
                log.merged.insert(event.memory.clone());
            }
            if event.to.is_some() {
                log.standing.entry(event.memory.clone()).or_default().take(&event);
            }
            if event.before.is_some() || event.after.is_some() {
                let last = Last {
                    path: event.path,
                    after: event.after.as_deref().and_then(ContentHash::parse),
                    is_ours: event.event_type != EventType::Adopted,
                };
                log.last.insert(event.memory, last);
            }
        })?;
        Ok(log)
    }

    pub(super) fn hash_of(&self, id: &str) -> Option<ContentHash> {
        self.last.get(id).and_then(|last| last.after)
    }
}

/// Memories that claim more than the log carries: they wait for a person, and are cautions.
#[derive(Default)]
pub(super) struct Unrecorded {
    named: Vec<Finding>,
    count: usize,
}

impl Unrecorded {
    pub(super) fn check(&mut self, stored: &Stored, log: &Log) {
        let memory = &stored.memory;
        let known = log.standing.get(memory.id.as_str()).copied().unwrap_or_default();
        if known.carries_claim(memory.state, memory.origin) {
            return;
        }
        self.count += 1;
        if self.named.len() < NAMED_MAX {
            let (state, origin, id) = (memory.state, memory.origin, &memory.id);
            let what = format!("claims `{state}` from `{origin}`, which the log does not carry");
            let hint = format!(
                "read it, then `oldhand review {id} --decision keep --reason \"…\"` or `retire` it"
            );
            self.named.push(Finding::new(&stored.path, what, hint));
        }
    }

    /// Without those under a name that somebody gave them by hand.
    pub(super) fn findings(mut self, renamed: &[&Brief]) -> Vec<Finding> {
        let named = self.named.len();
        self.named.retain(|it| renamed.iter().all(|brief| brief.path != it.path));
        self.count -= named - self.named.len();
        let more = self.count - self.named.len();
        if more > 0 {
            let what = format!("{more} more memories claim a standing that the log does not carry");
            self.named.push(Finding::new("events", what, "`oldhand review` lists them"));
        }
        self.named
    }
}

impl Care<'_> {
    /// A change made by hand is a version too: it enters the log as an edit by `external` (R287).
    pub(super) fn adopt(&self, edited: &[Brief], diagnosis: &mut Diagnosis) -> Result<()> {
        let (mut count, mut named) = (0, Vec::new());
        for part in edited.chunks(EDITS_PER_WRITE.max(edited.len().div_ceil(WRITES_MAX))) {
            let done = self.write(&mut || {
                let (events, findings) = self.still_edited(part)?;
                let line = |event: &Event| match event.reason.as_str() {
                    MERGED => format!("recorded the merge of `{}`", event.path),
                    _ => format!("recorded the edit by hand of `{}`", event.path),
                };
                let lines: Vec<String> = events.iter().map(line).collect();
                Ok(((lines, findings), Plan { files: Vec::new(), events }))
            });
            match done {
                Ok(done) => {
                    let (lines, findings) = done.answer;
                    count += lines.len();
                    named.extend(lines.into_iter().take(NAMED_MAX - named.len()));
                    diagnosis.findings.extend(findings);
                    let settled = done.pending.map(|pending| pending.settle());
                    diagnosis.notes.extend(settled.unwrap_or_default());
                }
                // A read-only disk can be looked at all the same.
                Err(Failure::Store(error)) => {
                    diagnosis.notes.push(format!("edits by hand could not be recorded: {error}"));
                    break;
                }
                Err(other) => return Err(other),
            }
        }
        let more = count - named.len();
        diagnosis.repaired.extend(named);
        if more > 0 {
            diagnosis.repaired.push(format!("recorded {more} more edits by hand"));
        }
        Ok(())
    }

    /// Looked at again inside the lock: a writer may have been between file and log. A file that
    /// has changed meanwhile is for the next look.
    fn still_edited(&self, edited: &[Brief]) -> Result<(Vec<Event>, Vec<Finding>)> {
        let log = Log::read(self.vault)?;
        let mut stories: BTreeMap<&str, Vec<Event>> =
            edited.iter().map(|brief| (brief.id.as_str(), Vec::new())).collect();
        self.vault.visit_events(&mut |event| {
            if let Some(story) = stories.get_mut(event.memory.as_str()) {
                story.push(event);
            }
        })?;
        let (mut events, mut findings) = (Vec::new(), Vec::new());
        for brief in edited {
            let known = log.hash_of(brief.id.as_str());
            let now = match self.vault.read_raw(&brief.path) {
                Ok(raw) => raw.map(|raw| raw.hash),
                Err(Failure::Refused(_)) => None,
                Err(error) => return Err(error),
            };
            if known == Some(brief.hash) || now != Some(brief.hash) {
                continue;
            }
            let fork = stories.get(brief.id.as_str()).and_then(|story| Fork::of(story));
            let found = fork
                .as_ref()
                .and_then(|it| it.finding(&brief.path, brief.id.as_str(), brief.state));
            findings.extend(found);
            let (is_merge, version) = (fork.is_some(), fork.unwrap_or_default());
            let known = known.map(|hash| hash.to_string());
            let mut event =
                version.event(&brief.path, brief.id.as_str(), (known, brief.hash), self.now);
            if !is_merge {
                event.reason = "changed without the tool".to_owned();
            }
            events.push(event);
        }
        Ok((events, findings))
    }
}
