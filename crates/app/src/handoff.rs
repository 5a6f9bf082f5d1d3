//! Work that goes to another role: complete, or refused with what is missing.

use oldhand_sessions::completion::Ending;
use oldhand_sessions::completion::missing_for_handoff;
use oldhand_sessions::summary::Summary;

use crate::complete::{Completion, Telling};
use crate::prelude::*;
use crate::work::Work;

pub struct Handoff<'r> {
    pub task: Option<&'r str>,
    pub from: String,
    pub to: String,
    pub summary: Summary,
    pub work: &'r Work,
}

impl<'r> Handoff<'r> {
    /// `said` is filled with what is known of the work; what is still missing refuses it.
    pub fn of(
        task: Option<&'r str>,
        (from, to): (String, String),
        mut said: Summary,
        work: &'r Work,
    ) -> Result<Self, Refusal> {
        said.set_text("handoff_from", &from);
        said.set_text("handoff_to", &to);
        if said.text("outcome").is_empty() {
            said.set_text("outcome", Ending::Partial.as_str());
        }
        // The name of a task tells nobody what it is for.
        let mut summary = work.fill(said, None, "");
        refuse_incomplete(&summary)?;
        work.add_branch(&mut summary);
        Ok(Self { task, from, to, summary, work })
    }

    /// The same work between the same two.
    fn is_same(&self, memory: &Memory) -> bool {
        let text = |name: &str| memory.content.text(name).unwrap_or_default();
        let is_same_work = match self.task {
            Some(task) => memory.evidence.contains(&format!("task:{task}")),
            None => text("goal") == self.summary.text("goal"),
        };
        memory.kind == Kind::SessionSummary
            && text("handoff_from") == self.from
            && text("handoff_to") == self.to
            && is_same_work
    }

    /// The write that tells it.
    pub fn completion(&self, origin: Origin) -> Completion<'_> {
        let goal = visible_line(self.summary.text("goal"));
        let to = &self.to;
        let (about, title) = match self.task {
            Some(task) => (task, format!("Handoff {task} to {to}: {goal}")),
            None => (goal.as_str(), format!("Handoff to {to}: {goal}")),
        };
        let mut draft = self.work.draft(&self.summary, &title, self.task);
        draft.set("tags", Yaml::list(&["handoff", "session"]));
        Completion {
            id: MemoryId::of_title(&format!("handoff {about} to {to}")),
            tell: Box::new(move |_| Ok(Telling { draft: draft.clone(), end: None, lessons: None })),
            is_same: Box::new(|memory| self.is_same(memory)),
            origin,
            ends_once: false,
        }
    }
}

fn refuse_incomplete(summary: &Summary) -> Result<(), Refusal> {
    let missing = missing_for_handoff(summary);
    let what = match missing.as_slice() {
        [] => return Ok(()),
        [only] => only.to_string(),
        many => format!("{} fields are missing", many.len()),
    };
    let mut refusal = Refusal::invalid(missing);
    refusal.message = format!("the handoff is not complete: {what}");
    Err(refusal)
}
