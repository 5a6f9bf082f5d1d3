//! What the store knows of a stretch of work, for the conformance check (R175). Only reads.

use oldhand_sessions::architecture::drift::Drift;
use oldhand_sessions::completion::change::Diff;
use oldhand_sessions::conformance::{Evidence, Point, WrittenSummary, judge};
use oldhand_text::time::parse_instant;

use crate::complete::is_writing;
use crate::context::Sessions;
use crate::gate::is_gated;
use crate::prelude::*;
use crate::work::Work;

pub struct Stretch<'r> {
    pub since: Timestamp,
    pub diff: Diff,
    /// What this machine knows to have been served in it.
    pub served: &'r BTreeSet<String>,
    /// The task, if there is one: then only its own end and summary count.
    pub task: Option<&'r str>,
    /// What the repository is called, for the map of its modules.
    pub repository: &'r str,
}

impl Sessions<'_> {
    /// The six points, by what the store knows of a stretch of work and what its session noted.
    pub fn check_work(&self, stretch: Stretch<'_>, work: &Work) -> Result<Vec<Point>> {
        let (since, task) = (stretch.since, stretch.task);
        let mut evidence = self.evidence(stretch)?;
        let notes = &work.notes;
        evidence.task = task.unwrap_or_default().to_owned();
        evidence.notes_open = work.notes_open();
        evidence.noted_at = parse_instant(&notes.updated_at);
        let steps = || notes.items.iter().filter(|item| item.is_step);
        evidence.steps = steps().count();
        evidence.steps_open = steps().filter(|item| item.is_open()).count();
        evidence.anchored_at =
            parse_instant(&notes.anchored_at).filter(|at| *at >= since).map(format_instant);
        Ok(judge(&evidence))
    }

    /// What this machine's own notes say is for the caller to add.
    pub fn evidence(&self, stretch: Stretch<'_>) -> Result<Evidence> {
        let since = stretch.since;
        let events: Vec<Event> =
            self.vault.events()?.into_iter().filter(|event| event.at >= since).collect();
        let mut memories = self.vault.scan()?.memories();
        memories.sort_by(|one, other| one.id.cmp(&other.id));
        let mut evidence = Evidence { diff: stretch.diff.clone(), ..Evidence::default() };
        for memory in memories.iter().filter(|memory| memory.is_active()) {
            weigh(memory, &events, &stretch, &mut evidence);
        }
        evidence.drift = self.drift(stretch.repository)?;
        let ends = events.iter().filter(|event| event.event_type == EventType::Task);
        let is_own = |task: &str| match stretch.task {
            Some(wanted) => task == wanted,
            // The end of a conversation is noticed by hooks, and looked through by nobody.
            None => !task.starts_with("session:"),
        };
        let tasks: BTreeSet<&str> =
            ends.map(|event| event.task.as_str()).filter(|task| is_own(task)).collect();
        evidence.tasks = tasks.into_iter().map(str::to_owned).collect();
        for waiting in self.gate().pending_list()?.0 {
            if waiting.at >= since && matches!(waiting.matter, Matter::Conflict { .. }) {
                evidence.conflicts.push((waiting.id.to_string(), waiting.headline()));
            }
        }
        Ok(evidence)
    }

    /// How the tree differs from the map; none where nobody has made one.
    fn drift(&self, repository: &str) -> Result<Option<Drift>> {
        // Listing the tree is not worth it where no map is.
        if self.maps_mark()?.is_empty() {
            return Ok(None);
        }
        let standing = self.architecture(repository, &self.tree())?;
        Ok(standing.map().is_some().then(|| standing.drift.clone()))
    }
}

fn weigh(memory: &Memory, recent: &[Event], stretch: &Stretch<'_>, evidence: &mut Evidence) {
    let id = memory.id.to_string();
    let is_candidate = memory.state == State::Candidate;
    let own = || recent.iter().filter(|event| event.memory == id);
    let has = |event_type: EventType| own().any(|event| event.event_type == event_type);
    let is_new = has(EventType::Created);
    if is_gated(&memory.kind) && !is_candidate && !is_new {
        evidence.in_force.push(id.clone());
        if stretch.served.contains(&id) || has(EventType::Applied) {
            evidence.read.push(id.clone());
        }
    }
    let written = own().filter(|event| is_writing(event)).map(|event| event.at).max();
    let is_written = written.is_some() && !is_candidate;
    let of_task = |task: &str| memory.evidence.contains(&format!("task:{task}"));
    let is_of_task = stretch.task.is_none_or(of_task);
    match memory.kind {
        Kind::Decision if is_written => evidence.decided.push(id),
        Kind::Constraint if is_new && is_candidate => evidence.constraints_waiting.push(id),
        Kind::Constraint if is_written => evidence.constraints_accepted.push(id),
        Kind::Architecture if is_written => evidence.maps_updated.push(id),
        Kind::SessionSummary if is_written && is_of_task => {
            let standing = memory.content.list("standing").to_vec();
            evidence.summaries.extend(written.map(|at| WrittenSummary { id, at, standing }));
        }
        _ => {}
    }
}
