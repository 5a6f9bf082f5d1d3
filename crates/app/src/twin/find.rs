//! Which memory says what a new one says, if any.

use oldhand_core::policy::TWIN_FLOOR;
use oldhand_judge::similar::{Profile, likeness};

use super::is_retold;
use crate::context::Writing;
use crate::gate::{GATED, Proposal, Wanted, is_gated, said};
use crate::prelude::*;

impl Writing<'_> {
    /// The one that is most alike, active ones before those that are gone.
    pub(super) fn find_twin(
        &self,
        memory: &Memory,
        beside: &[FileWrite],
    ) -> Result<Option<Stored>> {
        let is_gated = is_gated(&memory.kind);
        let wanted = Wanted {
            text: &said(memory),
            // The gate has asked this already.
            kinds: if is_gated { GATED } else { std::slice::from_ref(&memory.kind) },
            domain: memory.domain.as_deref().filter(|_| is_gated),
            // What is said about a task or decided is said in many ways; a fact has its names.
            by: match memory.kind {
                Kind::Lesson | Kind::Decision | Kind::Constraint => Measure::Meaning,
                _ => Measure::Words,
            },
        };
        let mut relatives = self.gate().relatives(&wanted)?.stored;
        relatives.retain(|(stored, _)| stored.memory.kind == memory.kind);
        let waiting = self.gate().waiting_relatives(wanted.text, &memory.kind)?.into_iter();
        let is_new = |stored: &Stored| relatives.iter().all(|(one, _)| one.path != stored.path);
        let waiting: Vec<(Stored, Option<f64>)> = waiting
            .filter(|it| it.memory.kind == memory.kind && is_new(it))
            .map(|it| (it, None))
            .collect();
        relatives.extend(waiting);
        let ours = Profile::of_memory(memory);
        let mut twins: Vec<(bool, f64, Stored)> = relatives
            .into_iter()
            .filter(|(stored, _)| {
                let is_over = is_gated && marker(&stored.memory, self.now).is_some();
                stored.problems.is_empty()
                    // What no longer binds is said anew by what does.
                    && (!is_over || marker(memory, self.now).is_some())
                    && beside.iter().all(|file| file.path != stored.path)
            })
            .filter_map(|(stored, _)| {
                let alike = self.likeness(memory, &ours, &stored.memory);
                let alike = if is_retold(memory, &stored.memory) { 1.0 } else { alike };
                // Likeness does not decide alone: two that clash share most of their words.
                let is_twin = alike >= TWIN_FLOOR && !self.contradicts(memory, &stored.memory);
                is_twin.then(|| (stored.memory.is_active(), alike, stored))
            })
            .collect();
        twins.sort_by(|a, b| {
            b.0.cmp(&a.0).then(b.1.total_cmp(&a.1)).then_with(|| a.2.path.cmp(&b.2.path))
        });
        Ok(twins.into_iter().next().map(|(_, _, stored)| stored))
    }

    /// As with the gate, what the index happens to know does not decide: meaning is measured where
    /// it could make the two alike.
    fn likeness(&self, memory: &Memory, ours: &Profile, other: &Memory) -> f64 {
        let theirs = Profile::of_memory(other);
        if likeness(ours, &theirs, Some(1.0)) < TWIN_FLOOR {
            return 0.0;
        }
        let by_meaning = matches!(memory.kind, Kind::Lesson | Kind::Decision | Kind::Constraint);
        let meaning =
            by_meaning.then(|| self.gate().meaning(&said(memory), &said(other))).flatten();
        likeness(ours, &theirs, meaning)
    }

    fn contradicts(&self, memory: &Memory, other: &Memory) -> bool {
        self.gate().clash(&Proposal::of_memory(memory), other).is_some()
    }
}
