//! Chooses what of all pieces fits into a budget. Every piece is weighed once; the whole is counted
//! only to correct the sum, since a text weighs a little differently in its context.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::piece::{Body, NAME_END, Piece, Urgency, group, item_weight};
use crate::summary::Summary;
use oldhand_core::kind::schema::{FieldSpec, Place};
use oldhand_text::tokens;

/// Sections in the order in which they are filled, each with its share of the budget in thousandths
/// for as long as others wait. What is left is given out in the same order.
const SHARES: &[(&str, u64)] = &[
    ("goal", 1000),
    ("focus", 250),
    ("standing", 200),
    ("open_questions", 80),
    ("in_progress", 80),
    ("next_actions", 100),
    ("blockers", 80),
    ("errors", 150),
    ("decisions", 100),
    ("key_changes", 150),
    ("tests", 120),
    ("commands", 250),
    ("files", 80),
    ("completed", 80),
    ("exact_values", 50),
    ("pattern", 50),
    ("resolved_questions", 50),
];

/// Without shares, paths and commands come before what was said about them.
const REST: &[&str] = &[
    "key_changes",
    "tests",
    "commands",
    "files",
    "errors",
    "next_actions",
    "in_progress",
    "blockers",
    "decisions",
    "completed",
    "exact_values",
    "open_questions",
    "resolved_questions",
    "standing",
    "pattern",
    "focus",
    "goal",
];

/// Corrections of the sum. It is off by a few in a hundred, so that two do in practice.
const ROUNDS_MAX: usize = 8;
/// A summary that takes no more than half of its budget has room in plenty.
const PLENTY: u64 = 2;
/// What one urgent piece may take at most: goal, prompt, two errors and how it stands have room.
const VITAL_SHARES: u64 = 6;
/// Less than the smallest item.
const SPARE_WEIGHT: u64 = 6_000;

/// Which way of saying it was chosen, for each piece.
pub(super) type Chosen = Vec<Option<usize>>;

pub(super) struct Filler<'p, 't> {
    pieces: &'p [Piece<'t>],
    /// Each way to say a line; for a member the name alone.
    weights: Vec<Vec<u64>>,
    first_pass: Vec<usize>,
    second_pass: Vec<usize>,
    secret: HashMap<usize, bool>,
}

/// One attempt.
struct Attempt {
    chosen: Chosen,
    used: u64,
    limit: u64,
    of_section: BTreeMap<&'static str, u64>,
    heads: HashSet<(&'static str, String, &'static str)>,
}

