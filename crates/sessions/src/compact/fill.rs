//! Chooses what of all pieces fits into a budget. Every piece is weighed once; the whole is counted
//! only to correct the sum, since a text weighs a little differently in its context.

use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use super::piece::{Body, Piece, Urgency, group, item_weight};
use crate::summary::Summary;
use crate::window::most;
use oldhand_core::kind::schema::{FieldSpec, Place};
use oldhand_text::tokens;

/// Sections in the order in which they are filled, each with its share of the budget in thousandths
/// for as long as others wait. What is left is given out by the last column: paths and commands
/// come before what was said about them.
const SECTIONS: &[(&str, u64, usize)] = &[
    ("goal", 1000, 17),
    ("focus", 250, 16),
    ("standing", 200, 14),
    ("open_questions", 80, 12),
    ("in_progress", 80, 7),
    ("next_actions", 100, 6),
    ("blockers", 80, 8),
    ("errors", 150, 5),
    ("decisions", 100, 9),
    ("key_changes", 150, 1),
    ("tests", 120, 2),
    ("commands", 250, 3),
    ("files", 80, 4),
    ("completed", 80, 10),
    ("exact_values", 50, 11),
    ("pattern", 50, 15),
    ("resolved_questions", 50, 13),
];

/// Corrections of the sum. It is off by a few percent, so two are enough in practice.
const ROUNDS_MAX: usize = 8;
/// A summary that takes at most half of its budget can afford one path per line.
const PLENTY: u64 = 2;
/// What one urgent piece may take at most: goal, prompt, two errors and how it stands have room. An
/// error must survive verbatim.
const VITAL_SHARES: u64 = 6;
const ERROR_SHARES: u64 = 3;
const SPARE_WEIGHT: u64 = 6_000;

/// Which way of saying it was chosen, for each piece.
pub(super) type Chosen = Vec<Option<usize>>;

pub(super) struct Filler<'p, 't> {
    pieces: &'p [Piece<'t>],
    weights: Vec<Vec<u64>>,
    by_share: Vec<usize>,
    by_rank: Vec<usize>,
    secret: Vec<OnceCell<bool>>,
}

#[derive(Default)]
struct Attempt<'p> {
    chosen: Chosen,
    used: u64,
    limit: u64,
    of_section: BTreeMap<&'static str, u64>,
    heads: HashSet<(&'static str, &'p str, &'static str)>,
}

