//! The working notes of one session: what is done, what remains, errors and questions. They are
//! folded from lines that are only appended, so a torn last line loses only itself.

use serde::{Deserialize, Serialize};

use crate::summary::key;
use oldhand_text::problem::Problem;
use oldhand_text::strings::{normalise_line, visible_line};
use oldhand_text::word::words;

#[cfg(test)]
mod tests;

/// What is typed in one note; a longer one is a document.
pub const NOTE_CHARS_MAX: usize = 500;
pub const NOTES_MAX: usize = 1_000;

words! {
    NoteKind, "kind" {
        Done = "done",
        Remaining = "remaining",
        Error = "error",
        Question = "question",
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
    /// What the work is for. A new objective begins a new task.
    Objective { text: String },
    /// A step of the plan, in order; it is a remaining item.
    Step { text: String },
    /// The current step of a plan that is not written down.
    At { step: usize, of: usize },
    /// The notes were reviewed at the end of a task: `kept` became memories. Items after `through`
    /// stay; `None` means that all were reviewed.
    Reviewed {
        kept: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        through: Option<usize>,
    },
}

impl What {
    pub fn reviewed_all() -> Self {
        Self::Reviewed { kept: Vec::new(), through: None }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemState {
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
    pub standing: ItemState,
    pub is_step: bool,
    pub at: String,
    pub closed_at: String,
}

impl Item {
    pub fn is_open(&self) -> bool {
        self.standing == ItemState::Open
    }

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

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Notes {
    pub objective: String,
    pub items: Vec<Item>,
    /// The highest number that any item ever had.
    pub last: usize,
    /// Where the work is, if a note says so.
    pub step: Option<(usize, usize)>,
    pub updated_at: String,
    /// When the plan, the objective or a step was written last (R93).
    pub anchored_at: String,
    /// The last number before the objective was set.
    pub items_before: usize,
    /// When they were last reviewed, if nothing was noted since (R149).
    pub reviewed_at: String,
}

impl Notes {
    pub fn fold<'l>(lines: impl IntoIterator<Item = &'l Line>) -> Self {
        let mut notes = Self::default();
        for line in lines {
            notes.updated_at.clone_from(&line.at);
            if notes.fold_in(line) {
                notes.anchored_at.clone_from(&line.at);
            }
            let is_review = matches!(line.what, What::Reviewed { .. }) && notes.items.is_empty();
            notes.reviewed_at = if is_review { line.at.clone() } else { String::new() };
        }
        notes
    }

    /// Lines as they stand in a file; unreadable ones are skipped.
    pub fn read(text: &str) -> Self {
        let lines: Vec<Line> =
            text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        Self::fold(&lines)
    }

    /// Whether the plan, the objective or a step changed by it.
    fn fold_in(&mut self, line: &Line) -> bool {
        let at = line.at.as_str();
        match &line.what {
            What::Note { kind, text, outcome } => {
                let is_it = |item: &&Item| item.is_open() && key(&item.text) == key(text);
                let listed = self.of(NoteKind::Remaining).find(is_it);
                if let Some(number) = listed.map(|it| it.number).filter(|_| *kind == NoteKind::Done)
                {
                    return self.close(number, outcome, at);
                }
                self.add(*kind, text, outcome, at);
                false
            }
            What::Close { item, outcome } => self.close(*item, outcome, at),
            What::Drop { item } => {
                if let Some(item) = self.item_mut(*item) {
                    item.standing = ItemState::Dropped;
                }
                false
            }
            What::Objective { text } => {
                if *text != self.objective {
                    self.begin(text);
                }
                true
            }
            What::Step { text } => {
                self.add(NoteKind::Remaining, text, "", at).is_step = true;
                true
            }
            What::At { step, of } => {
                self.step = Some((*step, *of));
                true
            }
            // They are in the summary of the task, or were not worth it (R148, R149).
            What::Reviewed { through, .. } => {
                self.forget(*through);
                false
            }
        }
    }

    /// Reviewed notes go; a plan that was made meanwhile belongs to the next task.
    fn forget(&mut self, through: Option<usize>) {
        let before = std::mem::take(self);
        self.updated_at = before.updated_at;
        self.last = before.last.max(through.unwrap_or_default());
        let is_later = |item: &Item| through.is_some_and(|through| item.number > through);
        self.items = before.items.into_iter().filter(is_later).collect();
        if self.items.iter().any(|item| item.is_step) {
            (self.objective, self.anchored_at) = (before.objective, before.anchored_at);
        }
    }

    /// Another objective drops the plan of the previous one.
    fn begin(&mut self, objective: &str) {
        let is_first = self.objective.is_empty();
        self.objective = objective.to_owned();
        if !is_first {
            self.items_before = self.last;
            self.step = None;
            for item in self.items.iter_mut().filter(|item| item.is_step) {
                item.is_step = false;
                if item.is_open() {
                    item.standing = ItemState::Dropped;
                }
            }
        }
    }

    fn add(&mut self, kind: NoteKind, text: &str, outcome: &str, at: &str) -> &mut Item {
        let is_closed = kind == NoteKind::Done || !outcome.is_empty();
        self.last += 1;
        self.items.push(Item {
            number: self.last,
            kind,
            text: text.to_owned(),
            outcome: outcome.to_owned(),
            standing: if is_closed { ItemState::Closed } else { ItemState::Open },
            is_step: false,
            at: at.to_owned(),
            closed_at: if is_closed { at.to_owned() } else { String::new() },
        });
        let newest = self.items.len() - 1;
        &mut self.items[newest]
    }

    /// Whether it was a step of the plan.
    fn close(&mut self, number: usize, outcome: &str, at: &str) -> bool {
        let Some(item) = self.item_mut(number) else { return false };
        item.standing = ItemState::Closed;
        if !outcome.is_empty() {
            item.outcome = outcome.to_owned();
        }
        item.closed_at = at.to_owned();
        item.is_step
    }

    fn item_mut(&mut self, number: usize) -> Option<&mut Item> {
        self.items.iter_mut().find(|item| item.number == number)
    }

    pub fn item(&self, number: usize) -> Option<&Item> {
        self.items.iter().find(|item| item.number == number)
    }

    pub fn of(&self, kind: NoteKind) -> impl Iterator<Item = &Item> {
        self.items
            .iter()
            .filter(move |item| item.kind == kind && item.standing != ItemState::Dropped)
    }

    pub fn completed(&self) -> Vec<&Item> {
        let closed = self.items.iter().filter(|item| item.standing == ItemState::Closed);
        let mut done: Vec<&Item> = closed
            .filter(|item| matches!(item.kind, NoteKind::Done | NoteKind::Remaining))
            .collect();
        done.sort_by_key(|item| (&item.closed_at, item.number));
        done
    }

    /// The steps of the plan come first.
    pub fn remaining(&self) -> impl Iterator<Item = &Item> {
        let open = |is_step| {
            let open = self.of(NoteKind::Remaining).filter(|item| item.is_open());
            open.filter(move |item| item.is_step == is_step)
        };
        open(true).chain(open(false))
    }

    /// Steps of the plan that are done; a plan of one step has no phases (R161).
    pub fn steps_done(&self) -> usize {
        let steps: Vec<&Item> = self.of(NoteKind::Remaining).filter(|item| item.is_step).collect();
        if steps.len() < 2 { 0 } else { steps.iter().filter(|item| !item.is_open()).count() }
    }

    pub fn open(&self) -> usize {
        self.items.iter().filter(|item| item.is_open()).count()
    }

    pub fn is_empty(&self) -> bool {
        self.objective.is_empty() && self.items.iter().all(|it| it.standing == ItemState::Dropped)
    }

    /// Short lines, open items first.
    pub fn facts(&self) -> Vec<String> {
        let of = |kind, is_open| {
            let items = self.of(kind).filter(move |item| item.is_open() == is_open);
            items.collect::<Vec<&Item>>()
        };
        let mut facts = Vec::new();
        if !self.objective.is_empty() {
            facts.push(format!("objective: {}", visible_line(&self.objective)));
        }
        for (label, items) in [
            ("remaining", self.remaining().collect()),
            ("not fixed", of(NoteKind::Error, true)),
            ("open question", of(NoteKind::Question, true)),
            ("done", self.completed().into_iter().rev().collect()),
            ("error", of(NoteKind::Error, false)),
            ("question", of(NoteKind::Question, false)),
        ] {
            facts.extend(items.iter().map(|item| format!("{label}: {}", item.line())));
        }
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