impl<'p, 't> Filler<'p, 't> {
    pub(super) fn new(pieces: &'p [Piece<'t>]) -> Self {
        let weights = pieces.iter().map(weights).collect();
        let by = |rank: &dyn Fn(&str) -> usize| {
            let mut order: Vec<usize> = (0..pieces.len()).collect();
            order.sort_by_key(|at| {
                let piece = &pieces[*at];
                (rank(piece.section), std::cmp::Reverse(piece.priority), *at)
            });
            order
        };
        let first_pass = by(&|section| place(SHARES.iter().map(|it| it.0), section));
        let second_pass = by(&|section| place(REST.iter().copied(), section));
        Self { pieces, weights, first_pass, second_pass, secret: HashMap::new() }
    }

    /// The fullest summary whose weight is at most `limit`, and whether each piece is in it.
    pub(super) fn fill(&mut self, limit: u64) -> (Summary, Chosen) {
        let mut target = limit;
        let mut best: Option<(u64, Summary, Chosen)> = None;
        for _ in 0..ROUNDS_MAX {
            let attempt = self.attempt(target);
            let summary = self.build(&attempt.chosen);
            let weight = tokens::weight(&summary.render());
            let is_all = attempt.chosen.iter().all(Option::is_some);
            let is_better = best.as_ref().is_none_or(|(known, ..)| weight > *known);
            if weight <= limit && is_better {
                best = Some((weight, summary, attempt.chosen));
            }
            let is_full = limit.saturating_sub(weight) < SPARE_WEIGHT;
            if weight <= limit && (is_all || is_full) {
                break;
            }
            // By how much the sum is off tells what to aim at.
            let aim = limit * attempt.used.max(1) / weight.max(1);
            let next = if weight > limit { aim.min(target / 100 * 98) } else { aim };
            if next == target || next == 0 {
                break;
            }
            target = next;
        }
        let none = || (0, Summary::default(), vec![None; self.pieces.len()]);
        let (_, summary, chosen) = best.unwrap_or_else(none);
        (summary, chosen)
    }

    /// What holds a secret is not missed, neither by name nor by number.
    pub(super) fn excuse_secrets(&mut self, chosen: &mut Chosen) {
        for (at, way) in chosen.iter_mut().enumerate() {
            if way.is_none() && self.is_secret(at) {
                *way = Some(0);
            }
        }
    }

    fn is_secret(&mut self, at: usize) -> bool {
        let pieces = self.pieces;
        *self.secret.entry(at).or_insert_with(|| pieces[at].has_secret())
    }

    fn attempt(&mut self, limit: u64) -> Attempt {
        let mut attempt = Attempt {
            chosen: vec![None; self.pieces.len()],
            used: 0,
            limit,
            of_section: BTreeMap::new(),
            heads: HashSet::new(),
        };
        let pieces = self.pieces;
        self.take_vital(&mut attempt);
        self.lengthen_errors(&mut attempt);
        // A topic is kept in more detail, and leaves room for the rest.
        self.take_urgent(Urgency::Topic, limit / 10 * 6, &mut attempt);
        for at in self.first_pass.clone() {
            let share = share_of(pieces[at].section);
            if attempt.chosen[at].is_none() {
                self.take(at, 0, limit / 1000 * share, &mut attempt);
            }
        }
        for at in self.second_pass.clone() {
            if attempt.chosen[at].is_none() {
                self.take_any(at, &mut attempt);
            }
        }
        attempt
    }

    /// In the order of the pieces. None takes so much that those behind it have no room: where it is
    /// too long for its share it is said in the shortest way.
    fn take_vital(&mut self, attempt: &mut Attempt) {
        let share = attempt.limit / VITAL_SHARES;
        for at in 0..self.pieces.len() {
            if self.pieces[at].urgency != Urgency::Vital {
                continue;
            }
            let ways = self.weights[at].len();
            let fits = |way: &usize| self.weights[at][*way] <= share;
            let first = (0..ways).find(fits).unwrap_or(ways - 1);
            for way in first..ways {
                if self.take(at, way, attempt.limit, attempt) {
                    break;
                }
            }
        }
    }

    /// An error text must survive letter by letter: it takes what the others left of the room.
    fn lengthen_errors(&self, attempt: &mut Attempt) {
        for (at, piece) in self.pieces.iter().enumerate() {
            let is_error = piece.urgency == Urgency::Vital && piece.section == "errors";
            let Some(way) = attempt.chosen[at].filter(|way| is_error && *way > 0) else { continue };
            let weights = &self.weights[at];
            let longer = (0..way).find(|longer| {
                let more = weights[*longer].saturating_sub(weights[way]);
                attempt.used + more <= attempt.limit / 10 * 9
            });
            if let Some(longer) = longer {
                let more = weights[longer].saturating_sub(weights[way]);
                attempt.used += more;
                *attempt.of_section.entry(piece.section).or_default() += more;
                attempt.chosen[at] = Some(longer);
            }
        }
    }

    fn take_urgent(&mut self, urgency: Urgency, used_max: u64, attempt: &mut Attempt) {
        for at in 0..self.pieces.len() {
            let is_meant = self.pieces[at].urgency == urgency && attempt.chosen[at].is_none();
            if is_meant && attempt.used < used_max {
                self.take_any(at, attempt);
            }
        }
    }

    /// In the longest way that fits.
    fn take_any(&mut self, at: usize, attempt: &mut Attempt) {
        for way in 0..self.weights[at].len() {
            if self.take(at, way, attempt.limit, attempt) {
                return;
            }
        }
    }

    fn take(&mut self, at: usize, way: usize, section_max: u64, attempt: &mut Attempt) -> bool {
        let piece = &self.pieces[at];
        let mut weight = self.weights[at][way];
        let head = match &piece.body {
            Body::Member { head, tail, .. } => Some((piece.section, head.clone(), *tail)),
            Body::Line(_) => None,
        };
        let is_new_head = head.as_ref().is_some_and(|head| !attempt.heads.contains(head));
        if let (true, Some((_, head, tail))) = (is_new_head, &head) {
            weight += item_weight(&group(head, &[], tail));
        }
        let in_section = attempt.of_section.get(piece.section).copied();
        let heading = if in_section.is_none() { heading_weight(piece.section) } else { 0 };
        let total = weight + heading;
        let in_section = in_section.unwrap_or_default() + total;
        if attempt.used + total > attempt.limit || in_section > section_max || self.is_secret(at) {
            return false;
        }
        attempt.used += total;
        attempt.of_section.insert(piece.section, in_section);
        attempt.chosen[at] = Some(way);
        if let (true, Some(head)) = (is_new_head, head) {
            attempt.heads.insert(head);
        }
        true
    }

    /// The same with each path on a line of its own, where there is room in plenty.
    pub(super) fn spread(&self, chosen: &Chosen, limit: u64) -> Option<Summary> {
        let spread = self.built(chosen, |head, names, tail| {
            names.iter().map(|name| group(head, &[name], tail)).collect()
        });
        (tokens::weight(&spread.render()) <= limit / PLENTY).then_some(spread)
    }

    fn build(&self, chosen: &Chosen) -> Summary {
        self.built(chosen, |head, names, tail| vec![group(head, names, tail)])
    }

    /// The summary of what was chosen: each section in its order.
    fn built(
        &self,
        chosen: &Chosen,
        paths: impl Fn(&str, &[&str], &str) -> Vec<String>,
    ) -> Summary {
        let mut lines: BTreeMap<&str, Vec<(usize, usize, String)>> = BTreeMap::new();
        let mut groups: BTreeMap<(&str, &str, &str), Vec<&str>> = BTreeMap::new();
        for (at, way) in chosen.iter().enumerate() {
            let Some(way) = way else { continue };
            let piece = &self.pieces[at];
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
            items.sort_by_key(|(order, at, _)| (*order, *at));
            set(&mut summary, section, items.into_iter().map(|(_, _, text)| text).collect());
        }
        for ((section, head, tail), names) in groups {
            let mut items = summary.list(section).to_vec();
            items.extend(paths(head, &names, tail));
            summary.set_list(section, items);
        }
        summary
    }
}

