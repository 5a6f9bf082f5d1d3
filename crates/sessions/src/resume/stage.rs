//! One stage of loading: whole memories as far as the budget goes, the others by title, so that
//! nothing that binds is missing, and nothing goes over the limit.

use super::title_line;
use oldhand_core::fresh::{Warning, render_section};
use oldhand_core::recall::bundle::{Dropped, Entry, Source, pointer};
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
    pub entry: Entry,
    pub form: Form,
    pub text: AgentText,
    /// Nothing but the whole could be told, and nothing has to be told beside it.
    is_plain: bool,
}

impl Piece {
    pub fn id(&self) -> &str {
        &self.entry.card.id
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
    pub warnings: Vec<Warning>,
    pub dropped: Vec<Dropped>,
}

/// What one line more or less at the seams of texts may count, in tokens and as weight.
const SEAM_TOKENS: usize = 1;
const SEAM_WEIGHT: u64 = 300;
/// A memory with its fence takes more than this.
const WHOLE_MIN: usize = 40;
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
        let warnings = render_section(&self.warnings);
        let all = [self.trail.clone(), self.render_pieces(), warnings, self.found.clone()];
        AgentText::join(&all, "").tokens()
    }

    pub fn room(&self) -> usize {
        self.limit.saturating_sub(self.reserved).saturating_sub(self.used())
    }

    /// Lines in their order, as many as fit; later ones may fit where an earlier one did not.
    pub fn tell(&mut self, label: &str, facts: &[String], budget_tokens: usize) {
        let label = AgentText::line(label);
        let room = self.room().min(budget_tokens);
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
        let short = if is_pointing { Form::Pointer } else { Form::Title };
        let mut room = self.room();
        // Another form of a memory takes the place of the one that was paid for.
        let mut pay = |paid: &mut usize, cost: usize| {
            let fits = cost <= room + *paid;
            if fits {
                room = room + *paid - cost;
                *paid = cost;
            }
            fits
        };
        let (mut chosen, mut late) = (Vec::new(), Vec::new());
        for mut one in wanted {
            let rule = one.rule.take().filter(|_| !is_pointing);
            let mut paid = 0;
            match one.cost(short).is_some_and(|cost| pay(&mut paid, cost)) {
                true => chosen.push((one, rule, short, paid)),
                false => late.push(one),
            }
        }
        for (one, rule, _, paid) in &mut chosen {
            one.rule = rule.take();
            if !one.cost(short).is_some_and(|cost| pay(paid, cost)) {
                one.rule = None;
            }
        }
        for (one, _, form, paid) in chosen.iter_mut().filter(|_| !is_pointing) {
            let mut better = [Form::Whole, Form::Part].into_iter();
            let fitting =
                better.find(|better| one.cost(*better).is_some_and(|cost| pay(paid, cost)));
            *form = fitting.unwrap_or(*form);
        }
        for (one, _, form, _) in chosen {
            self.add(one, form);
        }
        while self.is_over() && !self.pieces.is_empty() {
            self.drop_last("over budget");
        }
        self.fill_up(late, short);
    }

    fn is_over(&self) -> bool {
        self.used() + self.reserved > self.limit
    }

    fn add(&mut self, one: Wanted, form: Form) {
        let text = one.text(form).unwrap_or_default();
        let is_plain = one.part.is_none() && one.warnings.is_empty();
        if form.is_text() {
            self.warnings.extend(one.warnings);
        }
        self.pieces.push(Piece { entry: one.entry, form, text, is_plain });
    }

    /// Counted together texts take less than one by one: what was left is tried once more.
    fn fill_up(&mut self, late: Vec<Wanted>, short: Form) {
        for one in late {
            let room = self.room();
            self.add(one, short);
            if self.is_over() {
                let cost = self.pieces.last().map_or(0, |piece| piece.text.tokens());
                self.drop_last(&format!("over budget: {cost} tokens, {room} left"));
            }
        }
        for at in 0..self.pieces.len() {
            let piece = &self.pieces[at];
            if piece.form != Form::Title || !piece.is_plain || self.room() < WHOLE_MIN {
                continue;
            }
            let whole = piece.entry.fenced();
            let title = std::mem::replace(&mut self.pieces[at].text, whole);
            if self.is_over() {
                self.pieces[at].text = title;
            } else {
                self.pieces[at].form = Form::Whole;
            }
        }
    }

    pub(super) fn drop_last(&mut self, reason: &str) {
        let Some(piece) = self.pieces.pop() else { return };
        self.warnings.retain(|warning| warning.memory != piece.id());
        let (id, title) = (piece.id().to_owned(), piece.entry.card.title.clone());
        self.dropped.push(Dropped { id, title, reason: reason.to_owned(), fits: true });
    }

    pub fn render_pieces(&self) -> AgentText {
        self.pieces.iter().map(|piece| piece.text.clone()).collect()
    }
}

impl Wanted {
    /// `None` where the memory has no such form: one with a part is never shown whole.
    fn text(&self, form: Form) -> Option<AgentText> {
        match (form, &self.part) {
            (Form::Pointer, _) => Some(pointer(&self.entry.card)),
            (Form::Title, _) => Some(title_line(self)),
            (Form::Part, Some(part)) => {
                Some(Entry { text: part.clone(), ..self.entry.clone() }.fenced())
            }
            (Form::Whole, None) => Some(self.entry.fenced()),
            _ => None,
        }
    }

    /// With its warnings, and what one line more or less at the seams may count.
    fn cost(&self, form: Form) -> Option<usize> {
        let seams = match form.is_text() {
            true => render_section(&self.warnings).tokens() + 2 * SEAM_TOKENS,
            false => SEAM_TOKENS,
        };
        Some(self.text(form)?.tokens() + seams)
    }
}
