//! An earlier summary, continued: what is still so stays, what was finished since moves out of what
//! is pending, what was answered moves out of the open questions (R73).

use std::collections::BTreeSet;

use super::deeds::{Deeds, Outcome, Touch};
use super::exchange::{Carried, line_of, without_place};
use super::facts::Sort;
use super::fate::{Fate, NOT_FIXED, NOT_SEEN_FIXED};
use super::piece::{Piece, ungroup};
use super::talk::Talk;
use crate::summary::Summary;
use oldhand_text::strings::normalise_line;

/// What an earlier summary brings along.
#[derive(Debug, Default)]
pub(super) struct Earlier<'t> {
    pub pieces: Vec<Piece<'t>>,
    /// How many of each sort were left out before.
    pub left_out: Vec<(Sort, usize)>,
}

/// Sections whose items stay as they are.
const STAYING: &[&str] = &["completed", "decisions", "resolved_questions"];
const PENDING: &[&str] = &["in_progress", "next_actions", "blockers"];

pub(super) fn earlier<'t>(summary: &'t Summary, deeds: &Deeds<'_>, talk: &Talk<'t>) -> Earlier<'t> {
    let mut found = Earlier::default();
    for section in STAYING {
        // A prompt that goes on is told anew.
        let is_over = |it: &&String| {
            *section == "decisions" || talk.reopened.is_none() || line_of(it) != talk.reopened
        };
        let items = summary.list(section).iter().filter(is_over);
        found.extend(section, items.map(|it| (it.clone(), it.as_str())));
    }
    let pattern = summary.text("pattern");
    found.extend("pattern", (!pattern.is_empty()).then(|| (pattern.to_owned(), pattern)));
    found.pending(summary, deeds);
    found.errors(summary, deeds);
    found.questions(summary);
    found.values(summary);
    found.standing(summary, talk, deeds);
    found.commands(summary, deeds);
    found.paths(summary, deeds);
    found.count_left_out(summary);
    found
}

