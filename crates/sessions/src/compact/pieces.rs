//! Everything that a summary could hold, as pieces: the urgent ones first, each section in its order.

use std::collections::BTreeSet;

use super::Request;
use super::deeds::{Deed, Deeds, Outcome, Run, Touch, Trouble};
use super::earlier::{Earlier, is_plain, key};
use super::facts::{Sort, middle};
use super::fate::{FIXED, Fate};
use super::piece::{Body, Piece, Urgency};
use super::talk::{Said, Talk};
use super::topic::Topic;
use oldhand_text::strings::shorten;

/// What stands behind the names of files.
pub(super) const TAILS: &[&str] = &["named", "", "edited", "written", "deleted"];
/// Saves the outcome of all commands that ended well.
pub(super) const LEGEND: &str = "ended well where no outcome is named:";

const OPEN_RUNS_MAX: usize = 3;
const UNFIXED_MAX: usize = 5;
/// Sooner than anything by its line alone.
const SOONER: usize = 1 << 40;

struct Sources<'s, 't> {
    deeds: &'s Deeds<'t>,
    talk: &'s Talk<'t>,
    pieces: Vec<Piece<'t>>,
}

pub(super) fn pieces<'t>(
    deeds: &Deeds<'t>,
    talk: &Talk<'t>,
    earlier: Earlier<'t>,
    request: &Request<'t>,
) -> Vec<Piece<'t>> {
    let mut sources = Sources { deeds, talk, pieces: Vec::new() };
    sources.goal(request);
    sources.unfinished();
    sources.troubles();
    sources.standing();
    sources.todos();
    sources.pieces.extend(earlier.pieces);
    sources.said();
    sources.files();
    sources.runs();
    settle(&mut sources.pieces, deeds);
    if let Some(topic) = request.focus.and_then(Topic::of) {
        topic.raise(&mut sources.pieces);
    }
    sources.pieces
}

