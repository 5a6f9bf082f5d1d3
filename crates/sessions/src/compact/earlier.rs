//! Continues an earlier summary (R73): finished work moves out of what is pending, answered questions
//! out of the open ones, the rest stays.

use std::collections::BTreeSet;

use super::check::{Fact, Sort};
use super::exchange::{Exchange, line_of, without_place};
use super::piece::{Body, Piece, Urgency, ungroup};
use super::pieces::{LEGEND, TAILS};
use super::talk::Talk;
use crate::conversation::Outcome;
use crate::conversation::deeds::{Deeds, Touch};
use crate::conversation::fate::{Fate, NOT_FIXED, NOT_SEEN_FIXED};
use crate::summary::{self, Summary};

#[derive(Default)]
struct Earlier<'t> {
    pieces: Vec<Piece<'t>>,
}

const STAYING: &[&str] = &["completed", "decisions", "resolved_questions"];
const PENDING: &[&str] = &["in_progress", "next_actions", "blockers"];

pub(super) fn pieces<'t>(
    summary: &'t Summary,
    carried: Exchange<'t>,
    deeds: &Deeds<'_>,
    talk: &Talk<'t>,
) -> Vec<Piece<'t>> {
    let mut found = Earlier::default();
    for section in STAYING {
        // A prompt that continues is written again.
        let is_over = |it: &&String| {
            *section == "decisions" || talk.reopened.is_none() || line_of(it) != talk.reopened
        };
        for item in summary.list(section).iter().filter(is_over) {
            found.keep(section, item);
        }
    }
    if !summary.text("pattern").is_empty() {
        found.keep("pattern", summary.text("pattern"));
    }
    found.pending(summary, carried, deeds);
    found.errors(summary, deeds);
    // What was open is asked again with the turns that came since.
    for item in summary.list("open_questions").iter().filter(|it| !carried.holds(it)) {
        found.keep("open_questions", item);
    }
    for item in summary.list("exact_values") {
        let number = (!item.contains("://")).then_some(item.as_str());
        found.keep("exact_values", item).facts = fact(Sort::Number, number);
    }
    found.standing(summary, talk, deeds);
    found.commands(summary, deeds);
    found.paths(summary, deeds);
    found.pieces
}