impl<'p, 't> Filler<'p, 't> {
    pub(super) fn new(pieces: &'p [Piece<'t>]) -> Self {
        let by = |rank: fn(&str) -> usize| {
            let mut order: Vec<usize> = (0..pieces.len()).collect();
            order.sort_by_cached_key(|at| {
                (rank(pieces[*at].section), Reverse(pieces[*at].priority))
            });
            order
        };
        Self {
            pieces,
            weights: pieces.iter().map(Piece::weights).collect(),
            by_share: by(|section| place(section).0),
            by_rank: by(|section| place(section).2),
            secret: vec![OnceCell::new(); pieces.len()],
        }
    }

    /// The fullest summary whose weight is at most `limit`, and whether each piece is in it.
    pub(super) fn fill(&self, limit: u64) -> (Summary, Chosen) {
        let mut target = limit;
        let mut best = (None, Summary::default(), vec![None; self.pieces.len()]);
        for _ in 0..ROUNDS_MAX {
            let attempt = self.attempt(target);
            let summary = self.build(&attempt.chosen, false);
            let weight = tokens::weight(&summary.render());
            let is_all = attempt.chosen.iter().all(Option::is_some);
            if weight <= limit && best.0.is_none_or(|known| weight > known) {
                best = (Some(weight), summary, attempt.chosen);
            }
            let is_full = limit.saturating_sub(weight) < SPARE_WEIGHT;
            if weight <= limit && (is_all || is_full) {
                break;
            }
            // By how much the sum is off says what to aim at.
            let aim = limit * attempt.used.max(1) / weight.max(1);
            let next = if weight > limit { aim.min(target / 100 * 98) } else { aim };
            if next == target || next == 0 {
                break;
            }
            target = next;
        }
        (best.1, best.2)
    }

    /// The sections of the pieces that were not chosen. What holds a secret is not missed.
    pub(super) fn missed(&self, chosen: &Chosen) -> Vec<&'static str> {
        let missed = |at: &usize| chosen[*at].is_none() && !self.is_secret(*at);
        (0..chosen.len()).filter(missed).map(|at| self.pieces[at].section).collect()
    }

    fn is_secret(&self, at: usize) -> bool {
        *self.secret[at].get_or_init(|| self.pieces[at].has_secret())
    }

    fn attempt(&self, limit: u64) -> Attempt<'p> {
        let chosen = vec![None; self.pieces.len()];
        let mut attempt = Attempt { chosen, limit, ..Attempt::default() };
        self.take_vital(&mut attempt);
        // A topic is kept in more detail, and leaves room for the rest.
        for at in self.with(Urgency::Topic) {
            if attempt.used < limit / 10 * 6 {
                self.take_any(at, 0, &mut attempt);
            }
        }
        for at in &self.by_share {
            let share = place(self.pieces[*at].section).1;
            self.take(*at, 0, limit / 1000 * share, &mut attempt);
        }
        for at in &self.by_rank {
            self.take_any(*at, 0, &mut attempt);
        }
        attempt
    }

    fn with(&self, urgency: Urgency) -> impl Iterator<Item = usize> {
        (0..self.pieces.len()).filter(move |at| self.pieces[*at].urgency == urgency)
    }

    /// In the order of the pieces. None takes so much that those behind it have no room: where it is
    /// too long for its share it is said in the shortest way.
    fn take_vital(&self, attempt: &mut Attempt<'p>) {
        for at in self.with(Urgency::Vital) {
            let is_error = self.pieces[at].section == "errors";
            let share = attempt.limit / if is_error { ERROR_SHARES } else { VITAL_SHARES };
            let weights = &self.weights[at];
            let first = weights.iter().position(|weight| *weight <= share);
            self.take_any(at, first.unwrap_or(weights.len() - 1), attempt);
        }
    }

    /// In the longest way that fits, from one of them on.
    fn take_any(&self, at: usize, first: usize, attempt: &mut Attempt<'p>) {
        let limit = attempt.limit;
        let _is_taken =
            (first..self.weights[at].len()).any(|way| self.take(at, way, limit, attempt));
    }

    fn take(&self, at: usize, way: usize, section_max: u64, attempt: &mut Attempt<'p>) -> bool {
        if attempt.chosen[at].is_some() {
            return true;
        }
        let piece = &self.pieces[at];
        let head = match &piece.body {
            Body::Member { head, tail, .. } => Some((piece.section, head.as_str(), *tail)),
            Body::Line(_) => None,
        };
        let head = head.filter(|head| !attempt.heads.contains(head));
        let of_head = head.map_or(0, |(_, head, tail)| item_weight(&group(head, &[], tail)));
        let known = attempt.of_section.get(piece.section).copied();
        let heading = if known.is_none() { heading_weight(piece.section) } else { 0 };
        let total = self.weights[at][way] + of_head + heading;
        let in_section = known.unwrap_or_default() + total;
        if attempt.used + total > attempt.limit || in_section > section_max || self.is_secret(at) {
            return false;
        }
        attempt.used += total;
        attempt.of_section.insert(piece.section, in_section);
        attempt.chosen[at] = Some(way);
        attempt.heads.extend(head);
        true
    }

    /// The same with one path per line, where there is enough room.
    pub(super) fn spread(&self, chosen: &Chosen, limit: u64) -> Option<Summary> {
        let spread = self.build(chosen, true);
        (tokens::weight(&spread.render()) <= limit / PLENTY).then_some(spread)
    }

    fn build(&self, chosen: &Chosen, is_spread: bool) -> Summary {
        let mut lines: BTreeMap<&str, Vec<(usize, usize, String)>> = BTreeMap::new();
        let mut groups: BTreeMap<(&str, &str, &str), Vec<&str>> = BTreeMap::new();
        for (at, (piece, way)) in self.pieces.iter().zip(chosen).enumerate() {
            let Some(way) = way else { continue };
            match &piece.body {
                Body::Line(texts) => {
                    let line = (piece.order, at, texts[*way].clone());
                    lines.entry(piece.section).or_default().push(line);
                }
                Body::Member { head, name, tail } => {
                    groups.entry((piece.section, head, tail)).or_default().push(name);
                }
            }
        }
        let mut summary = Summary::default();
        for (section, mut items) in lines {
            items.sort();
            let mut items: Vec<String> = items.into_iter().map(|(_, _, text)| text).collect();
            if matches!(section, "goal" | "pattern") {
                summary.set_text(section, &items.swap_remove(0));
            } else {
                summary.set_list(section, items);
            }
        }
        for ((section, head, tail), names) in groups {
            let mut items = summary.list(section).to_vec();
            let size = if is_spread { 1 } else { names.len() };
            items.extend(names.chunks(size).map(|names| group(head, names, tail)));
            summary.set_list(section, items);
        }
        summary
    }
}

/// Where a section stands in the order of shares, its share, and its rank without shares.
fn place(section: &str) -> (usize, u64, usize) {
    let at = SECTIONS.iter().position(|it| it.0 == section).unwrap_or(usize::MAX);
    SECTIONS.get(at).map_or((at, 0, at), |(_, share, rank)| (at, *share, *rank))
}

pub(super) fn heading_weight(section: &str) -> u64 {
    let is_it = |field: &&FieldSpec| field.name == section;
    match Summary::fields().iter().find(is_it).map(|field| &field.place) {
        Some(Place::Section { heading, .. }) => tokens::weight(&format!("\n## {heading}\n")),
        _ => 0,
    }
}

/// The largest weight that is no more tokens than the budget.
pub(super) fn weight_of(budget_tokens: usize) -> u64 {
    // More than any model reads, and far from where numbers end.
    const TOKENS_MAX: usize = 10_000_000;
    let weight_max = budget_tokens.min(TOKENS_MAX) * 1000;
    let fits = |weight: usize| tokens::of_weight(weight as u64) <= budget_tokens;
    most(weight_max, fits).unwrap_or_default() as u64
}
