//! Whether memory was kept up to date during a task: six points (R175), judged from evidence that the
//! caller gathers.

use jiff::Timestamp;

use crate::architecture::drift::Drift;
use crate::architecture::shown;
use crate::architecture::tree::above;
use crate::completion::change::{Diff, FileChange};
use crate::completion::{Scale, scale};
use oldhand_text::strings::{counted, typed};
use oldhand_text::word::words;

#[cfg(test)]
mod tests;

words! {
    Verdict, "verdict" {
        Passed = "passed",
        Failed = "failed",
        NotNeeded = "not_needed",
    }
}

#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Point {
    pub name: &'static str,
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub verdict: Verdict,
    pub evidence: Vec<String>,
    /// What to type now; empty unless it failed.
    pub next: String,
}

/// What is known of the window: the time from the start of the work until now.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Evidence {
    /// Empty where nobody knows its name.
    pub task: String,
    pub diff: Diff,
    /// Decisions and constraints that were in force before.
    pub in_force: Vec<String>,
    /// Of these, what was applied or served.
    pub read: Vec<String>,
    /// Conflicts of the window that are not settled: name and headline.
    pub conflicts: Vec<(String, String)>,
    /// Decisions that were written or changed.
    pub decided: Vec<String>,
    /// How the tree differs from the map of its modules; none without a map.
    pub drift: Option<Drift>,
    pub maps_updated: Vec<String>,
    /// Constraints of the window that are not accepted, and those that are.
    pub constraints_waiting: Vec<String>,
    pub constraints_accepted: Vec<String>,
    pub summaries: Vec<WrittenSummary>,
    pub tasks: Vec<String>,
    /// Notes on this machine that are not reviewed; an open step is none.
    pub notes_open: usize,
    pub noted_at: Option<Timestamp>,
    /// Steps of the plan in the notes, and those that are not done.
    pub steps: usize,
    pub steps_open: usize,
    /// When the anchor was written last, if that was in the window.
    pub anchored_at: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenSummary {
    pub id: String,
    pub at: Timestamp,
    /// Where it says that the work stands.
    pub standing: Vec<String>,
}

pub fn judge(evidence: &Evidence) -> Vec<Point> {
    let points = [
        ("decisions read", evidence.decisions_read()),
        ("appended without conflict", evidence.no_conflict()),
        ("architecture updated", evidence.architecture()),
        ("constraints in manifest", evidence.constraints()),
        ("session memory reviewed", evidence.session()),
        ("anchor maintained", evidence.anchor()),
    ];
    let point = |(name, (verdict, evidence, next))| Point { name, verdict, evidence, next };
    points.into_iter().map(point).collect()
}

type Finding = (Verdict, Vec<String>, String);

fn passed(evidence: Vec<String>) -> Finding {
    (Verdict::Passed, evidence, String::new())
}

fn failed(evidence: Vec<String>, next: impl Into<String>) -> Finding {
    (Verdict::Failed, evidence, next.into())
}

fn not_needed(why: &str) -> Finding {
    (Verdict::NotNeeded, vec![why.to_owned()], String::new())
}

impl Evidence {
    fn decisions_read(&self) -> Finding {
        if self.in_force.is_empty() {
            return not_needed("no decision or constraint was in force");
        }
        if self.diff.files.is_empty() && self.read.is_empty() {
            return not_needed("nothing was changed");
        }
        if self.read.is_empty() {
            let what = format!("{} in force, none was served or applied", self.in_force.len());
            return failed(vec![what], "oldhand recall \"<what the task is about>\"");
        }
        passed(self.read.clone())
    }

    fn no_conflict(&self) -> Finding {
        if let Some((first, _)) = self.conflicts.first() {
            let what = self.conflicts.iter().map(|(_, headline)| headline.clone()).collect();
            return failed(what, format!("oldhand pending {first}"));
        }
        let structural = self.diff.structural();
        if !self.decided.is_empty() {
            return passed(self.decided.clone());
        }
        // R99: what binds all later work is decided, not slipped in.
        if !structural.is_empty() {
            let next = "oldhand add decision --title \"<what was chosen>\" --decision \"<the choice>\" \
                        --rationale \"<why>\"";
            return failed(structural, next);
        }
        match scale(self.diff.files.len(), self.diff.lines()) {
            Scale::Small => not_needed("a small change, and no decision was written"),
            _ => passed(vec!["no decision was written, none waits".to_owned()]),
        }
    }