impl<'t> Earlier<'t> {
    /// What was kept before is older than anything new, and stands behind what opens a section.
    fn keep(&mut self, section: &'static str, item: &'t str) -> &mut Piece<'t> {
        let priority = self.pieces.len();
        let piece = Piece::line(section, item.to_owned(), item);
        self.pieces.push(Piece { order: 1, priority, ..piece });
        &mut self.pieces[priority]
    }

    fn pending(&mut self, summary: &'t Summary, carried: Exchange<'_>, deeds: &Deeds<'_>) {
        let done: BTreeSet<String> =
            deeds.working.todos.iter().filter(|it| it.done).map(|it| key(&it.text)).collect();
        for section in PENDING {
            for item in summary.list(section) {
                // The error itself says that it was fixed.
                let fixing = item.strip_prefix("fix ").and_then(quoted);
                let is_pending = |command: &str| {
                    deeds.until_success(command).is_none()
                        && deeds.fate_since(command, 0) == Fate::Pending
                };
                let is_over = fixing.is_some_and(|command| !is_pending(command));
                if !is_over && !carried.holds(item) {
                    self.keep(if done.contains(&key(item)) { "completed" } else { section }, item);
                }
            }
        }
    }

    fn errors(&mut self, summary: &'t Summary, deeds: &Deeds<'_>) {
        for item in summary.list("errors") {
            let piece = self.keep("errors", item);
            piece.facts = fact(Sort::Error, Some(item));
            let bare = [NOT_FIXED, NOT_SEEN_FIXED].iter().find_map(|it| item.strip_suffix(it));
            let Some((bare, command)) = bare.and_then(|bare| Some((bare, command_of(bare)?)))
            else {
                continue;
            };
            let fate = match deeds.until_success(command) {
                Some(fix) => deeds.fixed_after(bare, &fix),
                None if item.ends_with(NOT_FIXED) => deeds.fate_since(command, 0).mark().to_owned(),
                None => continue,
            };
            let text = format!("{bare}{fate}");
            piece.facts = fact(Sort::Error, Some(&text));
            piece.body = Body::Line(vec![text]);
        }
        // Without a newer one it is the last error.
        if deeds.troubles.is_empty()
            && let Some(last) = self.pieces.iter_mut().rfind(|it| it.section == "errors")
        {
            last.urgency = Urgency::Vital;
        }
    }

    fn standing(&mut self, summary: &'t Summary, talk: &Talk<'_>, deeds: &Deeds<'_>) {
        let has_check = deeds.runs.iter().any(|it| it.is_check && it.outcome != Outcome::NotRun);
        for (order, item) in summary.list("standing").iter().enumerate() {
            let is_new = match item.split_once(": ").map(|(label, _)| label) {
                Some("newest prompt") => talk.newest.is_some(),
                Some("last check") => has_check,
                Some("said last") => talk.last_said.is_some(),
                Some("no result yet") => deeds.working.tool_uses > 0 || talk.newest.is_some(),
                _ => false,
            };
            if !is_new {
                let piece = Piece::line("standing", item.clone(), item);
                self.pieces.push(piece.at(order).vital(true));
            }
        }
    }

    /// Commands that ran again come from the newer turns.
    fn commands(&mut self, summary: &'t Summary, deeds: &Deeds<'_>) {
        let newer: BTreeSet<&str> = deeds.runs.iter().map(|run| run.text.as_str()).collect();
        for section in ["tests", "commands"] {
            for item in summary.list(section) {
                let command = quoted(item);
                if !command.is_some_and(|it| newer.contains(it)) && item != LEGEND {
                    self.keep(section, item).facts = fact(Sort::Command, command);
                }
            }
        }
    }

    fn paths(&mut self, summary: &'t Summary, deeds: &Deeds<'_>) {
        let newer: BTreeSet<&str> = deeds.files.iter().map(|file| file.text.as_str()).collect();
        for (section, item) in touched(summary) {
            let (paths, tail) = ungroup(item);
            if paths.is_empty() {
                self.keep(section, item);
            }
            let tail = TAILS.iter().find(|it| **it == tail).copied().unwrap_or_default();
            let older = paths.iter().filter(|path| !newer.contains(path.as_str()));
            self.pieces.extend(older.map(|path| Piece::path(section, path, 0, tail)));
        }
    }
}

/// What has no line in the newer turns.
fn fact(sort: Sort, text: Option<&str>) -> Vec<Fact> {
    text.map(|text| Fact { sort, text: text.to_owned(), line: 0 }).into_iter().collect()
}

/// By which two items are the same, whatever line they refer to.
pub(super) fn key(item: &str) -> String {
    summary::key(without_place(item))
}

/// The command at the beginning of an item.
fn command_of(item: &str) -> Option<&str> {
    item.strip_prefix('`')?.split_once("`: ").map(|(command, _)| command)
}

/// All between the first backtick, which begins it, and the last.
pub(super) fn quoted(item: &str) -> Option<&str> {
    item.strip_prefix('`')?.rsplit_once('`').map(|(command, _)| command)
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
    for (section, item) in touched(summary) {
        let (paths, tail) = ungroup(item);
        let touch = match (section, tail) {
            ("key_changes", "written") => Touch::Written,
            ("key_changes", _) => Touch::Edited,
            (_, "named") => Touch::Named,
            _ => Touch::Read,
        };
        for file in deeds.files.iter_mut().filter(|file| paths.contains(&file.text)) {
            file.touch = file.touch.max(touch);
        }
    }
}

fn touched(summary: &Summary) -> impl Iterator<Item = (&'static str, &String)> {
    let sections = ["key_changes", "files"].into_iter();
    sections.flat_map(|section| summary.list(section).iter().map(move |item| (section, item)))
}