impl<'t> Earlier<'t> {
    fn extend(
        &mut self,
        section: &'static str,
        items: impl IntoIterator<Item = (String, &'t str)>,
    ) {
        for (text, origin) in items {
            // What was kept before is older than anything new.
            let place = self.pieces.len();
            let mut piece = Piece::line(section, text, origin);
            // Behind what opens a section.
            (piece.order, piece.priority) = (1, place);
            self.pieces.push(piece);
        }
    }

    fn pending(&mut self, summary: &'t Summary, deeds: &Deeds<'_>) {
        let carried = Carried::of(summary);
        let done: BTreeSet<String> =
            deeds.working.todos.iter().filter(|it| it.done).map(|it| key(&it.text)).collect();
        for section in PENDING {
            for item in summary.list(section) {
                // That it was fixed is told with the error.
                let is_over = fixing(item).is_some_and(|command| !is_pending(command, deeds));
                if is_over || carried.holds(item) {
                    continue;
                }
                let to = if done.contains(&key(item)) { "completed" } else { section };
                self.extend(to, [(item.clone(), item.as_str())]);
            }
        }
    }

    fn errors(&mut self, summary: &'t Summary, deeds: &Deeds<'_>) {
        for item in summary.list("errors") {
            let is_pending = item.ends_with(NOT_FIXED);
            let bare = [NOT_FIXED, NOT_SEEN_FIXED].iter().find_map(|it| item.strip_suffix(it));
            let text = match bare.and_then(|bare| Some((bare, command_of(bare)?))) {
                Some((bare, command)) => match deeds.until_success(command) {
                    Some(fix) => format!("{bare}{}", deeds.fixed_after(bare, &fix)),
                    None if is_pending => {
                        format!("{bare}{}", deeds.fate_since(command, 0).mark())
                    }
                    None => item.clone(),
                },
                None => item.clone(),
            };
            self.extend("errors", [(text, item.as_str())]);
            if let Some(piece) = self.pieces.last_mut() {
                piece.sort = Some(Sort::Error);
            }
        }
        // Without a newer one it is the last error.
        if deeds.troubles.is_empty()
            && let Some(last) = self.pieces.iter_mut().rfind(|it| it.section == "errors")
        {
            *last = last.clone().vital(true);
        }
    }

    /// What was open is asked again with the turns that came since.
    fn questions(&mut self, summary: &'t Summary) {
        let carried = Carried::of(summary);
        let items = summary.list("open_questions").iter().filter(|it| !carried.holds(it));
        self.extend("open_questions", items.map(|it| (it.clone(), it.as_str())));
    }

    fn values(&mut self, summary: &'t Summary) {
        for item in summary.list("exact_values") {
            self.extend("exact_values", [(item.clone(), item.as_str())]);
            if let Some(piece) = self.pieces.last_mut().filter(|_| !item.contains("://")) {
                piece.sort = Some(Sort::Number);
            }
        }
    }

    /// How it stood, but for what is told anew.
    fn standing(&mut self, summary: &'t Summary, talk: &Talk<'_>, deeds: &Deeds<'_>) {
        let has_check = deeds.runs.iter().any(|it| it.is_check && it.outcome != Outcome::NotRun);
        for (order, item) in summary.list("standing").iter().enumerate() {
            let is_new = match item.split_once(": ").map(|(label, _)| label) {
                Some("newest prompt") => talk.newest.is_some(),
                Some("last check") => has_check,
                Some("said last") => talk.last_said.is_some(),
                Some("no result yet") => deeds.uses > 0 || talk.newest.is_some(),
                _ => false,
            };
            if !is_new {
                self.extend("standing", [(item.clone(), item.as_str())]);
                if let Some(piece) = self.pieces.last_mut() {
                    *piece = piece.clone().at(order).vital(true);
                }
            }
        }
    }

    /// Commands that ran again are told by the newer turns.
    fn commands(&mut self, summary: &'t Summary, deeds: &Deeds<'_>) {
        let newer: BTreeSet<&str> = deeds.runs.iter().map(|run| run.text.as_str()).collect();
        for section in ["tests", "commands"] {
            for item in summary.list(section) {
                let command = quoted(item);
                if command.is_some_and(|it| newer.contains(it)) || item == super::pieces::LEGEND {
                    continue;
                }
                self.extend(section, [(item.clone(), item.as_str())]);
                if let Some(piece) = self.pieces.last_mut().filter(|_| command.is_some()) {
                    piece.sort = Some(Sort::Command);
                }
            }
        }
    }

    fn paths(&mut self, summary: &'t Summary, deeds: &Deeds<'_>) {
        let newer: BTreeSet<&str> = deeds.files.iter().map(|file| file.text.as_str()).collect();
        for section in ["key_changes", "files"] {
            for item in summary.list(section) {
                let (paths, tail) = ungroup(item);
                if paths.is_empty() {
                    self.extend(section, [(item.clone(), item.as_str())]);
                }
                let tail = super::pieces::TAILS.iter().find(|it| **it == tail).copied();
                for path in paths.iter().filter(|path| !newer.contains(path.as_str())) {
                    self.pieces.push(Piece::path(section, path, tail.unwrap_or_default()));
                }
            }
        }
    }

    fn count_left_out(&mut self, summary: &Summary) {
        for item in summary.list("left_out") {
            for sort in Sort::ALL {
                if let Some(count) = super::left::stated(item, sort) {
                    self.left_out.push((sort, count));
                }
            }
        }
    }
}

/// By which two items are the same, whatever line they refer to.
pub(super) fn key(item: &str) -> String {
    normalise_line(without_place(item)).to_lowercase()
}

/// The command at the beginning of an item.
fn command_of(item: &str) -> Option<&str> {
    item.strip_prefix('`')?.split_once("`: ").map(|(command, _)| command)
}

/// All between the first backtick, which begins it, and the last.
pub(super) fn quoted(item: &str) -> Option<&str> {
    item.strip_prefix('`')?.rsplit_once('`').map(|(command, _)| command)
}

fn fixing(item: &str) -> Option<&str> {
    quoted(item.strip_prefix("fix ")?)
}

fn is_pending(command: &str, deeds: &Deeds<'_>) -> bool {
    deeds.until_success(command).is_none() && deeds.fate_since(command, 0) == Fate::Pending
}

/// A command that ended well, without a word on it.
pub(super) fn is_plain(item: &str) -> bool {
    item.starts_with('`')
        && (item.ends_with('`') || item.ends_with(" runs)") && !item.contains("`: "))
}

/// What an earlier summary knew about the commands and files of the newer turns.
pub(super) fn merge(summary: &Summary, deeds: &mut Deeds<'_>) {
    for section in ["tests", "commands"] {
        for item in summary.list(section) {
            let Some(command) = quoted(item) else { continue };
            let Some(run) = deeds.runs.iter_mut().find(|run| run.text == command) else { continue };
            let tail = &item[command.len() + 2..];
            let times = tail.rsplit_once('(').and_then(|(_, it)| it.strip_suffix(" runs)"));
            let was_run = !tail.starts_with(": not run");
            let before: usize = times.and_then(|it| it.parse().ok()).unwrap_or(1);
            run.runs = run.runs.saturating_add(if was_run { before } else { 0 });
            run.failures = run.failures.saturating_add(usize::from(tail.starts_with(": failed")));
        }
    }
    for (section, item) in ["key_changes", "files"]
        .iter()
        .flat_map(|section| summary.list(section).iter().map(move |item| (*section, item)))
    {
        let (paths, tail) = ungroup(item);
        let touch = match (section, tail) {
            ("key_changes", "written") => Touch::Written,
            ("key_changes", _) => Touch::Edited,
            (_, "named") => Touch::Named,
            _ => Touch::Read,
        };
        let known = |text: &String| paths.contains(text);
        for file in deeds.files.iter_mut().filter(|file| known(&file.text)) {
            file.touch = file.touch.max(touch);
        }
    }
}