    /// By the same rule as `oldhand architecture check`, as far as this change goes.
    fn architecture(&self) -> Finding {
        let Some(drift) = &self.drift else {
            return not_needed("the store has no map of the architecture");
        };
        let is_touched = |module: &str| {
            let mut paths = self.diff.files.iter().flat_map(FileChange::names);
            // `.` is the repository itself: what lies in no folder.
            paths.any(|path| match module {
                "." => !path.contains('/'),
                module => above(path).any(|folder| folder == module),
            })
        };
        let new = drift.new.iter().filter(|it| is_touched(it));
        let moved = drift.moved.iter().filter(|(from, to)| is_touched(from) || is_touched(to));
        let removed = drift.removed.iter().filter(|it| is_touched(it));
        let mut open: Vec<String> =
            new.map(|it| format!("`{}` is not on the map", shown(it))).collect();
        open.extend(moved.map(|(from, to)| {
            format!("`{}` moved to `{}`, but the map lists the old path", shown(from), shown(to))
        }));
        open.extend(removed.map(|it| format!("`{}` is gone, but still on the map", shown(it))));
        if !open.is_empty() {
            return failed(open, "oldhand architecture update");
        }
        if !self.maps_updated.is_empty() {
            return passed(self.maps_updated.clone());
        }
        not_needed("this change added and removed no module")
    }

    fn constraints(&self) -> Finding {
        if let Some(first) = self.constraints_waiting.first() {
            let what = self.constraints_waiting.iter().map(|id| format!("{id} waits for a review"));
            return failed(what.collect(), format!("oldhand review {first}"));
        }
        if self.constraints_accepted.is_empty() {
            return not_needed("no constraint came up");
        }
        passed(self.constraints_accepted.clone())
    }

    fn session(&self) -> Finding {
        // A summary that is newer than the notes covers them.
        let is_told = |told: &WrittenSummary| self.noted_at.is_some_and(|noted| told.at >= noted);
        if self.notes_open > 0 && !self.summaries.iter().any(is_told) {
            let notes = counted(self.notes_open, "note", "notes");
            let what = format!("{notes} of this session not reviewed");
            return failed(self.with_steps(what), self.review_command());
        }
        let mut what: Vec<String> = self.summaries.iter().map(|told| told.id.clone()).collect();
        what.extend(self.tasks.iter().map(|task| format!("the task `{task}` has ended")));
        if !what.is_empty() {
            return passed(what);
        }
        if self.diff.files.is_empty() {
            return not_needed("nothing was changed");
        }
        let what = "something changed, but there is no summary and no task has ended".to_owned();
        failed(self.with_steps(what), self.review_command())
    }

    fn with_steps(&self, what: String) -> Vec<String> {
        let steps = format!("{} of {} steps not done", self.steps_open, self.steps);
        if self.steps_open > 0 { vec![what, steps] } else { vec![what] }
    }

    /// With open steps the work goes on.
    fn review_command(&self) -> String {
        self.summary_command(match self.steps_open {
            0 => "--outcome \"<success, partial, blocked or abandoned>\"",
            _ => "--outcome partial",
        })
    }

    fn anchor(&self) -> Finding {
        if self.diff.files.len() <= 1 && self.steps <= 1 {
            return not_needed("one step, in one file at most");
        }
        if let Some(at) = &self.anchored_at {
            return passed(vec![format!("the anchor was written at {at}")]);
        }
        for told in &self.summaries {
            if let Some(step) = told.standing.iter().find(|line| names_step(line)) {
                return passed(vec![format!("{}: {step}", told.id)]);
            }
        }
        let files = counted(self.diff.files.len(), "file", "files");
        let what = format!("{files}, and nothing says which step the work is at");
        failed(vec![what], self.summary_command("--standing \"step <n> of <m>\""))
    }

    /// What to type about this task, also after its end.
    fn summary_command(&self, flags: &str) -> String {
        let task = match self.task.as_str() {
            "" => "\"<task>\"".to_owned(),
            task => typed(task),
        };
        format!("oldhand summary {task} {flags}")
    }
}

/// `step 2 of 3`, somewhere in the line.
pub fn names_step(line: &str) -> bool {
    let words: Vec<String> = line.split_whitespace().map(str::to_lowercase).collect();
    let is_number =
        |word: &str| word.trim_end_matches(['.', ',', ':', ';', ')']).parse::<usize>().is_ok();
    words.windows(4).any(|four| {
        four[0].trim_start_matches('(').trim_end_matches(':') == "step"
            && is_number(&four[1])
            && four[2] == "of"
            && is_number(&four[3])
    })
}

pub fn size_of(files: &[FileChange]) -> String {
    let (added, removed) =
        files.iter().fold((0, 0), |sum, it| (sum.0 + it.added, sum.1 + it.removed));
    let count = counted(files.len(), "file", "files");
    format!("{count}, +{added} -{removed}")
}
