//! Everything that a summary could hold, as pieces: the urgent ones first, each section in its order.

use std::collections::BTreeSet;

use super::check::Sort;
use super::earlier::{is_plain, key};
use super::piece::{Body, Piece, SOONER};
use super::talk::Talk;
use super::telling::values;
use crate::conversation::deeds::{Deed, Deeds, Run, Touch, Trouble};
use crate::conversation::exact::middle;
use crate::conversation::fate::{FIXED, Fate};
use crate::conversation::{Outcome, WITHHELD};
use oldhand_text::strings::shorten;

pub(super) const TAILS: &[&str] = &["named", "", "edited", "written", "deleted"];
/// Saves the outcome of all commands that ended well.
pub(super) const LEGEND: &str = "ended well where no outcome is named:";

const OPEN_RUNS_MAX: usize = 3;
const UNFIXED_MAX: usize = 5;

struct Sources<'s, 't> {
    deeds: &'s Deeds<'t>,
    talk: &'s Talk<'t>,
    /// The newest error, and what was done about it.
    last: Option<&'s Trouble<'t>>,
    pieces: Vec<Piece<'t>>,
}

pub(super) fn pieces<'t>(
    deeds: &Deeds<'t>,
    talk: &Talk<'t>,
    goal: &str,
    earlier: Vec<Piece<'t>>,
) -> Vec<Piece<'t>> {
    let last = deeds.last_trouble().map(|at| &deeds.troubles[at]);
    let mut sources = Sources { deeds, talk, last, pieces: Vec::new() };
    sources.goal(goal);
    sources.unfinished();
    sources.troubles();
    sources.standing();
    sources.todos();
    sources.pieces.extend(earlier);
    sources.pieces.extend(talk.pieces.iter().cloned());
    sources.files();
    sources.runs();
    settle(&mut sources.pieces, deeds);
    sources.pieces
}

