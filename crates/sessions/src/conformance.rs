//! Was the memory kept while the work was done? Six points (R175), answered from evidence that
//! somebody else has gathered: the log of the store, the change itself, this machine's notes.

use jiff::Timestamp;

use crate::architecture::drift::Drift;
use crate::architecture::shown;
use crate::completion::change::{Diff, FileChange};
use crate::completion::{Scale, manifest, scale};
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

/// One of the six.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Point {
    pub name: &'static str,
    pub verdict: Verdict,
    pub evidence: Vec<String>,
    /// What to type now; empty unless it failed.
    pub next: String,
}

/// What is known of the time from the start of the work until now: the window.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Evidence {
    /// Empty where nobody knows its name.
    pub task: String,
    pub diff: Diff,
    /// Decisions and constraints that were in force before.
    pub in_force: Vec<String>,
    /// Of these, what was applied or served.
    pub read: Vec<String>,
    /// Conflicts of the window that nobody has settled: name and headline.
    pub conflicts: Vec<(String, String)>,
    /// Decisions that were written or changed.
    pub decided: Vec<String>,
    /// How the tree differs from the map of its modules; none without a map.
    pub drift: Option<Drift>,
    /// Maps that were written or changed.
    pub maps_updated: Vec<String>,
    /// Constraints of the window that nobody has accepted, and those that somebody has.
    pub constraints_waiting: Vec<String>,
    pub constraints_accepted: Vec<String>,
    pub summaries: Vec<Told>,
    /// Tasks that ended.
    pub tasks: Vec<String>,
    /// Notes on this machine that nobody has looked through; a step that is open is none.
    pub notes_open: usize,
    /// When the last of them was written.
    pub noted_at: Option<Timestamp>,
    /// Steps of the plan in the notes, and those that are not done.
    pub steps: usize,
    pub steps_open: usize,
    /// When the anchor was written last, if that was in the window.
    pub anchored_at: Option<String>,
}

/// A summary that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    pub id: String,
    pub at: Timestamp,
    /// Where it says that the work stands.
    pub standing: Vec<String>,
}

/// Names of the points, in their order.
const DECISIONS_READ: &str = "decisions read";
const NO_CONFLICT: &str = "appended without conflict";
const ARCHITECTURE: &str = "architecture updated";
const CONSTRAINTS: &str = "constraints in manifest";
const SESSION: &str = "session memory reviewed";
const ANCHOR: &str = "anchor maintained";

/// The six points, in their order.
pub fn judge(evidence: &Evidence) -> Vec<Point> {
    vec![
        evidence.decisions_read(),
        evidence.no_conflict(),
        evidence.architecture(),
        evidence.constraints(),
        evidence.session(),
        evidence.anchor(),
    ]
}

fn passed(name: &'static str, evidence: Vec<String>) -> Point {
    Point { name, verdict: Verdict::Passed, evidence, next: String::new() }
}

fn failed(name: &'static str, evidence: Vec<String>, next: impl Into<String>) -> Point {
    Point { name, verdict: Verdict::Failed, evidence, next: next.into() }
}

fn not_needed(name: &'static str, why: &str) -> Point {
    Point { name, verdict: Verdict::NotNeeded, evidence: vec![why.to_owned()], next: String::new() }
}

impl Evidence {
    fn decisions_read(&self) -> Point {
        if self.in_force.is_empty() {
            return not_needed(DECISIONS_READ, "no decision or constraint was in force");
        }
        if self.diff.files.is_empty() && self.read.is_empty() {
            return not_needed(DECISIONS_READ, "nothing was changed");
        }
        if self.read.is_empty() {
            let count = self.in_force.len();
            let what = format!("{count} in force, none was served or applied");
            return failed(
                DECISIONS_READ,
                vec![what],
                "oldhand recall \"<what the task is about>\"",
            );
        }
        passed(DECISIONS_READ, self.read.clone())
    }

    fn no_conflict(&self) -> Point {
        if let Some((first, _)) = self.conflicts.first() {
            let what = self.conflicts.iter().map(|(_, headline)| headline.clone()).collect();
            return failed(NO_CONFLICT, what, format!("oldhand pending {first}"));
        }
        let structural = manifest::structural(&self.diff);
        if !self.decided.is_empty() {
            return passed(NO_CONFLICT, self.decided.clone());
        }
        // R99: what binds all later work is decided, not slipped in.
        if !structural.is_empty() {
            let next = "oldhand add decision --title \"<what was chosen>\" --decision \"<the choice>\" \
                        --rationale \"<why>\"";
            return failed(NO_CONFLICT, structural, next);
        }
        match scale(self.diff.files.len(), self.diff.lines()) {
            Scale::Small => not_needed(NO_CONFLICT, "a small change, and no decision was written"),
            _ => passed(NO_CONFLICT, vec!["no decision was written, none waits".to_owned()]),
        }
    }

