//! One stage of loading: whole memories as far as the budget goes, the others by title, so that
//! nothing that binds is missing, and nothing goes over the limit.

use std::mem::replace;

use super::title_line;
use oldhand_core::fresh::{Warning, render_section};
use oldhand_core::recall::bundle::{Dropped, Entry, Source, pointer};
use oldhand_core::recall::card::Card;
use oldhand_text::agent_text::AgentText;
use oldhand_text::tokens;
use oldhand_text::word::words;

#[derive(Debug, Clone)]
pub struct Wanted {
    pub entry: Entry,
    pub warnings: Vec<Warning>,
    /// Shown instead of the whole memory (R62).
    pub part: Option<String>,
    /// Of a constraint: what it says, where there is room for a line alone.
    pub rule: Option<String>,
    /// By its title alone: a prompt that it fits brings the rest.
    pub is_named: bool,
}

words! {
    Form, "form" {
        Whole = "whole",
        Part = "part",
        Title = "title",
        /// The id alone, where hooks only point.
        Pointer = "pointer",
    }
}

impl Form {
    /// The memory's own text is shown, not only its name.
    pub fn is_text(self) -> bool {
        matches!(self, Self::Whole | Self::Part)
    }
}

#[derive(Debug, Clone)]
pub struct Piece {
    pub wanted: Wanted,
    pub form: Form,
    pub text: AgentText,
}

impl Piece {
    pub fn id(&self) -> &str {
        &self.wanted.entry.card.id
    }
}

#[derive(Debug, Clone, Default)]
pub struct Stage {
    pub name: &'static str,
    pub limit: usize,
    /// Tokens of the limit for the text around the stage.
    pub reserved: usize,
    pub trail: AgentText,
    pub pieces: Vec<Piece>,
    /// What recall found for the task, as it prints it.
    pub found: AgentText,
    /// Where that comes from, if anything was found.
    pub found_source: Option<Source>,
    pub dropped: Vec<Dropped>,
}

/// What one line more or less at the seams of texts may weigh.
const SEAM_WEIGHT: u64 = 300;
const FACT_CHARS_MAX: usize = 600;
const MORE: &str = "and {} lines more (`oldhand notes`, `oldhand compact`)\n";

impl Stage {
    pub fn new(name: &'static str, limit: usize, reserved: usize) -> Self {
        Self { name, limit, reserved, ..Self::default() }
    }

    pub fn is_empty(&self) -> bool {
        self.trail.is_empty() && self.pieces.is_empty() && self.found.is_empty()
    }

    pub fn used(&self) -> usize {
        let warnings = render_section(&self.warnings());
        let all = [self.trail.clone(), self.render_pieces(), warnings, self.found.clone()];
        AgentText::join(&all, "").tokens()
    }

    pub fn room(&self) -> usize {
        self.limit.saturating_sub(self.reserved).saturating_sub(self.used())
    }

    /// Lines in their order, as many as fit; later ones may fit where an earlier one did not.
    pub fn tell(&mut self, label: &str, facts: &[String]) {
        let label = AgentText::line(label);
        let room = self.room();
        let mut lines = Vec::new();
        // Lines are weighed and the weights are added up: the margin of each alone would leave room.
        let mut used = tokens::weight(&label) + tokens::weight(MORE) + SEAM_WEIGHT;
        for fact in facts {
            let line = AgentText::of("{}\n", &[AgentText::line_of(fact, FACT_CHARS_MAX)]);
            let weight = tokens::weight(&line) + SEAM_WEIGHT;
            if tokens::of_weight(used + weight) <= room {
                used += weight;
                lines.push(line);
            }
        }
        let before = self.trail.clone();
        // In its place a line may weigh a little more than alone.
        while !lines.is_empty() {
            let left = facts.len() - lines.len();
            self.trail = before.clone();
            self.trail.add("{}:\n{}", &[label.clone(), AgentText::join(&lines, "")]);
            if left > 0 {
                self.trail.add(MORE, &[AgentText::count(left)]);
            }
            if !self.is_over() {
                return;
            }
            lines.pop();
        }
        self.trail = before;
    }

    /// Every one is named first, then constraints get their rules, then all are shown whole in order
    /// of importance, as far as there is room.
    pub fn fill(&mut self, wanted: Vec<Wanted>, is_pointing: bool) {
        let form = if is_pointing { Form::Pointer } else { Form::Title };
        let first = self.pieces.len();
        let mut rules = Vec::new();
        for mut wanted in wanted {
            let rule = wanted.rule.take();
            let room = self.room();
            let text = wanted.text(form);
            let cost = text.tokens();
            self.pieces.push(Piece { wanted, form, text });
            if self.is_over() {
                self.drop_last(&format!("over budget: {cost} tokens, {room} left"));
            } else {
                rules.push(rule);
            }
        }
        if is_pointing {
            return;
        }
        for (at, rule) in (first..).zip(rules) {
            self.pieces[at].wanted.rule = rule;
            if !self.show(at, Form::Title) {
                self.pieces[at].wanted.rule = None;
            }
        }
        for at in first..self.pieces.len() {
            if self.pieces[at].wanted.is_named {
                continue;
            }
            let has_part = self.pieces[at].wanted.part.is_some();
            self.show(at, if has_part { Form::Part } else { Form::Whole });
        }
    }

    fn is_over(&self) -> bool {
        self.used() + self.reserved > self.limit
    }

    /// Whether the piece has room in this form; otherwise it keeps the one that it had.
    fn show(&mut self, at: usize, form: Form) -> bool {
        let piece = &mut self.pieces[at];
        let text = piece.wanted.text(form);
        let before = (replace(&mut piece.form, form), replace(&mut piece.text, text));
        let fits = !self.is_over();
        if !fits {
            (self.pieces[at].form, self.pieces[at].text) = before;
        }
        fits
    }

    pub fn warnings(&self) -> Vec<Warning> {
        let shown = self.pieces.iter().filter(|piece| piece.form.is_text());
        shown.flat_map(|piece| piece.wanted.warnings.clone()).collect()
    }

    pub(super) fn drop_last(&mut self, reason: &str) {
        let Some(piece) = self.pieces.pop() else { return };
        let Card { id, title, .. } = piece.wanted.entry.card;
        self.dropped.push(Dropped { id, title, reason: reason.to_owned(), fits: true });
    }

    pub fn render_pieces(&self) -> AgentText {
        self.pieces.iter().map(|piece| piece.text.clone()).collect()
    }
}

impl Wanted {
    fn text(&self, form: Form) -> AgentText {
        match (form, &self.part) {
            (Form::Pointer, _) => pointer(&self.entry.card),
            (Form::Title, _) => title_line(self),
            (Form::Part, Some(part)) => Entry { text: part.clone(), ..self.entry.clone() }.fenced(),
            (Form::Part | Form::Whole, _) => self.entry.fenced(),
        }
    }
}