impl<'t> Sources<'_, 't> {
    fn goal(&mut self, known: &str) {
        let asked = self.talk.goal.as_ref().map_or("", |it| it.text.as_str());
        let goal = if known.is_empty() { asked } else { known };
        if goal.is_empty() {
            return;
        }
        let mut piece = Piece::line("goal", goal.to_owned(), "").vital(true);
        for chars in [300, 120, 40] {
            if goal.chars().count() > chars {
                piece = piece.shorter(shorten(goal, chars));
            }
        }
        if piece.has_secret() {
            piece.body = Body::Line(vec![WITHHELD.to_owned()]);
        }
        self.pieces.push(piece);
    }

    /// What the person waits for comes before anything that is to do.
    fn unfinished(&mut self) {
        let Some(prompt) = &self.talk.unfinished else { return };
        let (text, place) = prompt.text.rsplit_once(" (").unwrap_or((&prompt.text, ""));
        let short = format!("{} ({place}", shorten(text, 80));
        let piece = Piece::line("next_actions", prompt.text.clone(), "").shorter(short);
        self.pieces.push(Piece { priority: usize::MAX, ..piece.vital(true) });
    }

    /// What is to be fixed first, then the last error, each with all that belongs to it.
    fn troubles(&mut self) {
        let deeds = self.deeds;
        let all = deeds.troubles.iter().enumerate().rev();
        let all: Vec<(usize, Fate)> = all.map(|(at, it)| (at, deeds.fate(it))).collect();
        let is_pending = |it: &&(usize, Fate)| it.1 == Fate::Pending;
        let last = deeds.last_trouble().and_then(|last| all.iter().find(|it| it.0 == last));
        let mut urgent: Vec<&(usize, Fate)> =
            all.iter().find(is_pending).into_iter().chain(last).collect();
        urgent.dedup();
        let others = all.iter().filter(|it| !urgent.contains(it));
        // The same error of another command is listed once, as it came last.
        let mut listed: BTreeSet<&str> = BTreeSet::new();
        for entry in urgent.iter().copied().chain(others) {
            let trouble = &deeds.troubles[entry.0];
            if trouble.error.is_empty() || listed.insert(&trouble.error) {
                self.trouble(trouble, entry.1, urgent.contains(&entry));
            }
        }
        for (at, _) in all.iter().filter(is_pending).take(UNFIXED_MAX) {
            let trouble = &deeds.troubles[*at];
            let text = format!("fix `{}`", trouble.what);
            let piece = Piece::line("next_actions", text, self.run_origin(trouble));
            // Behind the list of what is to do.
            let order = SOONER + trouble.last_line;
            self.pieces.push(Piece { order, priority: trouble.last_line, ..piece });
        }
    }

    fn run_origin(&self, trouble: &Trouble<'t>) -> &'t str {
        trouble.run.map_or("", |at| self.deeds.runs[at].origin)
    }

    fn trouble(&mut self, trouble: &Trouble<'t>, fate: Fate, is_urgent: bool) {
        let what = match trouble.run {
            Some(_) => format!("`{}`", trouble.what),
            None => trouble.what.clone(),
        };
        let line = |chars: usize, fate: &str| match middle(&trouble.error, chars).as_str() {
            "" => format!("{what}{fate}"),
            error => format!("{what}: {error}{fate}"),
        };
        let told = match &trouble.fix {
            Some(_) if trouble.is_replaced => FIXED.to_owned(),
            Some(fix) => self.deeds.fixed_after(&trouble.error, fix),
            None => fate.mark().to_owned(),
        };
        let mut piece = Piece::line("errors", line(usize::MAX, &told), "")
            .shorter(line(usize::MAX, fate.mark()))
            .shorter(line(120, fate.mark()))
            .at(trouble.last_line)
            .vital(is_urgent)
            .sooner(fate != Fate::Fixed)
            .exact(Sort::Error, &trouble.error, trouble.line);
        for value in values(&trouble.error) {
            piece = piece.exact(Sort::Number, &value.text, trouble.line);
        }
        let origins = [trouble.origin, self.run_origin(trouble)];
        self.pieces.push(Piece { origins, ..piece });
    }

    fn standing(&mut self) {
        let talk = self.talk;
        let goal = talk.goal.as_ref().map(|it| &it.text);
        if let Some(newest) = talk.newest.as_ref().filter(|newest| goal != Some(&newest.text)) {
            let text = format!("newest prompt: {} (line {})", newest.text, newest.line);
            let short = format!("newest prompt: {}", shorten(&newest.text, 80));
            // Among the next actions it is urgent already.
            let is_vital = talk.unfinished.is_none();
            self.pieces.push(Piece::line("standing", text, "").shorter(short).vital(is_vital));
        }
        let runs = &self.deeds.runs;
        let checks = runs.iter().filter(|run| run.is_check && run.outcome != Outcome::NotRun);
        if let Some(run) = checks.max_by_key(|run| run.last_line) {
            let verdict = match run.outcome {
                Outcome::Fine => "passed",
                Outcome::Failed => "failed",
                _ => "has no result yet",
            };
            let text = format!("last check: `{}` {verdict}", run.text);
            self.stand(Piece::line("standing", text, run.origin), 1);
        }
        let open = runs.iter().rev().filter(|run| run.outcome == Outcome::Open);
        for run in open.take(OPEN_RUNS_MAX) {
            let text = format!("no result yet: `{}`", run.text);
            self.stand(Piece::line("standing", text, run.origin), 2);
        }
        if let Some(last) = &talk.last_said {
            let text = format!("said last: {} (line {})", last.text, last.line);
            let short = format!("said last: {}", shorten(&last.text, 100));
            self.stand(Piece::line("standing", text, "").shorter(short), 3);
        }
    }

    fn stand(&mut self, piece: Piece<'t>, order: usize) {
        self.pieces.push(piece.at(order).vital(true));
    }

    fn todos(&mut self) {
        let mut has_open = false;
        for (at, todo) in self.deeds.working.todos.iter().enumerate() {
            let section = match (todo.done, has_open) {
                (true, _) => "completed",
                (false, false) => "in_progress",
                (false, true) => "next_actions",
            };
            has_open |= !todo.done;
            let piece = Piece::line(section, todo.text.clone(), "");
            self.pieces.push(Piece { order: at + 1, priority: SOONER - at, ..piece });
        }
    }

    fn files(&mut self) {
        for (at, file) in self.deeds.files.iter().enumerate() {
            let (section, tail) = match file.touch {
                Touch::Named => ("files", "named"),
                Touch::Read => ("files", ""),
                Touch::Edited => ("key_changes", "edited"),
                Touch::Written => ("key_changes", "written"),
            };
            let tail = if file.is_deleted { "deleted" } else { tail };
            let piece = Piece::path(section, &file.text, file.line, tail)
                .at(file.last_line)
                .vital(self.fixed_last(Deed::Changed(at)))
                .sooner(file.touch != Touch::Named);
            self.pieces.push(Piece { origins: [file.origin, ""], ..piece });
        }
    }

    fn runs(&mut self) {
        let last = self.last.and_then(|it| it.run);
        for (at, run) in self.deeds.runs.iter().enumerate() {
            let section = if run.is_check { "tests" } else { "commands" };
            let piece = Piece::line(section, run_line(run), run.origin)
                .at(run.last_line)
                .vital(last == Some(at) || self.fixed_last(Deed::Ran(at)))
                .sooner(!run.only_looks)
                .exact(Sort::Command, &run.text, run.line);
            self.pieces.push(piece);
        }
        let of_commands = |it: &Piece<'_>| it.section == "commands" && is_plain(&it.text());
        if self.pieces.iter().any(of_commands) {
            let legend = Piece::line("commands", LEGEND.to_owned(), "");
            self.pieces.push(Piece { priority: usize::MAX, ..legend });
        }
    }

    fn fixed_last(&self, deed: Deed) -> bool {
        self.last.and_then(|it| it.fix.as_ref()).is_some_and(|fix| fix.contains(&deed))
    }
}