impl<'t> Sources<'_, 't> {
    fn goal(&mut self, request: &Request<'t>) {
        let known = request.earlier.map(|it| it.text("goal")).filter(|it| !it.is_empty());
        let goal = match (known, &self.talk.goal) {
            (Some(goal), _) => (goal.to_owned(), [goal, ""]),
            (None, Some(goal)) => (goal.text.clone(), goal.origins),
            (None, None) => return,
        };
        let mut piece = Piece::line("goal", goal.0.clone(), "").vital(true);
        piece.origins = goal.1;
        for chars in [300, 120, 40] {
            if goal.0.chars().count() > chars {
                piece = piece.shorter(shorten(&goal.0, chars));
            }
        }
        if piece.has_secret() {
            piece.body = Body::Line(vec![crate::working::WITHHELD.to_owned()]);
            piece.origins = ["", ""];
        }
        self.pieces.push(piece);
    }

    /// What the person waits for comes before anything that is to do.
    fn unfinished(&mut self) {
        let Some(prompt) = &self.talk.unfinished else { return };
        let (text, place) = prompt.text.rsplit_once(" (").unwrap_or((&prompt.text, ""));
        let short = format!("{} ({place}", shorten(text, 80));
        let mut piece =
            Piece::line("next_actions", prompt.text.clone(), "").shorter(short).vital(true);
        piece.priority = usize::MAX;
        self.pieces.push(piece);
    }

    /// What is to be fixed first, then the last error, each with all that belongs to it.
    fn troubles(&mut self) {
        let last = self.deeds.last_trouble();
        let all = self.deeds.troubles.iter().enumerate().rev();
        let all: Vec<(usize, Fate)> = all.map(|(at, it)| (at, self.deeds.fate(it))).collect();
        let pending = all.iter().find(|(_, fate)| *fate == Fate::Pending).map(|(at, _)| *at);
        let fate_of = |at: usize| all.iter().find(|it| it.0 == at).map_or(Fate::Unknown, |it| it.1);
        let urgent: Vec<usize> = pending.into_iter().chain(last).collect();
        let others = all.iter().map(|it| it.0).filter(|at| !urgent.contains(at));
        // The same error of another command is told once, as it came last.
        let mut told: BTreeSet<&str> = BTreeSet::new();
        let mut seen: BTreeSet<usize> = BTreeSet::new();
        for at in urgent.iter().copied().chain(others) {
            let trouble = &self.deeds.troubles[at];
            let is_new = trouble.error.is_empty() || told.insert(&trouble.error);
            if is_new && seen.insert(at) {
                self.trouble(trouble, fate_of(at), urgent.contains(&at));
            }
        }
        let pending = all.iter().filter(|(_, fate)| *fate == Fate::Pending);
        for (at, _) in pending.take(UNFIXED_MAX) {
            let trouble = &self.deeds.troubles[*at];
            let origin = trouble.run.map_or("", |at| self.deeds.runs[at].origin);
            let text = format!("fix `{}`", trouble.what);
            // Behind the list of what is to do.
            let mut piece = Piece::line("next_actions", text, origin);
            (piece.order, piece.priority) = (SOONER + trouble.last_line, trouble.last_line);
            self.pieces.push(piece);
        }
    }

    fn trouble(&mut self, trouble: &Trouble<'t>, fate: Fate, is_urgent: bool) {
        let what = match trouble.run {
            Some(_) => format!("`{}`", trouble.what),
            None => trouble.what.clone(),
        };
        let line = |chars: usize, fate: &str| {
            let error = middle(&trouble.error, chars);
            if error.is_empty() {
                format!("{what}{fate}")
            } else {
                format!("{what}: {error}{fate}")
            }
        };
        let told = match &trouble.fix {
            Some(_) if trouble.is_replaced => FIXED.to_owned(),
            Some(fix) => self.deeds.fixed_after(&trouble.error, fix),
            None => fate.mark().to_owned(),
        };
        let mut piece = Piece::line("errors", line(usize::MAX, &told), trouble.origin)
            .shorter(line(usize::MAX, fate.mark()))
            .shorter(line(120, fate.mark()))
            .at(trouble.last_line)
            .vital(is_urgent);
        piece.origins[1] = trouble.run.map_or("", |at| self.deeds.runs[at].origin);
        piece.priority += if fate == Fate::Fixed { 0 } else { SOONER };
        piece.sort = Some(Sort::Error);
        self.pieces.push(piece);
    }

    fn standing(&mut self) {
        let talk = self.talk;
        let is_goal = |said: &Said<'_>| talk.goal.as_ref().is_some_and(|it| it.text == said.text);
        if let Some(newest) = talk.newest.as_ref().filter(|newest| !is_goal(newest)) {
            let text = format!("newest prompt: {} (line {})", newest.text, newest.line);
            let short = format!("newest prompt: {}", shorten(&newest.text, 80));
            // Among the next actions it is urgent already.
            let is_vital = talk.unfinished.is_none();
            let piece = Piece::line("standing", text, newest.origins[0]).shorter(short);
            self.pieces.push(piece.vital(is_vital));
        }
        let runs = self.deeds.runs.iter();
        let checks = runs.filter(|run| run.is_check && run.outcome != Outcome::NotRun);
        if let Some(run) = checks.max_by_key(|run| run.last_line) {
            let text = format!("last check: `{}` {}", run.text, verdict(run));
            self.stand(Piece::line("standing", text, run.origin), 1);
        }
        let open = self.deeds.runs.iter().rev().filter(|run| run.outcome == Outcome::Open);
        for run in open.take(OPEN_RUNS_MAX) {
            let text = format!("no result yet: `{}`", run.text);
            self.stand(Piece::line("standing", text, run.origin), 2);
        }
        if let Some(last) = &talk.last_said {
            let text = format!("said last: {} (line {})", last.text, last.line);
            let short = format!("said last: {}", shorten(&last.text, 100));
            self.stand(Piece::line("standing", text, last.origins[0]).shorter(short), 3);
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
            let mut piece = Piece::line(section, todo.text.clone(), "").at(at + 1);
            piece.priority = SOONER - at;
            self.pieces.push(piece);
        }
    }

    fn said(&mut self) {
        let talk = self.talk;
        for (section, items) in [
            ("open_questions", &talk.open),
            ("decisions", &talk.decisions),
            ("completed", &talk.completed),
            ("resolved_questions", &talk.resolved),
        ] {
            for item in items {
                let mut piece = Piece::line(section, item.text.clone(), "").at(item.line);
                piece.origins = item.origins;
                self.pieces.push(piece);
            }
        }
        for named in &talk.values {
            let mut piece = Piece::line("exact_values", named.value.snippet.clone(), named.origin)
                .shorter(named.value.text.clone())
                .at(named.line);
            piece.sort = Some(Sort::Number);
            self.pieces.push(piece);
        }
        for (link, line) in &talk.links {
            self.pieces.push(Piece::line("exact_values", (*link).to_owned(), link).at(*line));
        }
    }

    fn files(&mut self) {
        let vital = self.last_fix();
        for (at, file) in self.deeds.files.iter().enumerate() {
            let (section, tail) = match file.touch {
                Touch::Named => ("files", "named"),
                Touch::Read => ("files", ""),
                Touch::Edited => ("key_changes", "edited"),
                Touch::Written => ("key_changes", "written"),
            };
            let tail = if file.is_deleted { "deleted" } else { tail };
            let is_vital = vital.contains(&Deed::Changed(at));
            let mut piece =
                Piece::path(section, &file.text, tail).at(file.last_line).vital(is_vital);
            piece.origins[0] = file.origin;
            piece.priority += if file.touch == Touch::Named { 0 } else { SOONER };
            self.pieces.push(piece);
        }
    }

    fn runs(&mut self) {
        let vital = self.last_fix();
        let last = self.deeds.last_trouble().and_then(|at| self.deeds.troubles[at].run);
        for (at, run) in self.deeds.runs.iter().enumerate() {
            let section = if run.is_check { "tests" } else { "commands" };
            let is_vital = last == Some(at) || vital.contains(&Deed::Ran(at));
            let mut piece =
                Piece::line(section, run_line(run), run.origin).at(run.last_line).vital(is_vital);
            piece.priority += if run.only_looks { 0 } else { SOONER };
            piece.sort = Some(Sort::Command);
            self.pieces.push(piece);
        }
        let of_commands = |it: &Piece<'_>| it.section == "commands" && is_plain(&it.text());
        if self.pieces.iter().any(of_commands) {
            let mut legend = Piece::line("commands", LEGEND.to_owned(), "");
            (legend.order, legend.priority) = (0, usize::MAX);
            self.pieces.push(legend);
        }
    }

    /// What was done about the last error.
    fn last_fix(&self) -> Vec<Deed> {
        let last = self.deeds.last_trouble().map(|at| &self.deeds.troubles[at]);
        last.and_then(|it| it.fix.clone()).unwrap_or_default()
    }
}