fn set(summary: &mut Summary, section: &str, items: Vec<String>) {
    if is_text(section) {
        summary.set_text(section, items.first().map_or("", String::as_str));
    } else {
        summary.set_list(section, items);
    }
}

/// Sections that are a text and no list.
pub(super) fn is_text(section: &str) -> bool {
    matches!(section, "goal" | "pattern")
}

fn weights(piece: &Piece<'_>) -> Vec<u64> {
    match &piece.body {
        Body::Line(texts) => texts.iter().map(|text| item_weight(text)).collect(),
        Body::Member { head, name, .. } if head.is_empty() => {
            vec![tokens::weight(&format!("{NAME_END}`{name}`"))]
        }
        Body::Member { name, .. } => vec![tokens::weight(&format!("{NAME_END}{name}"))],
    }
}

fn place<'s>(mut sections: impl Iterator<Item = &'s str>, section: &str) -> usize {
    sections.position(|it| it == section).unwrap_or(usize::MAX)
}

fn share_of(section: &str) -> u64 {
    SHARES.iter().find(|it| it.0 == section).map_or(0, |it| it.1)
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
    let mut low = 0u64;
    // More than any model reads, and far from where numbers end.
    const TOKENS_MAX: usize = 10_000_000;
    let mut high = budget_tokens.min(TOKENS_MAX) as u64 * 1000;
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if tokens::of_weight(middle) <= budget_tokens {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    low
}