fn run_line(run: &Run<'_>) -> String {
    let outcome = match run.outcome {
        Outcome::Fine if run.failures > 0 => ": failed, then passed",
        Outcome::Fine if run.is_check => ": passed",
        Outcome::Fine => "",
        Outcome::Failed => ": failed",
        Outcome::Open => ": no result",
        Outcome::NotRun => ": not run",
    };
    let times = if run.runs > 1 { format!(" ({} runs)", run.runs) } else { String::new() };
    format!("`{}`{outcome}{times}", run.text)
}

/// Each item once, and nothing both done and pending: the newest list says what is open.
fn settle(pieces: &mut Vec<Piece<'_>>, deeds: &Deeds<'_>) {
    let is_pending = |it: &Piece<'_>| {
        matches!(it.section, "in_progress" | "next_actions" | "blockers" | "open_questions")
    };
    let open: BTreeSet<String> =
        deeds.working.todos.iter().filter(|it| !it.done).map(|it| key(&it.text)).collect();
    let completed = pieces.iter().filter(|it| it.section == "completed");
    let done: BTreeSet<String> =
        completed.map(|it| key(&it.text())).filter(|it| !open.contains(it)).collect();
    let mut seen: BTreeSet<(&str, String)> = BTreeSet::new();
    pieces.retain(|piece| {
        let text = piece.text();
        let key = key(&text);
        let is_over = is_pending(piece) && done.contains(&key);
        let is_open_again = piece.section == "completed" && open.contains(&key);
        // The same words are one step, wherever they are pending.
        let class = if is_pending(piece) { "pending" } else { piece.section };
        let name = if piece.facts.is_empty() { key } else { text };
        !is_over && !is_open_again && !name.is_empty() && seen.insert((class, name))
    });
}
