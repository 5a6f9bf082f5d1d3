//! What a merge left: a memory that two branches changed, and decisions that never met before.

use oldhand_core::event::MERGED;
use oldhand_core::pending::Action;
use oldhand_store::port::{Finding, Unsettled};

use super::Diagnosis;
use super::adopt::Log;
use super::files::Files;
use crate::context::Care;
use crate::prelude::*;

/// The log of a memory that two branches went on from.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Fork {
    /// What each branch left, as hashes.
    tips: Vec<String>,
    /// Where each branch moved it, and who did.
    moves: Vec<(State, String)>,
}

impl Fork {
    /// `None` if the events of one memory are one line.
    pub(crate) fn of(events: &[Event]) -> Option<Self> {
        // Each branch as the events that led to it.
        let mut branches: Vec<Vec<&Event>> = Vec::new();
        let mut seen: BTreeSet<&str> = BTreeSet::new();
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
            } else if event.before.as_deref().map_or(!branches.is_empty(), |it| seen.contains(it)) {
                // Two branches created it, or one went on from before what was recorded as one version.
                branches.push(vec![event]);
            } else {
                // A write over a version that nobody recorded ends what was before it.
                branches = vec![vec![event]];
            }
            seen.extend(event.after.as_deref());
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

    /// The version that git made of the branches.
    pub(super) fn event(
        self,
        path: &str,
        id: &str,
        (known, there): (Option<String>, ContentHash),
        now: Timestamp,
    ) -> Event {
        Event {
            path: path.to_owned(),
            by: "external".to_owned(),
            before: known,
            after: Some(there.to_string()),
            reason: MERGED.to_owned(),
            fields: self.tips,
            ..Event::new(EventType::Adopted, id, now)
        }
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
        let keep = format!("`oldhand review {id} --decision keep --reason \"…\"` keeps it so");
        let hint = match kept.is_active() {
            true => format!("`oldhand history {id}` shows both; {keep}"),
            false => format!(
                "`oldhand history {id}` shows both; `oldhand restore {id}` takes it back, {keep}"
            ),
        };
        Some(Finding::new(path, what, hint))
    }
}

/// The last merge of a memory, until a person has decided something about it.
pub(crate) fn undecided(events: &[Event]) -> Option<Fork> {
    let is_merge = |it: &Event| it.event_type == EventType::Adopted && it.reason == MERGED;
    let at = events.iter().rposition(is_merge)?;
    match events[at + 1..].iter().any(Event::is_persons_move) {
        true => None,
        false => Fork::of(&events[..at]),
    }
}

/// Memories of one write whose log is looked at: a write of more is an import or a sweep.
const LOOKED_AT_MAX: usize = 20;

impl Engine<'_> {
    /// What a write changes may have come out of a merge that nobody recorded: that version goes into the log
    /// first, so that the two branches end there. Says what a person should know of it.
    pub(crate) fn record_merges(&self, plan: &mut Plan) -> Vec<String> {
        let changed = plan.files.iter().filter_map(|file| Some((file, file.before?)));
        let changed: Vec<(&FileWrite, ContentHash)> = changed.take(LOOKED_AT_MAX + 1).collect();
        if changed.len() > LOOKED_AT_MAX {
            return Vec::new();
        }
        let (mut merges, mut notes) = (Vec::new(), Vec::new());
        for (file, before) in changed {
            // Without its log a memory can be written all the same; `doctor` looks again.
            let events = self.vault.events_of(file.id.as_str()).unwrap_or_default();
            let is_known = |it: &Event| it.after.as_deref() == Some(&*before.to_string());
            let Some(fork) = Fork::of(&events).filter(|_| !events.iter().any(is_known)) else {
                continue;
            };
            let known = events.iter().rev().find_map(|it| it.after.clone());
            let state = self.vault.find(&file.id).ok().flatten().map(|it| it.memory.state);
            let finding = state.and_then(|it| fork.finding(&file.path, file.id.as_str(), it));
            notes.extend(finding.map(|it| format!("{}: {}; {}", it.path, it.what, it.hint)));
            let (path, id) = (file.path.as_str(), file.id.as_str());
            merges.push(fork.event(path, id, (known, before), self.now));
        }
        plan.events.splice(0..0, merges);
        notes
    }
}

/// Work that may wait, with something to say before it.
pub(crate) struct Noted<'a> {
    pub pending: Box<dyn Unsettled + 'a>,
    pub notes: Vec<String>,
}

impl Unsettled for Noted<'_> {
    fn settle(self: Box<Self>) -> Vec<String> {
        let mut notes = self.notes;
        notes.extend(self.pending.settle());
        notes
    }
}

impl Care<'_> {
    /// Both sides of a merge moved a memory, and nobody has said yet which of the two was meant.
    pub(super) fn check_moves(
        &self,
        files: &Files,
        log: &Log,
        diagnosis: &mut Diagnosis,
    ) -> Result<()> {
        let merged = files.briefs.iter().filter(|it| log.merged.contains(it.id.as_str()));
        for brief in merged {
            let id = brief.id.as_str();
            let fork = undecided(&self.vault.events_of(id)?);
            let finding = fork.and_then(|it| it.finding(&brief.path, id, brief.state));
            diagnosis.findings.extend(finding);
        }
        Ok(())
    }

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
