//! The working notes of one session: what is done, what remains, which error came and how it was
//! resolved, which question is open. One line each, folded from lines that are only ever added, so
//! that a torn last line loses nothing but itself. It must not know where lines are kept.

use serde::{Deserialize, Serialize};

use oldhand_text::problem::Problem;
use oldhand_text::strings::{normalise_line, visible_line};

#[cfg(test)]
mod tests;

/// What is typed in one note; a longer one is a document.
pub const NOTE_CHARS_MAX: usize = 500;
/// Notes of one session.
pub const NOTES_MAX: usize = 1_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoteKind {
    Done,
    Remaining,
    Error,
    Question,
}

impl NoteKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Remaining => "remaining",
            Self::Error => "error",
            Self::Question => "question",
        }
    }
}

/// One line of the file: something new, or what became of something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    pub at: String,
    #[serde(flatten)]
    pub what: What,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum What {
    Note {
        kind: NoteKind,
        text: String,
        /// How an error was resolved, or a question answered.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        outcome: String,
    },
    /// An item is no longer open: done, resolved, answered.
    Close {
        item: usize,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        outcome: String,
    },
    /// An item was a mistake.
    Drop { item: usize },
    /// What the work is for. A new one begins a new task: what was before is done with.
    Objective { text: String },
    /// A step of the plan, in order; it is a remaining item.
    Step { text: String },
    /// Where one is, where the plan is not written down.
    At { step: usize, of: usize },
    /// The notes were looked through at the end of a task: `kept` became memories.
    /// What was noted later than the item `through` was not seen, and stays.
    Reviewed {
        kept: Vec<String>,
        #[serde(default = "all", skip_serializing_if = "is_all")]
        through: usize,
    },
}

impl What {
    /// Everything that there is was looked through.
    pub fn reviewed_all() -> Self {
        Self::Reviewed { kept: Vec::new(), through: all() }
    }
}

fn all() -> usize {
    usize::MAX
}

fn is_all(through: &usize) -> bool {
    *through == all()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    Open,
    Closed,
    Dropped,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// From 1, never used again: what people type.
    pub number: usize,
    pub kind: NoteKind,
    pub text: String,
    pub outcome: String,
    pub standing: Standing,
    /// A step of the plan.
    pub is_step: bool,
    pub at: String,
    /// When it was closed.
    pub closed_at: String,
}

impl Item {
    pub fn is_open(&self) -> bool {
        self.standing == Standing::Open
    }

    /// In one line, with what became of it.
    pub fn line(&self) -> String {
        let text = visible_line(&self.text);
        match (self.kind, self.outcome.as_str()) {
            (_, "") => text,
            (NoteKind::Error, outcome) => format!("{text} (fixed: {})", visible_line(outcome)),
            (NoteKind::Question, outcome) => format!("{text} (answer: {})", visible_line(outcome)),
            (_, outcome) => format!("{text} ({})", visible_line(outcome)),
        }
    }
}

/// All notes of a session, as they stand.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Notes {
    pub objective: String,
    pub items: Vec<Item>,
    /// The highest number that any item ever had.
    pub last: usize,
    /// Where one is, if somebody said so.
    pub step: Option<(usize, usize)>,
    /// When anything was written last.
    pub updated_at: String,
    /// When the plan, the objective or a step was written last (R93).
    pub anchored_at: String,
    /// The last number before the objective was set: done for something else.
    pub items_before: usize,
    /// When they were last looked through, if nothing was noted since (R149).
    pub reviewed_at: String,
}

