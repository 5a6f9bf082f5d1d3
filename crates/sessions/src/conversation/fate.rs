//! What became of an error: gone, and by which steps; still to be fixed; or over without a word.

use super::WITHHELD;
use super::command::Command;
use super::deeds::{Deed, Deeds, Trouble};
use super::exact::middle;
use oldhand_judge::capture::verify::claims::{bare, is_path, without_line};
use oldhand_text::{secrets, table};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    Fixed,
    Pending,
    /// The work went on in a way that shows it is over.
    Past,
    Unknown,
}

pub(crate) const NOT_FIXED: &str = " (not fixed)";
pub(crate) const NOT_SEEN_FIXED: &str = " (not seen fixed)";
pub(crate) const FIXED: &str = " (fixed)";

const STEPS_MAX: usize = 6;
/// If no step touches what the error names, the last ones are shown.
const LAST_STEPS: usize = 3;
const STEP_CHARS_MAX: usize = 80;

/// Their failure is an answer, or nobody comes back to it.
const NEVER_NEXT: &str = "rm gh curl echo sleep kill pkill mkdir cp mv timeout open";
const MERGES: &str = "merge rebase pull cherry-pick stash revert am";
/// A prompt with one of these continues with what failed.
const ABOUT_FAILURE: &str = "fail|error|still|broken|again";
/// An agent that stops because of a failure says so.
const GIVES_UP: &str = "fail|error|could not|couldn't|can't|cannot|unable|blocked|denied";

impl Fate {
    pub(crate) fn mark(self) -> &'static str {
        match self {
            Self::Fixed => FIXED,
            Self::Pending => NOT_FIXED,
            Self::Past => "",
            Self::Unknown => NOT_SEEN_FIXED,
        }
    }
}

impl Deeds<'_> {
    pub(crate) fn fate(&self, trouble: &Trouble<'_>) -> Fate {
        if trouble.fix.is_some() {
            return Fate::Fixed;
        }
        if trouble.run.is_none() {
            let goes_on = self.signs.last_work > trouble.time;
            return if goes_on { Fate::Past } else { Fate::Unknown };
        }
        self.fate_since(&trouble.what, trouble.time)
    }

    /// Of a command that failed at a time; 0 is before all turns.
    pub(crate) fn fate_since(&self, line: &str, time: usize) -> Fate {
        let command = Command::of(line);
        let signs = &self.signs;
        let is_later = |at: usize| at > time;
        if self.has_moved_on(&command, time) || command.only_looks() {
            return Fate::Past;
        }
        if let Some(check) = Command::last_check(line) {
            let makes_up = |it: &Command| it.makes_up_for(&check);
            let passed = signs.passed.iter().any(|(at, it)| is_later(*at) && makes_up(it));
            let mut later = self.troubles.iter().filter(|it| is_later(it.time) && it.run.is_some());
            let is_over = passed
                || later.any(|it| Command::last_check(&it.what).as_ref().is_some_and(makes_up));
            return if is_over { Fate::Past } else { Fate::Pending };
        }
        let is_merge = command.program == "git" && table::has(MERGES, &command.object);
        if signs.passed.iter().any(|(at, _)| is_later(*at))
            || is_merge && is_later(signs.last_commit)
        {
            return Fate::Past;
        }
        let is_last = signs.last_doing.is_none_or(|at| at <= time) && signs.last_work <= time;
        let gives_up = |words: &str| table::holds(GIVES_UP, &words.to_lowercase());
        let stops = signs.last_words.is_none_or(|(at, words)| at <= time || gives_up(words));
        if is_last && stops && !table::has(NEVER_NEXT, &command.program) {
            Fate::Pending
        } else {
            Fate::Unknown
        }
    }

    /// A person asked for something else since, and it was worked on.
    fn has_moved_on(&self, command: &Command, time: usize) -> bool {
        let is_else = |text: &str| {
            let lower = text.to_lowercase();
            let is_named = !command.program.is_empty() && lower.contains(&command.program);
            !is_named && !table::holds(ABOUT_FAILURE, &lower)
        };
        let mut later = self.signs.prompts.iter().filter(|(at, _)| *at > time);
        later.any(|(at, text)| *at < self.signs.last_use && is_else(text))
    }

    /// ` (fixed after: …)`: the steps that touch what the error names, else the last ones.
    pub(crate) fn fixed_after(&self, error: &str, fix: &[Deed]) -> String {
        let names = names(error);
        let touching: Vec<Deed> =
            fix.iter().copied().filter(|deed| self.touches(*deed, &names)).collect();
        let steps = match touching.is_empty() {
            true => &fix[fix.len().saturating_sub(LAST_STEPS)..],
            false => &touching[touching.len().saturating_sub(STEPS_MAX)..],
        };
        if steps.is_empty() {
            return FIXED.to_owned();
        }
        let steps: Vec<String> = steps.iter().map(|deed| self.step(*deed)).collect();
        format!(" (fixed after: {})", steps.join("; "))
    }

    /// Scans the whole source of a step: part of a secret doesn't look like one.
    fn step(&self, deed: Deed) -> String {
        let (verb, origin, text) = match deed {
            Deed::Changed(at) => {
                let file = &self.files[at];
                ("edited", file.origin, file.text.clone())
            }
            Deed::Ran(at) => {
                let run = &self.runs[at];
                ("ran", run.origin, format!("`{}`", middle(&run.text, STEP_CHARS_MAX)))
            }
        };
        let is_clean = secrets::scan(origin).is_empty();
        format!("{verb} {}", if is_clean { text.as_str() } else { WITHHELD })
    }

    fn touches(&self, deed: Deed, names: &[String]) -> bool {
        match deed {
            Deed::Changed(at) => {
                let path = self.files[at].text.as_str();
                let ends = |long: &str, short: &str| {
                    long.strip_suffix(short).is_some_and(|it| it.is_empty() || it.ends_with('/'))
                };
                names.iter().any(|name| ends(path, name) || ends(name, path))
            }
            Deed::Ran(at) => {
                let text = self.runs[at].text.as_str();
                let has = |name: &str| table::has_word(text, name);
                names.iter().any(|name| has(name) || folder(name).is_some_and(has))
            }
        }
    }
}

/// The files that an error names, and the programs that it misses.
fn names(error: &str) -> Vec<String> {
    let words = error.split(|c: char| c.is_whitespace() || "`'\"()[]<>,=".contains(c));
    let mut found: Vec<String> = Vec::new();
    for word in words {
        // `a.rs:41:7` is a place in a file.
        let path = without_line(without_line(bare(word)));
        if is_path(path) && !path.contains("://") {
            found.push(path.to_owned());
        }
    }
    if let Some((before, _)) = error.split_once(": command not found") {
        found.extend(before.split_whitespace().next_back().map(str::to_owned));
    }
    found
}

/// The folder of a file, unless it is a top folder.
fn folder(path: &str) -> Option<&str> {
    let (folder, _) = path.rsplit_once('/')?;
    folder.trim_start_matches('/').contains('/').then_some(folder)
}