    /// By the same rule as `oldhand architecture check`, as far as this change goes.
    fn architecture(&self) -> Point {
        let Some(drift) = &self.drift else {
            return not_needed(ARCHITECTURE, "the store has no map of the architecture");
        };
        let is_touched = |module: &str| {
            let paths = self.diff.files.iter().flat_map(FileChange::names);
            paths.into_iter().any(|path| is_in(path, module))
        };
        let new = drift.new.iter().filter(|it| is_touched(it));
        let moved = drift.moved.iter().filter(|(from, to)| is_touched(from) || is_touched(to));
        let removed = drift.removed.iter().filter(|it| is_touched(it));
        let mut open: Vec<String> = new.map(|it| format!("`{}` is on no map", shown(it))).collect();
        open.extend(moved.map(|(from, to)| {
            format!("`{}` is `{}` now, and the map has it where it was", shown(from), shown(to))
        }));
        open.extend(removed.map(|it| format!("`{}` is gone, and on the map", shown(it))));
        if !open.is_empty() {
            return failed(ARCHITECTURE, open, "oldhand architecture update");
        }
        if !self.maps_updated.is_empty() {
            return passed(ARCHITECTURE, self.maps_updated.clone());
        }
        not_needed(ARCHITECTURE, "this change brought and took no module")
    }

    fn constraints(&self) -> Point {
        if let Some(first) = self.constraints_waiting.first() {
            let what = self.constraints_waiting.iter().map(|id| format!("{id} waits for a review"));
            return failed(CONSTRAINTS, what.collect(), format!("oldhand review {first}"));
        }
        if self.constraints_accepted.is_empty() {
            return not_needed(CONSTRAINTS, "no constraint came up");
        }
        passed(CONSTRAINTS, self.constraints_accepted.clone())
    }

    fn session(&self) -> Point {
        // What a summary was told after is in it, also when the work goes on.
        let is_told = |told: &Told| self.noted_at.is_some_and(|noted| told.at >= noted);
        if self.notes_open > 0 && !self.summaries.iter().any(is_told) {
            let notes = counted(self.notes_open, "note", "notes");
            let what = format!("{notes} of this session not looked through");
            return failed(SESSION, self.with_steps(what), self.review_command());
        }
        let mut what: Vec<String> = self.summaries.iter().map(|told| told.id.clone()).collect();
        what.extend(self.tasks.iter().map(|task| format!("the task `{task}` has ended")));
        if !what.is_empty() {
            return passed(SESSION, what);
        }
        if self.diff.files.is_empty() {
            return not_needed(SESSION, "nothing was changed");
        }
        let what = "there is a change, and neither a summary nor the end of a task".to_owned();
        failed(SESSION, self.with_steps(what), self.review_command())
    }

    fn with_steps(&self, what: String) -> Vec<String> {
        let steps = format!("{} of {} steps not done", self.steps_open, self.steps);
        if self.steps_open > 0 { vec![what, steps] } else { vec![what] }
    }

    /// How the work went is for the one who did it to say: with steps that are open it goes on.
    fn review_command(&self) -> String {
        self.summary_command(match self.steps_open {
            0 => "--outcome \"<success, partial, blocked or abandoned>\"",
            _ => "--outcome partial",
        })
    }

    fn anchor(&self) -> Point {
        if self.diff.files.len() <= 1 && self.steps <= 1 {
            return not_needed(ANCHOR, "one step, in one file at most");
        }
        if let Some(at) = &self.anchored_at {
            return passed(ANCHOR, vec![format!("the anchor was written at {at}")]);
        }
        for told in &self.summaries {
            if let Some(step) = told.standing.iter().find(|line| names_step(line)) {
                return passed(ANCHOR, vec![format!("{}: {step}", told.id)]);
            }
        }
        let files = counted(self.diff.files.len(), "file", "files");
        let what = format!("{files}, and nothing says at which step");
        failed(ANCHOR, vec![what], self.summary_command("--standing \"step <n> of <m>\""))
    }
}

impl Evidence {
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

/// `.` is the repository itself: what lies in no folder.
fn is_in(path: &str, module: &str) -> bool {
    match module {
        "." => !path.contains('/'),
        module => path.strip_prefix(module).is_some_and(|rest| rest.starts_with('/')),
    }
}

/// How many files and lines, for people.
pub fn size_of(files: &[FileChange]) -> String {
    let (added, removed) =
        files.iter().fold((0, 0), |sum, it| (sum.0 + it.added, sum.1 + it.removed));
    let count = counted(files.len(), "file", "files");
    format!("{count}, +{added} -{removed}")
}
