//! The end of a piece of work: how large it was, and its summary.

use std::collections::BTreeSet;

use crate::anchor::{Anchor, Binding};
use crate::conversation::Working;
use crate::notes::{Item, NoteKind, Notes};
use crate::summary::{self, Summary};
use oldhand_core::policy::{
    MEDIUM_FILES_MAX, MEDIUM_LINES_MAX, SMALL_FILES_MAX, SMALL_LINES_MAX, SUMMARY_FILES_MAX,
};
use oldhand_core::task::Outcome;
use oldhand_text::problem::Problem;
use oldhand_text::strings::visible_line;
use oldhand_text::word::words;

pub mod change;
pub mod docs;
#[cfg(test)]
mod tests;

use change::Diff;

words! {
    Scale, "scale" {
        Small = "small",
        Medium = "medium",
        Large = "large",
    }
}

words! {
    /// How a piece of work ended, as a summary says it.
    Ending, "outcome" {
        Success = "success",
        /// The work goes on.
        Partial = "partial",
        Blocked = "blocked",
        Abandoned = "abandoned",
    }
}

impl Ending {
    /// How a task ends by it; none while the work goes on.
    pub fn of_task(self) -> Option<Outcome> {
        match self {
            Self::Success => Some(Outcome::Passed),
            Self::Partial => None,
            Self::Blocked | Self::Abandoned => Some(Outcome::Failed),
        }
    }
}

/// By the files and the lines that were changed; the larger of the two counts.
pub fn scale(files: usize, lines: usize) -> Scale {
    if files <= SMALL_FILES_MAX && lines <= SMALL_LINES_MAX {
        Scale::Small
    } else if files <= MEDIUM_FILES_MAX && lines <= MEDIUM_LINES_MAX {
        Scale::Medium
    } else {
        Scale::Large
    }
}

const BRANCH: &str = "branch `";

pub fn branch_line(branch: &str) -> String {
    format!("{BRANCH}{branch}`")
}

pub struct Material<'m> {
    /// Stands in for a goal; empty where a name is none.
    pub task: &'m str,
    pub notes: &'m Notes,
    pub working: &'m Working,
    /// What its conversation was last compacted to.
    pub compacted: Option<&'m Summary>,
    pub earlier: Option<&'m Summary>,
    pub diff: Option<&'m Diff>,
    /// Decisions that were written or changed on the way.
    pub decisions: &'m [Binding],
}

