//! What became of an error: gone, and by which steps; still to be fixed; or over without a word.

use super::deeds::{Deed, Deeds, Trouble};
use super::facts::middle;
use super::kind::Check;
use crate::working::WITHHELD;
use crate::working::command::Command;
use oldhand_judge::capture::verify::claims::{bare, is_path, without_line};
use oldhand_text::secrets;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Fixed,
    /// The next thing to do.
    Pending,
    /// The work went on in a way that shows it is over.
    Past,
    Unknown,
}

pub(super) const NOT_FIXED: &str = " (not fixed)";
pub(super) const NOT_SEEN_FIXED: &str = " (not seen fixed)";
pub(super) const FIXED: &str = " (fixed)";

const STEPS_MAX: usize = 6;
/// Of steps that have nothing to do with the error by name the last ones made it.
const LAST_STEPS: usize = 3;
const STEP_CHARS_MAX: usize = 80;

/// Their failure is an answer, or nobody comes back to it.
const NEVER_NEXT: &[&str] =
    &["rm", "gh", "curl", "echo", "sleep", "kill", "pkill", "mkdir", "cp", "mv", "timeout", "open"];
/// What a commit ends.
const MERGES: &[&str] = &["merge", "rebase", "pull", "cherry-pick", "stash", "revert", "am"];
/// A prompt with one of these goes on about what failed.
const ABOUT_FAILURE: &[&str] = &["fail", "error", "still", "broken", "again"];
/// An agent that stops before what failed says so.
const GIVES_UP: &[&str] =
    &["fail", "error", "could not", "couldn't", "can't", "cannot", "unable", "blocked", "denied"];

impl Fate {
    pub(super) fn mark(self) -> &'static str {
        match self {
            Self::Fixed => FIXED,
            Self::Pending => NOT_FIXED,
            Self::Past => "",
            Self::Unknown => NOT_SEEN_FIXED,
        }
    }
}

impl Deeds<'_> {
    pub(super) fn fate(&self, trouble: &Trouble<'_>) -> Fate {
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
    pub(super) fn fate_since(&self, line: &str, time: usize) -> Fate {
        let command = Command::of(line);
        let signs = &self.signs;
        let is_later = |at: usize| at > time;
        if self.has_moved_on(&command, time) || command.only_looks() {
            return Fate::Past;
        }
        if let Some(check) = Check::last_of(line) {
            let made_up =
                |(at, passed): &(usize, Check)| is_later(*at) && passed.makes_up_for(&check);
            let again = self.troubles.iter().any(|it| {
                is_later(it.time)
                    && it.run.is_some()
                    && Check::last_of(&it.what).is_some_and(|it| it.makes_up_for(&check))
            });
            let is_over = signs.passed.iter().any(made_up) || again;
            return if is_over { Fate::Past } else { Fate::Pending };
        }
        let is_merge = command.program == "git" && MERGES.contains(&command.object);
        if signs.passed.iter().any(|(at, _)| is_later(*at))
            || is_merge && is_later(signs.last_commit)
        {
            return Fate::Past;
        }
        let is_last = signs.last_doing.is_none_or(|(at, _)| at <= time) && signs.last_work <= time;
        let stops = signs.last_words.is_none_or(|(at, words)| at <= time || gives_up(words));
        if is_last && stops && !NEVER_NEXT.contains(&command.program) {
            Fate::Pending
        } else {
            Fate::Unknown
        }
    }

    /// A person asked for something else since, and it was worked on.
    fn has_moved_on(&self, command: &Command<'_>, time: usize) -> bool {
        let is_else = |text: &str| {
            let lower = text.to_lowercase();
            let is_named = !command.program.is_empty() && lower.contains(command.program);
            !is_named && !ABOUT_FAILURE.iter().any(|it| lower.contains(it))
        };
        let mut later = self.signs.prompts.iter().filter(|(at, _)| *at > time);
        later.any(|(at, text)| *at < self.signs.last_use && is_else(text))
    }

    /// ` (fixed after: …)`: the steps that touch what the error names, else the last ones.
    pub(super) fn fixed_after(&self, error: &str, fix: &[Deed]) -> String {
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

    /// All of what a step was taken from is looked at: a part of a secret looks like none.
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
                let is_it = |name: &String| {
                    let (long, short) = if path.len() > name.len() {
                        (path, name.as_str())
                    } else {
                        (name.as_str(), path)
                    };
                    long.strip_suffix(short).is_some_and(|it| it.is_empty() || it.ends_with('/'))
                };
                names.iter().any(is_it)
            }
            Deed::Ran(at) => {
                let text = self.runs[at].text.as_str();
                let has = |name: &str| has_word(text, name);
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

/// A folder of a file that is not everybody's.
fn folder(path: &str) -> Option<&str> {
    let (folder, _) = path.rsplit_once('/')?;
    folder.trim_start_matches('/').contains('/').then_some(folder)
}

fn has_word(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part)
    })
}

fn gives_up(words: &str) -> bool {
    let lower = words.to_lowercase();
    GIVES_UP.iter().any(|it| lower.contains(it))
}