impl Notes {
    pub fn fold<'l>(lines: impl IntoIterator<Item = &'l Line>) -> Self {
        let mut notes = Self::default();
        for line in lines {
            notes.take(line);
        }
        notes
    }

    /// Lines as they stand in a file; what can't be read is passed over.
    pub fn read(text: &str) -> Self {
        let lines: Vec<Line> =
            text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        Self::fold(&lines)
    }

    fn take(&mut self, line: &Line) {
        self.updated_at.clone_from(&line.at);
        match &line.what {
            What::Note { kind: NoteKind::Done, text, outcome } => {
                // What was on the list is done; anything else is done as well.
                match self.open_like(text) {
                    Some(number) => self.close(number, outcome, &line.at),
                    None => self.add(NoteKind::Done, text, outcome, &line.at),
                }
            }
            What::Note { kind, text, outcome } => self.add(*kind, text, outcome, &line.at),
            What::Close { item, outcome } => self.close(*item, outcome, &line.at),
            What::Drop { item } => {
                if let Some(item) = self.item_mut(*item) {
                    item.standing = Standing::Dropped;
                }
            }
            What::Objective { text } => {
                if *text != self.objective {
                    self.begin(text);
                }
            }
            What::Step { text } => {
                self.add(NoteKind::Remaining, text, "", &line.at);
                if let Some(item) = self.items.last_mut() {
                    item.is_step = true;
                }
            }
            What::At { step, of } => self.step = Some((*step, *of)),
            // They are in the summary of the task, or were not worth it (R148, R149).
            What::Reviewed { through, .. } => self.forget(*through),
        }
        if matches!(line.what, What::Reviewed { .. }) && self.items.is_empty() {
            self.reviewed_at.clone_from(&line.at);
        } else {
            self.reviewed_at.clear();
        }
        let is_anchor =
            matches!(line.what, What::Objective { .. } | What::Step { .. } | What::At { .. });
        let closes_step = match &line.what {
            What::Close { item, .. } => {
                self.items.iter().any(|it| it.number == *item && it.is_step)
            }
            What::Note { kind: NoteKind::Done, .. } => {
                self.items.iter().any(|it| it.is_step && it.closed_at == line.at)
            }
            _ => false,
        };
        if is_anchor || closes_step {
            self.anchored_at.clone_from(&line.at);
        }
    }

    /// What was looked through is over; a plan that was made meanwhile is the next task's.
    fn forget(&mut self, through: usize) {
        let before = std::mem::take(self);
        self.updated_at = before.updated_at;
        self.last = before.last.max(if is_all(&through) { 0 } else { through });
        self.items = before.items.into_iter().filter(|item| item.number > through).collect();
        if self.items.iter().any(|item| item.is_step) {
            (self.objective, self.anchored_at) = (before.objective, before.anchored_at);
        }
    }

    /// Another objective: the plan of the one before is not this one's.
    fn begin(&mut self, objective: &str) {
        let is_first = self.objective.is_empty();
        self.objective = objective.to_owned();
        if !is_first {
            self.items_before = self.last;
            self.step = None;
            for item in self.items.iter_mut().filter(|item| item.is_step && item.is_open()) {
                item.standing = Standing::Dropped;
            }
            for item in &mut self.items {
                item.is_step = false;
            }
        }
    }

    fn add(&mut self, kind: NoteKind, text: &str, outcome: &str, at: &str) {
        let is_closed = kind == NoteKind::Done || !outcome.is_empty();
        self.last += 1;
        self.items.push(Item {
            number: self.last,
            kind,
            text: text.to_owned(),
            outcome: outcome.to_owned(),
            standing: if is_closed { Standing::Closed } else { Standing::Open },
            is_step: false,
            at: at.to_owned(),
            closed_at: if is_closed { at.to_owned() } else { String::new() },
        });
    }

    fn close(&mut self, number: usize, outcome: &str, at: &str) {
        if let Some(item) = self.item_mut(number) {
            item.standing = Standing::Closed;
            if !outcome.is_empty() {
                item.outcome = outcome.to_owned();
            }
            item.closed_at = at.to_owned();
        }
    }

    fn item_mut(&mut self, number: usize) -> Option<&mut Item> {
        self.items.iter_mut().find(|item| item.number == number)
    }

    pub fn item(&self, number: usize) -> Option<&Item> {
        self.items.iter().find(|item| item.number == number)
    }

    /// The open remaining item with this text.
    pub fn open_like(&self, text: &str) -> Option<usize> {
        let wanted = normalise_line(text).to_lowercase();
        self.of(NoteKind::Remaining)
            .find(|item| item.is_open() && normalise_line(&item.text).to_lowercase() == wanted)
            .map(|item| item.number)
    }

    pub fn of(&self, kind: NoteKind) -> impl Iterator<Item = &Item> {
        self.items
            .iter()
            .filter(move |item| item.kind == kind && item.standing != Standing::Dropped)
    }

    /// What is done: noted as such, or once on the list.
    pub fn completed(&self) -> Vec<&Item> {
        let mut done: Vec<&Item> = self
            .items
            .iter()
            .filter(|item| item.standing == Standing::Closed)
            .filter(|item| matches!(item.kind, NoteKind::Done | NoteKind::Remaining))
            .collect();
        done.sort_by(|a, b| (&a.closed_at, a.number).cmp(&(&b.closed_at, b.number)));
        done
    }

    /// The steps of the plan first: the next one is what comes next.
    pub fn remaining(&self) -> impl Iterator<Item = &Item> {
        let open = |item: &&Item| item.is_open();
        let steps = self.of(NoteKind::Remaining).filter(open).filter(|item| item.is_step);
        let others = self.of(NoteKind::Remaining).filter(open).filter(|item| !item.is_step);
        steps.chain(others)
    }

    /// Steps of the plan that are done; a plan of one step has no phases (R161).
    pub fn steps_done(&self) -> usize {
        let steps: Vec<&Item> = self.of(NoteKind::Remaining).filter(|item| item.is_step).collect();
        if steps.len() < 2 { 0 } else { steps.iter().filter(|item| !item.is_open()).count() }
    }

    /// Done since the objective was set.
    pub fn completed_for_objective(&self) -> Vec<&Item> {
        let mut done = self.completed();
        done.retain(|item| item.number > self.items_before);
        done
    }

    pub fn is_empty(&self) -> bool {
        self.objective.is_empty() && self.items.iter().all(|it| it.standing == Standing::Dropped)
    }

    /// Short lines of facts, the most telling first: what is open before what is over.
    pub fn facts(&self) -> Vec<String> {
        let mut facts = Vec::new();
        if !self.objective.is_empty() {
            facts.push(format!("objective: {}", visible_line(&self.objective)));
        }
        facts.extend(self.remaining().map(|item| format!("remaining: {}", item.line())));
        let open = |kind| self.of(kind).filter(|item| item.is_open());
        facts.extend(open(NoteKind::Error).map(|item| format!("not fixed: {}", item.line())));
        facts
            .extend(open(NoteKind::Question).map(|item| format!("open question: {}", item.line())));
        facts.extend(self.completed().iter().rev().map(|item| format!("done: {}", item.line())));
        let closed = |kind| self.of(kind).filter(|item| !item.is_open());
        facts.extend(closed(NoteKind::Error).map(|item| format!("error: {}", item.line())));
        facts.extend(closed(NoteKind::Question).map(|item| format!("question: {}", item.line())));
        facts
    }
}

/// One line within the limit, with nothing secret in it.
pub fn checked(field: &str, text: &str) -> Result<String, oldhand_core::refusal::Refusal> {
    let line = normalise_line(text);
    let chars = line.chars().count();
    if chars == 0 || chars > NOTE_CHARS_MAX {
        let found = if chars == 0 { "nothing".to_owned() } else { format!("{chars} characters") };
        return Err(Problem::new(field, "1 to 500 characters", &found)
            .with_fix("a note is one line; put more into a memory with `oldhand remember`")
            .into());
    }
    oldhand_core::write::refuse_secret(field, &line)?;
    Ok(line)
}