impl Material<'_> {
    pub fn scale(&self) -> Scale {
        match self.diff {
            Some(diff) => scale(diff.files.len(), diff.lines()),
            None => scale(self.working.files.len(), 0),
        }
    }

    /// Adds what is known to what was said, including every note.
    pub fn fill(&self, summary: &mut Summary) {
        self.fill_goal(summary);
        let mut earlier = self.earlier.map(|it| it.list("standing").to_vec()).unwrap_or_default();
        // The line about the branch is written again.
        earlier.retain(|line| !line.starts_with(BRANCH));
        for standing in [self.step(), earlier] {
            if summary.list("standing").is_empty() {
                summary.gather("standing", standing);
            }
        }
        self.fill_lists(summary);
        self.fill_code(summary);
        self.fill_trouble(summary);
        for name in ["focus", "blockers", "commands", "exact_values"] {
            summary.gather(name, self.compacted_list(name));
        }
        summary.set_text("scale", self.scale().as_str());
    }

    fn fill_goal(&self, summary: &mut Summary) {
        let of = |it: Option<&Summary>| it.map(|it| it.text("goal").to_owned()).unwrap_or_default();
        let (compacted, earlier) = (of(self.compacted), of(self.earlier));
        let known = [&self.notes.objective, &self.working.goal, &compacted, &earlier, self.task];
        let goal = known.into_iter().find(|it| summary::is_fit(it)).unwrap_or_default();
        if summary.text("goal").is_empty() {
            summary.set_text("goal", &visible_line(goal));
        }
    }

    fn step(&self) -> Vec<String> {
        let has_plan = !self.notes.objective.is_empty()
            || self.notes.step.is_some()
            || !self.working.todos.is_empty();
        Anchor::of(self.notes, self.working, Vec::new())
            .filter(|_| has_plan)
            .map(|anchor| format!("step {} of {}", anchor.step, anchor.steps))
            .into_iter()
            .collect()
    }

    fn fill_lists(&self, summary: &mut Summary) {
        let (notes, working) = (self.notes, self.working);
        let done = notes.completed().into_iter().map(Item::line);
        self.add(summary, "completed", done.chain(working.todo_texts(true)).collect());
        let mut next: Vec<String> = notes.remaining().map(Item::line).collect();
        next.extend(working.todo_texts(false));
        next.extend(working.fixes());
        // Next actions of the last compaction may be done by now: they count only if there is no
        // list and the work goes on.
        let has_list = !notes.items.is_empty() || !working.todos.is_empty();
        let is_over = summary.text("outcome") == Ending::Success.as_str();
        if next.is_empty() && !has_list && !is_over && summary.list("next_actions").is_empty() {
            next = self.compacted_list("next_actions");
        }
        let done: BTreeSet<String> =
            summary.list("completed").iter().map(|it| summary::key(it)).collect();
        next.retain(|item| !done.contains(&summary::key(item)));
        summary.gather("next_actions", next);
        let check = working.last_check.iter().map(|check| {
            format!("`{}` {}", check.command, if check.passed { "passed" } else { "failed" })
        });
        summary.gather("tests", check.collect());
    }

    /// The last compaction may be about an earlier task, so it only fills empty sections.
    fn add(&self, summary: &mut Summary, name: &str, known: Vec<String>) {
        summary.gather(name, known);
        if summary.list(name).is_empty() {
            summary.gather(name, self.compacted_list(name));
        }
    }

    fn fill_code(&self, summary: &mut Summary) {
        let decisions = self.decisions.iter().map(|it| format!("{}: {}", it.id, it.title));
        self.add(summary, "decisions", decisions.collect());
        let (subjects, mut files) = match self.diff {
            Some(diff) => {
                (diff.subjects.clone(), diff.files.iter().map(|file| file.line()).collect())
            }
            None => (Vec::new(), self.working.files.clone()),
        };
        summary.gather("key_changes", subjects);
        summary::cut(&mut files, SUMMARY_FILES_MAX);
        summary.gather("files", files);
    }

    fn fill_trouble(&self, summary: &mut Summary) {
        // The line of an error that was fixed has its fix.
        let mark = |item: &Item| if item.is_open() { " (not fixed)" } else { "" };
        let noted = self.notes.of(NoteKind::Error);
        let mut errors: Vec<String> =
            noted.map(|it| format!("{}{}", it.line(), mark(it))).collect();
        errors.extend(self.working.failures.iter().map(|failure| failure.line()));
        self.add(summary, "errors", errors);
        let questions =
            |open: bool| self.notes.of(NoteKind::Question).filter(move |it| it.is_open() == open);
        self.add(summary, "resolved_questions", questions(false).map(Item::line).collect());
        summary.gather("open_questions", questions(true).map(Item::line).collect());
        if self.notes.of(NoteKind::Question).next().is_none() {
            summary.gather("open_questions", self.compacted_list("open_questions"));
        }
    }

    fn compacted_list(&self, name: &str) -> Vec<String> {
        self.compacted.map(|it| it.list(name).to_vec()).unwrap_or_default()
    }
}

/// What a handoff must say (R171): a field, what is expected in it, and the flag that gives it.
const HANDOFF_FIELDS: &[(&str, &str, &str)] = &[
    ("handoff_to", "the role that takes over", "say it with `--to <role>`"),
    ("handoff_from", "the role that hands over", "say it with `--from <role>`"),
    ("goal", "what the work is for", "say it with `--goal <text>`"),
    (
        "completed",
        "what is done, or `nothing yet`",
        "say it with `--completed <text>`; `--completed \"nothing yet\"` is an answer",
    ),
    ("standing", "where the work stands", "say it with `--standing <text>`, such as `step 2 of 3`"),
    ("next_actions", "what is to be done next", "say it with `--next <text>`"),
];

/// Everything that is missing: who takes over must be able to go on from the summary alone.
pub fn missing_for_handoff(summary: &Summary) -> Vec<Problem> {
    HANDOFF_FIELDS
        .iter()
        .filter(|(name, _, _)| summary.text(name).is_empty() && summary.list(name).is_empty())
        .map(|(name, expected, fix)| Problem::new(name, expected, "nothing").with_fix(*fix))
        .collect()
}
