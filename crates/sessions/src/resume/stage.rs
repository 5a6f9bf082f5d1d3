//! One stage of loading: whole memories as far as the budget goes, the others by title, so that
//! nothing that binds is missing, and nothing is told beyond the limit.

use serde_json::{Value, json};

use super::title_line;
use oldhand_core::fresh::{Warning, render_section};
use oldhand_core::recall::bundle::{Dropped, Entry, Source, pointer};
use oldhand_text::agent_text::AgentText;
use oldhand_text::tokens;

/// A memory that the stage would tell.
#[derive(Debug, Clone)]
pub struct Wanted {
    pub entry: Entry,
    pub warnings: Vec<Warning>,
    /// Told in place of the whole, where that is all that is wanted of it (R62), or where the whole
    /// is too long and its kind allows it.
    pub part: Option<String>,
    /// Of a constraint: what it says, where there is room for a line alone.
    pub rule: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Whole,
    Part,
    Title,
    /// The id alone, where hooks only point.
    Pointer,
}

impl Form {
    fn as_str(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Part => "part",
            Self::Title => "title",
            Self::Pointer => "pointer",
        }
    }
}

#[derive(Debug, Clone)]
pub struct Piece {
    pub entry: Entry,
    pub form: Form,
    /// What is told of it.
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
    /// Tokens of the limit that are kept for what stands around the stage.
    pub reserved: usize,
    /// Where work stopped, in lines.
    pub trail: AgentText,
    pub pieces: Vec<Piece>,
    /// What recall found for the task, as it tells it.
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
/// Of one line about where work stopped.
const FACT_CHARS_MAX: usize = 600;
/// What is left out is named, if only by its number.
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
            if self.used() + self.reserved <= self.limit {
                return;
            }
            lines.pop();
        }
        self.trail = before;
    }

    /// Every one is named first, then constraints get their rules, then all are told whole in order
    /// of importance, as far as there is room.
    pub fn fill(&mut self, wanted: Vec<Wanted>, is_pointing: bool) {
        let mut room = self.room();
        let mut chosen: Vec<(Wanted, Form, usize)> = Vec::new();
        let mut late = Vec::new();
        let mut rules = Vec::new();
        for mut one in wanted {
            let rule = one.rule.take();
            let cost = short_form(&one, is_pointing).tokens() + SEAM_TOKENS;
            if cost > room {
                late.push(one);
                continue;
            }
            room -= cost;
            rules.push(rule.filter(|_| !is_pointing));
            let form = if is_pointing { Form::Pointer } else { Form::Title };
            chosen.push((one, form, cost));
        }
        for ((one, _, paid), rule) in chosen.iter_mut().zip(rules) {
            one.rule = rule;
            let cost = short_form(one, is_pointing).tokens() + SEAM_TOKENS;
            if cost > room + *paid {
                one.rule = None;
            } else {
                room = room + *paid - cost;
                *paid = cost;
            }
        }
        for (one, form, paid) in chosen.iter_mut().filter(|_| !is_pointing) {
            for better in [Form::Whole, Form::Part] {
                let Some(text) = text_of(one, better) else { continue };
                let about = render_section(&one.warnings);
                let cost = text.tokens() + about.tokens() + 2 * SEAM_TOKENS;
                if cost <= room + *paid {
                    room = room + *paid - cost;
                    (*form, *paid) = (better, cost);
                    break;
                }
            }
        }
        for (one, form, _) in chosen {
            let text = match form {
                Form::Title | Form::Pointer => short_form(&one, is_pointing),
                _ => text_of(&one, form).unwrap_or_default(),
            };
            let is_plain = is_plain(&one);
            if form != Form::Pointer && form != Form::Title {
                self.warnings.extend(one.warnings);
            }
            self.pieces.push(Piece { entry: one.entry, form, text, is_plain });
        }
        while self.used() + self.reserved > self.limit && !self.pieces.is_empty() {
            self.drop_last("over budget");
        }
        self.fill_up(late, is_pointing);
    }

    /// Counted together texts take less than one by one: what was left is tried once more.
    fn fill_up(&mut self, late: Vec<Wanted>, is_pointing: bool) {
        for one in late {
            let text = short_form(&one, is_pointing);
            let (cost, room) = (text.tokens(), self.room());
            let form = if is_pointing { Form::Pointer } else { Form::Title };
            let is_plain = is_plain(&one);
            self.pieces.push(Piece { entry: one.entry, form, text, is_plain });
            if self.used() + self.reserved > self.limit {
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
            if self.used() + self.reserved > self.limit {
                self.pieces[at].text = title;
            } else {
                self.pieces[at].form = Form::Whole;
            }
        }
    }

    fn drop(&mut self, entry: &Entry, reason: &str) {
        self.dropped.push(Dropped {
            id: entry.card.id.clone(),
            title: entry.card.title.clone(),
            reason: reason.to_owned(),
            fits: true,
        });
    }

    pub(super) fn drop_last(&mut self, reason: &str) {
        if let Some(piece) = self.pieces.pop() {
            self.warnings.retain(|warning| warning.memory != piece.id());
            self.drop(&piece.entry, reason);
        }
    }

    pub fn render_pieces(&self) -> AgentText {
        self.pieces.iter().map(|piece| piece.text.clone()).collect()
    }

    pub(super) fn to_json(&self) -> Value {
        let pieces: Vec<Value> = self
            .pieces
            .iter()
            .map(|piece| {
                let card = &piece.entry.card;
                let mut object = json!({
                    "id": card.id,
                    "type": card.kind,
                    "title": card.title,
                    "state": card.told_standing().0,
                    "origin": card.told_standing().1,
                    "trust": card.trust,
                    "reason": piece.entry.reason,
                    "freshness": piece.entry.freshness,
                    "form": piece.form.as_str(),
                    "text": if matches!(piece.form, Form::Whole | Form::Part) { &*piece.text } else { "" },
                });
                if card.is_own {
                    object["store"] = json!("own");
                }
                object
            })
            .collect();
        let warnings: Vec<String> = self.warnings.iter().map(Warning::line).collect();
        json!({
            "stage": self.name,
            "limit": self.limit,
            "used": self.used(),
            "notes": *self.trail,
            "memories": pieces,
            "found": *self.found,
            "warnings": warnings,
        })
    }
}

fn is_plain(one: &Wanted) -> bool {
    one.part.is_none() && one.warnings.is_empty()
}

fn short_form(one: &Wanted, is_pointing: bool) -> AgentText {
    if is_pointing { pointer(&one.entry.card) } else { title_line(one) }
}

/// `None` where the memory has no such form: a part stands only for what allows it.
fn text_of(one: &Wanted, form: Form) -> Option<AgentText> {
    match (form, &one.part) {
        (Form::Part, Some(part)) => {
            let excerpt = Entry { text: part.clone(), ..one.entry.clone() };
            Some(excerpt.fenced())
        }
        (Form::Whole, None) => Some(one.entry.fenced()),
        // Where a part is enough, the whole is not told.
        _ => None,
    }
}
