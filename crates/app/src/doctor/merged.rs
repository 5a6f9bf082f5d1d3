//! What a merge left: a memory that two branches changed, and decisions that never met before.

use oldhand_core::pending::Action;
use oldhand_store::port::Finding;

use super::Diagnosis;
use crate::context::Care;
use crate::prelude::*;

/// Why an adopted version is one: not an edit by hand.
pub(crate) const MERGED: &str = "merged";

/// The log of a memory that two branches went on from.
#[derive(Debug, PartialEq)]
pub(super) struct Fork {
    /// What each branch left, as hashes.
    pub tips: Vec<String>,
    /// Where each branch moved it, and who did.
    moves: Vec<(State, String)>,
}

impl Fork {
    /// `None` if the events of one memory are one line.
    pub(super) fn of(events: &[Event]) -> Option<Self> {
        // Each branch as the events that led to it.
        let mut branches: Vec<Vec<&Event>> = Vec::new();
        for event in events.iter().filter(|it| it.before.is_some() || it.after.is_some()) {
            let is_end = |branch: &&mut Vec<&Event>| {
                branch.last().is_some_and(|it| it.after == event.before)
            };
            let found = |branch: &Vec<&Event>| {
                branch.iter().position(|it| event.before.is_some() && it.after == event.before)
            };
            if event.event_type == EventType::Adopted {
                branches = vec![vec![event]];
            } else if let Some(branch) = branches.iter_mut().find(is_end) {
                branch.push(event);
            } else if let Some((at, branch)) = branches.iter().find_map(|it| Some((found(it)?, it)))
            {
                let fork = branch[..=at].iter().copied().chain([event]).collect();
                branches.push(fork);
            } else {
                // A write over a version that nobody recorded ends what was before it.
                branches = vec![vec![event]];
            }
        }
        if branches.len() < 2 {
            return None;
        }
        let shared = |at: usize| {
            branches.iter().all(|it| it.get(at).is_some_and(|one| one.id == branches[0][at].id))
        };
        let base = (0..branches[0].len()).take_while(|at| shared(*at)).count();
        let last_move = |branch: &Vec<&Event>| {
            let moved = |it: &&Event| it.to.map(|to| (to, it.by.clone()));
            branch[base..].iter().rev().find_map(moved)
        };
        let mut tips: Vec<String> =
            branches.iter().filter_map(|it| it.last()?.after.clone()).collect();
        tips.sort();
        Some(Self { tips, moves: branches.iter().filter_map(last_move).collect() })
    }

    /// Two branches moved it to different states, and one of them counts.
    pub(super) fn finding(&self, path: &str, id: &str, kept: State) -> Option<Finding> {
        let [first, rest @ ..] = self.moves.as_slice() else { return None };
        if rest.iter().all(|(to, _)| *to == first.0) {
            return None;
        }
        let each: Vec<String> =
            self.moves.iter().map(|(to, by)| format!("to {to} by {}", visible_line(by))).collect();
        let what = format!("moved {}; {kept} was kept", each.join(" and "));
        let hint = format!(
            "`oldhand history {id}` shows both; `oldhand restore {id}` reverts a retirement"
        );
        Some(Finding::new(path, what, hint))
    }
}

impl Care<'_> {
    /// Decisions that clash and are both in force wait for a person, as if the younger had been
    /// proposed now.
    pub(super) fn check_together(&self, diagnosis: &mut Diagnosis) -> Result<()> {
        let gate = self.gate();
        for (stored, against) in gate.together()? {
            let ids: Vec<String> = against.iter().map(|one| format!("`{}`", one.id)).collect();
            let stop = gate.stop(&stored.memory, Action::Merge, &stored.text, against)?;
            let Failure::Stopped(stop) = stop else { continue };
            let what = format!("clashes with {}, and both are in force", ids.join(", "));
            let hint = format!("`oldhand pending {}` shows the ways to settle it", stop.pending.id);
            diagnosis.findings.push(Finding::new(&stored.path, what, hint));
            match self.write(&mut || Ok(((), gate.plan_stop(&stop)?))) {
                Ok(done) => {
                    let settled = done.pending.map(|pending| pending.settle());
                    diagnosis.notes.extend(settled.unwrap_or_default());
                }
                // A read-only disk can be looked at all the same.
                Err(Failure::Store(error)) => {
                    diagnosis.notes.push(format!("a clash could not be put aside: {error}"));
                }
                Err(other) => return Err(other),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
