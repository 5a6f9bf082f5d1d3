//! What a merge brought together: two branches each passed the gate, and never met.

use oldhand_core::pending::Action;
use oldhand_store::port::NearAsk;

use super::{GATED, Proposal, READ_ALL_MAX, against, meets};
use crate::context::Gate;
use crate::prelude::*;

/// Of a large store, the neighbours that one memory is compared with.
const NEAR_MAX: usize = 24;

impl Gate<'_> {
    /// Decisions and constraints in force that clash, the younger of each two with all that it
    /// clashes with. Those that somebody has linked were judged. In a large store only the youngest
    /// are compared, with what the index finds near them.
    pub(crate) fn together(&self) -> Result<Vec<(Stored, Vec<Against>)>> {
        let mut in_force = Vec::new();
        for kind in GATED {
            let scan = self.vault.scan_kind(&self.settings.kinds.spec(kind))?;
            in_force.extend(scan.stored.into_iter().filter(|it| self.binds(&it.memory)));
        }
        in_force.sort_by(|a, b| {
            let age = |it: &Stored| (it.memory.created_at, it.memory.id.clone());
            age(a).cmp(&age(b))
        });
        let proposals: Vec<Proposal> =
            in_force.iter().map(|it| Proposal::of_memory(&it.memory)).collect();
        let is_large = in_force.len() > READ_ALL_MAX;
        let mut clashing = Vec::new();
        for at in in_force.len().saturating_sub(READ_ALL_MAX)..in_force.len() {
            let older: Vec<usize> = match is_large {
                true => self.near_of(&proposals[at], &in_force[..at])?,
                false => (0..at).collect(),
            };
            let ours = (&in_force[at].memory, &proposals[at]);
            let clash = |other: usize| {
                self.clash_between(ours, (&in_force[other].memory, &proposals[other]))
            };
            let clashes: Vec<Against> = older.into_iter().filter_map(clash).collect();
            if !clashes.is_empty() {
                clashing.push((in_force[at].clone(), clashes));
            }
        }
        Ok(clashing)
    }

    /// Whether the first, as a proposal, clashes with the second; both bind, and neither is looked up.
    pub(crate) fn clash_between(
        &self,
        (memory, ours): (&Memory, &Proposal),
        (other, theirs): (&Memory, &Proposal),
    ) -> Option<Against> {
        if is_linked(memory, other) || !meets(&ours.scope, &theirs.scope) {
            return None;
        }
        let clash = self.clash_with(ours, &theirs.statement, &theirs.text)?;
        self.confirm(&clash, &ours.beside(&theirs.statement, &theirs.text)).0.then_some(())?;
        Some(against(other, clash.sentence(), clash.ours, clash.theirs))
    }

    /// What a merge brought into force beside its opposite and nobody has settled: the name under which it
    /// waits, and those of the memories.
    pub(crate) fn unsettled(&self) -> Result<Vec<(MemoryId, Vec<String>)>> {
        let mut unsettled = Vec::new();
        for pending in self.pending_list()?.0 {
            let Matter::Conflict { action: Action::Merge, memory, against, .. } = &pending.matter
            else {
                continue;
            };
            let ids = std::iter::once(memory).chain(against.iter().map(|it| &it.id));
            let mut in_force = Vec::new();
            for id in ids {
                let stored = self.look_up(id)?.filter(|it| self.binds(&it.memory));
                in_force.extend(stored.map(|it| it.memory.id.to_string()));
            }
            if in_force.len() > 1 && in_force[0] == *memory {
                unsettled.push((pending.id, in_force));
            }
        }
        Ok(unsettled)
    }

    fn near_of(&self, proposal: &Proposal, older: &[Stored]) -> Result<Vec<usize>> {
        let Some(nearby) = self.nearby else { return Ok(Vec::new()) };
        let kinds = GATED.iter().map(|kind| format!("kind:{kind}")).collect();
        let within = [Narrow { words: vec![kinds], states: Vec::new() }];
        let ask =
            NearAsk { text: &proposal.text, within: &within, top: NEAR_MAX, by: Measure::Words };
        let paths: BTreeSet<String> = nearby.near(&ask)?.into_iter().map(|it| it.path).collect();
        let near = older.iter().enumerate().filter(|(_, it)| paths.contains(&it.path));
        Ok(near.map(|(at, _)| at).collect())
    }
}

/// Somebody has said how the two stand to each other.
fn is_linked(one: &Memory, other: &Memory) -> bool {
    let names = |from: &Memory, to: &Memory| {
        let lists =
            [&from.related_to, &from.beside, &from.refines, &from.conflicts_with, &from.supersedes];
        lists.into_iter().flatten().any(|id| id == to.id.as_str())
    };
    names(one, other) || names(other, one)
}
