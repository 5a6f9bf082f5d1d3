//! What an import meets at the gate: what is in force, what the same run brings into force, and what a person
//! did not want before.

use std::collections::HashSet;

use oldhand_core::pending::Action as Proposed;
use oldhand_judge::gate::{Statement, judge};

use super::batch::ImportStep;
use super::run::ImportRun;
use crate::gate::{GATED, Proposal, READ_ALL_MAX, is_gated};
use crate::prelude::*;

/// What is in force and may clash, as statements; `None` of a large store, whose index finds them.
pub(super) struct Rivals(Option<Vec<Statement>>);

impl ImportRun<'_> {
    /// Inside the lock: what is in force is compared with every record that binds. What this run wrote is not:
    /// its source stands as a whole.
    pub(super) fn look_at_rivals(&mut self, there: &HashSet<String>) -> Result<()> {
        let gate = self.exchange.gate();
        let Some(Rivals(known)) = &mut self.rivals else {
            let mut statements = Vec::new();
            for kind in GATED {
                let spec = self.exchange.settings.kinds.spec(kind);
                if self.exchange.vault.count_files(&spec.folder, READ_ALL_MAX + 1)? > READ_ALL_MAX {
                    self.rivals = Some(Rivals(None));
                    return Ok(());
                }
                let stored = self.exchange.stored_of(kind)?.into_iter();
                let binding = stored.filter(|it| gate.binds(&it.memory));
                statements.extend(binding.map(|it| Statement::of_memory(&it.memory)));
            }
            self.rivals = Some(Rivals(Some(statements)));
            return Ok(());
        };
        let Some(statements) = known else { return Ok(()) };
        // Between two batches others may write.
        let mut new: Vec<&String> = there.iter().filter(|id| !self.ids.contains(*id)).collect();
        new.sort();
        for id in new {
            let stored = self.exchange.vault.find(&MemoryId::parse(id)?)?;
            let binding = stored.filter(|it| is_gated(&it.memory.kind) && gate.binds(&it.memory));
            statements.extend(binding.map(|it| Statement::of_memory(&it.memory)));
        }
        Ok(())
    }

    pub(super) fn pass_gate(&self, memory: &Memory, action: Proposed, text: &str) -> Result<()> {
        match memory.is_active() && self.may_clash(memory) {
            true => self.exchange.gate().pass_gate(memory, action, text).map(drop),
            false => Ok(()),
        }
    }

    /// Two records of sources that a person accepts as a whole may still say opposite things: the second waits.
    pub(super) fn clash_in_run(&self, memory: &Memory) -> Option<Against> {
        if self.bound.is_empty() || !self.is_binding(memory) {
            return None;
        }
        let ours = Proposal::of_memory(memory);
        let others = self.bound.iter().rev().filter(|it| it.0.id != memory.id);
        let gate = self.exchange.gate();
        // More than the gate ever reads at once is left to `doctor`.
        others
            .take(READ_ALL_MAX)
            .find_map(|(other, theirs)| gate.clash_between((memory, &ours), (other, theirs)))
    }

    fn is_binding(&self, memory: &Memory) -> bool {
        is_gated(&memory.kind) && self.exchange.gate().binds(memory)
    }

    pub(super) fn bind(&mut self, step: &ImportStep, plan: &Plan) {
        if step.arriving().is_none() {
            return;
        }
        let memories = plan.files.iter().filter_map(|file| file.memory.as_ref());
        let binding: Vec<(Memory, Proposal)> = memories
            .filter(|it| self.is_binding(it))
            .map(|it| (it.clone(), Proposal::of_memory(it)))
            .collect();
        self.bound.extend(binding);
    }

    /// Whether a person has followed what was decided before instead of this record.
    pub(super) fn is_declined(&mut self, step: &ImportStep) -> Result<bool> {
        let Some(imported) = step.arriving().and_then(|one| one.memory.imported.as_ref()) else {
            return Ok(false);
        };
        if self.declined.is_none() {
            self.declined = Some(self.exchange.declined()?);
        }
        Ok(self.declined.as_ref().is_some_and(|known| known.contains(&imported.declined())))
    }

    pub(super) fn may_clash(&self, memory: &Memory) -> bool {
        if !is_gated(&memory.kind) {
            return false;
        }
        let Some(Rivals(Some(rivals))) = &self.rivals else { return true };
        if rivals.is_empty() {
            return false;
        }
        let ours = Statement::of_memory(memory);
        // Nearer than this nothing can be.
        rivals.iter().any(|theirs| !judge(&ours, theirs, Some(1.0)).is_empty())
    }
}