fn verdict(run: &Run<'_>) -> &'static str {
    match run.outcome {
        Outcome::Fine => "passed",
        Outcome::Failed => "failed",
        Outcome::Open => "has no result yet",
        Outcome::NotRun => "was not run",
    }
}

fn run_line(run: &Run<'_>) -> String {
    let command = format!("`{}`", run.text);
    let times = if run.runs > 1 { format!(" ({} runs)", run.runs) } else { String::new() };
    match run.outcome {
        Outcome::Fine if run.failures > 0 => format!("{command}: failed, then passed{times}"),
        Outcome::Fine if run.is_check => format!("{command}: passed{times}"),
        Outcome::Fine => format!("{command}{times}"),
        Outcome::Failed => format!("{command}: failed{times}"),
        Outcome::Open => format!("{command}: no result{times}"),
        Outcome::NotRun => format!("{command}: not run{times}"),
    }
}

/// Each item once, and nothing both done and pending: the newest list says what is open.
fn settle(pieces: &mut Vec<Piece<'_>>, deeds: &Deeds<'_>) {
    let is_pending = |it: &Piece<'_>| {
        matches!(it.section, "in_progress" | "next_actions" | "blockers" | "open_questions")
    };
    let open: BTreeSet<String> =
        deeds.working.todos.iter().filter(|it| !it.done).map(|it| key(&it.text)).collect();
    let done: BTreeSet<String> = pieces
        .iter()
        .filter(|it| it.section == "completed")
        .map(|it| key(&it.text()))
        .filter(|it| !open.contains(it))
        .collect();
    let mut seen: BTreeSet<(&str, String)> = BTreeSet::new();
    pieces.retain(|piece| {
        let text = piece.text();
        let key = key(&text);
        let is_over = is_pending(piece) && done.contains(&key);
        let is_open_again = piece.section == "completed" && open.contains(&key);
        // The same words are one step, wherever they are pending.
        let class = if is_pending(piece) { "pending" } else { piece.section };
        let is_exact = piece.sort.is_some();
        let name = if is_exact { text } else { key };
        !is_over && !is_open_again && !name.is_empty() && seen.insert((class, name))
    });
}

/// A piece of the topic is taken sooner, unless it is urgent already.
pub(super) fn raise(piece: &mut Piece<'_>) {
    if piece.urgency == Urgency::Usual {
        piece.urgency = Urgency::Topic;
    }
}
